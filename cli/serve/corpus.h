/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_CORPUS_H
#define CLI_SERVE_CORPUS_H

#include <jansson.h>

#include "cli/options/options.h"
#include "cli/work/walk.h"

/* The tests that the page has to browse, read once at the start. */
struct corpus {
    struct arena *arena;
    struct input_list tests; /* with their texts */
    char *list;              /* JSON: [{"family", "name", "about"}], in the order of the tests */
};

/* Those of the command's arguments; without one the bundled tests, which lie beside the program. False when one cannot be
 * read: standard error says which. */
bool corpus_read(struct corpus *corpus, const struct options *options);
void corpus_end(struct corpus *corpus);

#endif
