/* SPDX-License-Identifier: MIT */
#include "cli/command/termination.h"

#include "cli/answer/answer.h"
#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/show/text.h"
#include "cli/answer/witness.h"
#include "cli/show/witness_json.h"

/* What was found out. */
struct ending {
    enum verdict verdict;
    const char *open; /* undecided: why */
    const struct execution *stuck;
};

static struct ending find_ending(struct job *job)
{
    struct solver_options options = answer_options(job, false);
    enum solver_status status;
    struct execution *stuck = NULL;
    bool terminates = solver_terminates(job->arena, &options, &status, &stuck);
    struct ending ending = {terminates ? VERDICT_HOLDS : VERDICT_FAILS, NULL, stuck};
    if (status != SOLVER_DONE) {
        ending.verdict = VERDICT_UNDECIDED;
        ending.open = answer_stopped(job->arena, job->options, status);
        if (!ending.open)
            ending.open = "the search stopped before it knew";
    }
    return ending;
}

static void print_text(const struct job *job, const struct ending *ending,
                       const struct expect_result *expected)
{
    GString *out = job->result->out;
    g_string_append_printf(out, "Test %s Termination\n", job->test->name);
    text_verdict(ending->verdict, out);
    text_time(job->options, job->test->name, job_milliseconds(job), out);
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

static void print_json(const struct job *job, const struct ending *ending,
                       const struct expect_result *expected)
{
    json_t *object = json_head(job->options, job->path, job->test, ending->verdict);
    json_nothing_found(object);
    json_object_set_new(object, "milliseconds",
                        json_milliseconds(job->options, job_milliseconds(job)));
    json_object_set_new(object, "error", json_null());
    json_object_set_new(object, "undecided", json_text(ending->open));
    json_object_set_new(object, "property", json_string("termination"));
    json_object_set_new(object, "stuck",
                        ending->stuck ? witness_json(job, ending->stuck) : json_null());
    if (expected)
        json_object_set_new(object, "expected", json_expected(expected));
    json_line(object, job->result->out);
}

enum verdict check_termination(struct job *job)
{
    struct ending ending = find_ending(job);
    struct expect_result compared = expect_compare_end(job, ending.verdict);
    const struct expect_result *expected = job->options->expect ? &compared : NULL;
    job->result->counts[compared.status] = ending.verdict != VERDICT_ERROR;
    if (job->options->json)
        print_json(job, &ending, expected);
    else
        print_text(job, &ending, expected);
    return expected ? expect_verdict(expected) : ending.verdict;
}
