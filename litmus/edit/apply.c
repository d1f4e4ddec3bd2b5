/* SPDX-License-Identifier: MIT */
#include "litmus/edit/edit.h"

#include <string.h>

#include "litmus/base/file.h"
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

/* The text of [from, to) with the pieces in it. Cells of one row that are removed together take the row away once. */
static const char *splice(struct applying *a, uint32_t from, uint32_t to, size_t *length)
{
    struct text *text = text_open(a->arena);
    uint32_t at = from;
    sort_array(a->pieces.at, a->pieces.len, sizeof *a->pieces.at, by_place);
    for (uint32_t i = 0; i < a->pieces.len; i++) {
        const struct edit_piece *piece = &a->pieces.at[i];
        if (piece->span.offset < at)
            continue;
        g_string_append_len(text->out, a->source->text + at, piece->span.offset - at);
        g_string_append(text->out, piece->text);
        at = piece->span.offset + piece->span.length;
    }
    g_string_append_len(text->out, a->source->text + at, to - at);
    *length = text->out->len;
    return text_close(text, a->arena);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Reads files as 'inner' does, but for the one that is edited. */
struct edited_files {
    struct source_files files;
    const struct source_files *inner;
    const struct source *after;
};

static struct source_file read_edited(const struct source_files *files, struct arena *arena,
                                      const char *path)
{
    const struct edited_files *edited = (const struct edited_files *)files;
    struct source_file file = edited->inner ? edited->inner->read(edited->inner, arena, path)
                                            : file_read_kept(arena, path);
    if (file.text && strcmp(file.name, edited->after->name) == 0) {
        file.text = edited->after->text;
        file.length = edited->after->length;
    }
    return file;
}

/* The part of the test's source that holds the place: a file that was appended, or all before. */
static struct source_piece part_at(const struct source *source, uint32_t offset, uint32_t *end)
{
    struct source_piece part = {source->name, 0};
    *end = source->main ? source->main->length : source->length;
    for (uint32_t i = 0; offset >= *end && i < source->piece_count; i++) {
        if (source->pieces[i].offset > offset || !source->pieces[i].name)
            continue;
        part = source->pieces[i];
        *end = i + 1 < source->piece_count ? source->pieces[i + 1].offset : source->length;
    }
    return part;
}

static const struct source *read_with(struct arena *arena, const struct source *main,
                                      const struct source *after)
{
    struct edited_files *files = ARENA_NEW(arena, struct edited_files);
    *files = (struct edited_files){{read_edited}, main->files, after};
    return source_with_files(arena, main, &files->files);
}

struct edited edit_apply(struct arena *arena, const struct test *test, const struct edit *edits,
                         uint32_t count)
{
    const struct source *source = test->source, *main = source->main ? source->main : source;
    struct applying a = {.arena = arena, .test = test, .source = source};
    uint32_t end;
    struct source_piece part = part_at(source, count ? edits[0].inst->span.offset : 0, &end);
    bool own = !part.offset;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = edits[i].inst->span.offset;
        if (at < part.offset || at >= end || (own && main->piece_count))
            return (struct edited){0};
        place(&a, &edits[i]);
    }
    size_t length;
    const char *text = splice(&a, part.offset, end, &length);
    if (length > SOURCE_MAX_BYTES)
        return (struct edited){0};
    struct source *after = source_new(arena, part.name, text, length);
    after->folder = main->folder;
    after->files = main->files;
    const struct source *before =
        own ? main : source_new(arena, part.name, source->text + part.offset, end - part.offset);
    return (struct edited){own && count ? after
                           : own        ? main
                                        : read_with(arena, main, after),
                           before, own && !count ? main : after};
}
