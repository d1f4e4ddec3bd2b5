/* SPDX-License-Identifier: MIT */
#include "litmus/base/source.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "litmus/base/arena.h"

/* The mark with which some editors begin a file in UTF-8. */
static const char byte_order_mark[] = "\xef\xbb\xbf";
enum { MARK_BYTES = sizeof byte_order_mark - 1 };

static bool is_marked(const char *text, size_t length, size_t at)
{
    return at + MARK_BYTES <= length && memcmp(text + at, byte_order_mark, MARK_BYTES) == 0;
}

/* The text, or a copy with blanks in place of the mark with which it begins, or a piece does. */
static const char *without_marks(struct arena *arena, const char *text, size_t length,
                                 const struct source_piece *pieces, uint32_t count)
{
    char *copy = NULL;
    for (uint32_t i = 0; i < count || i == 0; i++) {
        uint32_t at = count ? pieces[i].offset : 0;
        if (!is_marked(text, length, at))
            continue;
        if (!copy)
            copy = memcpy(ARENA_ARRAY(arena, char, length + 1), text, length);
        memset(copy + at, ' ', MARK_BYTES);
    }
    return copy ? copy : text;
}

struct source *source_of_pieces(struct arena *arena, const char *name, const char *text,
                                size_t length, const struct source_piece *pieces, uint32_t count)
{
    assert(name && length <= SOURCE_MAX_BYTES);
    struct source *source = ARENA_NEW(arena, struct source);
    VEC(uint32_t) starts = {0};
    text = without_marks(arena, text, length, pieces, count);
    vec_push(arena, &starts, 0);
    for (uint32_t i = 0, piece = 1; i < length; i++) {
        bool starts_piece = piece < count && pieces[piece].offset == i + 1;
        while (piece < count && pieces[piece].offset <= i + 1)
            piece++;
        if (text[i] == '\n' || starts_piece)
            vec_push(arena, &starts, i + 1);
    }
    *source = (struct source){.name = name,
                              .text = text,
                              .length = (uint32_t)length,
                              .line_starts = starts.at,
                              .line_count = starts.len,
                              .pieces = pieces,
                              .piece_count = count};
    return source;
}

struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length)
{
    return source_of_pieces(arena, name, text, length, NULL, 0);
}

struct source *source_append(struct arena *arena, const struct source *source, const char *name,
                             const char *text, size_t length)
{
    uint32_t count = source->piece_count ? source->piece_count : 1;
    if (length > SOURCE_MAX_BYTES - source->length - 2)
        return NULL;
    struct source_piece *pieces = ARENA_ARRAY(arena, struct source_piece, count + 2);
    pieces[0] = (struct source_piece){source->name, 0};
    for (uint32_t i = 0; i < source->piece_count; i++)
        pieces[i] = source->pieces[i];
    pieces[count] = (struct source_piece){NULL, source->length};
    pieces[count + 1] = (struct source_piece){name, source->length + 1};
    char *all = arena_alloc(arena, source->length + length + 2);
    memcpy(all, source->text, source->length);
    all[source->length] = '\n';
    memcpy(all + source->length + 1, text, length);
    all[source->length + 1 + length] = '\0';
    struct source *longer =
        source_of_pieces(arena, source->name, all, source->length + 1 + length, pieces, count + 2);
    longer->main = source->main ? source->main : source;
    longer->folder = source->folder;
    longer->files = source->files;
    return longer;
}

struct source *source_replace(struct arena *arena, const struct source *source, struct span span,
                              const char *words)
{
    const struct source *from = source->main ? source->main : source;
    uint32_t behind = span.offset + span.length;
    assert(behind <= from->length);
    const char *text = arena_printf(arena, "%.*s%s%.*s", (int)span.offset, from->text, words,
                                    (int)(from->length - behind), from->text + behind);
    struct source_piece *pieces = ARENA_ARRAY(arena, struct source_piece, from->piece_count + 1);
    for (uint32_t i = 0; i < from->piece_count; i++) {
        pieces[i] = from->pieces[i];
        if (pieces[i].offset >= behind)
            pieces[i].offset += (uint32_t)strlen(words) - span.length;
        else if (pieces[i].offset > span.offset)
            pieces[i].offset = span.offset;
    }
    struct source *changed =
        source_of_pieces(arena, from->name, text, strlen(text), pieces, from->piece_count);
    changed->folder = from->folder;
    changed->files = from->files;
    return changed;
}

struct source *source_with_files(struct arena *arena, const struct source *source,
                                 const struct source_files *files)
{
    struct source *other = ARENA_NEW(arena, struct source);
    *other = *source;
    other->files = files;
    return other;
}

struct source *source_with_text(struct arena *arena, const struct source *source, const char *text)
{
    struct source *other = ARENA_NEW(arena, struct source);
    *other = *source;
    other->text = text;
    return other;
}

static uint32_t line_index(const struct source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The piece that holds the offset: of empty ones that start there, the last. */
static const struct source_piece *piece_at(const struct source *source, uint32_t offset)
{
    uint32_t i = source->piece_count;
    while (i > 1 && source->pieces[i - 1].offset > offset)
        i--;
    return &source->pieces[i - 1];
}

uint32_t source_seen(const struct source *source, uint32_t offset)
{
    if (!source->piece_count)
        return offset;
    const struct source_piece *piece = piece_at(source, offset);
    if (piece->name || piece == source->pieces)
        return offset;
    for (; !piece->name && piece > source->pieces; piece--)
        offset = piece->offset;
    return offset > piece->offset ? offset - 1 : offset;
}

struct place source_place(const struct source *source, uint32_t offset)
{
    assert(offset <= source->length);
    offset = source_seen(source, offset);
    uint32_t line = line_index(source, offset), first = 0;
    const struct source_piece *piece = source->piece_count ? piece_at(source, offset) : NULL;
    if (piece)
        first = line_index(source, piece->offset);
    return (struct place){line - first + 1, offset - source->line_starts[line] + 1,
                          piece && piece->name ? piece->name : source->name};
}

struct span source_line_from(const struct source *source, uint32_t from, uint32_t line)
{
    for (; line > 1 && from < source->length; line--) {
        const char *end = memchr(source->text + from, '\n', source->length - from);
        from = end ? (uint32_t)(end - source->text) + 1 : source->length;
    }
    return source_line(source, from);
}

struct span source_line(const struct source *source, uint32_t offset)
{
    assert(offset <= source->length);
    uint32_t line = line_index(source, source_seen(source, offset));
    uint32_t start = source->line_starts[line];
    uint32_t end = line + 1 < source->line_count ? source->line_starts[line + 1] : source->length;
    while (end > start && source->text[end - 1] == '\n')
        end--;
    return (struct span){start, end - start};
}

static bool begins(const struct source *source, uint32_t at, uint32_t end, const char *two)
{
    return at + 1 < end && source->text[at] == two[0] && source->text[at + 1] == two[1];
}

/* Behind the comment that begins here, or 'at'. 'herds': so may one that begins as herd's do. */
static uint32_t skip_comment(const struct source *source, uint32_t at, uint32_t end, bool herds,
                             bool *ends)
{
    bool herd = herds && begins(source, at, end, "(*"), line = begins(source, at, end, "//");
    uint32_t depth = 1;
    if (!herd && !line && !begins(source, at, end, "/*"))
        return at;
    for (at += 2; at < end && depth; at++) {
        bool opens = herd && begins(source, at, end, "(*");
        bool closes = line ? source->text[at] == '\n' : begins(source, at, end, herd ? "*)" : "*/");
        depth += opens;
        depth -= closes;
        at += opens || (closes && !line);
    }
    *ends = line || !depth;
    return at;
}

static uint32_t skip_blanks(const struct source *source, uint32_t at, uint32_t end, bool herds,
                            uint32_t *open)
{
    *open = UINT32_MAX;
    for (uint32_t from = UINT32_MAX; at != from;) {
        bool ends = true;
        while (at < end &&
               (source->text[at] == ' ' || (source->text[at] >= '\t' && source->text[at] <= '\r')))
            at++;
        from = at;
        at = skip_comment(source, at, end, herds, &ends);
        if (!ends)
            *open = from;
    }
    return at;
}

uint32_t source_skip_blanks(const struct source *source, uint32_t at, uint32_t end, uint32_t *open)
{
    return skip_blanks(source, at, end, true, open);
}

const char *source_words(struct arena *arena, const struct source *source, struct span span)
{
    assert(span.offset + span.length <= source->length);
    uint32_t end = span.offset + span.length;
    char *words = ARENA_ARRAY(arena, char, span.length + 1);
    uint32_t length = 0, open;
    for (uint32_t at = skip_blanks(source, span.offset, end, false, &open); at < end;) {
        uint32_t next = skip_blanks(source, at, end, false, &open);
        if (next == at)
            next++, words[length++] = source->text[at];
        else if (next < end)
            words[length++] = ' ';
        at = next;
    }
    words[length] = '\0';
    return words;
}
