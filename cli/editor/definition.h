/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_DEFINITION_H
#define CLI_EDITOR_DEFINITION_H

#include <stdbool.h>

#include "litmus/base/diag.h"

/* Where a name of a cat text comes from: the last definition before its use, in the text or in one that it includes. */

struct definition {
    const struct source *source; /* the text that it stands in */
    bool is_file; /* and that text is a file, called by its path; else the program holds it */
    struct span name, whole; /* the name; all of the definition */
};

/* Of the name, or the included text, at 'offset'. 'folder' of the text, for its includes. False: there is none; a
 * name that C supplies has none either. All in 'arena'. */
bool definition_find(struct arena *arena, const struct source *source, const char *folder,
                     uint32_t offset, struct definition *found);
/* The names that a use at the end of the text could mean, each once; with those of the included texts. */
struct definition_names {
    VEC(const char *) items;
};
struct definition_names definition_names(struct arena *arena, const struct source *source,
                                         const char *folder);

#endif
