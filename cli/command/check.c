/* SPDX-License-Identifier: MIT
 *
 * ptxlit check: does each test's condition hold, or is it with --expect as the test expects? */
#include <stdio.h>
#include <string.h>

#include "cli/work/batch.h"
#include "cli/command/commands.h"
#include "cli/answer/expect.h"
#include "cli/show/json.h"
#include "cli/command/termination.h"
#include "cli/show/text.h"

/* ptxlit check: the verdict of each test, and a summary of many. */

/* The axioms of a minimal reason are looked for only where they are shown. */
static struct reason *find_reason(struct batch_job *one, const struct answer *answer)
{
    bool negate;
    if (!one->options->json || !answer_unreachable(answer, &negate))
        return NULL;
    struct solver_options options = job_solver_options(&one->job, false);
    return solver_explain(one->job.arena, &options, negate);
}

static enum verdict check_condition(struct batch_job *one)
{
    struct answer answer = batch_answer(one, 0);
    struct reason *reason = find_reason(one, &answer);
    struct expect_result compared = expect_compare(&one->job, &answer);
    const struct expect_result *expected = one->job.settings->expect ? &compared : NULL;
    one->result->counts[compared.status] = answer.verdict != VERDICT_ERROR;
    answer.milliseconds = job_milliseconds(&one->job);
    if (one->options->json)
        json_line(json_answer(one->options, &answer, reason, expected), one->result->out);
    else
        text_answer(one->options, &answer, expected, one->result->out);
    return expected && answer.verdict != VERDICT_ERROR ? expect_verdict(expected) : answer.verdict;
}

/* What the summary counts: verdicts, and of the tests whose condition or expectation holds, those
 * without an expectation, which are as good, and those with one. */
enum { COUNT_WITHOUT = VERDICT_COUNT, COUNT_MET };

/* A column of the summary: its heading, and what it counts. */
struct summary_column {
    const char *heading;
    uint32_t counts;
};

static uint32_t count(const struct tally *tally, const struct summary_column *column)
{
    uint32_t without = (uint32_t)tally->counts[EXPECT_NONE];
    return column->counts == COUNT_WITHOUT ? without
           : column->counts == COUNT_MET   ? tally->verdicts[VERDICT_HOLDS] - without
                                           : tally->verdicts[column->counts];
}

enum { COLUMNS = 5, FAMILY_WIDTH = 20 };
static const struct summary_column verdict_columns[COLUMNS] = {{"hold", VERDICT_HOLDS},
                                                               {"do not", VERDICT_FAILS},
                                                               {"undecided", VERDICT_UNDECIDED},
                                                               {"in error", VERDICT_ERROR}};
static const struct summary_column expectation_columns[COLUMNS] = {
    {"met", COUNT_MET},
    {"missed", VERDICT_FAILS},
    {"undecided", VERDICT_UNDECIDED},
    {"without expectation", COUNT_WITHOUT},
    {"in error", VERDICT_ERROR}};

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
        fprintf(out, "  %*u", (int)strlen(columns[i].heading), count(family, &columns[i]));
    if (!options->no_time)
        fprintf(out, "  %7.2f", (double)family->counts[RESULT_MICROSECONDS] / 1e6);
    fputc('\n', out);
}

static void print_all(const struct options *options, const struct summary_column *columns,
                      const struct tally *all, FILE *out)
{
    fprintf(out, "%u tests", all->tests);
    for (int i = 0; i < COLUMNS && columns[i].heading; i++)
        fprintf(out, "%s %u %s", i ? "," : ":", count(all, &columns[i]), columns[i].heading);
    if (!options->no_time)
        fprintf(out, ", %.2f seconds", (double)all->counts[RESULT_MICROSECONDS] / 1e6);
    fputc('\n', out);
}

/* With --expect this is the result itself, whose blocks are the exceptions. */
static void print_summary(const struct options *options, const struct tally *all,
                          const struct tally *families, uint32_t family_count)
{
    const struct summary_column *columns =
        options->settings.expect ? expectation_columns : verdict_columns;
    FILE *out = options->settings.expect && !options->json ? stdout : stderr;
    print_headings(options, columns, out);
    for (uint32_t i = 0; i < family_count; i++)
        print_family(options, columns, &families[i], out);
    print_all(options, columns, all, out);
}

/* --property: its name and who answers for it. */
static const struct {
    const char *name;
    test_work *work;
} properties[] = {{"condition", check_condition}, {"termination", termination_check}};

static int refuse_property(const struct options *options)
{
    fprintf(stderr, "ptxlit: %s: unknown property '%s': it is 'condition' or 'termination'\n",
            diag_code(DIAG_property_unknown), options->settings.property);
    return EXIT_WRONG_INPUT;
}

int command_check(const struct options *options)
{
    for (size_t i = 0; i < G_N_ELEMENTS(properties); i++)
        if (strcmp(properties[i].name, options->settings.property) == 0)
            return batch_run(&(struct batch){.options = options,
                                             .unfolded = true,
                                             .work = properties[i].work,
                                             .summary = print_summary});
    return refuse_property(options);
}
