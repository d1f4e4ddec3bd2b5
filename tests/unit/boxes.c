/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/base/arena.h"
#include "model/machine/core/pieces.h"
#include "model/unfold/step/box.h"

/* Which byte of a tensor each byte of shared memory gets, said three times: here element by element with the manual's tables
 * of swizzles, by the executor's pieces and by the chunks of the axioms. */

enum { SHARED_AT = 1 << 20, BASE = 1 << 24, MOST_BYTES = 1 << 14, OUTSIDE = -1, UNTOUCHED = -2 };

/* Units of 16 bytes of eight rows of 128, by where they lie: which unit of the row would be there without swizzling
 * (PTX 5.5.6). The rows that are not there are those before them again. */
static const char *const tables[] = {
    [0] = "01234567",
    [1] = "01234567 10325476",
    [2] = "01234567 10325476 23016745 32107654",
    [4] = "01234567 10325476 23016745 32107654 45670123 54761032 67452301 76543210",
};

static uint32_t swizzled_place(uint32_t swizzle, uint32_t address)
{
    const char *table = tables[swizzle / 32];
    uint32_t rows = ((uint32_t)strlen(table) + 1) / 9, row = address / 128;
    const char *units = table + row % rows * 9;
    for (uint32_t place = 0; place < 8; place++)
        if (units[place] - '0' == (int)(address / 16 % 8))
            return row * 128 + place * 16 + address % 16;
    g_assert_not_reached();
}

static int64_t element_at(const struct tensor_map *map, const int64_t at[TENSOR_RANK])
{
    int64_t offset = 0;
    for (uint32_t d = 0; d < map->rank; d++) {
        if (at[d] < 0 || at[d] >= (int64_t)map->dims[d])
            return OUTSIDE;
        offset += at[d] * (int64_t)map->strides[d];
    }
    return offset;
}

/* Of an element in shared memory. An H200 leaves room between rows that are narrower than the swizzle. */
static uint32_t dense_or_apart(const struct tensor_map *map, uint32_t number)
{
    uint32_t size = type_bytes(map->type), row = number / map->box[0],
             column = number % map->box[0];
    return map->swizzle ? row * map->swizzle + column * size : number * size;
}

/* To each byte of shared memory: which of the tensor it is, OUTSIDE or UNTOUCHED. Five loops, whatever the rank. */
static void by_elements(const struct box *box, int64_t to[MOST_BYTES])
{
    const struct tensor_map *map = &box->map;
    uint32_t size = type_bytes(map->type), number = 0, end[TENSOR_RANK], i[TENSOR_RANK];
    for (uint32_t d = 0; d < TENSOR_RANK; d++)
        end[d] = d < map->rank ? map->box[d] : 1;
    for (i[4] = 0; i[4] < end[4]; i[4] += map->steps[4])
        for (i[3] = 0; i[3] < end[3]; i[3] += map->steps[3])
            for (i[2] = 0; i[2] < end[2]; i[2] += map->steps[2])
                for (i[1] = 0; i[1] < end[1]; i[1] += map->steps[1])
                    for (i[0] = 0; i[0] < end[0]; i[0]++, number++) {
                        int64_t at[TENSOR_RANK];
                        for (uint32_t d = 0; d < TENSOR_RANK; d++)
                            at[d] = box->at[d] + (int64_t)i[d];
                        int64_t offset = element_at(map, at);
                        for (uint32_t byte = 0; byte < size; byte++)
                            to[swizzled_place(map->swizzle, dense_or_apart(map, number) + byte)] =
                                offset == OUTSIDE ? OUTSIDE : offset + byte;
                    }
}

static void set(int64_t to[MOST_BYTES], uint64_t shared, int64_t tensor)
{
    g_assert_cmpuint(shared, >=, SHARED_AT);
    g_assert_cmpuint(shared, <, SHARED_AT + MOST_BYTES);
    g_assert_cmpint(to[shared - SHARED_AT], ==, UNTOUCHED);
    to[shared - SHARED_AT] = tensor;
}

static void by_pieces(const struct box *box, bool loads, int64_t to[MOST_BYTES])
{
    struct machine_map map = {box->map, BASE};
    const struct machine machine = {.maps = &map, .map_count = 1};
    const struct run run = {.machine = &machine};
    struct copy copy = {
        .map = 1, .to = loads ? SHARED_AT : 0, .from = loads ? 0 : SHARED_AT, .bytes = 16};
    for (uint32_t d = 0; d < TENSOR_RANK; d++)
        copy.at[d] = (int32_t)box->at[d];
    struct pieces pieces = pieces_of(&run, &copy);
    struct stretch piece;
    while (pieces_next(&pieces, &piece))
        for (uint32_t i = 0; i < piece.bytes; i++) {
            uint64_t global = (loads ? piece.from : piece.to) - BASE - box->map.offset;
            bool inside = i < piece.read_bytes;
            set(to, (loads ? piece.to : piece.from) + i, inside ? (int64_t)global + i : OUTSIDE);
        }
}

static void by_chunks(struct arena *arena, const struct box *box, int64_t to[MOST_BYTES])
{
    uint32_t count;
    const struct box_chunk *chunks = box_chunks(arena, box, &count);
    for (uint32_t c = 0; c < count; c++) {
        uint64_t shared = box_swizzled(SHARED_AT + chunks[c].shared, box->map.swizzle);
        for (uint32_t i = 0; i < chunks[c].bytes; i++)
            set(to, shared + i, chunks[c].inside ? (int64_t)chunks[c].global + i : OUTSIDE);
    }
}

/* Small, of every rank, type and swizzle, with gaps between rows, and begun inside and outside. */
static struct box random_box(GRand *random)
{
    static const enum type types[] = {TYPE_U8, TYPE_BF16, TYPE_U32, TYPE_F64};
    struct box box = {.map.rank = (uint32_t)g_rand_int_range(random, 1, TENSOR_RANK + 1)};
    struct tensor_map *map = &box.map;
    map->type = types[g_rand_int_range(random, 0, 4)];
    map->swizzle = (const uint32_t[]){0, 32, 64, 128}[g_rand_int_range(random, 0, 4)];
    uint32_t size = type_bytes(map->type), widest = map->swizzle ? map->swizzle : 128;
    uint64_t stride = size;
    for (uint32_t d = 0; d < TENSOR_RANK; d++) {
        map->dims[d] = (uint64_t)g_rand_int_range(random, 1, d ? 5 : 80);
        map->box[d] = (uint32_t)g_rand_int_range(random, 1, d ? 4 : (int)widest / 16 + 1);
        map->box[d] *= d ? 1 : 16 / size;
        map->steps[d] = (uint32_t)g_rand_int_range(random, 1, 3);
        box.at[d] = g_rand_int_range(random, -3, (int)map->dims[d] + 2);
        map->strides[d] = stride;
        stride = (stride * map->dims[d] + 15) / 16 * 16 + 16 * g_rand_boolean(random);
    }
    return box;
}

static void check_box(const struct box *box)
{
    static int64_t expected[MOST_BYTES], pieces[MOST_BYTES], stored[MOST_BYTES], chunks[MOST_BYTES];
    struct arena *arena = arena_new();
    for (uint32_t i = 0; i < MOST_BYTES; i++)
        expected[i] = pieces[i] = stored[i] = chunks[i] = UNTOUCHED;
    g_assert_null(tensor_map_fault(arena, &box->map));
    by_elements(box, expected);
    by_pieces(box, true, pieces);
    by_pieces(box, false, stored);
    by_chunks(arena, box, chunks);
    for (uint32_t i = 0; i < MOST_BYTES; i++) {
        g_assert_cmpint(pieces[i], ==, expected[i]);
        g_assert_cmpint(chunks[i], ==, expected[i]);
        g_assert_cmpint(stored[i], ==, expected[i] == OUTSIDE ? UNTOUCHED : expected[i]);
    }
    arena_free(arena);
}

static void boxes_of_every_rank(void)
{
    enum { BOXES = 4000 };
    GRand *random = g_rand_new_with_seed(27);
    for (uint32_t i = 0; i < BOXES; i++) {
        struct box box = random_box(random);
        check_box(&box);
    }
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/boxes/every-rank", boxes_of_every_rank);
    return g_test_run();
}
