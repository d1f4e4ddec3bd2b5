/* SPDX-License-Identifier: MIT */
#include "litmus/base/source.h"

#include <assert.h>

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
