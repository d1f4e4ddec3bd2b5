/* SPDX-License-Identifier: MIT */
#include "cli/answer/code.h"

#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/base/sort.h"

void code_place(const struct test *test, const char *path, uint32_t offset, GString *out)
{
    const struct code_line *line = test_code_line(test, offset);
    struct place place = source_place(test->source, offset);
    if (!line) {
        g_string_append_printf(out, "%s:%u:%u", place.name ? place.name : path, place.line,
                               place.column);
        return;
    }
    g_string_append_printf(out, "%s:%u:%u", code_line_file(test, line), line->line, line->column);
    const char *before = " (inlined at ";
    const struct code_line *at = line;
    for (int i = 0; i < CODE_LINE_CALLERS && (at = code_line_own_caller(test, at)); i++) {
        g_string_append_printf(out, "%s%s:%u", before, code_line_file(test, at), at->line);
        before = ", ";
    }
    g_string_append(out, line->caller != NONE ? ")" : "");
}

/* ---- the lines themselves ------------------------------------------------------------------- */

/* The source as the compiler named it, or beside the test: NULL when it is not at hand. */
static const struct source *read_code(struct arena *arena, const struct test *test,
                                      const char *file)
{
    g_autofree char *folder = g_path_get_dirname(test->source->name);
    g_autofree char *last = g_path_get_basename(file);
    g_autofree char *there = g_build_filename(folder, file, NULL);
    g_autofree char *beside = g_build_filename(folder, last, NULL);
    const char *paths[] = {g_path_is_absolute(file) ? file : there, beside};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        size_t length;
        const char *text = g_file_test(paths[i], G_FILE_TEST_IS_REGULAR)
                               ? file_read(arena, paths[i], SOURCE_MAX_BYTES, &length)
                               : NULL;
        if (text)
            return source_new(arena, file, text, length);
    }
    return NULL;
}

static int by_number(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

typedef VEC(uint32_t) line_list;

/* The numbers behind each "NAME:" of the text, in order. */
static line_list lines_named(struct arena *arena, const char *text, const char *name)
{
    line_list lines = {0};
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        uint64_t number;
        bool fits, begins = at == text || strchr(" (\n", at[-1]);
        const char *digits = at + length + 1;
        if (begins && at[length] == ':' &&
            number_digits(digits, strlen(digits), 10, &number, &fits) && number <= UINT32_MAX)
            vec_push(arena, &lines, (uint32_t)number);
    }
    sort_array(lines.at, lines.len, sizeof *lines.at, by_number);
    return lines;
}

static void print_line(const struct source *code, const char *name, uint32_t number, GString *out)
{
    if (number == 0 || number > code->line_count)
        return;
    struct span span = source_line(code, code->line_starts[number - 1]);
    g_autofree char *text = g_strndup(code->text + span.offset, span.length);
    for (char *c = text; *c; c++)
        *c = g_ascii_iscntrl(*c) ? ' ' : *c; /* which might steer a terminal */
    g_string_append_printf(out, "  %s:%-4u %s\n", name, number, g_strstrip(text));
}

static void print_file(struct arena *arena, const struct test *test, const char *file,
                       const char *said, GString *out)
{
    g_autofree char *name = g_path_get_basename(file);
    line_list lines = lines_named(arena, said, name);
    const struct source *code = lines.len ? read_code(arena, test, file) : NULL;
    for (uint32_t i = 0; code && i < lines.len; i++)
        if (!i || lines.at[i] != lines.at[i - 1])
            print_line(code, name, lines.at[i], out);
}

void code_lines(const struct test *test, size_t start, GString *out)
{
    if (!test->code_line_count)
        return;
    struct arena *arena = arena_new();
    g_autofree char *said = g_strdup(out->str + start);
    g_autoptr(GString) lines = g_string_new(NULL);
    for (uint32_t i = 0; i < test->code_file_count; i++)
        if (test->code_files[i])
            print_file(arena, test, test->code_files[i], said, lines);
    if (lines->len)
        g_string_append_printf(out, "Source\n%s", lines->str);
    arena_free(arena);
}
