/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/show/markup.h"
#include "cli/report/report.h"

/* JUnit XML as GitLab, Jenkins and GitHub readers take it: one suite, a case a test. Only elements
 * and attributes that the strictest of them knows, the schema of Jenkins' xUnit plugin. */

static void attribute(const char *name, const char *value, GString *out)
{
    g_string_append_printf(out, " %s=\"", name);
    markup_escape(value, out);
    g_string_append_c(out, '"');
}

static double seconds(const json_t *test)
{
    return json_number_value(json_object_get(test, "milliseconds")) / 1000;
}

static char *message_of(const json_t *test)
{
    const char *error = report_text(test, "error"), *open = report_text(test, "undecided");
    const json_t *expected = json_object_get(test, "expected");
    if (*error || *open)
        return g_strdup(*error ? error : open);
    if (report_unsound(test))
        return g_strdup("the executor reaches a state that is not allowed");
    if (report_contradicted(test))
        return g_strdup("a GPU showed a state that is not allowed");
    return g_strdup_printf("expected %s (%s); observed %s", report_text(expected, "verdict"),
                           report_text(expected, "source"), report_text(test, "observation"));
}

static void print_case(const json_t *test, GString *out)
{
    static const struct {
        const char *outcome, *element, *type;
    } rows[] = {{"fail", "failure", "verdict"},
                {"error", "error", "error"},
                {"open", "skipped", "undecided"}};
    const char *outcome = report_outcome(test), *name = report_text(test, "test");
    g_autofree char *family = report_family(test), *message = message_of(test);
    g_string_append(out, "  <testcase");
    attribute("classname", family, out);
    attribute("name", *name ? name : report_text(test, "file"), out);
    g_string_append_printf(out, " time=\"%.3f\">", seconds(test));
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].outcome, outcome) != 0)
            continue;
        g_string_append_printf(out, "\n   <%s", rows[i].element);
        attribute("type", rows[i].type, out);
        attribute("message", message, out);
        g_string_append_c(out, '>');
        markup_escape(report_text(test, "file"), out);
        g_string_append_c(out, '\n');
        markup_escape(report_text(test, "explanation"), out);
        g_string_append_printf(out, "</%s>\n  ", rows[i].element);
    }
    g_string_append(out, "</testcase>\n");
}

void report_junit(const struct report *report, GString *out)
{
    double all = 0;
    size_t i;
    json_t *test;
    json_array_foreach(report->tests, i, test) all += seconds(test);
    g_autoptr(GString) model = g_string_new(NULL);
    g_autofree char *name = report_model(report);
    markup_escape(name, model);
    g_autofree char *sums = g_strdup_printf(
        "name=\"ptxlit %s\" tests=\"%zu\" failures=\"%u\" errors=\"%u\" time=\"%.3f\"", model->str,
        json_array_size(report->tests), report->missed, report->errors, all);
    g_string_append_printf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n <testsuite "
        "%s skipped=\"%u\">\n",
        sums, sums, report->open);
    json_array_foreach(report->tests, i, test) print_case(test, out);
    g_string_append(out, " </testsuite>\n</testsuites>\n");
}
