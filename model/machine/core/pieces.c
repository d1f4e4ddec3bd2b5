/* SPDX-License-Identifier: MIT */
#include "model/machine/core/pieces.h"

/* Boxes of tensors. Their rows lie one behind the other in shared memory, or as far apart as a swizzle is wide, as an H200
 * has them; what a row has outside of the tensor is filled there, and not written to global memory. */

struct pieces pieces_of(const struct run *run, const struct copy *copy)
{
    struct pieces pieces = {.copy = copy, .rows = 1, .row_bytes = copy->bytes};
    if (!copy->map)
        return pieces;
    pieces.map = &run->machine->maps[copy->map - 1];
    const struct tensor_map *map = &pieces.map->map;
    pieces.row_bytes = map->box[0] * type_bytes(map->type);
    for (uint32_t d = 1; d < map->rank; d++)
        pieces.rows *= tensor_map_count(map, d);
    return pieces;
}

enum type pieces_type(const struct run *run, const struct copy *copy, const struct inst *inst)
{
    return copy->map ? run->machine->maps[copy->map - 1].map.type : inst->type;
}

/* Units of 16 bytes change places within a row, by the bits of the address that say which row it is. */
static uint64_t swizzled(uint64_t address, uint32_t swizzle)
{
    return swizzle ? address ^ (address >> 3 & (swizzle - 16)) : address;
}

/* Where the row begins in global memory, if all its coordinates but the first are inside. */
static bool row_inside(const struct pieces *p, uint64_t *address)
{
    const struct tensor_map *map = &p->map->map;
    uint32_t rest = p->row;
    *address = p->map->base + map->offset;
    for (uint32_t d = 1; d < map->rank; d++) {
        uint32_t count = tensor_map_count(map, d);
        int64_t at = (int64_t)p->copy->at[d] + (int64_t)(rest % count) * map->steps[d];
        rest /= count;
        if (at < 0 || (uint64_t)at >= map->dims[d])
            return false;
        *address += (uint64_t)at * map->strides[d];
    }
    return true;
}

/* From byte 'at' of the row on: how many bytes are all inside the tensor, or all outside? */
static uint32_t run_of_bytes(const struct pieces *p, uint32_t at, int64_t *offset, bool *inside)
{
    const struct tensor_map *map = &p->map->map;
    uint32_t size = type_bytes(map->type), end = p->row_bytes;
    int64_t first = (int64_t)p->copy->at[0] * size, last = (int64_t)(map->dims[0] * size);
    *offset = first + at;
    *inside = *offset >= 0 && *offset < last;
    int64_t until = *offset < 0 ? 0 : *inside ? last : INT64_MAX;
    if (until < first + (int64_t)end)
        end = (uint32_t)(until - first);
    uint32_t unit = at / 16 * 16 + 16;
    return (map->swizzle && unit < end ? unit : end) - at;
}

static void box_piece(struct pieces *p, struct stretch *piece, bool *moves)
{
    uint64_t global, shared = p->copy->from ? p->copy->from : p->copy->to;
    int64_t offset;
    bool inside, row = row_inside(p, &global);
    uint32_t bytes = run_of_bytes(p, p->byte, &offset, &inside), swizzle = p->map->map.swizzle;
    uint64_t pitch = swizzle ? swizzle : p->row_bytes, fill = tensor_map_fill(&p->map->map);
    shared = swizzled(shared + p->row * pitch + p->byte, swizzle);
    global += (uint64_t)offset;
    inside = inside && row;
    *piece = p->copy->from ? (struct stretch){global, shared, bytes, bytes, 0}
                           : (struct stretch){shared, global, bytes, inside ? bytes : 0, fill};
    *moves = inside || !p->copy->from;
    p->byte += bytes;
    if (p->byte == p->row_bytes) {
        p->byte = 0;
        p->row++;
    }
}

bool pieces_next(struct pieces *p, struct stretch *piece)
{
    bool moves = false;
    if (!p->map && p->row < p->rows) {
        const struct copy *copy = p->copy;
        *piece = (struct stretch){copy->to, copy->from, copy->bytes, copy->read_bytes, 0};
        p->row++;
        return true;
    }
    while (p->row < p->rows && !moves)
        box_piece(p, piece, &moves);
    return moves;
}
