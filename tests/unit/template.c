/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "cli/show/template.h"

static void escape(const char *text, GString *out)
{
    for (; *text; text++)
        g_string_append_printf(out, *text == '<' ? "&lt;" : "%c", *text);
}

static void assert_filled(const char *template, const char *view, const char *expected)
{
    g_autoptr(GString) out = g_string_new(NULL);
    json_auto_t *json = json_loads(view, 0, NULL);
    g_assert_nonnull(json);
    template_fill(template, json, escape, out);
    g_assert_cmpstr(out->str, ==, expected);
}

static void values_are_escaped_unless_told_otherwise(void)
{
    assert_filled("{{a}} {{&a}} {{n}}{{none}}{{null}}.",
                  "{\"a\": \"<b\", \"n\": 0, \"null\": null}", "&lt;b <b 0.");
}

static void a_section_is_there_for_each_item(void)
{
    assert_filled("{{#list}}[{{a}}{{.}}]{{/list}}",
                  "{\"a\": \"o\", \"list\": [\"x\", {\"a\": \"i\"}, 3]}", "[ox][i][o3]");
    assert_filled("{{#rows}}{{#.}}{{.}},{{/.}};{{/rows}}", "{\"rows\": [[\"a\", \"b\"], []]}",
                  "a,b,;;");
}

static void what_says_nothing_has_no_section(void)
{
    static const char *const nothings[] = {"null", "false", "0", "\"\"", "[]"};
    static const char *const somethings[] = {"true", "1", "\"a\"", "[1]", "{}"};
    for (size_t i = 0; i < G_N_ELEMENTS(nothings); i++) {
        g_autofree char *no = g_strdup_printf("{\"a\": %s}", nothings[i]);
        g_autofree char *yes = g_strdup_printf("{\"a\": %s}", somethings[i]);
        assert_filled("{{#a}}yes{{/a}}{{^a}}no{{/a}}", no, "no");
        assert_filled("{{#a}}yes{{/a}}{{^a}}no{{/a}}", yes, "yes");
    }
    assert_filled("{{^a}}no{{/a}}", "{}", "no");
}

static void the_innermost_object_that_has_a_key_counts(void)
{
    assert_filled("{{#o}}{{a}}{{b}}{{c}}{{/o}}",
                  "{\"a\": 1, \"b\": 2, \"c\": 3, \"o\": {\"a\": 4, \"c\": null}}", "42");
}

static void a_tag_alone_takes_its_line_with_it(void)
{
    assert_filled("{{#a}}\nx\n{{/a}}\ny {{#a}}\nz{{/a}}\n", "{\"a\": true}", "x\ny \nz\n");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/template/values", values_are_escaped_unless_told_otherwise);
    g_test_add_func("/template/sections", a_section_is_there_for_each_item);
    g_test_add_func("/template/nothing", what_says_nothing_has_no_section);
    g_test_add_func("/template/innermost", the_innermost_object_that_has_a_key_counts);
    g_test_add_func("/template/lines", a_tag_alone_takes_its_line_with_it);
    return g_test_run();
}
