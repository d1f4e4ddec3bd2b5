/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "cli/options/options.h"

/* The headlines of what is wrong with a command line, or "" when nothing is. */
static char *complaints(struct options *options, const char *line)
{
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    *options = options_parse(arena, (int)g_strv_length(words), words, &diags);
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < diags.items.len; i++)
        g_string_append(text, diag_render(arena, &diags.items.at[i]));
    arena_free(arena);
    return g_string_free(text, FALSE);
}

static void assert_complaint(const char *line, const char *expected)
{
    struct options options;
    g_autofree char *text = complaints(&options, line);
    g_assert_cmpstr(text, ==, expected);
}

static void defaults_come_from_the_table(void)
{
    struct options options;
    g_autofree char *text = complaints(&options, "ptxlit check a");
    g_assert_cmpstr(text, ==, "");
    g_assert_cmpstr(options.settings.model, ==, "ptx");
    g_assert_cmpuint(options.settings.unroll, ==, 8);
    g_assert_cmpfloat(options.settings.timeout, ==, 60);
    g_assert_false(options.json);
    g_assert_cmpuint(options.argument_count, ==, 1);
    g_assert_cmpstr(options.command->name, ==, "check");
}

static void every_spelling_of_an_argument_is_read(void)
{
    static const char *const lines[] = {
        "ptxlit check --jobs 3 --json -v a",
        "ptxlit --json check a --jobs=3 -v",
        "ptxlit check -vj3 a --json",
        "ptxlit check -j 3 -v --json -- a",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        struct options options;
        g_autofree char *text = complaints(&options, lines[i]);
        g_assert_cmpstr(text, ==, "");
        g_assert_cmpuint(options.jobs, ==, 3);
        g_assert_true(options.json && options.verbose);
        g_assert_cmpuint(options.argument_count, ==, 1);
    }
}

static void words_after_two_dashes_are_arguments(void)
{
    struct options options;
    g_autofree char *text = complaints(&options, "ptxlit check -- --json - -v");
    g_assert_cmpstr(text, ==, "");
    g_assert_cmpuint(options.argument_count, ==, 3);
    g_assert_false(options.json);
}

static void mistakes_are_named_with_a_hint(void)
{
    assert_complaint("ptxlit chekc a",
                     "T013: unknown command 'chekc'\n  hint: did you mean 'check'?\n");
    assert_complaint("ptxlit",
                     "T013: no command was given\n  hint: 'ptxlit --help' lists the commands\n");
    assert_complaint("ptxlit check a --timeuot 3",
                     "T010: unknown option '--timeuot'\n  hint: did you mean '--timeout'?\n");
    assert_complaint("ptxlit check a -y", "T010: unknown option '-y'\n");
    assert_complaint("ptxlit check a --json=1", "T011: option '--json' takes no value\n");
    assert_complaint("ptxlit check a --model", "T011: option '--model' needs its NAME|FILE.cat\n");
    assert_complaint("ptxlit check a --bases",
                     "T012: 'check' takes no option '--bases'\n  hint: 'models' takes it\n");
    assert_complaint("ptxlit check",
                     "T015: 'check' needs FILE|DIR…\n  hint: ptxlit check [OPTION…] FILE|DIR…\n");
}

static void numbers_out_of_range_are_refused(void)
{
    assert_complaint("ptxlit check a --jobs 0",
                     "T011: option '--jobs' wants a whole number from 1 to 1024, not '0'\n");
    assert_complaint("ptxlit check a --jobs 1.5",
                     "T011: option '--jobs' wants a whole number from 1 to 1024, not '1.5'\n");
    assert_complaint("ptxlit check a --unroll x",
                     "T011: option '--unroll' wants a whole number from 1 to 1024, not 'x'\n");
    assert_complaint("ptxlit check a --timeout=-1",
                     "T011: option '--timeout' wants a number from 0 to 1000000, not '-1'\n");
    assert_complaint("ptxlit check a --timeout nan",
                     "T011: option '--timeout' wants a number from 0 to 1000000, not 'nan'\n");
    assert_complaint("ptxlit check a --timeout=",
                     "T011: option '--timeout' wants a number from 0 to 1000000, not ''\n");
    assert_complaint("ptxlit run a --seed 4294967296",
                     "T011: option '--seed' wants a whole number from 0 to 4294967295, not "
                     "'4294967296'\n");
    assert_complaint("ptxlit run a --runs 1e3",
                     "T011: option '--runs' wants a whole number from 1 to 4294967295, not "
                     "'1e3'\n");
    assert_complaint("ptxlit run a --runs 010",
                     "T011: option '--runs' wants a whole number from 1 to 4294967295, not "
                     "'010'\n");
    assert_complaint("ptxlit check a --timeout 1x",
                     "T011: option '--timeout' wants a number from 0 to 1000000, not '1x'\n");
}

static void a_letter_means_what_the_command_calls_so(void)
{
    struct options options;
    g_autofree char *report = complaints(&options, "ptxlit report -o out a");
    g_assert_cmpstr(report, ==, "");
    g_assert_nonnull(options.output);
    g_assert_cmpuint(options.write.len, ==, 0);
    g_autofree char *run = complaints(&options, "ptxlit run -o x=out a");
    g_assert_cmpstr(run, ==, "");
    g_assert_null(options.output);
    g_assert_cmpuint(options.write.len, ==, 1);
}

static void letters_and_names_are_unique(void)
{
    for (uint32_t i = 0; i < option_row_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            g_assert_cmpstr(option_rows[i].name, !=, option_rows[j].name);
            g_assert_true(!option_rows[i].letter ||
                          option_rows[i].letter != option_rows[j].letter ||
                          !(option_rows[i].commands & option_rows[j].commands));
        }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/options/shared-letter", a_letter_means_what_the_command_calls_so);
    g_test_add_func("/options/defaults", defaults_come_from_the_table);
    g_test_add_func("/options/spellings", every_spelling_of_an_argument_is_read);
    g_test_add_func("/options/dashes", words_after_two_dashes_are_arguments);
    g_test_add_func("/options/mistakes", mistakes_are_named_with_a_hint);
    g_test_add_func("/options/ranges", numbers_out_of_range_are_refused);
    g_test_add_func("/options/unique", letters_and_names_are_unique);
    return g_test_run();
}
