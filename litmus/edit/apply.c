/* SPDX-License-Identifier: MIT */
#include "litmus/edit/edit.h"

#include <string.h>

#include "litmus/base/sort.h"
#include "litmus/base/text.h"
#include "litmus/edit/row.h"
#include "litmus/edit/strength.h"

/* Edits become pieces of text to take away and to put in; the rest of the text stays. */
struct applying {
    struct arena *arena;
    const struct test *test;
    const struct source *source;
    VEC(struct edit_piece) pieces;
};

static void add(struct applying *a, uint32_t from, uint32_t to, const char *text, uint32_t rank)
{
    struct edit_piece piece = {{from, to - from}, text, rank};
    vec_push(a->arena, &a->pieces, piece);
}

static bool is_blank(const struct source *source, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        if (!strchr(" \t\r\n\v\f", source->text[from]))
            return false;
    return true;
}

/* ---- statements of a kernel or a host program ----------------------------------------------- */

/* Behind the ';' that ends the statement. */
static uint32_t statement_end(const struct source *source, const struct inst *inst)
{
    uint32_t open, at = inst->span.offset + inst->span.length;
    at = source_skip_blanks(source, at, source->length, &open);
    return at < source->length && source->text[at] == ';' ? at + 1 : at;
}

static const char *indent_of(struct applying *a, struct span line)
{
    uint32_t length = 0;
    while (length < line.length && strchr(" \t", a->source->text[line.offset + length]))
        length++;
    return arena_strndup(a->arena, a->source->text + line.offset, length);
}

static void insert_statement(struct applying *a, const struct edit *edit)
{
    const struct source *source = a->source;
    uint32_t at = edit->inst->span.offset;
    struct span line = source_line(source, at);
    bool alone = is_blank(source, line.offset, at);
    if (edit->kind == EDIT_BEFORE && alone) {
        add(a, line.offset, line.offset,
            arena_printf(a->arena, "%s%s;\n", indent_of(a, line), edit->words), edit->rank);
        return;
    }
    if (edit->kind == EDIT_BEFORE) {
        add(a, at, at, arena_printf(a->arena, "%s; ", edit->words), edit->rank);
        return;
    }
    uint32_t open, end = statement_end(source, edit->inst);
    line = source_line(source, end - 1);
    uint32_t line_end = line.offset + line.length;
    bool last = source_skip_blanks(source, end, line_end, &open) >= line_end;
    at = last ? line_end : end;
    add(a, at, at,
        last ? arena_printf(a->arena, "\n%s%s;", indent_of(a, line), edit->words)
             : arena_printf(a->arena, " %s;", edit->words),
        edit->rank);
}

static void remove_statement(struct applying *a, const struct edit *edit)
{
    uint32_t from = edit->inst->span.offset, to = statement_end(a->source, edit->inst);
    struct span line = source_line(a->source, from);
    uint32_t line_end = line.offset + line.length;
    if (to <= line_end && is_blank(a->source, line.offset, from) &&
        is_blank(a->source, to, line_end)) {
        from = line.offset;
        to = line_end < a->source->length ? line_end + 1 : line_end;
    }
    add(a, from, to, "", edit->rank);
}

/* ---- cells of a column ---------------------------------------------------------------------- */

static uint32_t column_of(const struct test *test, const struct body *body)
{
    uint32_t column = 0;
    while (&test->bodies[test->columns[column].body] != body)
        column++;
    return column;
}

static void insert_row(struct applying *a, const struct edit *edit)
{
    struct row row = row_at(a->arena, a->test, edit->inst->span.offset);
    bool before = edit->kind == EDIT_BEFORE;
    const char *cells = row_with(a->arena, &row, column_of(a->test, edit->body), edit->words);
    uint32_t at = !row.regular ? (before ? row.start : row.end)
                  : before     ? row.line.offset
                               : row.line.offset + row.line.length;
    bool above = row.regular && before;
    add(a, at, at, arena_printf(a->arena, "%s%s%s", above ? "" : "\n", cells, above ? "\n" : ""),
        edit->rank);
}

static void remove_cell(struct applying *a, const struct edit *edit)
{
    struct span span = edit->inst->span;
    struct row row = row_at(a->arena, a->test, span.offset);
    if (row_is_empty_without(&row, span)) {
        uint32_t end = row.line.offset + row.line.length;
        add(a, row.line.offset, end < a->source->length ? end + 1 : end, "", edit->rank);
        return;
    }
    char *blanks = arena_strndup(a->arena, a->source->text + span.offset, span.length);
    memset(blanks, ' ', span.length);
    add(a, span.offset, span.offset + span.length, blanks, edit->rank);
}

/* The cell takes blanks from behind the instruction or leaves some, so that the columns stay in line. */
static void keep_width(struct applying *a, const struct edit *edit, uint32_t was)
{
    uint32_t from = edit->inst->span.offset + edit->inst->span.length, to = from;
    while (to < a->source->length && a->source->text[to] == ' ')
        to++;
    char next = to < a->source->length ? a->source->text[to] : 0;
    int64_t blanks = (int64_t)(to - from) + was - (int64_t)strlen(edit->words);
    if (to > from && (next == '|' || next == ';'))
        add(a, from, to, arena_printf(a->arena, "%*s", (int)(blanks > 1 ? blanks : 1), ""),
            edit->rank);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void change(struct applying *a, const struct edit *edit)
{
    struct span span = strength_span(a->test, edit->inst);
    add(a, span.offset, span.offset + span.length, edit->words, edit->rank);
    if (edit->body->dialect && a->test->column_count)
        keep_width(a, edit, span.length);
}

static void place(struct applying *a, const struct edit *edit)
{
    bool column = edit->body->dialect && a->test->column_count;
    switch (edit->kind) {
    case EDIT_CHANGE:
        change(a, edit);
        break;
    case EDIT_REMOVE:
        (column ? remove_cell : remove_statement)(a, edit);
        break;
    case EDIT_BEFORE:
    case EDIT_AFTER:
        (column ? insert_row : insert_statement)(a, edit);
        break;
    }
}

static int by_place(const void *x, const void *y)
{
    const struct edit_piece *a = x, *b = y;
    if (a->span.offset != b->span.offset)
        return a->span.offset < b->span.offset ? -1 : 1;
    if (!a->span.length != !b->span.length)
        return a->span.length ? 1 : -1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Cells of one row that are removed together take the row away once. */
static const struct source *splice(struct applying *a)
{
    struct text *text = text_open(a->arena);
    uint32_t at = 0;
    sort_array(a->pieces.at, a->pieces.len, sizeof *a->pieces.at, by_place);
    for (uint32_t i = 0; i < a->pieces.len; i++) {
        const struct edit_piece *piece = &a->pieces.at[i];
        if (piece->span.offset < at)
            continue;
        g_string_append_len(text->out, a->source->text + at, piece->span.offset - at);
        g_string_append(text->out, piece->text);
        at = piece->span.offset + piece->span.length;
    }
    g_string_append_len(text->out, a->source->text + at, a->source->length - at);
    size_t length = text->out->len;
    const char *edited = text_close(text, a->arena);
    if (length > SOURCE_MAX_BYTES)
        return NULL;
    struct source *result = source_new(a->arena, a->source->name, edited, length);
    result->folder = a->source->folder;
    result->files = a->source->files;
    return result;
}

const struct source *edit_apply(struct arena *arena, const struct test *test,
                                const struct edit *edits, uint32_t count)
{
    const struct source *source = test->source->main ? test->source->main : test->source;
    struct applying a = {.arena = arena, .test = test, .source = source};
    for (uint32_t i = 0; i < count; i++) {
        if (source->piece_count || edits[i].inst->span.offset >= source->length)
            return NULL;
        place(&a, &edits[i]);
    }
    return splice(&a);
}
