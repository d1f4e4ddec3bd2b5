/* SPDX-License-Identifier: MIT */
#ifndef CLI_LIBRARY_LIBRARY_H
#define CLI_LIBRARY_LIBRARY_H

#include "cli/answer/answer.h"
#include "cli/answer/explanation.h"
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

enum { LONGEST_WHY = 96 };

/* What ptxlit_check found. */
struct checked {
    struct arena *arena;
    struct ptxlit_result result;
    struct ptxlit_outcome *outcomes;
    struct ptxlit_race *races;
    struct ptxlit_undefined *undefined;
    char stopped[LONGEST_WHY]; /* the limit that ended it */
};

struct explained {
    struct arena *arena;
    struct ptxlit_explanation explanation;
    char stopped[LONGEST_WHY];
};

struct ptxlit_test {
    ptxlit_context *context;
    struct arena *arena;
    struct note note;
    struct settings settings; /* when it was read, but for the limits */
    struct job job;
    struct checked checked;
    struct explained explained;
};

/* Does work(task) within the context's limits. */
enum ptxlit_status library_run(ptxlit_context *context, void (*work)(void *task), void *task);
/* What to say of a limit that ended a call, in 'why'; NULL for PTXLIT_OK. */
const char *library_stopped(const ptxlit_context *context, enum ptxlit_status status,
                            char why[LONGEST_WHY]);
/* The test as a job with an arena of its own and the limits of now. */
struct job *library_job(ptxlit_test *test, struct arena *arena);

#endif
