/* SPDX-License-Identifier: MIT
 *
 * What became of each test of a report, and of all of them. */
#include "cli/report/report.h"

#include <string.h>

#include "model/models/models.h"

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
    bool one = json_array_size(report->models) == 1;
    return one ? g_strdup(json_string_value(json_array_get(report->models, 0)))
               : g_utf8_make_valid(report->options->settings.model, -1);
}

static void add_model(struct report *report, const char *name)
{
    json_t *known;
    size_t i;
    json_array_foreach(report->models, i,
                       known) if (strcmp(json_string_value(known), name) == 0) return;
    json_array_append_new(report->models, json_string(name));
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

void report_count(struct report *report, const json_t *test)
{
    enum report_outcome outcome = report_outcome(test);
    report->tests++;
    if (outcome != OUTCOME_ERROR)
        add_model(report, json_text_at(test, "model"));
    report->outcomes[outcome]++;
    report->silent += outcome == OUTCOME_PASS && !json_is_object(json_object_get(test, "expected"));
    report->unsound += report_unsound(test);
    report->executor |= json_object_get(test, "executor") != NULL;
    report->contradicted += report_contradicted(test);
    report->hardware |= json_is_object(json_object_get(test, "hardware"));
    report->seconds += json_number_value(json_object_get(test, "milliseconds")) / 1000;
}

/* Adds "3 are WHAT" to a list; nothing when there is none. */
static void add_count(GString *list, uint32_t count, const char *what)
{
    if (count)
        g_string_append_printf(list, "%s %u %s %s", list->len ? "," : "", count,
                               count == 1 ? "is" : "are", what);
}

/* Says in how many tests states that are not allowed were found: "The executor reaches". */
static void add_states(GString *out, uint32_t count, const char *finds)
{
    if (count)
        g_string_append_printf(out, " %s states that are not allowed in %u of them.", finds, count);
    else
        g_string_append_printf(out, " %s no state that is not allowed.", finds);
}

/* "the models ptx and cpp" */
static char *model_names(const struct report *report)
{
    size_t count = json_array_size(report->models);
    GString *names = g_string_new("the models");
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(names, "%s %s",
                               i == 0          ? ""
                               : i + 1 < count ? ","
                                               : " and",
                               json_string_value(json_array_get(report->models, i)));
    return g_string_free(names, FALSE);
}

/* What its text calls a bundled model, and its name; or the names of several: the caller frees it. */
static char *model_words(const struct report *report)
{
    g_autofree char *name = report_model(report);
    if (json_array_size(report->models) > 1)
        return model_names(report);
    const struct model_text *bundled = model_find(name);
    const char *quote = bundled ? strchr(bundled->text, '"') : NULL;
    if (!quote)
        return g_strdup_printf("the model %s", name);
    return g_strdup_printf("the model %s [%.*s] as ptxlit reads it", name,
                           (int)strcspn(quote + 1, "\""), quote + 1);
}

char *report_sentence(const struct report *r)
{
    const uint32_t *outcomes = r->outcomes;
    const char *says = outcomes[OUTCOME_FAIL]                              ? "Does not conform"
                       : outcomes[OUTCOME_ERROR] || outcomes[OUTCOME_OPEN] ? "Undecided"
                                                                           : "Conforms";
    uint32_t tests = r->tests;
    uint32_t met = outcomes[OUTCOME_PASS] - r->silent;
    g_autofree char *model = model_words(r);
    g_autoptr(GString) counts = g_string_new(NULL);
    add_count(counts, outcomes[OUTCOME_FAIL], "not as expected");
    add_count(counts, outcomes[OUTCOME_ERROR], "in error");
    add_count(counts, outcomes[OUTCOME_OPEN], "undecided");
    add_count(counts, r->silent, "without an expectation");
    if (counts->len || !tests)
        add_count(counts, met, "as expected");
    GString *out = g_string_new(says);
    g_string_append_printf(out, ": %u test%s", tests, tests == 1 ? "" : "s");
    if (counts->len)
        g_string_append_printf(out, " under %s:%s.", model, counts->str);
    else
        g_string_append_printf(out, ", %sas expected by %s.", tests == 1 ? "" : "all ", model);
    if (r->executor)
        add_states(out, r->unsound, "The executor reaches");
    if (r->hardware)
        add_states(out, r->contradicted, "The GPU showed");
    return g_string_free(out, FALSE);
}
