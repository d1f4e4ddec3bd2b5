/* SPDX-License-Identifier: MIT
 *
 * What page.html and junit.xml are filled with around the tests. */
#include <string.h>

#include "cli/report/report.h"
#include "cli/report/table.h"
#include "cli/show/json.h"
#include "cli/show/picture/paint.h"

static const char page_style[] = {
#include "cli/page.css.inc"
};
static const char page_script[] = {
#include "cli/page.js.inc"
};

enum { MOST_CHANGES = 1000 }; /* of a kind, that the page shows */

/* The same as in report.json, the time in words. */
static json_t *made_view(const struct report *report)
{
    json_t *made = report_made(report), *seconds = json_object_get(made, "seconds");
    if (seconds)
        json_object_set_new(
            made, "run",
            json_pack("{s:O, s:O, s:O, s:o}", "command", json_object_get(made, "command"), "host",
                      json_object_get(made, "host"), "date", json_object_get(made, "date"),
                      "duration", json_sprintf("%.1f s", json_number_value(seconds))));
    return made;
}

/* The words of results, and their classes. */
static json_t *outcome_words(void)
{
    json_t *words = json_array();
    for (size_t i = 0; i < OUTCOME_COUNT; i++)
        json_array_append_new(words, json_pack("{s:s, s:s}", "word", report_outcomes[i].word,
                                               "class", report_outcomes[i].class));
    return words;
}

/* The tests that need attention, by what became of them, and how many more there are. */
static json_t *attention(const struct report *report)
{
    json_t *groups = json_array(), *shown;
    size_t outcome;
    json_array_foreach(report->attention, outcome, shown)
    {
        int more = (int)(report->outcomes[outcome] - json_array_size(shown));
        if (json_array_size(shown))
            json_array_append_new(groups,
                                  json_pack("{s:O, s:i, s:s}", "listed", shown, "more", more,
                                            "more_word", report_outcomes[outcome].word));
    }
    return groups;
}

/* ---- what changed --------------------------------------------------------------------------- */

/* Kinds of changes, in the order that a reader needs them. 'open': unfolded at first. */
static const struct {
    const char *what, *heading;
    bool open;
} change_kinds[] = {{"answer", "Verdicts that changed", true},
                    {NULL, "Other differences", false}, /* every other key */
                    {"new", "New tests", false},
                    {"gone", "Tests that are gone", false}};
enum { CHANGE_KINDS = G_N_ELEMENTS(change_kinds), OTHER_KIND = 1 };

static size_t kind_of(const json_t *change)
{
    for (size_t i = 0; i < CHANGE_KINDS; i++)
        if (change_kinds[i].what && !strcmp(change_kinds[i].what, json_text_at(change, "what")))
            return i;
    return OTHER_KIND;
}

static json_t *changes_of(const struct report *report, size_t kind)
{
    json_t *shown = json_array(), *change;
    size_t i, count = 0;
    json_array_foreach(report->changes, i, change)
    {
        if (kind_of(change) != kind || count++ >= MOST_CHANGES)
            continue;
        json_t *row = json_copy(change);
        if (!*json_text_at(row, "test")) /* it cannot be read */
            json_object_set(row, "test", json_object_get(row, "file"));
        json_array_append_new(shown, row);
    }
    return json_pack("{s:s, s:i, s:b, s:b, s:o, s:i}", "heading", change_kinds[kind].heading,
                     "number", (int)count, "open", change_kinds[kind].open, "keyed",
                     kind == OTHER_KIND, "changes", shown, "more_changes",
                     (int)(count - json_array_size(shown)));
}

static json_t *changed(const struct report *report)
{
    json_t *kinds = json_array();
    for (size_t kind = 0; kind < CHANGE_KINDS; kind++) {
        json_auto_t *found = changes_of(report, kind);
        if (json_integer_value(json_object_get(found, "number")))
            json_array_append(kinds, found);
    }
    return json_pack("{s:o}", "kinds", kinds);
}

/* ---- the page ------------------------------------------------------------------------------- */

static const char *page_class(const struct report *report)
{
    const uint32_t *outcomes = report->outcomes;
    return outcomes[OUTCOME_FAIL]                              ? "fail"
           : outcomes[OUTCOME_OPEN] || outcomes[OUTCOME_ERROR] ? "open"
                                                               : "pass";
}

json_t *report_view(const struct report *report)
{
    const uint32_t *outcomes = report->outcomes;
    g_autofree char *sentence = report_sentence(report), *model = report_model(report);
    g_autoptr(GString) style = g_string_new(page_style);
    paint_svg_sheet(UINT32_MAX, style);
    json_t *view =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:o}", "style", style->str,
                  "script", page_script, "sentence", sentence, "model_name", model, "page_class",
                  page_class(report), "count", (int)report->tests, "failures",
                  (int)outcomes[OUTCOME_FAIL], "errors", (int)outcomes[OUTCOME_ERROR], "skipped",
                  (int)outcomes[OUTCOME_OPEN], "time", json_sprintf("%.3f", report->seconds));
    json_object_set_new(view, "outcomes", outcome_words());
    json_object_set_new(view, "attention", attention(report));
    json_object_set_new(view, "filters", table_filters(report->table));
    json_object_set_new(view, "columns", table_columns(report->table));
    json_object_set_new(view, "family_table", families_tables(&report->families));
    json_object_set_new(view, "made", made_view(report));
    json_object_set_new(view, "single", json_boolean(report->options->single_file));
    json_t *times = times_view(&report->times);
    if (times)
        json_object_set_new(view, "times", times);
    if (report->changes)
        json_object_set_new(view, "changed", changed(report));
    json_t *clauses = exercise_view(&report->exercise);
    if (clauses)
        json_object_set_new(view, "clauses", clauses);
    return view;
}
