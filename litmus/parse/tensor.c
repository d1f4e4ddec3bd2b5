/* SPDX-License-Identifier: MIT */
#include "litmus/parse/tensor.h"

#include <string.h>

#include "litmus/parse/location.h"
#include "litmus/test/tensor_map.h"

/* Tensor maps of the initial state. The words are those of cuTensorMapEncodeTiled, innermost dimension first; what is
 * not said is what a dense array has. */

struct map_reader {
    struct parser *p;
    struct tensor_map map;
    uint32_t location; /* where the tensor is */
    /* how many dimensions strides, box and steps were given for, and where */
    uint32_t strides, box, steps;
    struct span strides_at, box_at, steps_at;
};

bool parse_at_tensor_map(const struct parser *p)
{
    return parse_at_word(p, "tensormap") && p->next.kind == TOKEN_WORD;
}

/* "{64, 32}": as many numbers as the tensor has dimensions, or fewer; 'first': of the first one. */
static bool numbers(struct map_reader *r, const char *what, uint64_t most, uint32_t first,
                    uint64_t to[TENSOR_RANK], uint32_t *count)
{
    struct parser *p = r->p;
    *count = first;
    if (!parse_expect(p, '{', what))
        return false;
    do {
        if (*count == TENSOR_RANK) {
            parse_unexpected(p, "'}': a tensor has 1 to 5 dimensions");
            return false;
        }
        if (!parse_expect_number(p, what, most, &to[(*count)++]))
            return false;
    } while (parse_accept(p, ','));
    return parse_expect(p, '}', "'}' or ','");
}

static bool of_rank(struct map_reader *r, struct span span, const char *what, uint32_t count)
{
    if (!count || count == r->map.rank)
        return true;
    parse_error(r->p, bad_tensor_map, span, NULL, "%s of %u dimension%s, but the tensor has %u",
                what, count, count == 1 ? "" : "s", r->map.rank);
    return false;
}

/* "box {8, 8}" or "steps {1, 2}". */
static bool small_numbers(struct map_reader *r, const char *what, uint32_t to[TENSOR_RANK],
                          uint32_t *count)
{
    uint64_t values[TENSOR_RANK] = {0};
    if (!numbers(r, what, UINT16_MAX, 0, values, count))
        return false;
    for (uint32_t d = 0; d < *count; d++)
        to[d] = (uint32_t)values[d];
    return true;
}

static bool dims(struct map_reader *r)
{
    return numbers(r, "the sizes of the tensor", UINT64_C(1) << 32, 0, r->map.dims, &r->map.rank);
}

static bool strides(struct map_reader *r)
{
    r->strides_at = r->p->token.span;
    return numbers(r, "the strides in bytes", UINT64_C(1) << 41, 1, r->map.strides, &r->strides);
}

static bool box(struct map_reader *r)
{
    r->box_at = r->p->token.span;
    return small_numbers(r, "a box", r->map.box, &r->box);
}

static bool steps(struct map_reader *r)
{
    r->steps_at = r->p->token.span;
    return small_numbers(r, "steps", r->map.steps, &r->steps);
}

static bool swizzle(struct map_reader *r)
{
    struct parser *p = r->p;
    struct span span = p->token.span;
    if (parse_accept_word(p, "none"))
        return true;
    if (!parse_count(p, "a swizzle", UINT16_MAX, &r->map.swizzle))
        return false;
    if (r->map.swizzle == 32 || r->map.swizzle == 64 || r->map.swizzle == 128)
        return true;
    parse_error(p, bad_tensor_map, span, NULL, "a swizzle is none, 32, 64 or 128 bytes");
    return false;
}

static bool type(struct map_reader *r)
{
    struct parser *p = r->p;
    if (parse_at(p, TOKEN_WORD) && parse_type_word(p, p->token.span, &r->map.type)) {
        parse_advance(p);
        return true;
    }
    parse_unexpected(p, "a type such as f16");
    return false;
}

static bool interleave(struct map_reader *r)
{
    struct parser *p = r->p;
    if (parse_accept_word(p, "none"))
        return true;
    parse_error(p, bad_tensor_map, p->token.span, NULL, "only 'interleave none' is supported");
    return false;
}

static bool fill(struct map_reader *r)
{
    struct parser *p = r->p;
    r->map.nans = parse_accept_word(p, "nan");
    if (r->map.nans || parse_accept_word(p, "zeros"))
        return true;
    parse_error(p, bad_tensor_map, p->token.span, NULL, "a fill is zeros or nan");
    return false;
}

/* The next word is none of those. */
static void unknown_part(struct parser *p, const char *const *words, size_t count)
{
    const char *word = parse_text(p, p->token.span);
    parse_error(
        p, bad_tensor_map, p->token.span, diag_hint(p->arena, word, strlen(word), words, count),
        "expected dims, strides, box, steps, swizzle, type, fill or interleave, found '%.40s'",
        word);
}

static bool part(struct map_reader *r)
{
    static const struct {
        const char *word;
        bool (*read)(struct map_reader *r);
    } words[] = {
        {"dims", dims},       {"strides", strides}, {"box", box},   {"steps", steps},
        {"swizzle", swizzle}, {"type", type},       {"fill", fill}, {"interleave", interleave},
    };
    enum { COUNT = sizeof words / sizeof *words };
    const char *known[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        if (parse_accept_word(r->p, words[i].word))
            return words[i].read(r);
        known[i] = words[i].word;
    }
    unknown_part(r->p, known, COUNT);
    return false;
}

/* An array of one dimension, without gaps. */
static bool complete(struct map_reader *r)
{
    struct tensor_map *map = &r->map;
    const struct location *location = &r->p->locations.at[r->location];
    map->type = map->type ? map->type : location->type;
    map->strides[0] = type_bytes(map->type ? map->type : TYPE_U64);
    if (!map->rank) {
        map->rank = 1;
        map->dims[0] = location->elements;
    }
    for (uint32_t d = 0; d < map->rank; d++) {
        if (!r->steps)
            map->steps[d] = 1;
        if (d && !r->strides)
            map->strides[d] = map->strides[d - 1] * map->dims[d - 1];
    }
    return of_rank(r, r->strides_at, "strides", r->strides) &&
           of_rank(r, r->box_at, "a box", r->box) && of_rank(r, r->steps_at, "steps", r->steps);
}

static const char *fault_of(struct map_reader *r)
{
    const struct location *location = &r->p->locations.at[r->location];
    if (!r->map.type)
        return "its elements have no type: declare the memory with one, or write 'type f32'";
    if (!r->box)
        return "it has no box";
    if (location->space != SPACE_GLOBAL)
        return "a tensor lies in global memory";
    return tensor_map_fault(r->p->arena, &r->map);
}

/* "tiled(a, box {8})", "tiled(&a[4], …)". */
static bool tiled(struct map_reader *r, struct location_init words[TENSOR_WORDS])
{
    struct parser *p = r->p;
    struct span start = p->token.span;
    uint64_t packed[TENSOR_WORDS];
    uint32_t element = 0;
    if (!parse_accept_word(p, "tiled")) {
        parse_unexpected(p, "'tiled(…)', the only kind of tensor map that is supported");
        return false;
    }
    if (!parse_expect(p, '(', "'(' and the memory of the tensor"))
        return false;
    parse_accept(p, '&');
    if (!parse_at(p, TOKEN_WORD) || !parse_known_location(p, p->token.span, &r->location))
        return false;
    parse_advance(p);
    if (!parse_index(p, "an element's number", MAX_ELEMENTS, &element))
        return false;
    while (parse_accept(p, ','))
        if (!part(r))
            return false;
    if (!parse_expect(p, ')', "')' or ','"))
        return false;
    if (!complete(r))
        return false;
    r->map.offset = (uint64_t)element * type_bytes(p->locations.at[r->location].type);
    const char *fault = fault_of(r);
    if (fault) {
        parse_error(p, bad_tensor_map, parse_span_from(p, start), NULL, "%s", fault);
        return false;
    }
    tensor_map_pack(&r->map, packed);
    for (uint32_t i = 0; i < TENSOR_WORDS; i++)
        words[i] = (struct location_init){packed[i], i ? NONE : r->location};
    return true;
}

bool parse_tensor_maps(struct parser *p, struct location *location)
{
    enum { MOST_MAPS = 1024, ALIGNMENT = 64 };
    uint32_t count = 1;
    bool several = parse_at(p, '[');
    if (!parse_index(p, "the number of tensor maps", MOST_MAPS, &count) ||
        !parse_expect(p, '=', "'=' and 'tiled(…)'"))
        return false;
    count = count ? count : 1;
    location->type = TYPE_B64;
    location->array = location->initialized = true;
    location->align = ALIGNMENT;
    location->elements = count * TENSOR_WORDS;
    location->init = ARENA_ARRAY(p->arena, struct location_init, location->elements);
    for (uint32_t i = 0; i < location->elements; i++)
        location->init[i] = (struct location_init){0, NONE};
    if (several && !parse_expect(p, '{', "'{' and the tensor maps"))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct map_reader reader = {.p = p};
        if (i && !parse_accept(p, ','))
            break;
        if (!tiled(&reader, &location->init[(size_t)i * TENSOR_WORDS]))
            return false;
    }
    return !several || parse_expect(p, '}', "'}' or ','");
}
