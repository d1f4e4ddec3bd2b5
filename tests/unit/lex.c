/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/parse/lex.h"
#include "litmus/test/names.h"

struct fixture {
    struct arena *arena;
    struct diag_list diags;
    struct lexer lexer;
};

static void start(struct fixture *f, const char *text, size_t length)
{
    f->arena = arena_new();
    f->diags = (struct diag_list){.arena = f->arena};
    f->lexer = (struct lexer){.source = source_new(f->arena, "t", text, length),
                              .diags = &f->diags,
                              .error_limit = DIAG_LIMIT};
}

static struct token next(struct fixture *f)
{
    return lex_next(&f->lexer);
}

static void tokens_have_kinds_and_places(void)
{
    static const char text[] =
        "ld.shared::cta %r1 /\\ || \\/ <<< >>> <= 0x1F 0b11 5U _ (* c (* d *) e *) // x";
    static const int kinds[] = {TOKEN_WORD, TOKEN_DOTWORD, TOKEN_WORD,   TOKEN_AND,
                                TOKEN_BARS, TOKEN_OR,      TOKEN_LAUNCH, TOKEN_LAUNCH_END,
                                TOKEN_LE,   TOKEN_NUMBER,  TOKEN_NUMBER, TOKEN_NUMBER,
                                '_',        TOKEN_END,     TOKEN_END};
    struct fixture f;
    start(&f, text, strlen(text));
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct token token = next(&f);
        g_assert_cmpint(token.kind, ==, kinds[i]);
        if (i == 1)
            g_assert_cmpuint(token.span.length, ==, strlen(".shared::cta"));
        if (i == 9)
            g_assert_cmpuint(token.value, ==, 31);
    }
    g_assert_cmpuint(f.diags.errors, ==, 0);
    arena_free(f.arena);
}

static void floats_are_bits(void)
{
    static const char text[] = "0f3F800000 0d3FF0000000000000 1.0 1.5e-1";
    struct fixture f;
    start(&f, text, strlen(text));
    g_assert_cmphex(next(&f).value, ==, 0x3f800000);
    g_assert_cmphex(next(&f).value, ==, 0x3ff0000000000000);
    g_assert_cmphex(next(&f).value, ==, 0x3ff0000000000000);
    struct token last = next(&f);
    double value;
    memcpy(&value, &last.value, sizeof value);
    g_assert_cmpfloat(value, ==, 0.15);
    g_assert_cmpuint(f.diags.errors, ==, 0);
    arena_free(f.arena);
}

static void bad_numbers_are_reported(void)
{
    static const char *const texts[] = {
        "18446744073709551616", "0x", "0b2", "12ab", "010", "0f12", "1.5x", "0x1g"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        struct fixture f;
        start(&f, texts[i], strlen(texts[i]));
        next(&f);
        g_assert_cmpuint(f.diags.errors, ==, 1);
        g_assert_cmpint(next(&f).kind, ==, TOKEN_END);
        arena_free(f.arena);
    }
}

/* A run of bad bytes is one report, and after the limit the text ends. */
static void bad_bytes_are_bounded(void)
{
    struct fixture f;
    GString *text = g_string_new(NULL);
    g_string_append_len(text, "\0\0\0\0", 4);
    for (int i = 0; i < 1000; i++)
        g_string_append(text, "`'");
    start(&f, text->str, text->len);
    g_assert_cmpint(next(&f).kind, ==, TOKEN_END);
    g_assert_cmpuint(f.diags.errors, ==, DIAG_LIMIT);
    g_assert_cmpuint(f.diags.items.at[0].span.length, ==, 4);
    g_string_free(text, TRUE);
    arena_free(f.arena);
}

/* Some editors begin a file with it; places still count its bytes. */
static void byte_order_marks_are_blanks(void)
{
    static const char text[] = "\xef\xbb\xbf"
                               "PTX\n\xef\xbb\xbf"
                               "st";
    static const struct source_piece pieces[] = {{"a", 0}, {"b", 7}};
    struct fixture f;
    start(&f, text, sizeof text - 1);
    f.lexer.source = source_of_pieces(f.arena, "t", text, sizeof text - 1, pieces, 2);
    struct token first = next(&f), second = next(&f);
    g_assert_cmpint(first.kind, ==, TOKEN_WORD);
    g_assert_cmpuint(first.span.offset, ==, 3);
    g_assert_cmpint(second.kind, ==, TOKEN_WORD);
    g_assert_cmpuint(second.span.offset, ==, 10);
    g_assert_cmpuint(f.diags.errors, ==, 0);
    f.lexer.source = source_new(f.arena, "t", text, sizeof text - 1);
    f.lexer.offset = 0;
    while (next(&f).kind != TOKEN_END)
        ;
    g_assert_cmpuint(f.diags.errors, >, 0); /* the second one begins no file there */
    arena_free(f.arena);
}

static void names_are_kept_by_scope(void)
{
    struct arena *arena = arena_new();
    struct names names = {.arena = arena};
    for (uint32_t i = 0; i < 1000; i++) {
        const char *text = arena_printf(arena, "x%u", i);
        names_put(&names, i % 3, text, strlen(text), i);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        const char *text = arena_printf(arena, "x%u", i);
        g_assert_cmpuint(names_get(&names, i % 3, text, strlen(text)), ==, i);
        g_assert_false(names_has(&names, i % 3 + 1, text));
    }
    names_put(&names, 1, "x1", 2, 7);
    g_assert_cmpuint(names_get(&names, 1, "x1", 2), ==, 7);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lex/kinds", tokens_have_kinds_and_places);
    g_test_add_func("/lex/floats", floats_are_bits);
    g_test_add_func("/lex/bad-numbers", bad_numbers_are_reported);
    g_test_add_func("/lex/bad-bytes", bad_bytes_are_bounded);
    g_test_add_func("/lex/byte-order-marks", byte_order_marks_are_blanks);
    g_test_add_func("/names/scopes", names_are_kept_by_scope);
    return g_test_run();
}
