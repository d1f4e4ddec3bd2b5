/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"

/* Every diagnostic of the test language has a malformed file in tests/errors whose first line is
 * "// LINE:COLUMN: CODE: MESSAGE", the headline of the first diagnostic it gets. */

static bool seen[DIAG_COUNT];

static void one_file(const char *path)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    char *text;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    const char *newline = memchr(text, '\n', length);
    g_assert_true(g_str_has_prefix(text, "// ") && newline);
    const char *wanted = arena_strndup(arena, text + 3, (size_t)(newline - text) - 3);
    struct test *test = litmus_parse(arena, source_new(arena, "", text, length), &diags);
    if (!diags.items.len)
        g_error("%s: nothing was reported", path);
    g_assert_cmpstr(diag_headline(arena, &diags.items.at[0]) + 1, ==, wanted);
    g_assert_true((test == NULL) == (diags.errors > 0));
    for (uint32_t i = 0; i < diags.items.len; i++)
        seen[diags.items.at[i].id] = true;
    g_free(text);
    arena_free(arena);
}

static void files_get_their_diagnostics(void)
{
    const char *root = g_getenv("ERRORS");
    GDir *dir = g_dir_open(root, 0, NULL);
    unsigned count = 0;
    g_assert_nonnull(dir);
    for (const char *name; (name = g_dir_read_name(dir));) {
        char *path = g_build_filename(root, name, NULL);
        if (g_str_has_suffix(name, ".litmus")) {
            one_file(path);
            count++;
        }
        g_free(path);
    }
    g_dir_close(dir);
    g_assert_cmpuint(count, >=, 60);
}

static void every_code_has_a_file(void)
{
    for (enum diag_id id = 0; id < DIAG_COUNT; id++)
        if (diag_code(id)[0] == 'L' && !seen[id])
            g_error("no file in tests/errors gets %s", diag_code(id));
}

static void codes_are_unique(void)
{
    for (enum diag_id a = 0; a < DIAG_COUNT; a++)
        for (enum diag_id b = 0; b < a; b++)
            g_assert_cmpstr(diag_code(a), !=, diag_code(b));
}

static struct test *parse(struct arena *arena, const char *text, size_t length,
                          struct diag_list *diags)
{
    *diags = (struct diag_list){.arena = arena};
    return litmus_parse(arena, source_new(arena, "t", text, length), diags);
}

/* Ten megabytes on one line, of what could grow or recurse: an end, an answer, memory of its order.
 */
static void long_lines_are_survived(void)
{
    static const char *const pieces[] = {"(",   "[",  "{",   "~",     "x = 1 /\\ ", "| ",
                                         "P0@", ";;", "ab.", "\"\" ", "x[",         "\xff",
                                         "1 ",  "-",  "L: ", "@%p ",  "x = &x; "};
    static const char *const starts[] = {"PTX t ",
                                         "PTX t {",
                                         "PTX t { } P0 ; ",
                                         "PTX t { } P0 ; nop ; exists ",
                                         "PTX t { } kernel k () { ",
                                         "PTX t { } P0 ; st.weak x, "};
    for (size_t i = 0; i < G_N_ELEMENTS(pieces); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(starts); k++) {
            struct arena *arena = arena_new();
            struct diag_list diags;
            GString *text = g_string_new(starts[k]);
            size_t size = i == 0 && k == 3 ? 10u << 20 : 1u << 16;
            while (text->len < size)
                g_string_append(text, pieces[i]);
            parse(arena, text->str, text->len, &diags);
            g_assert_cmpuint(arena_bytes(arena), <, 32u << 20);
            g_string_free(text, TRUE);
            arena_free(arena);
        }
}

/* Every prefix of a test is some input; none crashes and only the whole one loads. */
static void prefixes_are_survived(void)
{
    static const char text[] =
        "PTX t\n\"expect ptx: allowed (here)\"\n{ u32 x[2] = {1, 2}; P0:r0 = &y; }\n"
        "kernel k (.param .u64 p) { .reg .b32 %r<2>; L: @!%p1 bra L; mov.b64 {%r0, %r1}, 5; }\n"
        "K: k<<<(1,1,1), 32>>>(&x) @ gpu 0 cluster 1;\n"
        "locations [x[1];] filter (x[0] != 1) exists (~(K[0,1]:r1 = 0x10) /\\ true)";
    for (size_t length = 0; length < sizeof text; length++) {
        struct arena *arena = arena_new();
        struct diag_list diags;
        char *piece = g_memdup2(text, length ? length : 1);
        struct test *test = parse(arena, piece, length, &diags);
        g_assert_true((test == NULL) == (diags.errors > 0));
        g_free(piece);
        arena_free(arena);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/errors/files", files_get_their_diagnostics);
    g_test_add_func("/errors/every-code", every_code_has_a_file);
    g_test_add_func("/errors/unique", codes_are_unique);
    g_test_add_func("/errors/long-lines", long_lines_are_survived);
    g_test_add_func("/errors/prefixes", prefixes_are_survived);
    return g_test_run();
}
