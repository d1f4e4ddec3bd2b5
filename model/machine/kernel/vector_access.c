/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/race/race.h"
#include "model/machine/kernel/vector.h"
#include "model/machine/core/region.h"
#include "model/machine/core/taken.h"

/* Loads and stores of a group of lanes, done as one where the lanes touch one region. */

struct span_of_lanes {
    uint64_t address[32]; /* of inactive positions: that of an active one */
    uint64_t low, high;   /* first byte and past the last one */
    bool aligned, contiguous, uniform;
};

static void find_addresses(struct span_of_lanes *s, const struct group *g,
                           const struct micro *micro, uint32_t active, uint32_t bytes)
{
    const uint64_t *base = group_slot(g, micro->base);
    uint64_t one = base[lowest(active)] + (uint64_t)micro->offset, bits = 0, stray = 0, differ = 0;
    for (uint32_t i = 0; i < g->width; i++) {
        uint64_t address = base[i] + (uint64_t)micro->offset;
        s->address[i] = active >> i & 1 ? address : one;
    }
    s->low = s->high = one;
    for (uint32_t i = 0; i < g->width; i++) {
        uint64_t address = s->address[i];
        bits |= address;
        stray |= address ^ (s->address[0] + (uint64_t)i * bytes);
        differ |= address ^ one;
        s->low = address < s->low ? address : s->low;
        s->high = address > s->high ? address : s->high;
    }
    s->high += bytes;
    s->aligned = (bits & (bytes - 1)) == 0;
    s->contiguous = stray == 0 && active == UINT32_MAX >> (32 - g->width);
    s->uniform = differ == 0;
}

static bool usable(const struct region *region, const struct micro *micro,
                   const struct vector_engine *v, const struct group *g)
{
    enum space space = micro->inst->space;
    bool shared = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
    if (space != SPACE_GENERIC && shared != (region->cta != NONE))
        return false;
    if (region->space == SPACE_CONST && micro->kind != MICRO_LOAD)
        return false;
    return region->cta == NONE || region->cta == v->run.machine->lanes[g->first].cta;
}

/* The region of the whole span in host memory, or NULL. */
static const struct cached_region *find_host(struct vector_engine *v, const struct group *g,
                                             const struct micro *micro,
                                             const struct span_of_lanes *s)
{
    struct cached_region *cached = &v->cache[g->pc];
    uint64_t offset = s->low - cached->base;
    if (offset < cached->bytes && s->high - cached->base <= cached->bytes &&
        (!cached->written || cached->region->cta == v->run.machine->lanes[g->first].cta))
        return cached;
    if (s->low >= LOCAL_FIRST || s->high - s->low > UINT32_MAX)
        return NULL;
    const struct region *region = region_find(v->run.machine, s->low, (uint32_t)(s->high - s->low));
    if (!region || !usable(region, micro, v, g))
        return NULL;
    *cached = (struct cached_region){
        .base = region->base,
        .bytes = region->bytes,
        .region = region,
        .host = memory_sc_at(v->memory, region, region->memory),
        .written = region->cta == NONE ? NULL : v->memory->written + region->memory};
    return cached;
}

/* ---- one element of every lane, by its size ------------------------------------------------ */

/* Byte 'k' of what position 'i' accesses. */
static uint8_t *lane_at(const struct cached_region *c, const struct span_of_lanes *s, uint32_t i,
                        uint32_t k)
{
    return c->host + (s->address[i] - c->base) + k;
}

#define EACH_WIDTH(F) F(uint8_t) F(uint16_t) F(uint32_t) F(uint64_t)
#define MOVE_LANES(T)                                                                              \
    static void load_##T(uint64_t *to, const struct cached_region *c,                              \
                         const struct span_of_lanes *s, uint32_t k, uint32_t width)                \
    {                                                                                              \
        const T *from = (const T *)(const void *)lane_at(c, s, 0, k);                              \
        if (s->contiguous)                                                                         \
            for (uint32_t i = 0; i < width; i++)                                                   \
                to[i] = from[i];                                                                   \
        else                                                                                       \
            for (uint32_t i = 0; i < width; i++)                                                   \
                to[i] = *(const T *)(const void *)lane_at(c, s, i, k);                             \
    }                                                                                              \
    static bool store_##T(const uint64_t *from, const struct cached_region *c,                     \
                          const struct span_of_lanes *s, uint32_t k, uint32_t width,               \
                          uint32_t active)                                                         \
    {                                                                                              \
        T *to = (T *)(void *)lane_at(c, s, 0, k), differ = 0;                                      \
        if (s->contiguous)                                                                         \
            for (uint32_t i = 0; i < width; i++) {                                                 \
                differ |= to[i] ^ (T)from[i];                                                      \
                to[i] = (T)from[i];                                                                \
            }                                                                                      \
        else                                                                                       \
            EACH_LANE(i, active) {                                                                 \
                to = (T *)(void *)lane_at(c, s, i, k);                                             \
                differ |= *to ^ (T)from[i];                                                        \
                *to = (T)from[i];                                                                  \
            }                                                                                      \
        return differ;                                                                             \
    }
EACH_WIDTH(MOVE_LANES)

static const struct {
    void (*load)(uint64_t *, const struct cached_region *, const struct span_of_lanes *, uint32_t,
                 uint32_t);
    /* says whether anything changed */
    bool (*store)(const uint64_t *, const struct cached_region *, const struct span_of_lanes *,
                  uint32_t, uint32_t, uint32_t);
} movers[] = {
#define MOVER(T) [sizeof(T)] = {load_##T, store_##T},
    EACH_WIDTH(MOVER)};

/* ---- loads --------------------------------------------------------------------------------- */

/* Does every byte that is read have contents? */
static bool all_written(const struct cached_region *c, const struct span_of_lanes *s,
                        uint32_t bytes, uint32_t width)
{
    if (!c->written)
        return true;
    uint32_t all = 1;
    if (s->contiguous) {
        for (uint64_t at = s->low - c->base; at < s->high - c->base; at++)
            all &= c->written[at];
        return all;
    }
    for (uint32_t i = 0; i < width; i++)
        for (uint32_t k = 0; k < bytes; k++)
            all &= c->written[s->address[i] - c->base + k];
    return all;
}

static void put_result(const struct group *g, slot to, const uint64_t *values, uint32_t active)
{
    if (to != SLOT_NONE)
        vector_merge(group_slot(g, to), values, active, g->width);
}

static void load(const struct group *g, const struct micro *micro, uint32_t active,
                 const struct cached_region *c, struct span_of_lanes *s)
{
    uint64_t values[32];
    bool full = active == UINT32_MAX >> (32 - g->width);
    for (uint32_t k = 0; k < micro->dst_count; k++) {
        slot to = micro->dst[k];
        bool direct = full && to != SLOT_NONE;
        movers[micro->bytes].load(direct ? group_slot(g, to) : values, c, s, k * micro->bytes,
                                  g->width);
        if (!direct)
            put_result(g, to, values, active);
    }
}

/* ---- stores -------------------------------------------------------------------------------- */

static void mark_written(const struct cached_region *c, const struct span_of_lanes *s,
                         uint32_t bytes, uint32_t active)
{
    if (!c->written)
        return;
    if (s->contiguous)
        memset(c->written + (s->low - c->base), 1, s->high - s->low);
    else
        EACH_LANE(i, active)
            memset(c->written + (s->address[i] - c->base), 1, bytes);
}

static void store(struct vector_engine *v, const struct group *g, const struct micro *micro,
                  uint32_t active, const struct cached_region *c, struct span_of_lanes *s)
{
    for (uint32_t k = 0; k < micro->src_count; k++)
        v->run.changes += movers[micro->bytes].store(group_slot(g, micro->src[k]), c, s,
                                                     k * micro->bytes, g->width, active);
    mark_written(c, s, micro->bytes * micro->src_count, active);
}

/* ---- atomics ------------------------------------------------------------------------------- */

static void atomic(struct vector_engine *v, const struct group *g, const struct micro *micro,
                   uint32_t active, const struct cached_region *c, const struct span_of_lanes *s)
{
    const uint64_t *b = group_slot(g, micro->src[0]);
    const uint64_t *third = micro->src_count > 1 ? group_slot(g, micro->src[1]) : b;
    uint64_t old[32] = {0};
    EACH_LANE(i, active) {
        uint64_t was = memory_sc_atomic(&v->run, micro->inst, c->host + (s->address[i] - c->base),
                                        micro->bytes, alu_low_bytes(b[i], micro->bytes),
                                        alu_low_bytes(third[i], micro->bytes));
        old[i] = alu_low_bytes(was, micro->bytes);
    }
    if (micro->dst_count)
        put_result(g, micro->dst[0], old, active);
}

/* Memory of malloc that is not there is found and named lane by lane. */
static bool all_taken(const struct vector_engine *v, const struct cached_region *c,
                      const struct span_of_lanes *s, uint32_t active, uint32_t bytes)
{
    if (c->region->location != v->run.machine->heap)
        return true;
    EACH_LANE(i, active)
        if (!taken_is(&v->run, c->region, s->address[i], bytes))
            return false;
    return true;
}

bool vector_access(struct vector_engine *v, const struct group *g, const struct micro *micro,
                   uint32_t active)
{
    struct span_of_lanes s;
    uint32_t count = micro_elements(micro), bytes = micro->bytes * count;
    if (micro->bytes > 8 || (micro_is_atomic(micro) && count > 1) || v->run.poisons ||
        micro->flags & MICRO_HARDWARE || v->weak)
        return false;
    find_addresses(&s, g, micro, active, bytes);
    if (!s.aligned)
        return false;
    s.contiguous = s.contiguous && count == 1;
    const struct cached_region *c = find_host(v, g, micro, &s);
    if (!c || !all_taken(v, c, &s, active, bytes) ||
        (micro->kind != MICRO_STORE && !all_written(c, &s, bytes, g->width)))
        return false;
    if (v->race)
        race_access_lanes(v->race, &v->run, g->first, micro, active, c->region, s.address);
    if (micro->kind == MICRO_LOAD)
        load(g, micro, active, c, &s);
    else if (micro->kind == MICRO_STORE)
        store(v, g, micro, active, c, &s);
    else
        atomic(v, g, micro, active, c, &s);
    return true;
}
