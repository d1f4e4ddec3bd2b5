/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/work/batch.h"
#include "cli/answer/answer.h"
#include "cli/command/commands.h"
#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/command/termination.h"
#include "cli/show/text.h"

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
    job->result->counts[compared.status] = answer.verdict != VERDICT_ERROR;
    answer.milliseconds = job_milliseconds(job);
    if (job->options->json)
        json_answer(&answer, reason, expected, job->result->out);
    else
        text_answer(&answer, expected, job->result->out);
    return expected && answer.verdict != VERDICT_ERROR ? expect_verdict(expected) : answer.verdict;
}

/* A column of the summary: its heading, and what it counts. */
struct summary_column {
    const char *heading;
    uint32_t (*count)(const struct tally *tally);
};

static uint32_t count_good(const struct tally *tally)
{
    return tally->verdicts[VERDICT_HOLDS];
}

static uint32_t count_bad(const struct tally *tally)
{
    return tally->verdicts[VERDICT_FAILS];
}

static uint32_t count_undecided(const struct tally *tally)
{
    return tally->verdicts[VERDICT_UNDECIDED];
}

static uint32_t count_errors(const struct tally *tally)
{
    return tally->verdicts[VERDICT_ERROR];
}

/* A test that expects nothing is as good as one that has what it expects, and counted apart. */
static uint32_t count_without(const struct tally *tally)
{
    return (uint32_t)tally->counts[EXPECT_NONE];
}

static uint32_t count_met(const struct tally *tally)
{
    return count_good(tally) - count_without(tally);
}

enum { COLUMNS = 5, FAMILY_WIDTH = 20 };
static const struct summary_column verdict_columns[COLUMNS] = {{"hold", count_good},
                                                               {"do not", count_bad},
                                                               {"undecided", count_undecided},
                                                               {"in error", count_errors}};
static const struct summary_column expectation_columns[COLUMNS] = {
    {"met", count_met},
    {"missed", count_bad},
    {"undecided", count_undecided},
    {"without expectation", count_without},
    {"in error", count_errors}};

static void print_headings(const struct options *options, const struct summary_column *columns,
                           FILE *out)
{
    fprintf(out, "%-*s tests", FAMILY_WIDTH, "family");
    for (int i = 0; i < COLUMNS && columns[i].heading; i++)
        fprintf(out, "  %s", columns[i].heading);
    fputs(options->no_time ? "\n" : "  seconds\n", out);
}

static void print_family(const struct options *options, const struct summary_column *columns,
                         const struct tally *family, FILE *out)
{
    fprintf(out, "%-*s %5u", FAMILY_WIDTH, family->family, family->tests);
    for (int i = 0; i < COLUMNS && columns[i].heading; i++)
        fprintf(out, "  %*u", (int)strlen(columns[i].heading), columns[i].count(family));
    if (!options->no_time)
        fprintf(out, "  %7.2f", (double)family->counts[RESULT_MICROSECONDS] / 1e6);
    fputc('\n', out);
}

static void print_all(const struct options *options, const struct summary_column *columns,
                      const struct tally *all, FILE *out)
{
    fprintf(out, "%u tests", all->tests);
    for (int i = 0; i < COLUMNS && columns[i].heading; i++)
        fprintf(out, "%s %u %s", i ? "," : ":", columns[i].count(all), columns[i].heading);
    if (!options->no_time)
        fprintf(out, ", %.2f seconds", (double)all->counts[RESULT_MICROSECONDS] / 1e6);
    fputc('\n', out);
}

/* With --expect this is the result itself, whose blocks are the exceptions. */
static void print_summary(const struct options *options, const struct tally *all,
                          const struct tally *families, uint32_t family_count)
{
    const struct summary_column *columns = options->expect ? expectation_columns : verdict_columns;
    FILE *out = options->expect && !options->json ? stdout : stderr;
    print_headings(options, columns, out);
    for (uint32_t i = 0; i < family_count; i++)
        print_family(options, columns, &families[i], out);
    print_all(options, columns, all, out);
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
