/* SPDX-License-Identifier: MIT */
#include "cli/report/report.h"

#include <string.h>

#include "cli/show/json.h"

/* What the section of a test and its case in JUnit are filled with: the report's object as it is, and what follows
 * from it under more keys. */

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

static json_t *yes_or_no(const json_t *value)
{
    return json_string(json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "—");
}

/* "1,234". The caller frees it. */
static char *grouped(const json_t *number)
{
    g_autofree char *digits = g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(number));
    GString *text = g_string_new(NULL);
    for (size_t length = strlen(digits), i = 0; i < length; i++)
        g_string_append_printf(text, "%s%c", i && (length - i) % 3 == 0 ? "," : "", digits[i]);
    return g_string_free(text, FALSE);
}

/* "1,234 times", "never", or that no GPU ran the test. */
static json_t *times_in_words(const json_t *state)
{
    const json_t *times = json_object_get(state, "times");
    g_autofree char *count = grouped(times);
    if (!json_is_integer(times)) /* an earlier version did not count */
        return yes_or_no(json_object_get(state, "seen"));
    return json_integer_value(times) ? json_sprintf("%s times", count) : json_string("never");
}

/* What a GPU did with the test. */
static json_t *runs_in_words(const json_t *hardware)
{
    const json_t *runs = json_object_get(hardware, "runs"),
                 *asked = json_object_get(hardware, "asked");
    double seconds = json_number_value(json_object_get(hardware, "seconds"));
    g_autofree char *count = grouped(runs), *outcome = grouped(asked);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s runs", count);
    if (seconds > 0)
        g_string_append_printf(text, " in %.2f s (%.4g million a second)", seconds,
                               (double)json_integer_value(runs) / seconds / 1e6);
    if (json_is_integer(asked))
        g_string_append_printf(
            text, "; the outcome that the test asks about in %s (%.3g %%)", outcome,
            100.0 * (double)json_integer_value(asked) / (double)MAX(json_integer_value(runs), 1));
    g_string_append_printf(text, "; allowed and never seen: %d of the final states",
                           (int)json_integer_value(json_object_get(hardware, "never_seen")));
    return json_string(text->str);
}

/* What is true of a state in words. */
static json_t *state_lines(const json_t *states)
{
    static const char *const keys[] = {"condition", "allowed", "reached"};
    json_t *lines = json_deep_copy(states), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        bool wrong = json_is_false(json_object_get(line, "allowed"));
        json_object_set_new(line, "wrong", json_boolean(wrong));
        json_object_set_new(line, "seen", times_in_words(line));
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
            json_object_set_new(line, keys[k], yes_or_no(json_object_get(line, keys[k])));
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

const char *report_answer(const json_t *test)
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

/* The page that the source of an expectation is on, or NULL. */
static const char *page_of(const char *source)
{
    static const struct {
        const char *begins, *page;
    } pages[] = {
#define SOURCE(begins, page) {begins, page},
#include "cli/report/source.def"
#undef SOURCE
    };
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++)
        if (g_str_has_prefix(source, pages[i].begins))
            return pages[i].page ? pages[i].page : source;
    return NULL;
}

static void add_source(json_t *view)
{
    const char *source = json_text_at(json_object_get(view, "expected"), "source");
    const char *page = page_of(source);
    if (page)
        json_object_set_new(view, "linked_source",
                            json_pack("{s:s, s:s}", "page", page, "text", source));
    else if (*source)
        json_object_set_new(view, "named_source", json_string(source));
}

json_t *report_view_test(const json_t *test)
{
    enum report_outcome outcome = report_outcome(test);
    const struct report_outcome_row *row = &report_outcomes[outcome];
    const char *name = json_text_at(test, "test");
    g_autofree char *family = report_family(test), *problem = problem_of(test);
    json_t *view = json_copy((json_t *)test);
    json_object_update_new(
        view,
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:o, s:s, s:o}", "name",
                  *name ? name : json_text_at(test, "file"), "family", family, "class", row->class,
                  "word", row->word, "answer", report_answer(test), "passes",
                  outcome == OUTCOME_PASS, "axiom_words",
                  axiom_words(json_object_get(test, "axioms")), "engine",
                  json_is_object(json_object_get(test, "executor")) ? "axioms executor" : "axioms",
                  "seconds", json_sprintf("%.3f", seconds_of(test))));
    json_object_set_new(view, "by_executor",
                        json_boolean(json_is_object(json_object_get(test, "executor"))));
    const json_t *hardware = json_object_get(test, "hardware");
    json_object_set_new(view, "by_hardware", json_boolean(json_is_object(hardware)));
    if (json_is_object(hardware))
        json_object_set_new(view, "gpu_runs", runs_in_words(hardware));
    add_source(view);
    add_table(view, "program_table", "program", "rows", program_rows);
    add_table(view, "state_table", "state_list", "lines", state_lines);
    if (row->element)
        json_object_set_new(view, "problem",
                            json_pack("{s:s, s:s, s:s}", "element", row->element, "type", row->type,
                                      "message", problem));
    return view;
}
