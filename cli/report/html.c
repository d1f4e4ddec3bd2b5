/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/show/markup.h"
#include "cli/report/report.h"
#include "litmus/base/sort.h"

/* The page: does it conform, what does not, all tests, then each test. Everything is in the file:
 * it loads nothing, and says all without its script. */

static const char page_style[] = {
#include "cli/page.css.inc"
};
static const char page_script[] = {
#include "cli/page.js.inc"
};

static const struct {
    const char *outcome, *word;
} outcome_words[] = {
    {"fail", "fails"}, {"error", "error"}, {"open", "undecided"}, {"pass", "passes"}};

static const char *word_of(const char *outcome)
{
    for (size_t i = 0; i < G_N_ELEMENTS(outcome_words); i++)
        if (strcmp(outcome_words[i].outcome, outcome) == 0)
            return outcome_words[i].word;
    return outcome;
}

/* <td class="CLASS">TEXT</td> */
static void cell(const char *class, const char *text, GString *out)
{
    g_string_append_printf(out, "<td%s%s%s>", *class ? " class=\"" : "", class, *class ? "\"" : "");
    markup_escape(text, out);
    g_string_append(out, "</td>");
}

static const char *name_of(const json_t *test)
{
    const char *name = report_text(test, "test");
    return *name ? name : report_text(test, "file");
}

static void link_to(const json_t *test, size_t index, GString *out)
{
    g_string_append_printf(out, "<a href=\"#t%zu\">", index);
    markup_escape(name_of(test), out);
    g_string_append(out, "</a>");
}

static char *words_of(const json_t *array)
{
    GString *words = g_string_new(NULL);
    for (size_t i = 0; i < json_array_size(array); i++)
        g_string_append_printf(words, "%s%s", i ? " " : "",
                               json_string_value(json_array_get(array, i)));
    return g_string_free(words, FALSE);
}

/* ---- what needs attention ------------------------------------------------------------------- */

static void print_attention(const struct report *report, GString *out)
{
    size_t i;
    json_t *test;
    g_string_append(out, "<h2 id=\"attention\">What fails or is undecided</h2>\n");
    if (!report->missed && !report->open && !report->errors)
        g_string_append(out, "<p>Nothing.</p>\n");
    for (size_t kind = 0; kind + 1 < G_N_ELEMENTS(outcome_words); kind++) {
        bool any = false;
        json_array_foreach(report->tests, i, test)
        {
            if (strcmp(report_outcome(test), outcome_words[kind].outcome) != 0)
                continue;
            g_string_append(out, any ? "" : "<ul>\n");
            g_string_append_printf(out, "<li><span class=\"%s\">%s</span> ",
                                   outcome_words[kind].outcome, outcome_words[kind].word);
            link_to(test, i, out);
            g_string_append_c(out, ' ');
            markup_escape(report_text(test, "undecided"), out);
            markup_escape(report_text(test, "error"), out);
            g_string_append(out, "</li>\n");
            any = true;
        }
        g_string_append(out, any ? "</ul>\n" : "");
    }
}

static void print_changes(const struct report *report, GString *out)
{
    if (!report->changes)
        return;
    size_t i;
    json_t *change;
    g_string_append_printf(
        out,
        "<h2 id=\"changes\">What changed: %zu</h2>\n<div class=\"scroll\"><table>"
        "<thead><tr><th>test</th><th>what</th><th>before</th><th>now</th></tr>"
        "</thead><tbody>\n",
        json_array_size(report->changes));
    json_array_foreach(report->changes, i, change)
    {
        static const char *const keys[] = {"test", "what", "before", "after"};
        g_string_append(out, "<tr>");
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++)
            cell("", report_text(change, keys[k]), out);
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
}

/* ---- the table ------------------------------------------------------------------------------ */

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_select(const char *name, GPtrArray *values, GString *out)
{
    g_string_append_printf(out, "<label>%s<select name=\"%s\"><option value=\"\">all</option>",
                           name, name);
    sort_array(values->pdata, values->len, sizeof *values->pdata, compare_words);
    const char *last = "";
    for (guint i = 0; i < values->len; i++) {
        const char *value = g_ptr_array_index(values, i);
        if (strcmp(value, last) == 0)
            continue;
        g_string_append(out, "<option>");
        markup_escape(value, out);
        g_string_append(out, "</option>");
        last = value;
    }
    g_string_append(out, "</select></label>\n");
}

static char *engine_of(const json_t *test)
{
    return g_strdup(json_is_object(json_object_get(test, "executor")) ? "axioms executor"
                                                                      : "axioms");
}

static char *verdict_of(const json_t *test)
{
    return g_strdup(report_text(test, "verdict"));
}

static char *outcome_of(const json_t *test)
{
    return g_strdup(word_of(report_outcome(test)));
}

static char *axioms_of(const json_t *test)
{
    return words_of(json_object_get(test, "axioms"));
}

static char *model_of(const json_t *test)
{
    return g_strdup(report_text(test, "model"));
}

/* What the table can be filtered by. */
static const struct {
    const char *name;
    char *(*of)(const json_t *test); /* words separated by blanks; the caller frees them */
} filters[] = {{"result", outcome_of}, {"family", report_family}, {"verdict", verdict_of},
               {"axiom", axioms_of},   {"model", model_of},       {"engine", engine_of}};

static void print_form(const struct report *report, GString *out)
{
    g_string_append(out, "<form><label>text<input name=\"word\" type=\"search\"></label>\n");
    for (size_t f = 0; f < G_N_ELEMENTS(filters); f++) {
        g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(g_free);
        for (size_t i = 0; i < json_array_size(report->tests); i++) {
            g_autofree char *words = filters[f].of(json_array_get(report->tests, i));
            g_auto(GStrv) parts = g_strsplit(words, " ", -1);
            for (char **part = parts; *part; part++)
                if (**part)
                    g_ptr_array_add(values, g_strdup(*part));
        }
        print_select(filters[f].name, values, out);
    }
    g_string_append(out, "</form>\n<p id=\"shown\" class=\"dim\" role=\"status\"></p>\n");
}

/* "" when there is no such object. The caller frees it. */
static char *number_of(const json_t *object, const char *key)
{
    return json_is_object(object)
               ? g_strdup_printf("%" JSON_INTEGER_FORMAT,
                                 json_integer_value(json_object_get(object, key)))
               : g_strdup("");
}

static void print_row(const json_t *test, size_t index, GString *out)
{
    const char *outcome = report_outcome(test);
    g_autofree char *family = report_family(test), *axioms = axioms_of(test);
    g_autofree char *reached = number_of(json_object_get(test, "executor"), "reached");
    g_autofree char *seen = number_of(json_object_get(test, "hardware"), "seen");
    g_autofree char *allowed = g_strdup_printf("%" JSON_INTEGER_FORMAT,
                                               json_integer_value(json_object_get(test, "states")));
    g_string_append(out, "<tr");
    for (size_t f = 0; f < G_N_ELEMENTS(filters); f++) {
        g_autofree char *words = filters[f].of(test);
        g_string_append_printf(out, " data-%s=\"", filters[f].name);
        markup_escape(words, out);
        g_string_append_c(out, '"');
    }
    g_string_append(out, "><td>");
    link_to(test, index, out);
    g_string_append(out, "</td>");
    cell("", family, out);
    cell(outcome, word_of(outcome), out);
    cell("", report_text(test, "verdict"), out);
    cell("", report_text(json_object_get(test, "expected"), "verdict"), out);
    cell("", report_text(test, "observation"), out);
    cell("", axioms, out);
    cell("", allowed, out);
    cell("", reached, out);
    cell("", seen, out);
    g_string_append(out, "</tr>\n");
}

static void print_table(const struct report *report, GString *out)
{
    static const char *const heads[] = {"test",        "family", "result",  "verdict", "expected",
                                        "observation", "axioms", "allowed", "reached", "seen"};
    g_string_append(out, "<h2 id=\"tests\">All tests</h2>\n");
    print_form(report, out);
    g_string_append(out, "<div class=\"scroll\"><table class=\"all\"><thead><tr>");
    for (size_t i = 0; i < G_N_ELEMENTS(heads); i++)
        g_string_append_printf(out, "<th scope=\"col\"><button type=\"button\">%s</button></th>",
                               heads[i]);
    g_string_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < json_array_size(report->tests); i++)
        print_row(json_array_get(report->tests, i), i, out);
    g_string_append(out, "</tbody></table></div>\n");
}

/* ---- a test --------------------------------------------------------------------------------- */

static void print_program(const json_t *columns, GString *out)
{
    size_t count = json_array_size(columns), rows = 0;
    if (!count)
        return;
    g_string_append(out, "<div class=\"scroll\"><table><thead><tr>");
    for (size_t c = 0; c < count; c++) {
        const json_t *column = json_array_get(columns, c);
        rows = MAX(rows, json_array_size(json_object_get(column, "code")));
        g_string_append(out, "<th scope=\"col\">");
        markup_escape(report_text(column, "name"), out);
        g_string_append(out, " <span class=\"dim\">");
        markup_escape(report_text(column, "place"), out);
        g_string_append(out, "</span></th>");
    }
    g_string_append(out, "</tr></thead><tbody>\n");
    for (size_t row = 0; row < rows; row++) {
        g_string_append(out, "<tr>");
        for (size_t c = 0; c < count; c++) {
            const json_t *code = json_object_get(json_array_get(columns, c), "code");
            const char *line = json_string_value(json_array_get(code, row));
            cell("code", line ? line : "", out);
        }
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
}

static const char *mark(const json_t *value)
{
    return json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "—";
}

static void print_states(const json_t *test, GString *out)
{
    const json_t *states = json_object_get(test, "state_list");
    if (!json_array_size(states))
        return;
    g_string_append(out,
                    "<div class=\"scroll\"><table><thead><tr><th>final state</th><th>condition</th>"
                    "<th>allowed (axioms)</th><th>reached (executor)</th><th>seen (GPU)</th></tr>"
                    "</thead><tbody>\n");
    for (size_t i = 0; i < json_array_size(states); i++) {
        const json_t *state = json_array_get(states, i),
                     *allowed = json_object_get(state, "allowed");
        g_string_append(out, "<tr>");
        cell("code", report_text(state, "state"), out);
        cell("", mark(json_object_get(state, "condition")), out);
        cell(json_is_true(allowed) ? "" : "fail", mark(allowed), out);
        cell("", mark(json_object_get(state, "reached")), out);
        cell("", mark(json_object_get(state, "seen")), out);
        g_string_append(out, "</tr>\n");
    }
    g_string_append(out, "</tbody></table></div>\n");
}

static void paragraph(const char *title, const char *text, GString *out)
{
    if (!*text)
        return;
    g_string_append_printf(out, "<p><span class=\"dim\">%s</span> ", title);
    markup_escape(text, out);
    g_string_append(out, "</p>\n");
}

static void print_test(const json_t *test, size_t index, GString *out)
{
    const char *outcome = report_outcome(test), *explanation = report_text(test, "explanation");
    const json_t *expected = json_object_get(test, "expected");
    g_string_append_printf(out, "<details id=\"t%zu\"%s><summary><h3>", index,
                           strcmp(outcome, "pass") == 0 ? "" : " open");
    markup_escape(name_of(test), out);
    g_string_append_printf(out, "</h3> <span class=\"%s\">%s</span> <span class=\"dim\">", outcome,
                           word_of(outcome));
    markup_escape(report_text(test, "about"), out);
    g_string_append(out, "</span></summary>\n");
    paragraph("file", report_text(test, "file"), out);
    print_program(json_object_get(test, "program"), out);
    paragraph("condition", report_text(test, "condition"), out);
    paragraph("verdict", report_text(test, "verdict"), out);
    paragraph("expected", report_text(expected, "verdict"), out);
    paragraph("because of", report_text(expected, "source"), out);
    paragraph("undecided:", report_text(test, "undecided"), out);
    paragraph("error:", report_text(test, "error"), out);
    paragraph("the executor's run says nothing here:",
              report_text(json_object_get(test, "executor"), "outside"), out);
    print_states(test, out);
    if (*explanation) {
        g_string_append(out, "<pre>");
        markup_escape(explanation, out);
        g_string_append(out, "</pre>\n");
    }
    if (*report_text(test, "svg"))
        g_string_append_printf(out,
                               "<div class=\"picture\" role=\"img\" aria-label=\"the execution\" "
                               "tabindex=\"0\">%s</div>\n",
                               report_text(test, "svg"));
    paragraph("no picture:", report_text(test, "no_picture"), out);
    g_string_append(out, "</details>\n");
}

void report_html(const struct report *report, GString *out)
{
    g_autofree char *sentence = report_sentence(report);
    const char *class = report->missed ? "fail" : report->open || report->errors ? "open" : "pass";
    g_string_append_printf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>ptxlit: %s</title>\n<style>\n%s</style>"
        "</head><body>\n<h1>Conformance report</h1>\n<p class=\"sentence %s\">",
        class, page_style, class);
    markup_escape(sentence, out);
    g_string_append(
        out, "</p>\n<nav><a href=\"#attention\">attention</a> · <a href=\"#tests\">all tests</a> · "
             "<a href=\"#each\">test by test</a></nav>\n<main>\n");
    print_attention(report, out);
    print_changes(report, out);
    print_table(report, out);
    g_string_append(out, "<h2 id=\"each\">Test by test</h2>\n");
    for (size_t i = 0; i < json_array_size(report->tests); i++)
        print_test(json_array_get(report->tests, i), i, out);
    g_string_append_printf(out, "</main>\n<script>\n%s</script>\n</body></html>\n", page_script);
}
