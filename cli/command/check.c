/* SPDX-License-Identifier: MIT
 *
 * ptxlit check: does each test's condition hold, or does it end, or is it with --expect as the test
 * expects? And a summary of many. */
#include <stdio.h>
#include <inttypes.h>
#include <string.h>

#include "cli/answer/ending.h"
#include "cli/command/commands.h"
#include "cli/repair/repair.h"
#include "cli/show/json.h"
#include "cli/show/lasso.h"
#include "cli/show/picture/file.h"
#include "cli/show/picture/timeline.h"
#include "cli/show/stuck.h"
#include "cli/show/text.h"
#include "cli/show/witness_json.h"
#include "cli/work/batch.h"

/* Counts what became of the test's expectations; with --expect that is the verdict. */
static enum verdict compare(struct batch_job *one, const struct expect_result *compared,
                            enum verdict verdict)
{
    one->result->counts[compared->status] = verdict != VERDICT_ERROR;
    return one->job.settings->expect && verdict != VERDICT_ERROR ? expect_verdict(compared)
                                                                 : verdict;
}

/* ---- --property condition ------------------------------------------------------------------- */

/* The axioms of a minimal reason are looked for only where they are shown. */
static struct reason *find_reason(struct batch_job *one, const struct answer *answer)
{
    bool negate;
    if (!one->options->json || !answer_unreachable(answer, &negate))
        return NULL;
    return answer_reason(&one->job, answer, false, negate);
}

/* --tight, of a test whose outcome is excluded as it expects: could it be weaker? FAILS: it could, 'weaker' has the
 * cheapest form; UNDECIDED: 'weaker' says why. */
static enum verdict find_weaker(struct batch_job *one, const struct answer *answer,
                                const struct expect_result *compared, struct repair *weaker)
{
    struct repair_wish wish = {.most = 1, .keep = &one->options->keep};
    bool negate;
    *weaker = (struct repair){.job = &one->job};
    if (!one->options->tight || compared->status != EXPECT_MET ||
        !answer_unreachable(answer, &negate))
        return VERDICT_HOLDS;
    if (!repair_weaken(weaker, &one->job, answer, &wish))
        return VERDICT_HOLDS;
    return weaker->proposals.len                  ? VERDICT_FAILS
           : weaker->verdict == VERDICT_UNDECIDED ? VERDICT_UNDECIDED
                                                  : VERDICT_HOLDS;
}

static json_t *tight_json(enum verdict tight)
{
    return tight == VERDICT_UNDECIDED ? json_null() : json_boolean(tight == VERDICT_HOLDS);
}

static void print_tight(enum verdict tight, const struct repair *weaker, GString *out)
{
    if (tight == VERDICT_HOLDS)
        return;
    g_string_truncate(out, out->len - 1); /* below the block */
    if (tight == VERDICT_UNDECIDED) {
        g_string_append_printf(out, "Tight or not: %s\n\n", weaker->none);
        return;
    }
    const struct repair_proposal *proposal = &weaker->proposals.at[0];
    g_string_append_printf(out, "Not tight: cost %" PRId64 " would do instead of %u\n%s\n",
                           proposal->cost, weaker->cost_before, proposal->diff);
}

static void print_unasked(GString *out)
{
    g_string_truncate(out, out->len - 1); /* below the block */
    g_string_append(out, "Nothing is asked by --exists, --forall or --never: the answer is whether "
                         "the launch is free of "
                         "races, undefined behaviour and hangs\n\n");
}

static enum verdict check_condition(struct batch_job *one)
{
    bool unasked = job_is_unasked(&one->job);
    struct answer answer = batch_answer(one, unasked ? ANSWER_HANGS : 0);
    if (unasked)
        answer_judge_unasked(&answer);
    struct reason *reason = find_reason(one, &answer);
    struct expect_result compared = expect_compare(&one->job, &answer);
    const struct expect_result *expected = one->job.settings->expect ? &compared : NULL;
    struct repair weaker;
    enum verdict tight = find_weaker(one, &answer, &compared, &weaker);
    answer.milliseconds = job_milliseconds(&one->job);
    if (one->options->json) {
        json_t *object = json_answer(one->options, &answer, reason, expected);
        stuck_add_json(object, &answer);
        if (one->options->tight)
            json_object_set_new(object, "tight", tight_json(tight));
        json_line(object, one->result->out);
    } else {
        text_answer(one->options, &answer, expected, one->result->out);
        if (unasked)
            print_unasked(one->result->out);
        print_tight(tight, &weaker, one->result->out);
    }
    enum verdict verdict = compare(one, &compared, answer.verdict);
    return verdict == VERDICT_HOLDS ? tight : verdict;
}

/* ---- --property termination ----------------------------------------------------------------- */

static void print_text(const struct batch_job *one, struct ending *ending,
                       const struct expect_result *expected)
{
    const struct job *job = &one->job;
    GString *out = one->result->out;
    g_string_append_printf(out, "Test %s Termination %s\n", job->test->name, ending->scheduler);
    text_verdict(ending->verdict, out);
    text_time(one->options, job->test->name, job_milliseconds(job), out);
    if (ending->open)
        g_string_append_printf(out, "Undecided %s\n", ending->open);
    if (ending->stuck)
        stuck_text(job, ending->stuck, out);
    if (ending->hang.kind != HANG_NONE)
        lasso_text(ending, out);
    if (expected)
        text_expectation(expected, out);
    g_string_append_c(out, '\n');
}

static void print_json(const struct batch_job *one, struct ending *ending,
                       const struct expect_result *expected)
{
    const struct job *job = &one->job;
    json_t *object =
        json_nothing(one->options, job->path, job->test, ending->verdict, job_milliseconds(job));
    json_t *stuck = ending->stuck ? witness_json(job, ending->stuck) : json_null();
    json_t *threads = ending->stuck ? stuck_json(job, ending->stuck) : json_array();
    json_t *lasso = ending->hang.kind != HANG_NONE ? lasso_json(ending) : json_null();
    json_object_update_new(object, json_pack("{s:n, s:s, s:o, s:s, s:s, s:o, s:o, s:o, s:o*}",
                                             "error", "model", job->settings->model, "undecided",
                                             json_text(ending->open), "property", "termination",
                                             "progress", ending->scheduler, "stuck", stuck,
                                             "never_ends", threads, "lasso", lasso, "expected",
                                             expected ? json_expected(expected) : NULL));
    json_line(object, one->result->out);
}

/* The run that never ends, as a timeline, or as the execution that the axioms found. */
static bool draw(struct batch_job *one, struct ending *ending)
{
    const char *target = one->options->timeline;
    GString *err = one->result->err;
    if (!target)
        return true;
    if (ending->hang.kind != HANG_NONE)
        return timeline_write_hang(&one->job, ending, target, err);
    const struct explanation stuck = {
        .job = &one->job, .kind = EXPLANATION_ALLOWED, .execution = ending->stuck};
    if (ending->stuck)
        return picture_write(&one->job, &stuck, picture_format_of(target), (struct picture_view){0},
                             target, err);
    g_string_append_printf(err, "%s: no timeline: no run that never ends was found\n",
                           one->job.path);
    return true;
}

static enum verdict check_termination(struct batch_job *one)
{
    struct ending ending = ending_find(&one->job, ending_scheduler(&one->job));
    struct expect_result compared = expect_compare_end(&one->job, ending.verdict);
    const struct expect_result *expected = one->job.settings->expect ? &compared : NULL;
    if (one->options->json)
        print_json(one, &ending, expected);
    else
        print_text(one, &ending, expected);
    return draw(one, &ending) ? compare(one, &compared, ending.verdict) : VERDICT_ERROR;
}

/* ---- the summary ---------------------------------------------------------------------------- */

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
} properties[] = {{"condition", check_condition},
                  {"termination", check_termination},
                  {"program_spec", check_condition}}; /* as Dartagnan names the condition */

static bool is_scheduler(const char *name)
{
    struct guarantee progress;
    if (progress_parse(name, &progress))
        return true;
    fprintf(stderr, "ptxlit: %s: unknown scheduler '%s': it is %s\n", diag_code(DIAG_option_value),
            name, progress_words());
    return false;
}

int command_check(const struct options *options)
{
    if (options->settings.progress && !is_scheduler(options->settings.progress))
        return EXIT_WRONG_INPUT;
    if (!picture_folder(options->timeline, batch_is_many(options))) {
        perror("ptxlit: no folder for the timelines of several tests");
        return EXIT_WRONG_INPUT;
    }
    const struct options patient = repair_patient(options);
    for (size_t i = 0; i < G_N_ELEMENTS(properties); i++)
        if (strcmp(properties[i].name, options->settings.property) == 0)
            return batch_run(&(struct batch){.options = options->tight ? &patient : options,
                                             .unfolded = true,
                                             .work = properties[i].work,
                                             .summary = print_summary});
    fprintf(stderr,
            "ptxlit: %s: unknown property '%s': it is 'condition' or 'termination'; races, and "
            "what else "
            "the model flags, are always reported\n",
            diag_code(DIAG_property_unknown), options->settings.property);
    return EXIT_WRONG_INPUT;
}
