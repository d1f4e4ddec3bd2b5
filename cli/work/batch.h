/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_BATCH_H
#define CLI_WORK_BATCH_H

#include <jansson.h>

#include "cli/answer/answer.h"
#include "cli/work/journal.h"
#include "cli/work/sass.h"
#include "cli/work/walk.h"

/* One test of a command, in a worker. */
struct batch_job {
    struct job job;
    const struct options *options;
    const struct sass *sass; /* of --sass, or NULL */
    const void *material;    /* of the batch */
    struct result *result;   /* what it prints */
};
/* A command's work on one test: prints the result into one->result; the verdict counts. */
typedef enum verdict test_work(struct batch_job *one);

/* The job's answer; with --verbose standard error is told what it took. */
struct answer batch_answer(struct batch_job *one, uint32_t wanted);
/* The result of a test that was refused: the job's diagnostics say why. */
enum verdict batch_fail(struct batch_job *one);

/* What became of the tests of a family (struct input), or of all. */
struct tally {
    const char *family;
    uint32_t tests, verdicts[VERDICT_COUNT];
    uint64_t counts[RESULT_COUNTS]; /* of the results, added up */
};
/* Says what became of all tests, and of each family in the order of the tests. */
typedef void batch_summary(const struct options *options, const struct tally *all,
                           const struct tally *families, uint32_t family_count);
typedef void batch_take(void *context, const struct input *input, const struct result *result);

/* A command over the tests of its arguments. */
struct batch {
    const struct options *options;
    bool unfolded; /* the model and the test's graphs are needed too */
    bool
        or_parsed; /* with 'unfolded': a test of which there are no graphs is worked on all the same */
    test_work *work;
    const void *material;   /* what 'work' needs beside the test, or NULL */
    batch_summary *summary; /* of more than one test; NULL: how many verdicts there are of each */
    batch_take *take;       /* gets each result, in place of printing, and there is no summary */
    void *context;          /* of 'take' */
    const struct input_list *given; /* or NULL: tests in place of the arguments */
    struct journal
        *journal; /* or NULL: what it holds is not worked on again, the rest is kept in it */
};
/* Do the arguments stand for several tests? */
bool batch_is_many(const struct options *options);
/* Gives the exit status. Results come in the order of the inputs, whatever the number of workers. */
int batch_run(const struct batch *batch);
/* Gets the object of a test, and owns it. */
typedef void batch_object(void *context, const struct input *input, json_t *test);
/* The same with JSON objects as results, those of lost tests included, which go to 'take' instead of being printed. */
int batch_collect(const struct batch *batch, batch_object *take, void *context);

#endif
