/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/work/journal.h"

/* ---- keys ----------------------------------------------------------------------------------- */

static char *key_of(const struct options *options)
{
    static const struct cat_model model;
    struct arena *arena = arena_new();
    char *key = g_strdup(journal_run(arena, options, &model));
    arena_free(arena);
    return key;
}

/* Another value than the default. */
static void change(struct options *options, const struct option_row *row, struct text_list *list)
{
    if (row->kind == KIND_LIST)
        *(struct text_list *)(void *)((char *)options + row->offset) = *list;
    else
        option_store(options, row, row->number + 1, "another");
}

static void the_key_follows_from_the_table(void)
{
    struct options initial = {0};
    options_default(&initial);
    g_autofree char *same = key_of(&initial);
    for (uint32_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        const char *words[] = {"another"};
        struct text_list list = {words, 1, 1};
        struct options changed = initial;
        change(&changed, row, &list);
        g_autofree char *key = key_of(&changed);
        g_test_message("--%s", row->name);
        g_assert_true(row->effect != EFFECT_UNSAID && row->effect <= EFFECT_FILE);
        g_assert_true((strcmp(key, same) == 0) == (row->effect == EFFECT_NONE));
    }
}

static void words_of_a_list_are_kept_apart(void)
{
    const char *two[] = {"a", "b"}, *one[] = {"ab"};
    struct options first = {0}, second = {0};
    options_default(&first);
    options_default(&second);
    first.settings.reading = (struct text_list){two, 2, 2};
    second.settings.reading = (struct text_list){one, 1, 1};
    g_autofree char *a = key_of(&first), *b = key_of(&second);
    g_assert_cmpstr(a, !=, b);
}

static void what_a_named_file_holds_counts(void)
{
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
    g_autofree char *path = g_build_filename(folder, "seen.jsonl", NULL);
    struct options options = {0};
    options_default(&options);
    options.hardware = path;
    g_assert_true(g_file_set_contents(path, "one", -1, NULL));
    g_autofree char *one = key_of(&options);
    g_assert_true(g_file_set_contents(path, "two", -1, NULL));
    g_autofree char *two = key_of(&options);
    g_assert_cmpstr(one, !=, two);
    g_unlink(path);
    g_rmdir(folder);
}

/* ---- the file ------------------------------------------------------------------------------- */

static const struct {
    const char *key, *out;
} kept[] = {{"a", "{\"n\":1}"}, {"b", "{\"n\":2}"}, {"c", "{\"n\":3}"}};

static void keep(struct journal *journal, size_t i)
{
    struct result result = {.out = g_string_new(kept[i].out), .err = g_string_new("\xff")};
    g_assert_true(journal_keep(journal, kept[i].key, &result));
    g_string_free(result.out, TRUE);
    g_string_free(result.err, TRUE);
}

/* The keys that a journal with this text knows. */
static char *known(const char *path)
{
    struct journal *journal = journal_open(path, true);
    GString *keys = g_string_new(NULL);
    g_assert_nonnull(journal);
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
        struct result result;
        if (!journal_recall(journal, kept[i].key, &result))
            continue;
        g_assert_cmpstr(result.out->str, ==, kept[i].out);
        g_string_append(keys, kept[i].key);
        g_string_free(result.out, TRUE);
        g_string_free(result.err, TRUE);
    }
    journal_close(journal, true);
    return g_string_free(keys, FALSE);
}

static char *journal_of_all(const char *path)
{
    struct journal *journal = journal_open(path, false);
    char *text;
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
        keep(journal, i);
    journal_close(journal, true);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return text;
}

/* Any one byte of the file gone wrong, or all from it on gone, costs no other line. */
static void damage_costs_the_line_that_has_it(void)
{
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
    g_autofree char *path = g_build_filename(folder, "journal.jsonl", NULL);
    g_autofree char *whole = journal_of_all(path);
    static const char *const left[] = {"bc", "ac", "ab"};
    size_t line = 0;
    for (size_t i = 0; whole[i]; line += whole[i++] == '\n') {
        g_autofree char *damaged = g_strdup(whole);
        damaged[i] = '\1';
        g_assert_true(g_file_set_contents(path, damaged, -1, NULL));
        g_autofree char *keys = known(path);
        g_assert_true(strstr(keys, left[line]) || (whole[i] == '\n' && strlen(keys) >= 1));
        g_assert_cmpuint(strlen(keys), <, 3);
    }
    g_unlink(path);
    g_rmdir(folder);
}

static void a_torn_line_does_not_spoil_the_next(void)
{
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
    g_autofree char *path = g_build_filename(folder, "journal.jsonl", NULL);
    g_autofree char *whole = journal_of_all(path);
    g_assert_true(g_file_set_contents(path, whole, (gssize)strlen(whole) - 5, NULL));
    struct journal *journal = journal_open(path, true);
    keep(journal, 2);
    journal_close(journal, true);
    g_autofree char *keys = known(path);
    g_assert_cmpstr(keys, ==, "abc");
    g_unlink(path);
    g_rmdir(folder);
}

static void a_result_that_none_can_be_made_of_is_not_taken(void)
{
    static const char *const lines[] = {
        "{\"key\":\"a\",\"tally\":0,\"out\":\"\",\"err\":\"\"}",
        "{\"key\":\"a\",\"tally\":4000000000,\"out\":\"{}\",\"err\":\"\"}",
        "{\"key\":\"a\",\"tally\":-1,\"out\":\"{}\",\"err\":\"\"}",
        "{\"key\":\"a\",\"tally\":0,\"out\":\"{}\"}",
        "[]",
        ""};
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
    g_autofree char *path = g_build_filename(folder, "journal.jsonl", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_assert_true(g_file_set_contents(path, lines[i], -1, NULL));
        g_autofree char *keys = known(path);
        g_assert_cmpstr(keys, ==, "");
    }
    g_unlink(path);
    g_rmdir(folder);
}

static void a_second_run_is_refused(void)
{
    g_autofree char *folder = g_dir_make_tmp(NULL, NULL);
    g_autofree char *path = g_build_filename(folder, "journal.jsonl", NULL);
    struct journal *journal = journal_open(path, false);
    keep(journal, 0);
    pid_t other = fork();
    if (other == 0)
        _exit(journal_open(path, false) ? 1 : 0);
    int status;
    g_assert_cmpint(waitpid(other, &status, 0), ==, other);
    g_assert_cmpint(status, ==, 0);
    journal_close(journal, true);
    g_autofree char *keys = known(path);
    g_assert_cmpstr(keys, ==, "a");
    g_unlink(path);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/journal/key", the_key_follows_from_the_table);
    g_test_add_func("/journal/list", words_of_a_list_are_kept_apart);
    g_test_add_func("/journal/file", what_a_named_file_holds_counts);
    g_test_add_func("/journal/damage", damage_costs_the_line_that_has_it);
    g_test_add_func("/journal/torn", a_torn_line_does_not_spoil_the_next);
    g_test_add_func("/journal/strange", a_result_that_none_can_be_made_of_is_not_taken);
    g_test_add_func("/journal/second", a_second_run_is_refused);
    return g_test_run();
}
