/* SPDX-License-Identifier: MIT */
#include "litmus/edit/row.h"

#include <string.h>

#include "litmus/base/text.h"

bool row_in_table(const struct test *test)
{
    const struct source *source = test->source;
    uint32_t open;
    if (!test->column_count)
        return false;
    struct span head = test->columns[test->column_count - 1].span;
    uint32_t at = source_skip_blanks(source, head.offset + head.length, source->length, &open);
    return at < source->length && source->text[at] == ';';
}

/* The next byte from 'at' on that is neither blank nor part of a comment, or 'end'. */
static uint32_t next_mark(const struct source *source, uint32_t at, uint32_t end)
{
    uint32_t open;
    return source_skip_blanks(source, at, end, &open);
}

/* Does the line hold one row? The ends of its cells. */
static void find_cells(struct row *row)
{
    uint32_t end = row->line.offset + row->line.length, count = 0;
    bool over = false;
    for (uint32_t at = next_mark(row->source, row->line.offset, end); at < end;
         at = next_mark(row->source, at + 1, end)) {
        char c = row->source->text[at];
        if (over || (count == row->columns && (c == '|' || c == ';')))
            return;
        if (c == '|' || c == ';')
            row->ends[count++] = at;
        over = c == ';';
    }
    row->regular = over && count == row->columns;
}

struct row row_at(struct arena *arena, const struct test *test, uint32_t offset)
{
    struct row row = {.source = test->source,
                      .columns = test->column_count,
                      .line = source_line(test->source, offset),
                      .ends = ARENA_ARRAY(arena, uint32_t, test->column_count)};
    uint32_t from = test->columns[0].span.offset, end = test->source->length;
    find_cells(&row);
    row.start = from;
    for (uint32_t at = from; at < end && !row.end; at = next_mark(row.source, at + 1, end))
        if (row.source->text[at] == ';' && at < offset)
            row.start = at + 1;
        else if (row.source->text[at] == ';')
            row.end = at + 1;
    return row;
}

/* How the text of a cell begins: its blanks, at least one. */
static const char *lead(struct arena *arena, const struct row *row, uint32_t from, uint32_t to)
{
    uint32_t length = 0;
    while (from + length < to && strchr(" \t", row->source->text[from + length]))
        length++;
    return length && from + length < to ? arena_strndup(arena, row->source->text + from, length)
                                        : " ";
}

const char *row_with(struct arena *arena, const struct row *row, uint32_t column, const char *words)
{
    struct text *text = text_open(arena);
    uint32_t from = row->line.offset;
    for (uint32_t i = 0; i < row->columns; i++) {
        uint32_t to = row->regular ? row->ends[i] : from;
        size_t start = text->out->len, width = row->regular ? to - from : 1;
        if (i == column)
            g_string_append_printf(text->out, "%s%s ",
                                   row->regular ? lead(arena, row, from, to) : " ", words);
        while (text->out->len - start < width)
            g_string_append_c(text->out, ' ');
        g_string_append_c(text->out, i + 1 < row->columns ? '|' : ';');
        from = to + 1;
    }
    return text_close(text, arena);
}

bool row_is_empty_without(const struct row *row, struct span span)
{
    uint32_t end = row->line.offset + row->line.length;
    for (uint32_t at = row->line.offset; row->regular && at < end; at++)
        if (at - span.offset >= span.length && !strchr(" \t\r|;", row->source->text[at]))
            return false;
    return row->regular;
}
