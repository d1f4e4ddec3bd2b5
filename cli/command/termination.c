/* SPDX-License-Identifier: MIT */
#include "cli/command/termination.h"

#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/show/text.h"
#include "cli/answer/witness.h"
#include "cli/show/witness_json.h"

/* ptxlit check --property termination: does every fair execution of the test end? */

/* Whether the test ends, and an execution that does not. */
struct ending {
    enum verdict verdict;
    const char *open; /* undecided: why */
    const struct execution *stuck;
};

static struct ending find_ending(struct job *job)
{
    struct solver_options options = job_solver_options(job, false);
    enum solver_status status;
    struct execution *stuck = NULL;
    bool terminates = solver_terminates(job->arena, &options, &status, &stuck);
    struct ending ending = {terminates ? VERDICT_HOLDS : VERDICT_FAILS, NULL, stuck};
    if (status != SOLVER_DONE) {
        ending.verdict = VERDICT_UNDECIDED;
        ending.open = job_stopped(job, status);
        if (!ending.open)
            ending.open = "the search stopped before it knew";
    }
    return ending;
}

static void print_text(const struct batch_job *one, const struct ending *ending,
                       const struct expect_result *expected)
{
    const struct job *job = &one->job;
    GString *out = one->result->out;
    g_string_append_printf(out, "Test %s Termination\n", job->test->name);
    text_verdict(ending->verdict, out);
    text_time(one->options, job->test->name, job_milliseconds(job), out);
    if (ending->open)
        g_string_append_printf(out, "Undecided %s\n", ending->open);
    if (ending->stuck) {
        g_string_append(out, "Stuck for ever after\n");
        witness_text(job, ending->stuck, out);
    }
    if (expected)
        text_expectation(expected, out);
    g_string_append_c(out, '\n');
}

static void print_json(const struct batch_job *one, const struct ending *ending,
                       const struct expect_result *expected)
{
    const struct job *job = &one->job;
    json_t *object =
        json_nothing(one->options, job->path, job->test, ending->verdict, job_milliseconds(job));
    json_object_update_new(
        object, json_pack("{s:n, s:o, s:s, s:o}", "error", "undecided", json_text(ending->open),
                          "property", "termination", "stuck",
                          ending->stuck ? witness_json(job, ending->stuck) : json_null()));
    if (expected)
        json_object_set_new(object, "expected", json_expected(expected));
    json_line(object, one->result->out);
}

enum verdict termination_check(struct batch_job *one)
{
    struct ending ending = find_ending(&one->job);
    struct expect_result compared = expect_compare_end(&one->job, ending.verdict);
    const struct expect_result *expected = one->job.settings->expect ? &compared : NULL;
    one->result->counts[compared.status] = ending.verdict != VERDICT_ERROR;
    if (one->options->json)
        print_json(one, &ending, expected);
    else
        print_text(one, &ending, expected);
    return expected ? expect_verdict(expected) : ending.verdict;
}
