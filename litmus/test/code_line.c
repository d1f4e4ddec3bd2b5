/* SPDX-License-Identifier: MIT */
#include "litmus/test/code_line.h"

#include <string.h>

const struct code_line *test_code_line(const struct test *test, uint32_t offset)
{
    uint32_t low = 0, high = test->code_line_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (test->code_lines[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    const struct code_line *line = low ? &test->code_lines[low - 1] : NULL;
    return line && line->file != NONE && test->code_files[line->file] ? line : NULL;
}

const struct code_line *code_line_caller(const struct test *test, const struct code_line *line)
{
    return line->caller == NONE ? NULL : &test->code_lines[line->caller];
}

const struct code_line *code_line_own_caller(const struct test *test, const struct code_line *line)
{
    const struct code_line *outermost = line;
    while (outermost->caller != NONE)
        outermost = &test->code_lines[outermost->caller];
    do
        line = code_line_caller(test, line);
    while (line && line->file != outermost->file);
    return line;
}

const char *code_line_file(const struct test *test, const struct code_line *line)
{
    const char *path = test->code_files[line->file], *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "?";
}

const char *code_line_words(struct arena *arena, const struct test *test,
                            const struct code_line *line)
{
    const char *words = arena_printf(arena, "%s:%u", code_line_file(test, line), line->line);
    const char *before = ", inlined at ";
    for (int i = 0; i < CODE_LINE_CALLERS && (line = code_line_own_caller(test, line)); i++) {
        words =
            arena_printf(arena, "%s%s%s:%u", words, before, code_line_file(test, line), line->line);
        before = ", ";
    }
    return words;
}

const char *test_line_words(struct arena *arena, const struct test *test, uint32_t offset)
{
    const struct code_line *line = test_code_line(test, offset);
    return line ? code_line_words(arena, test, line)
                : arena_printf(arena, "line %u", source_place(test->source, offset).line);
}

const char *test_line_mark(struct arena *arena, const struct test *test, uint32_t offset)
{
    const struct code_line *line = test_code_line(test, offset), *outer = line;
    if (!line)
        return arena_printf(arena, ":%u", source_place(test->source, offset).line);
    while (code_line_caller(test, outer))
        outer = code_line_caller(test, outer);
    while (line->file != outer->file)
        line = code_line_caller(test, line);
    return arena_printf(arena, "%s:%u", code_line_file(test, line), line->line);
}

void test_forget_code_lines(struct test *test)
{
    test->code_line_count = 0;
}
