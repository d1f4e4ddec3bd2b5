/* SPDX-License-Identifier: MIT */
#include "model/bounded/shape.h"

#include <string.h>

/* ---- symmetry ------------------------------------------------------------------------------- */

enum { CODE_BYTES = 2 * BOUNDED_OPERATIONS + 4 * BOUNDED_THREADS };

/* Numbers in the order in which they are met. */
static uint8_t renamed(uint8_t *names, uint8_t *count, uint8_t number)
{
    if (names[number] == UINT8_MAX)
        names[number] = (*count)++;
    return names[number];
}

/* Where the threads are, in the given order, behind 'at'. */
static void encode_places(const struct bounded_program *shape, const uint8_t *order, uint8_t *at)
{
    const uint8_t *const levels[] = {shape->block, shape->cluster, shape->device};
    for (int level = 0; level < 3; level++) {
        uint8_t names[BOUNDED_THREADS], named = 0;
        memset(names, UINT8_MAX, sizeof names);
        for (uint32_t k = 0; k < shape->threads; k++)
            *at++ = renamed(names, &named, levels[level][order[k]]);
    }
}

/* The shape as bytes, its threads in the given order: equal for shapes that differ in names only. */
static void encode(const struct bounded_program *shape, const uint8_t *order, uint8_t *code)
{
    uint8_t names[BOUNDED_LOCATIONS], named = 0;
    uint32_t at = 0;
    memset(names, UINT8_MAX, sizeof names);
    memset(code, 0, CODE_BYTES);
    for (uint32_t k = 0; k < shape->threads; k++) {
        uint8_t length = 0;
        for (uint32_t i = 0; i < shape->count; i++)
            length += shape->at[i].thread == order[k];
        code[at++] = (uint8_t)(UINT8_MAX - length); /* longest first */
    }
    for (uint32_t k = 0; k < shape->threads; k++)
        for (uint32_t i = 0; i < shape->count; i++) {
            const struct bounded_operation *one = &shape->at[i];
            if (one->thread != order[k])
                continue;
            code[at++] = (uint8_t)(one->kind + 1);
            if (bounded_accesses(one))
                code[at++] = (uint8_t)(renamed(names, &named, one->location) + 1);
        }
    encode_places(shape, order, code + at);
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

/* Do the operations share a location, or a barrier? */
static bool meet(const struct bounded_program *shape, const struct bounded_operation *a,
                 const struct bounded_operation *b)
{
    if (bounded_accesses(a))
        return bounded_accesses(b) && a->location == b->location;
    return a->kind == BOUNDED_BARRIER && b->kind == BOUNDED_BARRIER &&
           shape->block[a->thread] == shape->block[b->thread];
}

/* Threads that share locations or barriers, one with another. */
static bool hangs_together(const struct bounded_program *shape)
{
    uint32_t reached = 1, before;
    do {
        before = reached;
        for (uint32_t i = 0; i < shape->count; i++)
            for (uint32_t k = 0; k < shape->count; k++)
                if (meet(shape, &shape->at[i], &shape->at[k]) && reached >> shape->at[i].thread & 1)
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

/* ---- barriers ------------------------------------------------------------------------------- */

static uint32_t barriers_of(const struct bounded_program *shape, uint32_t thread)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shape->count; i++)
        count += shape->at[i].thread == thread && shape->at[i].kind == BOUNDED_BARRIER;
    return count;
}

/* How many accesses the thread makes before its barrier 'round', and after the one before that: between; and
 * behind it. */
struct around {
    uint32_t before, between, after;
};

static struct around around_barrier(const struct bounded_program *shape, uint32_t thread,
                                    uint32_t round)
{
    struct around count = {0, 0, 0};
    uint32_t met = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct bounded_operation *one = &shape->at[i];
        if (one->thread != thread)
            continue;
        met += one->kind == BOUNDED_BARRIER;
        count.before += bounded_accesses(one) && met <= round;
        count.between += bounded_accesses(one) && met == round;
        count.after += bounded_accesses(one) && met > round;
    }
    return count;
}

static bool round_matters(const struct bounded_program *shape, uint32_t thread, uint32_t round)
{
    bool orders = false, differs = !round;
    for (uint32_t t = 0; t < shape->threads; t++) {
        struct around first = around_barrier(shape, t, round);
        if (shape->block[t] != shape->block[thread])
            continue;
        differs |= first.between > 0;
        for (uint32_t u = 0; u < shape->threads; u++)
            orders |= t != u && shape->block[u] == shape->block[t] && first.before &&
                      around_barrier(shape, u, round).after;
    }
    return orders && differs;
}

static bool barriers_fit(const struct bounded_program *shape)
{
    for (uint32_t t = 0; t < shape->threads; t++) {
        uint32_t count = barriers_of(shape, t);
        for (uint32_t u = 0; u < t; u++)
            if (shape->block[u] == shape->block[t] && barriers_of(shape, u) != count)
                return false;
        if (count && !around_barrier(shape, t, count).before)
            return false; /* a thread of barriers alone */
        for (uint32_t round = 0; round < count; round++)
            if (!round_matters(shape, t, round))
                return false;
    }
    return true;
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

static uint32_t count_bits(uint32_t bits)
{
    return (uint32_t)__builtin_popcount(bits);
}

/* 'width': NARROW_CYCLES, WIDE_CYCLES. */
static bool is_cycle(const struct bounded_program *shape, uint32_t width)
{
    uint32_t users[BOUNDED_LOCATIONS] = {0}, accesses[BOUNDED_THREADS] = {0};
    uint32_t threads[BOUNDED_LOCATIONS] = {0}, fences[BOUNDED_THREADS] = {0}, passes = 0;
    for (uint32_t i = 0; i < shape->threads; i++)
        passes += is_pass_on(shape, i);
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct bounded_operation *one = &shape->at[i];
        if (!bounded_accesses(one))
            fences[one->thread]++;
        else if (!is_pass_on(shape, one->thread)) {
            accesses[one->thread]++;
            users[one->location]++;
            threads[one->location] |= 1u << one->thread;
        }
    }
    for (uint32_t i = 0; i < shape->threads; i++)
        if (accesses[i] > 2 || fences[i] > 1)
            return false;
    for (uint32_t i = 0; i < shape->locations; i++)
        if (users[i] > width || (users[i] > 2 && count_bits(threads[i]) < users[i]))
            return false;
    return passes <= 1;
}

/* ---- enumeration ---------------------------------------------------------------------------- */

struct shape_search {
    const struct shape_bounds *bounds;
    shape_begin *begin;
    shape_visit *visit;
    void *context;
    struct bounded_program shape;
    uint32_t events;
    uint32_t lengths[BOUNDED_THREADS]; /* of the threads, in operations */
};

/* Are the places needed where only the threads that a scope reaches count? */
static bool places_matter(const struct bounded_program *shape)
{
    uint32_t nested = 0;
    for (uint32_t t = 0; t < shape->threads; t++) {
        uint32_t block = 0, cluster = 0;
        if (shape->device[t])
            return false;
        for (uint32_t u = 0; u < shape->threads; u++) {
            block += shape->block[u] == shape->block[t];
            cluster += shape->cluster[u] == shape->cluster[t];
        }
        nested += block > 1 && cluster > block && shape->threads > cluster;
    }
    if (nested)
        return true;
    for (uint32_t t = 0; t < shape->threads; t++)
        if (shape->cluster[t] != shape->block[t])
            return false;
    return true;
}

static bool finish_place(struct shape_search *s)
{
    const struct bounded_program *shape = &s->shape;
    if (!(s->bounds->every_place || places_matter(shape)) || !barriers_fit(shape) ||
        !hangs_together(shape) || !shape_is_canonical(shape))
        return true;
    return s->visit(s->context, shape);
}

/* The number that a thread below has, whose place of the level below this one has too. */
static uint32_t inherited(const uint8_t *level, const uint8_t *below, uint32_t thread)
{
    for (uint32_t t = 0; below && t < thread; t++)
        if (below[t] == below[thread])
            return level[t];
    return UINT8_MAX;
}

/* Blocks, then the clusters that they form, then devices. */
static bool place(struct shape_search *s, uint32_t depth, uint32_t thread, uint32_t used)
{
    uint8_t *const levels[] = {s->shape.block, s->shape.cluster, s->shape.device};
    if (thread == s->shape.threads || thread == BOUNDED_THREADS)
        return depth == 2 ? finish_place(s) : place(s, depth + 1, 0, 0);
    uint32_t given = inherited(levels[depth], depth ? levels[depth - 1] : NULL, thread);
    bool one_device = depth == 2 && !s->bounds->every_place;
    for (uint32_t number = 0; number <= used && !(one_device && number); number++) {
        if (given != UINT8_MAX && number != given)
            continue;
        levels[depth][thread] = (uint8_t)number;
        if (!place(s, depth, thread + 1, number == used ? used + 1 : used))
            return false;
    }
    return true;
}

static bool finish_shape(struct shape_search *s)
{
    if (s->events != s->bounds->events || s->shape.threads < 2)
        return true;
    /* Without places first: few shapes are the first of their class. */
    memset(s->shape.block, 0, sizeof s->shape.block);
    memset(s->shape.cluster, 0, sizeof s->shape.cluster);
    memset(s->shape.device, 0, sizeof s->shape.device);
    if (!matters(&s->shape) || (s->bounds->cycles && !is_cycle(&s->shape, s->bounds->cycles)) ||
        !shape_is_canonical(&s->shape))
        return true;
    return place(s, 0, 0, 0);
}

static bool add_operation(struct shape_search *s);

/* Shapes are taken and left by their beginnings: the first thread and two operations of the second, or a second thread
 * of one operation, with no other thread or with some. First threads alone would be of very different weight. */
enum { BEGINNING = 2 };

static bool is_wanted(struct shape_search *s, uint32_t length)
{
    bool asks = s->begin && s->shape.threads == 2 && s->lengths[1] == length;
    return !asks || s->begin(s->context);
}

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
    bool more = !is_wanted(s, BEGINNING) || add_operation(s);
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
    if (last->kind == BOUNDED_FENCE || shape->threads == BOUNDED_THREADS || !is_wanted(s, 1))
        return true;
    shape->threads++;
    s->lengths[shape->threads - 1] = 0;
    bool more = add_operation(s);
    shape->threads--;
    return more;
}

static bool may_add(const struct shape_search *s, uint32_t thread)
{
    uint32_t limit = s->bounds->cycles ? 3 : BOUNDED_OPERATIONS;
    if (thread && s->lengths[thread - 1] < limit)
        limit = s->lengths[thread - 1];
    return s->lengths[thread] < limit;
}

static bool add_operation(struct shape_search *s)
{
    struct bounded_program *shape = &s->shape;
    uint32_t thread = shape->threads - 1;
    bool started = s->lengths[thread];
    if (started && shape->at[shape->count - 1].kind != BOUNDED_FENCE && is_wanted(s, 1) &&
        !finish_shape(s))
        return false;
    if (s->events == s->bounds->events)
        return true;
    for (uint32_t kind = 0; may_add(s, thread) && kind < BOUNDED_FENCE; kind++)
        for (uint32_t i = 0; i <= shape->locations && i < BOUNDED_LOCATIONS; i++)
            if ((kind != BOUNDED_FAILING || s->bounds->failing) && !add_one(s, kind, i))
                return false;
    if (started && may_add(s, thread) && !add_one(s, BOUNDED_FENCE, 0))
        return false;
    if (s->bounds->barriers && may_add(s, thread) && !add_one(s, BOUNDED_BARRIER, 0))
        return false;
    return !started || end_thread(s);
}

bool shapes_enumerate(const struct shape_bounds *bounds, shape_begin *begin, shape_visit *visit,
                      void *context)
{
    struct shape_search s = {.bounds = bounds, .begin = begin, .visit = visit, .context = context};
    s.shape.threads = 1;
    return add_operation(&s);
}
