/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIBRARY_LIBRARY_H
#define CLI_LIBRARY_LIBRARY_H

#include "cli/answer/why/explanation.h"
#include "cli/library/ptxlit.h"
#include "cli/options/options.h"

/* What the files of the library share. Memory lies in arenas: a test's in scratch of its context's, an
 * answer's in scratch of its test's. */

struct ptxlit_context {
    struct arena *arena;
    struct options options; /* the limits, and the model's name */
    const struct cat_model *model;
    struct arena *said; /* holds the diagnostics */
    struct ptxlit_diagnostic *diagnostics;
    size_t diagnostic_count;
};

/* The memory of an answer, and what to say when a limit ended the search for it. */
struct library_answer {
    struct arena *arena;
    char stopped[96];
};

/* What ptxlit_check found. */
struct checked {
    struct ptxlit_result result;
    struct ptxlit_outcome *outcomes;
    struct ptxlit_race *races;
    struct ptxlit_undefined *undefined;
};

struct ptxlit_test {
    ptxlit_context *context;
    struct arena *arena;
    struct note note;
    struct settings settings; /* when it was read, but for the limits */
    struct job job;
    struct library_answer check, explain;
    struct checked checked;
    struct ptxlit_explanation explained;
};

/* Does work(task) within the context's limits. */
enum ptxlit_status library_run(ptxlit_context *context, void (*work)(void *task), void *task);
/* Does work(test), which makes the answer anew. NULL, or which limit ended it: then there is none. */
const char *library_answer(ptxlit_test *test, struct library_answer *answer,
                           void (*work)(void *test));
/* In such work: the test as a job with the answer's arena and the limits of now. */
struct job *library_job(ptxlit_test *test, struct library_answer *answer);

#endif
