/* SPDX-License-Identifier: MIT */
#include "litmus/test/tensor_map.h"

#include <inttypes.h>
#include <string.h>

/* Words: the address; a mark with rank, type, swizzle and fill; the offset; of each dimension its size, box and step; from the
 * second dimension on its stride. */
enum { WORD_MARK = 1, WORD_OFFSET, WORD_DIMS, WORD_STRIDES = WORD_DIMS + TENSOR_RANK };
static const uint64_t MARK = UINT64_C(0x74656e736f72) << 16; /* "tensor" */
enum { SWIZZLE_UNIT = 32, SWIZZLE_AT = 12, SWIZZLE_MASK = 7, NANS_AT = 15 };

void tensor_map_pack(const struct tensor_map *map, uint64_t words[TENSOR_WORDS])
{
    for (uint32_t i = 0; i < TENSOR_WORDS; i++)
        words[i] = 0;
    words[WORD_MARK] = MARK | (uint64_t)map->nans << NANS_AT |
                       (uint64_t)map->swizzle / SWIZZLE_UNIT << SWIZZLE_AT | map->rank << 8 |
                       (uint64_t)map->type;
    words[WORD_OFFSET] = map->offset;
    for (uint32_t d = 0; d < map->rank; d++) {
        words[WORD_DIMS + d] =
            (map->dims[d] - 1) | (uint64_t)map->box[d] << 32 | (uint64_t)map->steps[d] << 48;
        if (d)
            words[WORD_STRIDES + d - 1] = map->strides[d];
    }
}

bool tensor_map_unpack(const uint64_t words[TENSOR_WORDS], struct tensor_map *map)
{
    uint64_t mark = words[WORD_MARK];
    *map =
        (struct tensor_map){.type = (enum type)(mark & 0xff),
                            .rank = mark >> 8 & 0xf,
                            .swizzle = (uint32_t)(mark >> SWIZZLE_AT & SWIZZLE_MASK) * SWIZZLE_UNIT,
                            .nans = mark >> NANS_AT & 1,
                            .offset = words[WORD_OFFSET]};
    if ((mark & ~UINT64_C(0xffff)) != MARK || !map->rank || map->rank > TENSOR_RANK)
        return false;
    for (uint32_t d = 0; d < map->rank; d++) {
        uint64_t word = words[WORD_DIMS + d];
        map->dims[d] = (word & UINT32_MAX) + 1;
        map->box[d] = word >> 32 & 0xffff;
        map->steps[d] = (uint32_t)(word >> 48);
        map->strides[d] = d ? words[WORD_STRIDES + d - 1] : type_bytes(map->type);
    }
    return true;
}

bool tensor_map_same(const struct tensor_map *a, const struct tensor_map *b)
{
    uint64_t left[TENSOR_WORDS], right[TENSOR_WORDS];
    tensor_map_pack(a, left);
    tensor_map_pack(b, right);
    return !memcmp(left, right, sizeof left);
}

/* What is wrong with one dimension; NULL: nothing. */
static const char *dimension_fault(struct arena *arena, const struct tensor_map *map, uint32_t d)
{
    enum { MOST_BOX = 256, MOST_STEP = 8, UNIT = 16 };
    if (!map->dims[d] || map->dims[d] > UINT64_C(1) << 32)
        return arena_printf(arena, "dimension %u has %" PRIu64 " elements, not 1 to 2^32", d,
                            map->dims[d]);
    if (!map->box[d] || map->box[d] > MOST_BOX)
        return arena_printf(arena, "the box has %u elements in dimension %u, not 1 to %d",
                            map->box[d], d, MOST_BOX);
    if (!map->steps[d] || map->steps[d] > MOST_STEP)
        return arena_printf(arena, "the step of dimension %u is %u, not 1 to %d", d, map->steps[d],
                            MOST_STEP);
    if (d && (map->strides[d] % UNIT || map->strides[d] >= UINT64_C(1) << 40))
        return arena_printf(
            arena, "the stride of dimension %u is %" PRIu64 " bytes, no multiple of 16 below 2^40",
            d, map->strides[d]);
    return NULL;
}

/* CUtensorMapDataType. A copy rounds elements of .tf32, which ours do not have. */
static const char *type_fault(struct arena *arena, const struct tensor_map *map)
{
    enum type type = map->type;
    bool is_float = type == TYPE_F16 || type == TYPE_BF16 || type == TYPE_F32 || type == TYPE_F64;
    if (type == TYPE_PRED || type_bytes(type) > 8 || (type_is_float(type) && !is_float))
        return arena_printf(arena, "a tensor has no elements of type .%s", type_name(type));
    return map->nans && !is_float ? "only floating-point elements are filled with NaN" : NULL;
}

const char *tensor_map_fault(struct arena *arena, const struct tensor_map *map)
{
    const char *fault = type_fault(arena, map);
    if (!map->rank || map->rank > TENSOR_RANK)
        return "a tensor has 1 to 5 dimensions";
    for (uint32_t d = 0; d < map->rank && !fault; d++)
        fault = dimension_fault(arena, map, d);
    uint64_t row = (uint64_t)map->box[0] * type_bytes(map->type);
    if (fault)
        return fault;
    if (row % 16)
        return arena_printf(arena, "a row of the box has %" PRIu64 " bytes, no multiple of 16",
                            row);
    if (map->swizzle && row > map->swizzle)
        return arena_printf(arena, "a row of the box has %" PRIu64 " bytes, more than the swizzle",
                            row);
    return map->offset % 16 ? "the address of the tensor is no multiple of 16" : NULL;
}

bool tensor_map_at(const struct test *test, uint32_t location, uint64_t offset,
                   struct tensor_map *map, uint32_t *tensor)
{
    const struct location *l = &test->locations[location];
    uint64_t words[TENSOR_WORDS], first = offset / 8;
    if (!l->init || l->element_bytes != 8 || offset % 8 || first + TENSOR_WORDS > l->elements)
        return false;
    for (uint32_t i = 0; i < TENSOR_WORDS; i++)
        words[i] = l->init[first + i].value;
    *tensor = l->init[first].address_of;
    return *tensor != NONE && tensor_map_unpack(words, map);
}

/* The step of dimension 0 is ignored (cuTensorMapEncodeTiled, without interleaving). */
uint32_t tensor_map_count(const struct tensor_map *map, uint32_t dim)
{
    return dim ? (map->box[dim] + map->steps[dim] - 1) / map->steps[dim] : map->box[0];
}

uint32_t tensor_map_bytes(const struct tensor_map *map)
{
    uint32_t bytes = type_bytes(map->type);
    for (uint32_t d = 0; d < map->rank; d++)
        bytes *= tensor_map_count(map, d);
    return bytes;
}

/* The NaN is that of an H200, whatever the type: the manual does not name it. */
uint64_t tensor_map_fill(const struct tensor_map *map)
{
    return map->nans ? UINT64_C(0x7ff77ff77ff77ff7) : 0;
}

bool tensor_map_reduces(const struct tensor_map *map, enum atom_op op)
{
    bool wide = type_bytes(map->type) >= 4, is_float = type_is_float(map->type);
    switch (op) {
    case ATOM_ADD:
        return is_float || wide;
    case ATOM_MIN:
    case ATOM_MAX:
        return is_float ? !wide : wide;
    case ATOM_INC:
    case ATOM_DEC:
        return !is_float && type_bytes(map->type) == 4 && !type_is_signed(map->type);
    default:
        return !is_float && wide;
    }
}
