/* SPDX-License-Identifier: MIT */
#include "cli/show/text.h"

#include "cli/answer/code.h"
#include "cli/answer/race.h"
#include "cli/show/lasso.h"
#include "cli/show/stuck.h"
#include "cli/show/style.h"

const char *text_kind(enum quantifier quantifier)
{
    static const char *const words[] = {[QUANTIFIER_EXISTS] = "Allowed",
                                        [QUANTIFIER_NOT_EXISTS] = "Forbidden",
                                        [QUANTIFIER_FORALL] = "Required"};
    return words[quantifier];
}

static void print_states(const struct answer *answer, GString *out)
{
    const struct outcome_set *set = &answer->found->outcomes;
    g_string_append_printf(out, "States %u\n", set->items.len);
    for (uint32_t i = 0; i < set->items.len; i++)
        g_string_append_printf(
            out, "%s\n",
            outcome_print(answer->job->arena, answer->job->test, set->items.at[i].values));
}

void text_verdict(enum verdict verdict, GString *out)
{
    static const struct {
        const char *word;
        enum style style;
    } rows[] = {[VERDICT_HOLDS] = {"Ok", STYLE_GOOD},
                [VERDICT_FAILS] = {"No", STYLE_BAD},
                [VERDICT_UNDECIDED] = {"Undecided", STYLE_OPEN},
                [VERDICT_ERROR] = {"Error", STYLE_BAD}};
    g_string_append_printf(out, "%s%s%s\n", style_on(rows[verdict].style), rows[verdict].word,
                           style_off());
}

/* As herd: for ~exists the witnesses are the states that do not satisfy the proposition, while the
 * observation always counts those that do first. */
static void print_counts(const struct answer *answer, GString *out)
{
    const struct test *test = answer->job->test;
    bool swapped = test->quantifier == QUANTIFIER_NOT_EXISTS;
    uint32_t positive = answer->positive, negative = answer->negative;
    g_autofree char *observation = g_strdup(answer->observation);
    observation[0] = g_ascii_toupper(observation[0]);
    g_string_append_printf(out, "Witnesses\nPositive: %u Negative: %u\n",
                           swapped ? negative : positive, swapped ? positive : negative);
    g_string_append_printf(out, "Condition %s\nObservation %s %s %u %u\n",
                           job_question(answer->job), test->name, observation, positive, negative);
}

void text_printed(const char *printed, GString *out)
{
    g_string_append(out, printed);
    if (*printed && printed[strlen(printed) - 1] != '\n')
        g_string_append_c(out, '\n');
}

void text_time(const struct options *options, const char *test, double milliseconds, GString *out)
{
    if (!options->no_time)
        g_string_append_printf(out, "Time %s %.2f\n", test, milliseconds / 1e3);
}

static void print_span(const struct answer *answer, struct span span, GString *out)
{
    code_place(answer->job->test, answer->job->path, span.offset, out);
    g_string_append_c(out, '\n');
}

static void print_access(const struct answer *answer, const struct race *race, event_id id,
                         GString *out)
{
    struct answer_access access = answer_access(answer, race, id);
    g_string_append_printf(out, "%s '%s'", access.thread, access.text);
    if (test_code_line(answer->job->test, access.offset))
        return; /* which the text names */
    g_string_append(out, " at ");
    code_place(answer->job->test, answer->job->path, access.offset, out);
}

static void print_race(const struct answer *answer, const struct race_line *line, GString *out)
{
    const struct race *race = line->race;
    g_string_append_printf(out, "%s%s%s: ", line->word, answer_is_misuse(race) ? ": " : " ",
                           answer_is_misuse(race) ? flag_detail(race->flag) : race->flag);
    print_access(answer, race, race->a, out);
    g_string_append(out, " and ");
    print_access(answer, race, race->b, out);
    if (line->others)
        g_string_append_printf(out, " (and %u more pair%s of threads)", line->others,
                               line->others == 1 ? "" : "s");
    g_string_append_c(out, '\n');
}

static void print_races(const struct answer *answer, GString *out)
{
    struct race_lines lines = race_lines(answer);
    for (uint32_t i = 0; i < lines.items.len; i++)
        print_race(answer, &lines.items.at[i], out);
}

static void print_undefined(const struct answer *answer, GString *out)
{
    const struct solver_result *found = answer->found;
    for (uint32_t i = 0; i < found->undefined_count; i++) {
        const struct undefined *undefined = found->undefined[i];
        g_string_append_printf(out, "Undefined %s: %s at ", undefined->name, undefined->detail);
        print_span(answer, undefined->span, out);
    }
    if (found->mixed_size_race)
        g_string_append_printf(out, "Undefined mixed-size-race: %s\n",
                               flag_detail("mixed-size-race"));
}

static void print_limits(const struct answer *answer, GString *out)
{
    const struct solver_result *found = answer->found;
    if (found->can_hang)
        g_string_append_printf(out, "Hang %s\n",
                               found->hang ? found->hang : "a barrier may wait for ever");
    if (answer->hang.name)
        g_string_append_printf(out, "Hang %s: %s\n", answer->hang.name, answer->hang.detail);
    else if (answer->hang.detail)
        g_string_append_printf(out, "Hang unknown: %s\n", answer->hang.detail);
    if (answer->hang.lasso)
        lasso_text(answer->hang.lasso, out);
    if (found->bound_reached) {
        g_string_append_printf(out, "Bound a loop can run more than %u times (--unroll) at ",
                               answer->job->settings->unroll);
        print_span(answer, found->bound_span, out);
    }
    if (answer->open)
        g_string_append_printf(out, "Undecided %s\n", answer->open);
    else if (!found->complete)
        g_string_append(out, "Incomplete there may be more states\n");
    if (!answer->open)
        g_string_append_printf(
            out, "%s%s%s", found->races_complete ? "" : "Incomplete there may be more races\n",
            found->undefined_decided ? "" : "Incomplete there may be more undefined behaviour\n",
            found->hang_decided ? "" : "Incomplete a barrier may wait for ever\n");
    if (answer->error)
        g_string_append_printf(out, "Error %s\n", answer->error);
}

void text_expectation(const struct expect_result *expected, GString *out)
{
    static const char *const words[] = {[EXPECT_NONE] = "none for this model",
                                        [EXPECT_MET] = "met",
                                        [EXPECT_OPEN] = "undecided",
                                        [EXPECT_MISSED] = "MISSED",
                                        [EXPECT_UNKNOWN] = "unknown word"};
    const struct expectation *expectation = expected->expectation;
    g_string_append(out, "Expected ");
    if (expectation)
        g_string_append_printf(out, "%s (%s): ", expectation->verdict, expectation->source);
    g_string_append_printf(out, "%s\n", words[expected->status]);
}

void text_remarks(const struct answer *answer, GString *out)
{
    print_races(answer, out);
    print_undefined(answer, out);
    print_limits(answer, out);
}

void text_answer(const struct options *options, const struct answer *answer,
                 const struct expect_result *expected, GString *out)
{
    const struct test *test = answer->job->test;
    size_t start = out->len;
    g_string_append_printf(out, "Test %s %s\n", test->name, text_kind(test->quantifier));
    print_states(answer, out);
    text_verdict(answer->verdict, out);
    print_counts(answer, out);
    text_time(options, test->name, answer->milliseconds, out);
    text_remarks(answer, out);
    if (answer_stuck(answer))
        stuck_text(answer->job, answer_stuck(answer), out);
    if (expected)
        text_expectation(expected, out);
    code_lines(test, start, out);
    g_string_append_c(out, '\n');
}
