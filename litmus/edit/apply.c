/* SPDX-License-Identifier: MIT */
#include "litmus/edit/edit.h"

#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/sort.h"
#include "litmus/base/text.h"
#include "litmus/edit/host_gap.h"
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
    struct edit_piece piece = {{from, to - from}, text, rank, false};
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

/* The lines of a new code, each an instruction that still needs its ';', a label, or a brace. */
static const char *statements(struct applying *a, const char *words, const char *between)
{
    struct text *text = text_open(a->arena);
    char **lines = g_strsplit(words, "\n", -1);
    for (uint32_t i = 0; lines[i]; i++) {
        char last = *lines[i] ? lines[i][strlen(lines[i]) - 1] : 0;
        g_string_append_printf(text->out, "%s%s%s", i ? between : "", lines[i],
                               strchr(":{}", last) ? "" : ";");
    }
    g_strfreev(lines);
    return text_close(text, a->arena);
}

/* Where the code begins that a new one stands beside. */
static uint32_t beside(const struct edit *edit)
{
    return edit->label ? edit->label->span.offset : edit->inst->span.offset;
}

/* An access of a host thread may stand anywhere in its statement: where that begins, on the line. */
static uint32_t host_statement(const struct source *source, uint32_t access)
{
    struct span line = source_line(source, access);
    uint32_t open, depth = 0, start = source_skip_blanks(source, line.offset, access, &open);
    for (uint32_t at = start; at < access; at = source_skip_blanks(source, at + 1, access, &open)) {
        char c = source->text[at];
        depth += c == '(';
        depth -= c == ')' && depth;
        if (!depth && strchr(";{}", c))
            start = source_skip_blanks(source, at + 1, access, &open);
    }
    return start;
}

static uint32_t statement_beside(const struct applying *a, const struct edit *edit)
{
    uint32_t at = beside(edit);
    bool host = host_gap_is(a->test, (uint32_t)(edit->body - a->test->bodies));
    return host ? host_statement(a->source, at) : at;
}

static void insert_statement(struct applying *a, const struct edit *edit)
{
    const struct source *source = a->source;
    uint32_t at = statement_beside(a, edit);
    struct span line = source_line(source, at);
    bool alone = is_blank(source, line.offset, at);
    const char *inside = statements(a, edit->words, " ");
    const char *below = arena_printf(a->arena, "\n%s", indent_of(a, line));
    if (edit->kind == EDIT_BEFORE) {
        const char *lines =
            arena_printf(a->arena, "%s%s\n", below + 1, statements(a, edit->words, below));
        add(a, alone ? line.offset : at, alone ? line.offset : at,
            alone ? lines : arena_printf(a->arena, "%s ", inside), edit->rank);
        return;
    }
    uint32_t open, end = statement_end(source, edit->inst);
    line = source_line(source, end - 1);
    uint32_t line_end = line.offset + line.length;
    bool last = source_skip_blanks(source, end, line_end, &open) >= line_end;
    below = arena_printf(a->arena, "\n%s", indent_of(a, line));
    at = last ? line_end : end;
    add(a, at, at,
        last ? arena_printf(a->arena, "%s%s", below, statements(a, edit->words, below))
             : arena_printf(a->arena, " %s", inside),
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

/* A row for each line of the new code. */
static const char *rows_with(struct applying *a, const struct row *row, const struct edit *edit)
{
    struct text *text = text_open(a->arena);
    char **lines = g_strsplit(edit->words, "\n", -1);
    uint32_t column = column_of(a->test, edit->body);
    for (uint32_t i = 0; lines[i]; i++)
        g_string_append_printf(text->out, "%s%s", i ? "\n" : "",
                               row_with(a->arena, row, column, lines[i]));
    g_strfreev(lines);
    return text_close(text, a->arena);
}

static void insert_row(struct applying *a, const struct edit *edit)
{
    struct row row = row_at(a->arena, a->test, beside(edit));
    bool before = edit->kind == EDIT_BEFORE;
    const char *cells = rows_with(a, &row, edit);
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

/* ---- what it brings ------------------------------------------------------------------------- */

int edit_growth(const struct edit *edit)
{
    int count = 0;
    if (edit->rewording)
        return 0;
    if (edit->kind == EDIT_CHANGE || edit->kind == EDIT_REMOVE)
        return edit->kind == EDIT_REMOVE ? -1 : 0;
    char **lines = g_strsplit(edit->words, "\n", -1);
    for (uint32_t i = 0; lines[i]; i++)
        count += *lines[i] && *lines[i] != '.' && !strchr(":{}", lines[i][strlen(lines[i]) - 1]);
    g_strfreev(lines);
    return count;
}

/* The same of a cell that grew by so much. */
static void keep_cell(struct applying *a, const struct edit *edit, int64_t more)
{
    struct row row = row_at(a->arena, a->test, edit->inst->span.offset);
    uint32_t column = column_of(a->test, edit->body), to = row.regular ? row.ends[column] : 0;
    uint32_t from = to;
    while (from > row.line.offset && a->source->text[from - 1] == ' ')
        from--;
    int64_t blanks = (int64_t)(to - from) - more;
    if (to > from)
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

/* The pieces of an edit in C++. In a table of threads the cell takes what it grows by from the blanks at its end. */
static void rewrite(struct applying *a, const struct edit *edit)
{
    int64_t more = 0;
    bool lines = false;
    for (uint32_t i = 0; i < edit->rewording->pieces.len; i++) {
        const struct edit_piece *piece = &edit->rewording->pieces.at[i];
        more += (int64_t)strlen(piece->text) - piece->span.length;
        lines |= strchr(piece->text, '\n') != NULL;
        vec_push(a->arena, &a->pieces, *piece);
    }
    if (!lines && row_in_table(a->test))
        keep_cell(a, edit, more);
}

static void place(struct applying *a, const struct edit *edit)
{
    if (edit->rewording) {
        if (edit->rewording->source == a->source)
            rewrite(a, edit);
        return;
    }
    bool cpp = a->test->language == LANGUAGE_CPP;
    bool column = (edit->body->dialect || cpp) && row_in_table(a->test);
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
    if (a->of != b->of) /* 0 comes last */
        return a->of > b->of ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static bool same_piece(const struct edit_piece *a, const struct edit_piece *b)
{
    return a->span.offset == b->span.offset && a->span.length == b->span.length && a->of == b->of &&
           strcmp(a->text, b->text) == 0;
}

/* The text of [from, to) with the pieces in it. Cells of one row that are removed together take the row away once. */
static const char *splice(struct applying *a, uint32_t from, uint32_t to, size_t *length)
{
    struct text *text = text_open(a->arena);
    uint32_t at = from;
    sort_array(a->pieces.at, a->pieces.len, sizeof *a->pieces.at, by_place);
    for (uint32_t i = 0; i < a->pieces.len; i++) {
        const struct edit_piece *piece = &a->pieces.at[i];
        bool again = i && piece->once && same_piece(piece, &a->pieces.at[i - 1]);
        if (piece->span.offset < at && !piece->span.length && !again) {
            g_string_append(text->out, piece->text); /* beside what was taken away */
            continue;
        }
        if (piece->span.offset < at || again)
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

/* Reads the files of a test as they were read for it, but for the one that is edited: nothing is compiled again. */
struct edited_files {
    struct source_files files;
    const struct source_files *inner;
    const struct source *whole, *after;
};

/* Host code: the file that is edited, or one as it is. */
static struct source_file read_text(const struct source_files *files, struct arena *arena,
                                    const char *path)
{
    const struct edited_files *edited = (const struct edited_files *)files;
    const struct source *after = edited->after;
    if (strcmp(after->name, path) == 0)
        return (struct source_file){after->name, after->text, after->length, NULL, NULL};
    return file_read_text(edited->inner, arena, path);
}

static bool names(struct arena *arena, const char *piece, const char *path)
{
    return strcmp(piece, path) == 0 || strcmp(piece, arena_printf(arena, "%s.ptx", path)) == 0 ||
           strcmp(piece, file_with_suffix(arena, path, ".ptx")) == 0;
}

static struct source_file read_edited(const struct source_files *files, struct arena *arena,
                                      const char *path)
{
    const struct edited_files *edited = (const struct edited_files *)files;
    const struct source *whole = edited->whole;
    for (uint32_t i = 0; i < whole->piece_count; i++) {
        const struct source_piece *piece = &whole->pieces[i];
        uint32_t end = i + 1 < whole->piece_count ? whole->pieces[i + 1].offset : whole->length;
        if (!piece->name || piece->offset < whole->main->length || !names(arena, piece->name, path))
            continue;
        bool after = strcmp(piece->name, edited->after->name) == 0;
        if (g_str_has_suffix(piece->name, ".cu")) /* host code */
            continue;
        return (struct source_file){
            piece->name, after ? edited->after->text : whole->text + piece->offset,
            after ? edited->after->length : end - piece->offset, NULL, NULL};
    }
    return edited->inner ? edited->inner->read(edited->inner, arena, path)
                         : file_read_kept(arena, path);
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

const struct source *edit_read_with(struct arena *arena, const struct test *test,
                                    const struct source *module)
{
    const struct source *whole = test->source, *main = whole->main ? whole->main : whole;
    struct edited_files *files = ARENA_NEW(arena, struct edited_files);
    *files = (struct edited_files){{read_edited, read_text}, main->files, whole, module};
    return source_with_files(arena, main, &files->files);
}

/* The text that edits in other words than the test's are of, with them; both stay as they are where there are none. */
static void reword(struct arena *arena, const struct edit *edits, uint32_t count,
                   struct edited *edited)
{
    struct applying a = {.arena = arena};
    size_t length;
    for (uint32_t i = 0; i < count; i++) {
        const struct rewording *words = edits[i].rewording;
        if (!words || words->source == edited->whole)
            continue;
        a.source = words->source;
        for (uint32_t k = 0; k < words->pieces.len; k++)
            vec_push(arena, &a.pieces, words->pieces.at[k]);
    }
    if (!a.source)
        return;
    const char *text = splice(&a, 0, a.source->length, &length);
    edited->module = edited->after;
    edited->before = a.source;
    edited->after = source_new(arena, a.source->name, text, length);
}

/* Of a program's host code, which the test then reads. */
static struct edited edit_program(struct arena *arena, const struct test *test,
                                  const struct edit *edits, uint32_t count)
{
    struct applying a = {.arena = arena, .source = edits[0].rewording->source};
    size_t length;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < edits[i].rewording->pieces.len; k++)
            vec_push(arena, &a.pieces, edits[i].rewording->pieces.at[k]);
    const char *text = splice(&a, 0, a.source->length, &length);
    if (length > SOURCE_MAX_BYTES)
        return (struct edited){0};
    const struct source *after = source_new(arena, a.source->name, text, length);
    return (struct edited){.source = edit_read_with(arena, test, after),
                           .before = a.source,
                           .after = after,
                           .whole = test->source,
                           .is_host = true};
}

struct edited edit_apply(struct arena *arena, const struct test *test, const struct edit *edits,
                         uint32_t count)
{
    const struct source *source = test->source, *main = source->main ? source->main : source;
    struct applying a = {.arena = arena, .test = test, .source = source};
    uint32_t end;
    if (count && edits[0].rewording && edits[0].rewording->is_read)
        return edit_program(arena, test, edits, count);
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
    struct edited edited = {.source = own && count ? after
                                      : own        ? main
                                                   : edit_read_with(arena, test, after),
                            .before = before,
                            .after = own && !count ? main : after,
                            .whole = source};
    reword(arena, edits, count, &edited);
    return edited;
}
