/* SPDX-License-Identifier: MIT
 *
 * What became of each test of a report, and of all of them. */
#include "cli/report/report.h"

#include <string.h>

const struct report_outcome_row report_outcomes[OUTCOME_COUNT] = {
#define OUTCOME(id, ...) [OUTCOME_##id] = {__VA_ARGS__},
#include "cli/report/outcome.def"
#undef OUTCOME
};

char *report_family(const json_t *test)
{
    g_autofree char *folder = g_path_get_dirname(json_text_at(test, "file"));
    return g_path_get_basename(folder);
}

char *report_model(const struct report *report)
{
    return g_utf8_make_valid(report->options->settings.model, -1);
}

bool report_unsound(const json_t *test)
{
    return json_integer_value(json_object_get(json_object_get(test, "executor"), "unsound")) > 0;
}

bool report_contradicted(const json_t *test)
{
    return json_integer_value(json_object_get(json_object_get(test, "hardware"), "not_allowed")) >
           0;
}

enum report_outcome report_outcome(const json_t *test)
{
    const char *verdict = json_text_at(test, "verdict");
    const json_t *expected = json_object_get(test, "expected");
    if (strcmp(verdict, "error") == 0)
        return OUTCOME_ERROR;
    if (report_unsound(test) || report_contradicted(test))
        return OUTCOME_FAIL;
    if (json_is_true(json_object_get(expected, "agrees")))
        return OUTCOME_PASS;
    if (strcmp(verdict, "undecided") == 0)
        return OUTCOME_OPEN;
    return json_is_object(expected) ? OUTCOME_FAIL : OUTCOME_PASS;
}

void report_count(struct report *report)
{
    size_t index;
    json_t *test;
    json_array_foreach(report->tests, index, test)
    {
        enum report_outcome outcome = report_outcome(test);
        report->outcomes[outcome]++;
        report->silent +=
            outcome == OUTCOME_PASS && !json_is_object(json_object_get(test, "expected"));
        report->unsound += report_unsound(test);
        report->executor |= json_object_get(test, "executor") != NULL;
        report->contradicted += report_contradicted(test);
        report->hardware |= json_is_object(json_object_get(test, "hardware"));
    }
}

char *report_sentence(const struct report *r)
{
    const uint32_t *outcomes = r->outcomes;
    const char *says = outcomes[OUTCOME_FAIL] ? "does not conform"
                       : outcomes[OUTCOME_ERROR] || outcomes[OUTCOME_OPEN]
                           ? "cannot be said to conform"
                           : "conforms";
    g_autofree char *model = report_model(r);
    g_autofree char *unsound =
        r->executor
            ? g_strdup_printf(" In %u the executor reaches what is not allowed.", r->unsound)
            : g_strdup("");
    g_autofree char *contradicted =
        r->hardware ? g_strdup_printf(" In %u a GPU showed what is not allowed.", r->contradicted)
                    : g_strdup("");
    return g_strdup_printf("%s %s: of %zu tests %u have the verdict they expect, %u fail, %u "
                           "expect nothing, %u are undecided, %u are in error.%s%s",
                           model, says, json_array_size(r->tests),
                           outcomes[OUTCOME_PASS] - r->silent, outcomes[OUTCOME_FAIL], r->silent,
                           outcomes[OUTCOME_OPEN], outcomes[OUTCOME_ERROR], unsound, contradicted);
}
