/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/base/diag.h"

static void arena_keeps_blocks_apart(void)
{
    struct arena *arena = arena_new();
    VEC(uint32_t) numbers = {0};
    char *text = arena_printf(arena, "%s-%d", "x", 7);
    for (uint32_t i = 0; i < 100000; i++)
        vec_push(arena, &numbers, i);
    g_assert_cmpstr(text, ==, "x-7");
    g_assert_cmpuint(numbers.at[99999], ==, 99999);
    arena_free(arena);
}

static void places_count_from_one(void)
{
    struct arena *arena = arena_new();
    struct source *source = source_new(arena, "t", "ab\ncd", 5);
    struct place place = source_place(source, 4);
    g_assert_cmpuint(place.line, ==, 2);
    g_assert_cmpuint(place.column, ==, 2);
    g_assert_cmpuint(source_line(source, 4).length, ==, 2);
    arena_free(arena);
}

static void diagnostics_show_line_caret_and_hint(void)
{
    struct arena *arena = arena_new();
    struct source *source = source_new(arena, "t.litmus", "ld.waek r0, x", 13);
    struct diag_list list = {.arena = arena};
    diag_add(&list, DIAG_file_unreadable, source, (struct span){3, 4}, "did you mean 'weak'?",
             "unknown word '%s'", "waek");
    const char *text = diag_render(arena, &list.items.at[0]);
    g_assert_cmpstr(text, ==,
                    "t.litmus:1:4: T001: unknown word 'waek'\n  ld.waek r0, x\n     ^^^^\n"
                    "  hint: did you mean 'weak'?\n");
    g_assert_cmpuint(list.errors, ==, 1);
    arena_free(arena);
}

static void messages_are_short_and_print(void)
{
    struct arena *arena = arena_new();
    struct diag_list list = {.arena = arena};
    g_autofree char *word = g_strnfill(100000, 'a');
    word[0] = '\033';
    diag_add(&list, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "unknown word '%s'", word);
    const char *text = diag_render(arena, &list.items.at[0]);
    g_assert_cmpuint(strlen(text), <, 500);
    g_assert_true(g_str_has_prefix(text, "T001: unknown word '?aaa"));
    arena_free(arena);
}

static void nearest_word_is_found_or_nothing(void)
{
    static const char *const words[] = {"weak", "relaxed", "acquire"};
    g_assert_cmpstr(diag_nearest("waek", 4, words, 3), ==, "weak");
    g_assert_cmpstr(diag_nearest("aquire", 6, words, 3), ==, "acquire");
    g_assert_null(diag_nearest("zzzzzzzz", 8, words, 3));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/arena", arena_keeps_blocks_apart);
    g_test_add_func("/base/place", places_count_from_one);
    g_test_add_func("/base/diag", diagnostics_show_line_caret_and_hint);
    g_test_add_func("/base/messages", messages_are_short_and_print);
    g_test_add_func("/base/nearest", nearest_word_is_found_or_nothing);
    return g_test_run();
}
