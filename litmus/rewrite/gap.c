/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/gap.h"

#include <string.h>

#include "litmus/rewrite/site.h"

/* ---- where ---------------------------------------------------------------------------------- */

void statement_mark(const struct statements *statements, uint32_t offset)
{
    struct statement *found = statements_at(statements, offset);
    for (; found; found = found->parent == UINT32_MAX ? NULL : &statements->items.at[found->parent])
        found->ordered = true;
}

static void add(struct arena *arena, struct statement_gaps *gaps, const struct statement *before,
                const struct statement *after)
{
    struct statement_gap gap = {before, after};
    if (before || after)
        vec_push(arena, &gaps->items, gap);
}

struct statement_gaps statement_gaps(struct arena *arena, const struct statements *statements)
{
    struct statement_gaps gaps = {0};
    for (uint32_t list = 0; list < statements->lists; list++) {
        const struct statement *last = NULL;
        for (uint32_t i = 0; i < statements->items.len; i++) {
            const struct statement *one = &statements->items.at[i];
            if (one->list != list || !one->ordered)
                continue;
            add(arena, &gaps, last, one);
            last = one;
        }
        add(arena, &gaps, last, NULL);
    }
    return gaps;
}

/* ---- what ----------------------------------------------------------------------------------- */

static bool is_blank(const struct source *source, uint32_t from, uint32_t to)
{
    for (; from < to; from++)
        if (!strchr(" \t\r", source->text[from]))
            return false;
    return true;
}

static const char *indent_of(struct arena *arena, const struct source *source, struct span line)
{
    uint32_t length = 0;
    while (length < line.length && strchr(" \t", source->text[line.offset + length]))
        length++;
    return arena_strndup(arena, source->text + line.offset, length);
}

static void insert(struct arena *arena, struct rewording *rewrite, uint32_t at, const char *text,
                   uint32_t rank)
{
    struct edit_piece piece = {{at, 0}, text, rank, false, 0};
    vec_push(arena, &rewrite->pieces, piece);
}

/* Behind the statement. */
static void insert_end(struct arena *arena, struct rewording *rewrite,
                       const struct statement *statement, const char *text, uint32_t rank,
                       bool once)
{
    uint32_t from = statement->span.offset;
    struct edit_piece piece = {{from + statement->span.length, 0}, text, rank, once, from + 1};
    vec_push(arena, &rewrite->pieces, piece);
}

/* The body of an 'if' gets braces, once. */
static void brace(struct arena *arena, struct rewording *rewrite, const struct statement *bare,
                  const char *words, bool before, uint32_t rank)
{
    struct edit_piece open = {{bare->span.offset, 0}, "{ ", 0, true, 0};
    vec_push(arena, &rewrite->pieces, open);
    if (before)
        insert(arena, rewrite, bare->span.offset, arena_printf(arena, "%s; ", words), rank);
    else
        insert_end(arena, rewrite, bare, arena_printf(arena, " %s;", words), rank, false);
    insert_end(arena, rewrite, bare, " }", EDIT_RANK_LAST, true);
}

static void insert_before(struct arena *arena, struct rewording *rewrite,
                          const struct statement *statement, const char *words, uint32_t rank)
{
    const struct source *source = rewrite->source;
    uint32_t at = statement->span.offset;
    struct span line = source_line(source, at);
    if (is_blank(source, line.offset, at))
        insert(arena, rewrite, line.offset,
               arena_printf(arena, "%s%s;\n", indent_of(arena, source, line), words), rank);
    else
        insert(arena, rewrite, at, arena_printf(arena, "%s; ", words), rank);
}

static void insert_after(struct arena *arena, struct rewording *rewrite,
                         const struct statement *statement, const char *words, uint32_t rank)
{
    const struct source *source = rewrite->source;
    uint32_t at = statement->span.offset + statement->span.length;
    struct span line = source_line(source, at - 1),
                first = source_line(source, statement->span.offset);
    bool alone = is_blank(source, at, line.offset + line.length) &&
                 is_blank(source, first.offset, statement->span.offset);
    insert_end(arena, rewrite, statement,
               alone ? arena_printf(arena, "\n%s%s;", indent_of(arena, source, first), words)
                     : arena_printf(arena, " %s;", words),
               rank, false);
}

struct rewording *gap_write(struct arena *arena, const struct source *source,
                            const struct statement_gap *gap, const char *words, uint32_t rank)
{
    const struct statement *beside = gap->after ? gap->after : gap->before;
    struct rewording *rewrite = rewording_begin(arena, source, beside->span);
    if (beside->bare)
        brace(arena, rewrite, beside, words, gap->after != NULL, rank);
    else
        (gap->after ? insert_before : insert_after)(arena, rewrite, beside, words, rank);
    rewrite->after = words;
    return rewrite;
}

struct rewording *gap_remove(struct arena *arena, const struct source *source,
                             const struct statement *statement)
{
    struct rewording *rewrite = rewording_begin(arena, source, statement->span);
    uint32_t from = statement->span.offset, to = from + statement->span.length;
    struct span line = source_line(source, from);
    uint32_t line_end = line.offset + line.length;
    bool alone =
        to <= line_end && is_blank(source, line.offset, from) && is_blank(source, to, line_end);
    rewrite->before = arena_strndup(arena, source->text + from, to - from);
    if (alone && !statement->bare) {
        from = line.offset;
        to = line_end < source->length ? line_end + 1 : line_end;
    }
    rewording_add(arena, rewrite, (struct span){from, to - from}, statement->bare ? ";" : "");
    return rewrite;
}
