/* SPDX-License-Identifier: MIT */
#include "cli/report/report.h"

#include <string.h>

#include "cli/answer/answer.h"
#include "cli/report/times.h"
#include "cli/show/json.h"
#include "cli/show/picture/paint.h"

/* What page.html and junit.xml are filled with: the report's objects as they are, and what follows
 * from them under more keys. */

static const char page_style[] = {
#include "cli/page.css.inc"
};
static const char page_script[] = {
#include "cli/page.js.inc"
};

/* ---- a test --------------------------------------------------------------------------------- */

/* Row by row what the columns of the program show side by side. */
static json_t *program_rows(const json_t *columns)
{
    json_t *rows = json_array(), *column;
    size_t height = 0, c;
    json_array_foreach((json_t *)columns, c, column) height =
        MAX(height, json_array_size(json_object_get(column, "code")));
    for (size_t row = 0; row < height; row++) {
        json_t *cells = json_array();
        json_array_foreach((json_t *)columns, c, column)
        {
            json_t *line = json_array_get(json_object_get(column, "code"), row);
            json_array_append_new(cells, line ? json_incref(line) : json_string(""));
        }
        json_array_append_new(rows, cells);
    }
    return rows;
}

/* What is true of a state in words. */
static json_t *state_lines(const json_t *states)
{
    static const char *const keys[] = {"condition", "allowed", "reached", "seen"};
    json_t *lines = json_deep_copy(states), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        bool wrong = json_is_false(json_object_get(line, "allowed"));
        json_object_set_new(line, "wrong", json_boolean(wrong));
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
            const json_t *value = json_object_get(line, keys[k]);
            json_object_set_new(line, keys[k],
                                json_string(json_is_true(value)    ? "yes"
                                            : json_is_false(value) ? "no"
                                                                   : "—"));
        }
    }
    return lines;
}

/* A table that is left out when there is nothing to show: an object around its lines. */
static void add_table(json_t *view, const char *key, const char *shown, const char *rows,
                      json_t *(*make)(const json_t *))
{
    const json_t *items = json_object_get(view, shown);
    if (json_array_size(items))
        json_object_set_new(view, key, json_pack("{s:o}", rows, make(items)));
}

static json_t *axiom_words(const json_t *axioms)
{
    g_autoptr(GString) words = g_string_new(NULL);
    for (size_t i = 0; i < json_array_size(axioms); i++)
        g_string_append_printf(words, "%s%s", i ? " " : "",
                               json_string_value(json_array_get(axioms, i)));
    return json_string(words->str);
}

/* For JUnit: why the test is not in order. */
static char *problem_of(const json_t *test)
{
    const char *error = json_text_at(test, "error"), *open = json_text_at(test, "undecided");
    const json_t *expected = json_object_get(test, "expected");
    if (*error || *open)
        return g_strdup(*error ? error : open);
    if (report_unsound(test))
        return g_strdup("the executor reaches a state that is not allowed");
    if (report_contradicted(test))
        return g_strdup("a GPU showed a state that is not allowed");
    return g_strdup_printf("expected %s (%s); observed %s", json_text_at(expected, "verdict"),
                           json_text_at(expected, "source"), json_text_at(test, "observation"));
}

/* What the model says of the condition's proposition, in one word; or why there is no answer. */
static const char *answer_of(const json_t *test)
{
    const char *verdict = json_text_at(test, "verdict");
    if (strcmp(verdict, "holds") && strcmp(verdict, "fails"))
        return verdict;
    return strcmp(json_text_at(test, "observation"), "never") ? "allowed" : "forbidden";
}

static double seconds_of(const json_t *test)
{
    return json_number_value(json_object_get(test, "milliseconds")) / 1000;
}

/* What the table can be filtered by: the words of a key. */
static const struct {
    const char *name, *key;
} filters[] = {{"result", "word"},       {"family", "family"}, {"verdict", "answer"},
               {"axiom", "axiom_words"}, {"model", "model"},   {"engine", "engine"}};

static json_t *filtered(const json_t *view)
{
    json_t *array = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(filters); i++)
        json_array_append_new(array, json_pack("{s:s, s:s}", "filter", filters[i].name, "words",
                                               json_text_at(view, filters[i].key)));
    return array;
}

static json_t *view_test(const json_t *test, size_t index)
{
    enum report_outcome outcome = report_outcome(test);
    const struct report_outcome_row *row = &report_outcomes[outcome];
    const char *name = json_text_at(test, "test");
    g_autofree char *family = report_family(test), *problem = problem_of(test);
    json_t *view = json_copy((json_t *)test);
    json_object_update_new(
        view,
        json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:b, s:o, s:s, s:o}", "index", (int)index, "name",
                  *name ? name : json_text_at(test, "file"), "family", family, "class", row->class,
                  "word", row->word, "answer", answer_of(test), "passes", outcome == OUTCOME_PASS,
                  "axiom_words", axiom_words(json_object_get(test, "axioms")), "engine",
                  json_is_object(json_object_get(test, "executor")) ? "axioms executor" : "axioms",
                  "seconds", json_sprintf("%.3f", seconds_of(test))));
    json_object_set_new(view, "filtered", filtered(view));
    json_object_set_new(view, "cells", json_array());
    add_table(view, "program_table", "program", "rows", program_rows);
    add_table(view, "state_table", "state_list", "lines", state_lines);
    if (row->element)
        json_object_set_new(view, "problem",
                            json_pack("{s:s, s:s, s:s}", "element", row->element, "type", row->type,
                                      "message", problem));
    return view;
}

/* ---- the table of all tests ----------------------------------------------------------------- */

/* The columns after the test's name: a key of the test, or of an object in it. 'kind': the class of the
 * cells; that of a result is the result's own. */
static const struct {
    const char *name, *object, *key, *kind;
} columns[] = {
    {"family", NULL, "family", ""},           {"result", NULL, "word", NULL},
    {"verdict", NULL, "answer", ""},          {"expected", "expected", "verdict", "wraps"},
    {"observation", NULL, "observation", ""}, {"axioms", NULL, "axiom_words", "wraps"},
    {"allowed", NULL, "states", ""},          {"reached", "executor", "reached", ""},
    {"seen", "hardware", "seen", ""}};

/* A text; a number as text; NULL when the test has none. */
static json_t *cell_text(const json_t *test, size_t column)
{
    const json_t *object =
        columns[column].object ? json_object_get(test, columns[column].object) : test;
    json_t *value = json_object_get(object, columns[column].key);
    if (json_is_integer(value))
        return json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return json_string_length(value) ? json_incref(value) : NULL;
}

/* Gives each test its cells, and lists the columns: those in which some test has a text. */
static json_t *table_columns(const json_t *tests)
{
    json_t *shown = json_array(), *test;
    size_t i;
    for (size_t c = 0; c < G_N_ELEMENTS(columns); c++) {
        bool any = false;
        json_array_foreach((json_t *)tests, i, test)
        {
            json_t *text = cell_text(test, c);
            any = any || text;
            json_decref(text);
        }
        if (!any)
            continue;
        json_array_append_new(shown, json_pack("{s:s}", "column", columns[c].name));
        json_array_foreach((json_t *)tests, i, test)
        {
            json_t *cells = json_object_get(test, "cells"), *text = cell_text(test, c);
            const char *kind = columns[c].kind ? columns[c].kind : json_text_at(test, "class");
            json_array_append_new(cells, json_pack("{s:s, s:o}", "kind", kind, "shown",
                                                   text ? text : json_string("")));
        }
    }
    return shown;
}

/* ---- families by verdict -------------------------------------------------------------------- */

static json_t *word_list(const json_t *tests, const char *key);

static bool has_word(const json_t *test, const char *key, const char *word)
{
    g_auto(GStrv) words = g_strsplit(json_text_at(test, key), " ", -1);
    return g_strv_contains((const char *const *)words, word);
}

/* Tables of families: by the words that tests have under a key, which a filter of that name has too. */
struct family_columns {
    const char *id, *heading, *filter, *key;
};

/* How many tests of a family have each word; 0 is shown as nothing. */
static json_t *family_cells(const json_t *tests, const char *family, const json_t *words,
                            const struct family_columns *shown)
{
    json_t *cells = json_array(), *word, *test;
    size_t w, i;
    json_array_foreach((json_t *)words, w, word)
    {
        int count = 0;
        json_array_foreach((json_t *)tests, i, test) count +=
            !strcmp(json_text_at(test, "family"), family) &&
            has_word(test, shown->key, json_string_value(word));
        json_array_append_new(cells,
                              json_pack("{s:s, s:s, s:O, s:i}", "of_family", family, "of_filter",
                                        shown->filter, "of_word", word, "count", count));
    }
    return cells;
}

/* A row for each family, a column for each word; NULL where one family, or no word, says it all. */
static json_t *family_table(const json_t *tests, const struct family_columns *shown)
{
    json_t *families = word_list(tests, "family"), *answers = word_list(tests, shown->key);
    json_t *rows = json_array(), *family;
    size_t i;
    json_array_foreach(families, i, family)
    {
        const char *name = json_string_value(family);
        json_array_append_new(rows, json_pack("{s:s, s:o}", "row_family", name, "counts",
                                              family_cells(tests, name, answers, shown)));
    }
    json_t *table = json_array_size(families) > 1 && json_array_size(answers)
                        ? json_pack("{s:s, s:s, s:O, s:O}", "id", shown->id, "heading",
                                    shown->heading, "answers", answers, "rows", rows)
                        : NULL;
    json_decref(families);
    json_decref(answers);
    json_decref(rows);
    return table;
}

static json_t *family_tables(const json_t *tests)
{
    static const struct family_columns all[] = {
        {"families", "Families and verdicts", "verdict", "answer"},
        {"axioms", "Families and the axioms that forbid", "axiom", "axiom_words"}};
    json_t *tables = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        json_t *table = family_table(tests, &all[i]);
        if (table)
            json_array_append_new(tables, table);
    }
    return tables;
}

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

/* ---- all of them ---------------------------------------------------------------------------- */

/* The tests that need attention, by what became of them. */
static json_t *attention(const struct report *report, const json_t *tests)
{
    json_t *groups = json_array(), *test;
    size_t i;
    for (uint32_t outcome = 0; outcome < OUTCOME_PASS; outcome++) {
        if (!report->outcomes[outcome])
            continue;
        json_t *group = json_array();
        json_array_foreach((json_t *)tests, i, test) if (report_outcome(test) == outcome)
            json_array_append(group, test);
        json_array_append_new(groups, json_pack("{s:o}", "tests", group));
    }
    return groups;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The words that tests have under a key: each once, sorted. */
static json_t *word_list(const json_t *tests, const char *key)
{
    g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < json_array_size(tests); i++) {
        g_auto(GStrv) parts = g_strsplit(json_text_at(json_array_get(tests, i), key), " ", -1);
        for (char **part = parts; *part; part++)
            if (**part)
                g_hash_table_add(words, g_strdup(*part));
    }
    g_autoptr(GList) sorted = g_list_sort(g_hash_table_get_keys(words), compare_words);
    json_t *values = json_array();
    for (const GList *word = sorted; word; word = word->next)
        json_array_append_new(values, json_string(word->data));
    return values;
}

json_t *report_view(const struct report *report)
{
    const uint32_t *outcomes = report->outcomes;
    g_autofree char *sentence = report_sentence(report), *model = report_model(report);
    g_autoptr(GString) style = g_string_new(page_style);
    paint_svg_sheet(UINT32_MAX, style);
    json_t *tests = json_array(), *offered = json_array(), *test;
    size_t i;
    double seconds = 0;
    json_array_foreach(report->tests, i, test)
    {
        json_array_append_new(tests, view_test(test, i));
        seconds += seconds_of(test);
    }
    for (i = 0; i < G_N_ELEMENTS(filters); i++) {
        json_t *values = word_list(tests, filters[i].key);
        if (json_array_size(values) > 1) /* else there is nothing to choose */
            json_array_append_new(
                offered, json_pack("{s:s, s:O}", "filter", filters[i].name, "values", values));
        json_decref(values);
    }
    json_t *view = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "style",
        style->str, "script", page_script, "sentence", sentence, "model_name", model, "page_class",
        outcomes[OUTCOME_FAIL]                              ? "fail"
        : outcomes[OUTCOME_OPEN] || outcomes[OUTCOME_ERROR] ? "open"
                                                            : "pass",
        "count", (int)json_array_size(tests), "failures", outcomes[OUTCOME_FAIL], "errors",
        outcomes[OUTCOME_ERROR], "skipped", outcomes[OUTCOME_OPEN], "time",
        json_sprintf("%.3f", seconds), "attention", attention(report, tests), "filters", offered,
        "columns", table_columns(tests), "tests", tests);
    json_object_set_new(view, "family_table", family_tables(tests));
    json_object_set_new(view, "made", made_view(report));
    json_t *times = report_times(tests);
    if (times)
        json_object_set_new(view, "times", times);
    if (report->changes)
        json_object_set_new(view, "changed",
                            json_pack("{s:i, s:O}", "count", (int)json_array_size(report->changes),
                                      "changes", report->changes));
    return view;
}
