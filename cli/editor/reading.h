/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_READING_H
#define CLI_EDITOR_READING_H

#include "cli/answer/job.h"

/* A text in an editor, as it was read last: within some seconds and some memory, in this process. */
struct editor_text {
    const struct editor_reading *how;
    struct arena *arena;           /* of all of it */
    const struct source *source;   /* the text as it stands in the editor */
    bool is_model;                 /* a cat text; else a test */
    struct job job;                /* of a test: job.test and job.graphs, as far as it came */
    const struct diag_list *diags; /* what reading it found */
    const char *stopped;           /* why it came no further: a limit; or NULL */
};

/* How a text is read. */
struct editor_reading {
    const struct settings *settings;
    const struct cat_model *model; /* for tests; NULL: that of the settings */
    const struct source_files *
        files; /* who reads what a test names; NULL: where its path lies, and nothing is compiled */
    bool no_includes; /* cat texts may include the bundled ones only */
};

/* Cat texts are those whose path ends in ".cat". The text is copied. Never NULL; ends with editor_forget. */
struct editor_text *editor_read(const struct editor_reading *how, const char *path,
                                const char *text, size_t length);
void editor_forget(struct editor_text *text); /* accepts NULL */

#endif
