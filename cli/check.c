/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/batch.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/expect.h"
#include "cli/json.h"
#include "cli/termination.h"
#include "cli/text.h"

/* The axioms of a minimal reason are looked for only where they are shown. */
static struct reason *find_reason(struct job *job, const struct answer *answer)
{
    bool negate;
    if (!job->options->json || !answer_unreachable(answer, &negate))
        return NULL;
    struct solver_options options = answer_options(job, false);
    return solver_explain(job->arena, &options, negate);
}

static enum verdict check_condition(struct job *job)
{
    struct solver_options options = answer_options(job, false);
    struct answer answer = answer_new(job, solve(job->arena, &options));
    struct reason *reason = find_reason(job, &answer);
    struct expect_result compared = expect_compare(job, &answer);
    const struct expect_result *expected = job->options->expect ? &compared : NULL;
    job->result->counts[compared.status] = 1;
    answer.milliseconds = job_milliseconds(job);
    if (job->options->json)
        json_answer(&answer, reason, expected, job->result->out);
    else
        text_answer(&answer, expected, job->result->out);
    return expected && answer.verdict != VERDICT_ERROR ? expect_verdict(expected) : answer.verdict;
}

/* Many conditions are there to fail, so what the tests expect says more than how many hold. */
static void print_expectations(const struct options *options, const uint64_t counts[RESULT_COUNTS])
{
    uint64_t missed = counts[EXPECT_MISSED] + counts[EXPECT_UNKNOWN];
    uint64_t some = counts[EXPECT_MET] + counts[EXPECT_OPEN] + missed;
    if (some)
        fprintf(stderr,
                "%" PRIu64 " expect something of %s: %" PRIu64 " met, %" PRIu64 " missed, %" PRIu64
                " undecided\n",
                some, options->model, counts[EXPECT_MET], missed, counts[EXPECT_OPEN]);
}

static void print_summary(const struct options *options, uint32_t tests,
                          const uint32_t verdicts[VERDICT_COUNT],
                          const uint64_t counts[RESULT_COUNTS])
{
    fprintf(stderr, "%u tests: %u %s, %u %s, %u undecided, %u in error\n", tests,
            verdicts[VERDICT_HOLDS], options->expect ? "as expected" : "hold",
            verdicts[VERDICT_FAILS], options->expect ? "not as expected" : "do not",
            verdicts[VERDICT_UNDECIDED], verdicts[VERDICT_ERROR]);
    print_expectations(options, counts);
}

/* --property: its name and who answers for it. */
static const struct {
    const char *name;
    test_work *work;
} properties[] = {{"condition", check_condition}, {"termination", check_termination}};

static int refuse_property(const struct options *options)
{
    fprintf(stderr, "ptxlit: %s: unknown property '%s': it is 'condition' or 'termination'\n",
            diag_code(DIAG_property_unknown), options->property);
    return EXIT_WRONG_INPUT;
}

int command_check(const struct options *options)
{
    for (size_t i = 0; i < G_N_ELEMENTS(properties); i++)
        if (strcmp(properties[i].name, options->property) == 0)
            return batch_run_counting(options, BATCH_UNFOLDED, properties[i].work, print_summary);
    return refuse_property(options);
}
