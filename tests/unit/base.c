/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "litmus/base/diag.h"
#include "litmus/base/file.h"
#include "litmus/base/hash.h"
#include "litmus/base/number.h"
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

static bool same_number(const void *items, uint32_t index, const void *key)
{
    return ((const uint32_t *)items)[index] == *(const uint32_t *)key;
}

/* Keys share hashes, so that finding one means comparing. */
static uint64_t poor_hash(uint32_t number)
{
    return hash_pair(number / 3, 0);
}

static void hash_table_finds_what_was_added(void)
{
    struct arena *arena = arena_new();
    struct hash_table table = {0};
    VEC(uint32_t) numbers = {0};
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 10000; i++) {
            g_assert_cmpuint(hash_find(&table, poor_hash(i), same_number, numbers.at, &i), ==,
                             HASH_NONE);
            g_assert_cmpuint(hash_add(arena, &table, poor_hash(i)), ==, i);
            vec_push(arena, &numbers, i);
        }
        for (uint32_t i = 0; i < 10000; i++)
            g_assert_cmpuint(hash_find(&table, poor_hash(i), same_number, numbers.at, &i), ==, i);
        hash_clear(&table);
        numbers.len = 0;
    }
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

/* ---- numbers -------------------------------------------------------------------------------- */

static void a_number_is_all_of_its_text_or_refused(void)
{
    static const char *const malformed[] = {"",    "-",   "+1",  " 1", "1 ", "1e3", "010", "0x",
                                            "0xg", "0b2", "1_0", "1.", "0b", "--1", "1,2", "x1"};
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},           {"7", 7},
                {"0x1F", 31},       {"0b101", 5},
                {"0x00", 0},        {"18446744073709551615", UINT64_MAX},
                {"-1", UINT64_MAX}, {"-9223372036854775808", UINT64_C(1) << 63}};
    uint64_t value;
    struct number_range all = number_range(64, false, true);
    for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++)
        g_assert_cmpint(number_integer(malformed[i], strlen(malformed[i]), all, &value), ==,
                        NUMBER_MALFORMED);
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_assert_cmpint(number_integer(good[i].text, strlen(good[i].text), all, &value), ==,
                        NUMBER_GOOD);
        g_assert_cmpuint(value, ==, good[i].value);
    }
}

/* The edges of every width, signed, unsigned and either. */
static void numbers_keep_to_their_range(void)
{
    for (uint32_t bits = 8; bits <= 64; bits *= 2)
        for (int kind = 0; kind < 3; kind++) {
            struct number_range range = number_range(bits, kind == 1, kind == 2);
            uint64_t value,
                most = kind == 1 ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
            uint64_t least = kind == 0 ? 0 : UINT64_C(1) << (bits - 1);
            g_autofree char *top = g_strdup_printf("%" G_GUINT64_FORMAT, most);
            g_autofree char *above = g_strdup_printf("%" G_GUINT64_FORMAT, most + 1);
            g_autofree char *bottom = g_strdup_printf("-%" G_GUINT64_FORMAT, least);
            g_autofree char *below = g_strdup_printf("-%" G_GUINT64_FORMAT, least + 1);
            const char *past = most == UINT64_MAX ? "18446744073709551616" : above;
            g_assert_cmpint(number_integer(top, strlen(top), range, &value), ==, NUMBER_GOOD);
            g_assert_cmpint(number_integer(bottom, strlen(bottom), range, &value), ==, NUMBER_GOOD);
            g_assert_cmpint(number_integer(past, strlen(past), range, &value), ==,
                            NUMBER_OUT_OF_RANGE);
            g_assert_cmpint(number_integer(below, strlen(below), range, &value), ==,
                            NUMBER_OUT_OF_RANGE);
        }
}

static void fractions_are_read_whole(void)
{
    double value;
    uint32_t single;
    g_assert_cmpint(number_double("-2.5e-3", 7, &value), ==, NUMBER_GOOD);
    g_assert_cmpfloat(value, ==, -2.5e-3);
    g_assert_cmpint(number_double("60", 2, &value), ==, NUMBER_GOOD);
    g_assert_cmpint(number_single("16777217", 8, &single), ==, NUMBER_GOOD);
    g_assert_cmpuint(single, ==, 0x4b800000);
    g_assert_cmpint(number_single("1e39", 4, &single), ==, NUMBER_OUT_OF_RANGE);
    g_assert_cmpint(number_double("1e999", 5, &value), ==, NUMBER_OUT_OF_RANGE);
    static const char *const malformed[] = {"",    ".5",  "5.", "1e", "1e-",  "1.5x",  "0x1p3",
                                            "nan", "inf", " 1", "1 ", "00.5", "1.5.2", "-"};
    for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++)
        g_assert_cmpint(number_double(malformed[i], strlen(malformed[i]), &value), ==,
                        NUMBER_MALFORMED);
}

/* ---- files ---------------------------------------------------------------------------------- */

static void a_file_without_an_end_is_not_read_to_it(void)
{
    struct arena *arena = arena_new();
    size_t length = 0;
    g_assert_null(file_read(arena, "/dev/zero", 1 << 20, &length));
    g_assert_cmpint(errno, ==, EFBIG);
    g_assert_null(file_read(arena, "/nowhere/at/all", 1, &length));
    g_assert_cmpint(errno, ==, ENOENT);
    arena_free(arena);
}

/* A link stays a link, a device a device. */
static void only_regular_files_are_replaced(void)
{
    struct arena *arena = arena_new();
    g_autofree char *folder = g_dir_make_tmp("ptxlit-XXXXXX", NULL);
    const char *target = arena_printf(arena, "%s/target", folder);
    const char *link = arena_printf(arena, "%s/link", folder);
    const char *full = arena_printf(arena, "%s/full", folder);
    struct stat stat;
    size_t length = 0;
    g_assert_null(file_write(arena, target, "before", 6));
    g_assert_cmpint(symlink(target, link), ==, 0);
    g_assert_cmpint(symlink("/dev/full", full), ==, 0);
    g_assert_null(file_write(arena, link, "now", 3));
    g_assert_cmpint(lstat(link, &stat), ==, 0);
    g_assert_true(S_ISLNK(stat.st_mode));
    const char *bytes = file_read(arena, target, 100, &length);
    g_assert_cmpmem(bytes, length, "now", 3);
    g_assert_nonnull(file_write(arena, full, "now", 3));
    g_assert_cmpint(lstat(full, &stat), ==, 0);
    g_assert_true(S_ISLNK(stat.st_mode));
    g_unlink(link), g_unlink(target), g_unlink(full), g_rmdir(folder);
    arena_free(arena);
}

static void assert_words(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct source *source = source_new(arena, "t", text, strlen(text));
    g_assert_cmpstr(source_words(arena, source, (struct span){0, (uint32_t)strlen(text)}), ==,
                    expected);
    arena_free(arena);
}

static void words_of_a_span_stand_on_one_line(void)
{
    assert_words("ld.weak r0, x", "ld.weak r0, x");
    assert_words("  ld.weak\t/* why */ r0,\r\n   x // flag", "ld.weak r0, x");
    assert_words("r = (*x) /**/ + (int*)y ", "r = (*x) + (int*)y"); /* none of herd's comments */
    assert_words("st x, // one\n 1", "st x, 1");
    assert_words("(*/**/r) = a / b * (c)/", "(* r) = a / b * (c)/");
    assert_words("", "");
    assert_words("a /* no end", "a");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/arena", arena_keeps_blocks_apart);
    g_test_add_func("/base/hash", hash_table_finds_what_was_added);
    g_test_add_func("/base/memory", work_ends_at_its_limit_of_memory);
    g_test_add_func("/base/time", work_ends_at_its_limit_of_time);
    g_test_add_func("/base/tie", what_is_tied_ends_with_the_arena);
    g_test_add_func("/base/text", a_text_ends_where_it_is_closed);
    g_test_add_func("/base/place", places_count_from_one);
    g_test_add_func("/base/diag", diagnostics_show_line_caret_and_hint);
    g_test_add_func("/base/messages", messages_are_short_and_print);
    g_test_add_func("/base/nearest", nearest_word_is_found_or_nothing);
    g_test_add_func("/base/number", a_number_is_all_of_its_text_or_refused);
    g_test_add_func("/base/range", numbers_keep_to_their_range);
    g_test_add_func("/base/fraction", fractions_are_read_whole);
    g_test_add_func("/base/endless", a_file_without_an_end_is_not_read_to_it);
    g_test_add_func("/base/replace", only_regular_files_are_replaced);
    g_test_add_func("/base/words", words_of_a_span_stand_on_one_line);
    return g_test_run();
}
