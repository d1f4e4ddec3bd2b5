/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stdbool.h>
#include <string.h>

#include "litmus/base/diag.h"
#include "litmus/base/text.h"

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

/* ---- limits --------------------------------------------------------------------------------- */

struct eater {
    struct arena *arena;
    size_t bytes; /* in steps of a thousand */
    bool finished;
};

static void eat(void *context)
{
    struct eater *eater = context;
    struct arena *scratch = arena_scratch(eater->arena);
    for (size_t eaten = 0; eaten < eater->bytes; eaten += 1000)
        arena_alloc(scratch, 1000);
    eater->finished = true;
}

static enum arena_end eat_within(size_t bytes, const struct arena_limits *limits)
{
    struct eater eater = {.arena = arena_new(), .bytes = bytes};
    enum arena_end end = arena_run(eater.arena, limits, eat, &eater);
    g_assert_cmpint(eater.finished, ==, end == ARENA_DONE);
    arena_free(eater.arena);
    return end;
}

static size_t six_million_elsewhere(void)
{
    return 6000000;
}

static void work_ends_at_its_limit_of_memory(void)
{
    struct arena_limits limits = {.bytes = 10000000};
    g_assert_cmpint(eat_within(5000000, &limits), ==, ARENA_DONE);
    g_assert_cmpint(eat_within(11000000, &limits), ==, ARENA_MEMORY);
    limits.elsewhere = six_million_elsewhere;
    g_assert_cmpint(eat_within(5000000, &limits), ==, ARENA_MEMORY);
    g_assert_cmpint(eat_within(11000000, &(struct arena_limits){0}), ==, ARENA_DONE);
}

static void work_ends_at_its_limit_of_time(void)
{
    struct arena_limits limits = {.seconds = 0.01, .bytes = 100000000};
    struct arena *arena = arena_new();
    for (enum arena_end end = ARENA_DONE; end != ARENA_TIME;) {
        struct eater eater = {.arena = arena_scratch(arena), .bytes = 50000000};
        end = arena_run(arena, &limits, eat, &eater); /* nothing stays of the round before */
        g_assert_cmpint(end, !=, ARENA_MEMORY);
        arena_free(eater.arena);
    }
    arena_free(arena);
}

static void note_end(void *object)
{
    g_string_append_c(((GString **)object)[0], 'x');
}

static void what_is_tied_ends_with_the_arena(void)
{
    g_autoptr(GString) ends = g_string_new(NULL);
    struct arena *arena = arena_new(), *scratch = arena_scratch(arena);
    struct tie *tie = ARENA_NEW(arena, struct tie), *other = ARENA_NEW(arena, struct tie);
    struct tie *inner = ARENA_NEW(scratch, struct tie);
    arena_tie(arena, tie, note_end, &ends);
    arena_tie(arena, other, note_end, &ends);
    arena_tie(scratch, inner, note_end, &ends);
    arena_untie(other);
    g_assert_cmpstr(ends->str, ==, "");
    arena_free(arena);
    g_assert_cmpstr(ends->str, ==, "xx");
}

static void a_text_ends_where_it_is_closed(void)
{
    struct arena *arena = arena_new(), *scratch = arena_scratch(arena);
    struct text *text = text_open(scratch);
    text_open(scratch); /* never closed: the sanitizer would see it lost */
    g_string_append(text->out, "exists");
    const char *kept = text_close(text, arena);
    arena_free(scratch);
    g_assert_cmpstr(kept, ==, "exists");
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
    g_test_add_func("/base/memory", work_ends_at_its_limit_of_memory);
    g_test_add_func("/base/time", work_ends_at_its_limit_of_time);
    g_test_add_func("/base/tie", what_is_tied_ends_with_the_arena);
    g_test_add_func("/base/text", a_text_ends_where_it_is_closed);
    g_test_add_func("/base/place", places_count_from_one);
    g_test_add_func("/base/diag", diagnostics_show_line_caret_and_hint);
    g_test_add_func("/base/messages", messages_are_short_and_print);
    g_test_add_func("/base/nearest", nearest_word_is_found_or_nothing);
    return g_test_run();
}
