/* SPDX-License-Identifier: MIT */
#include "litmus/base/source.h"

#include <assert.h>
#include <stdbool.h>

#include "litmus/base/arena.h"

struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length)
{
    assert(name && length <= SOURCE_MAX_BYTES);
    struct source *source = ARENA_NEW(arena, struct source);
    VEC(uint32_t) starts = {0};
    vec_push(arena, &starts, 0);
    for (uint32_t i = 0; i < length; i++)
        if (text[i] == '\n')
            vec_push(arena, &starts, i + 1);
    *source = (struct source){name, text, (uint32_t)length, starts.at, starts.len};
    return source;
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

struct place source_place(const struct source *source, uint32_t offset)
{
    assert(offset <= source->length);
    uint32_t line = line_index(source, offset);
    return (struct place){line + 1, offset - source->line_starts[line] + 1};
}

struct span source_line(const struct source *source, uint32_t offset)
{
    assert(offset <= source->length);
    uint32_t line = line_index(source, offset);
    uint32_t start = source->line_starts[line];
    uint32_t end = start;
    while (end < source->length && source->text[end] != '\n')
        end++;
    return (struct span){start, end - start};
}

static bool begins(const struct source *source, uint32_t at, uint32_t end, const char *two)
{
    return at + 1 < end && source->text[at] == two[0] && source->text[at + 1] == two[1];
}

/* Behind the comment that begins here, or 'at'. */
static uint32_t skip_comment(const struct source *source, uint32_t at, uint32_t end, bool *ends)
{
    bool herd = begins(source, at, end, "(*"), line = begins(source, at, end, "//");
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

uint32_t source_skip_blanks(const struct source *source, uint32_t at, uint32_t end, uint32_t *open)
{
    *open = UINT32_MAX;
    for (uint32_t from = UINT32_MAX; at != from;) {
        bool ends = true;
        while (at < end &&
               (source->text[at] == ' ' || (source->text[at] >= '\t' && source->text[at] <= '\r')))
            at++;
        from = at;
        at = skip_comment(source, at, end, &ends);
        if (!ends)
            *open = from;
    }
    return at;
}

const char *source_words(struct arena *arena, const struct source *source, struct span span)
{
    assert(span.offset + span.length <= source->length);
    uint32_t end = span.offset + span.length;
    char *words = ARENA_ARRAY(arena, char, span.length + 1);
    uint32_t length = 0, open;
    for (uint32_t at = source_skip_blanks(source, span.offset, end, &open); at < end;) {
        uint32_t next = source_skip_blanks(source, at, end, &open);
        if (next == at)
            next++, words[length++] = source->text[at];
        else if (next < end)
            words[length++] = ' ';
        at = next;
    }
    words[length] = '\0';
    return words;
}
