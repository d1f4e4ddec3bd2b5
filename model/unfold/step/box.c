/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/box.h"

/* By the number of an element in its box, as shared memory has them, dimension 0 first. Each row begins a swizzle's width. */
static struct box_chunk element(const struct box *box, uint32_t number)
{
    const struct tensor_map *map = &box->map;
    uint32_t size = type_bytes(map->type), rest = number, across = map->box[0];
    uint64_t apart = map->swizzle ? map->swizzle : across * size;
    struct box_chunk one = {
        .shared = number / across * apart + number % across * size, .bytes = size, .inside = true};
    for (uint32_t d = 0; d < map->rank; d++) {
        uint32_t count = tensor_map_count(map, d), step = d ? map->steps[d] : 1;
        int64_t at = box->at[d] + (int64_t)(rest % count) * step;
        rest /= count;
        one.inside = one.inside && at >= 0 && at < (int64_t)map->dims[d];
        one.global += (uint64_t)at * map->strides[d];
    }
    return one;
}

struct box_chunk *box_chunks(struct arena *arena, const struct box *box, uint32_t *count)
{
    enum { WIDEST = 8 };
    uint32_t elements = tensor_map_bytes(&box->map) / type_bytes(box->map.type);
    struct box_chunk *list = ARENA_ARRAY(arena, struct box_chunk, elements);
    *count = 0;
    for (uint32_t i = 0; i < elements; i++) {
        struct box_chunk one = element(box, i);
        struct box_chunk *last = *count ? &list[*count - 1] : NULL;
        bool same_unit = last && one.shared % WIDEST && last->inside == one.inside;
        if (same_unit && last->shared + last->bytes == one.shared)
            last->bytes += one.bytes;
        else
            list[(*count)++] = one;
    }
    /* what is no access of its own, as 6 bytes of 8 or what is not aligned, is its elements again */
    struct box_chunk *cut = ARENA_ARRAY(arena, struct box_chunk, elements);
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t bytes = list[i].bytes, unit = bytes;
        if ((bytes & (bytes - 1)) || list[i].shared % bytes ||
            (list[i].inside && list[i].global % bytes))
            unit = type_bytes(box->map.type);
        for (uint32_t at = 0; at < bytes; at += unit)
            cut[pieces++] =
                (struct box_chunk){list[i].shared + at, list[i].global + at, unit, list[i].inside};
    }
    *count = pieces;
    return cut;
}

uint64_t box_swizzled(uint64_t address, uint32_t swizzle)
{
    enum { UNIT = 16, ROW = 128 };
    uint64_t units = swizzle / UNIT, unit = address / UNIT, row = address / ROW;
    if (!swizzle)
        return address;
    return (unit / units * units + (unit % units ^ row % units)) * UNIT + address % UNIT;
}
