/* SPDX-License-Identifier: MIT */
#include "model/bounded/shape.h"

#include <string.h>

/* ---- symmetry ------------------------------------------------------------------------------- */

enum { CODE_BYTES = 2 * BOUNDED_OPERATIONS + 2 * BOUNDED_THREADS };

/* The shape as bytes, its threads in the given order: equal for shapes that differ in names only. */
static void encode(const struct bounded_program *shape, const uint8_t *order, uint8_t *code)
{
    uint8_t names[BOUNDED_LOCATIONS], blocks[BOUNDED_THREADS], named = 0, placed = 0;
    uint32_t at = 0;
    memset(names, UINT8_MAX, sizeof names);
    memset(blocks, UINT8_MAX, sizeof blocks);
    memset(code, 0, CODE_BYTES);
    for (uint32_t k = 0; k < shape->threads; k++) {
        uint8_t *block = &blocks[shape->block[order[k]]], length = 0;
        for (uint32_t i = 0; i < shape->count; i++)
            length += shape->at[i].thread == order[k];
        *block = *block == UINT8_MAX ? placed++ : *block;
        code[at++] = (uint8_t)(UINT8_MAX - length); /* longest first */
        code[at++] = *block;
    }
    for (uint32_t k = 0; k < shape->threads; k++)
        for (uint32_t i = 0; i < shape->count; i++) {
            const struct bounded_operation *one = &shape->at[i];
            if (one->thread != order[k])
                continue;
            code[at++] = (uint8_t)(one->kind + 1);
            if (!bounded_accesses(one))
                continue;
            uint8_t *name = &names[one->location];
            *name = *name == UINT8_MAX ? named++ : *name;
            code[at++] = (uint8_t)(*name + 1);
        }
}

static bool permute(const struct bounded_program *shape, uint8_t *order, uint32_t fixed,
                    const uint8_t *code)
{
    uint8_t other[CODE_BYTES];
    if (fixed == shape->threads || fixed == BOUNDED_THREADS) {
        encode(shape, order, other);
        return memcmp(other, code, CODE_BYTES) >= 0;
    }
    for (uint32_t i = fixed; i < shape->threads; i++) {
        uint8_t swapped = order[fixed];
        order[fixed] = order[i], order[i] = swapped;
        bool first = permute(shape, order, fixed + 1, code);
        order[i] = order[fixed], order[fixed] = swapped;
        if (!first)
            return false;
    }
    return true;
}

bool shape_is_canonical(const struct bounded_program *shape)
{
    uint8_t order[BOUNDED_THREADS], code[CODE_BYTES];
    for (uint32_t i = 0; i < BOUNDED_THREADS; i++)
        order[i] = (uint8_t)i;
    encode(shape, order, code);
    return permute(shape, order, 0, code);
}

/* ---- what can matter ------------------------------------------------------------------------ */

static bool location_matters(const struct bounded_program *shape, uint32_t location)
{
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (bounded_conflict(&shape->at[i], &shape->at[k]) && shape->at[i].location == location)
                return true;
    return false;
}

/* Threads that share locations, one with another. */
static bool hangs_together(const struct bounded_program *shape)
{
    uint32_t reached = 1, before;
    do {
        before = reached;
        for (uint32_t i = 0; i < shape->count; i++)
            for (uint32_t k = 0; k < shape->count; k++)
                if (bounded_accesses(&shape->at[i]) && bounded_accesses(&shape->at[k]) &&
                    shape->at[i].location == shape->at[k].location &&
                    reached >> shape->at[i].thread & 1)
                    reached |= 1u << shape->at[k].thread;
    } while (reached != before);
    return reached == (1u << shape->threads) - 1;
}

static bool matters(const struct bounded_program *shape)
{
    for (uint32_t i = 0; i < shape->locations; i++)
        if (!location_matters(shape, i))
            return false;
    return hangs_together(shape);
}

/* ---- simple cycles -------------------------------------------------------------------------- */

static bool is_pass_on(const struct bounded_program *shape, uint32_t thread)
{
    uint32_t exchanges = 0, others = 0;
    for (uint32_t i = 0; i < shape->count; i++)
        if (shape->at[i].thread == thread)
            *(shape->at[i].kind == BOUNDED_EXCHANGE ? &exchanges : &others) += 1;
    return exchanges == 1 && !others;
}

static bool is_cycle(const struct bounded_program *shape)
{
    uint32_t users[BOUNDED_LOCATIONS] = {0}, accesses[BOUNDED_THREADS] = {0};
    uint32_t fences[BOUNDED_THREADS] = {0}, passes = 0;
    for (uint32_t i = 0; i < shape->threads; i++)
        passes += is_pass_on(shape, i);
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct bounded_operation *one = &shape->at[i];
        if (!bounded_accesses(one))
            fences[one->thread]++;
        else if (!is_pass_on(shape, one->thread)) {
            accesses[one->thread]++;
            users[one->location]++;
        }
    }
    for (uint32_t i = 0; i < shape->threads; i++)
        if (accesses[i] > 2 || fences[i] > 1)
            return false;
    for (uint32_t i = 0; i < shape->locations; i++)
        if (users[i] > 2)
            return false;
    return passes <= 1;
}

/* ---- enumeration ---------------------------------------------------------------------------- */

struct shape_search {
    const struct shape_bounds *bounds;
    shape_visit *visit;
    void *context;
    struct bounded_program shape;
    uint32_t events;
    uint32_t lengths[BOUNDED_THREADS]; /* of the threads, in operations */
};

static bool place_blocks(struct shape_search *s, uint32_t thread, uint32_t blocks)
{
    if (thread == s->shape.threads || thread == BOUNDED_THREADS)
        return !shape_is_canonical(&s->shape) || s->visit(s->context, &s->shape);
    for (uint32_t block = 0; block <= blocks; block++) {
        s->shape.block[thread] = (uint8_t)block;
        if (!place_blocks(s, thread + 1, block == blocks ? blocks + 1 : blocks))
            return false;
    }
    return true;
}

static bool finish_shape(struct shape_search *s)
{
    if (s->events != s->bounds->events || s->shape.threads < 2 || !matters(&s->shape) ||
        (s->bounds->cycles_only && !is_cycle(&s->shape)))
        return true;
    /* Without blocks first: few shapes are the first of their class. */
    memset(s->shape.block, 0, sizeof s->shape.block);
    return place_blocks(s, 0, 0);
}

static bool add_operation(struct shape_search *s);

static bool add_one(struct shape_search *s, uint32_t kind, uint32_t location)
{
    struct bounded_program *shape = &s->shape;
    struct bounded_operation one = {.kind = (uint8_t)kind,
                                    .thread = (uint8_t)(shape->threads - 1),
                                    .location = (uint8_t)location};
    uint32_t locations = shape->locations, size = bounded_size(&one);
    if (s->events + size > s->bounds->events)
        return true;
    shape->at[shape->count++] = one;
    shape->locations += bounded_accesses(&one) && location == locations;
    s->lengths[one.thread]++;
    s->events += size;
    bool more = add_operation(s);
    s->events -= size;
    s->lengths[one.thread]--;
    shape->locations = locations;
    shape->count--;
    return more;
}

/* A thread that is complete is followed by one that is no longer. */
static bool end_thread(struct shape_search *s)
{
    struct bounded_program *shape = &s->shape;
    const struct bounded_operation *last = &shape->at[shape->count - 1];
    if (!bounded_accesses(last) || shape->threads == BOUNDED_THREADS)
        return true;
    shape->threads++;
    s->lengths[shape->threads - 1] = 0;
    bool more = add_operation(s);
    shape->threads--;
    return more;
}

static bool may_add(const struct shape_search *s, uint32_t thread)
{
    uint32_t limit = s->bounds->cycles_only ? 3 : BOUNDED_OPERATIONS;
    if (thread && s->lengths[thread - 1] < limit)
        limit = s->lengths[thread - 1];
    return s->lengths[thread] < limit;
}

static bool add_operation(struct shape_search *s)
{
    struct bounded_program *shape = &s->shape;
    uint32_t thread = shape->threads - 1;
    bool started = s->lengths[thread];
    if (started && bounded_accesses(&shape->at[shape->count - 1]) && !finish_shape(s))
        return false;
    if (s->events == s->bounds->events)
        return true;
    for (uint32_t kind = 0; may_add(s, thread) && kind < BOUNDED_FENCE; kind++)
        for (uint32_t i = 0; i <= shape->locations && i < BOUNDED_LOCATIONS; i++)
            if ((kind != BOUNDED_FAILING || s->bounds->failing) && !add_one(s, kind, i))
                return false;
    if (started && may_add(s, thread) && !add_one(s, BOUNDED_FENCE, 0))
        return false;
    return !started || end_thread(s);
}

bool shapes_enumerate(const struct shape_bounds *bounds, shape_visit *visit, void *context)
{
    struct shape_search s = {.bounds = bounds, .visit = visit, .context = context};
    s.shape.threads = 1;
    return add_operation(&s);
}
