/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/report.h"

/* JUnit XML as GitLab, Jenkins and GitHub readers take it: one suite, a case a test. */

void report_escape(const char *text, GString *out)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        const char *name = byte == '&'                                  ? "&amp;"
                           : byte == '<'                                ? "&lt;"
                           : byte == '>'                                ? "&gt;"
                           : byte == '"'                                ? "&quot;"
                           : byte < ' ' && byte != '\n' && byte != '\t' ? "?"
                                                                        : NULL;
        if (name)
            g_string_append(out, name);
        else
            g_string_append_c(out, *text);
    }
}

static void attribute(const char *name, const char *value, GString *out)
{
    g_string_append_printf(out, " %s=\"", name);
    report_escape(value, out);
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
    if (json_integer_value(json_object_get(json_object_get(test, "executor"), "unsound")) > 0)
        return g_strdup("the executor reaches a state that is not allowed");
    return g_strdup_printf("expected %s (%s); observed %s", report_text(expected, "verdict"),
                           report_text(expected, "source"), report_text(test, "observation"));
}

static void print_case(const json_t *test, GString *out)
{
    static const struct {
        const char *outcome, *element;
    } rows[] = {{"fail", "failure"}, {"error", "error"}, {"open", "skipped"}};
    const char *outcome = report_outcome(test), *name = report_text(test, "test");
    g_autofree char *family = report_family(test), *message = message_of(test);
    g_string_append(out, "  <testcase");
    attribute("classname", family, out);
    attribute("name", *name ? name : report_text(test, "file"), out);
    attribute("file", report_text(test, "file"), out);
    g_string_append_printf(out, " time=\"%.3f\">", seconds(test));
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (strcmp(rows[i].outcome, outcome) != 0)
            continue;
        g_string_append_printf(out, "\n   <%s", rows[i].element);
        attribute("message", message, out);
        g_string_append_c(out, '>');
        report_escape(report_text(test, "explanation"), out);
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
    g_string_append_printf(out,
                           "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite "
                           "name=\"ptxlit\" tests=\"%zu\" failures=\"%u\" errors=\"%u\" "
                           "skipped=\"%u\" time=\"%.3f\">\n",
                           json_array_size(report->tests), report->missed, report->errors,
                           report->open, all);
    json_array_foreach(report->tests, i, test) print_case(test, out);
    g_string_append(out, " </testsuite>\n</testsuites>\n");
}
