/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_BATCH_H
#define CLI_WORK_BATCH_H

#include "cli/answer/job.h"
#include "cli/work/journal.h"
#include "cli/work/pool.h"
#include "cli/answer/verdict.h"
#include "cli/work/walk.h"

/* A command's work on one test, in a worker: prints the result into job->result; the verdict
 * counts. */
typedef enum verdict test_work(struct job *job);

/* Runs a command over the tests of its arguments and gives the exit status. Results are printed in
 * the order of the inputs, whatever the number of workers. */
enum batch_depth { BATCH_PARSED, BATCH_UNFOLDED /* also the model and the graphs */ };
int batch_run(const struct options *options, enum batch_depth depth, test_work *work);
/* What became of the tests of a family (struct input), or of all. */
struct tally {
    const char *family;
    uint32_t tests, verdicts[VERDICT_COUNT];
    uint64_t counts[RESULT_COUNTS]; /* of the results, added up */
};

/* The same, with a summary when there is more than one test: of all, and of each family in the order
 * of the tests. */
typedef void batch_summary(const struct options *options, const struct tally *all,
                           const struct tally *families, uint32_t family_count);
int batch_run_counting(const struct options *options, enum batch_depth depth, test_work *work,
                       batch_summary *summary);

/* The same, but gives each result, in order, to 'take' instead of printing it. No summary. With a
 * journal (or NULL) what it holds is not worked on again, and what is worked on is kept in it. */
typedef void batch_take(void *context, const struct result *result);
int batch_run_collecting(const struct options *options, enum batch_depth depth, test_work *work,
                         batch_take *take, void *context, struct journal *journal);

/* The result of a test that was refused: job->diags says why. */
enum verdict batch_fail(struct job *job);

#endif
