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
    json_object_set_new(view, "by_hardware",
                        json_boolean(json_is_object(json_object_get(test, "hardware"))));
    add_source(view);
    add_table(view, "program_table", "program", "rows", program_rows);
    add_table(view, "state_table", "state_list", "lines", state_lines);
    if (row->element)
        json_object_set_new(view, "problem",
                            json_pack("{s:s, s:s, s:s}", "element", row->element, "type", row->type,
                                      "message", problem));
    return view;
}
