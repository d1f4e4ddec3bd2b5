/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"

#include "litmus/test/host.h"
#include "model/graph/api_order.h"
#include "model/graph/mixing.h"
#include "model/graph/layout.h"

/* Where accesses may mix byte by byte (8.10.3 promises single copies to morally strong pairs only),
 * memory is cut between bytes. A cut costs a reads-from choice, so there is none beside a byte that
 * every write leaves as it was: from whom it comes makes no difference. */

/* One place of an access. */
struct tear_touch {
    event_id event; /* of the builder */
    uint64_t address, physical;
};

struct tear {
    struct builder *b;
    struct graph *g; /* its granules are those that accesses cut */
    struct touches {
        VEC(struct tear_touch) at;
    } * touches;      /* a granule */
    uint8_t *varying; /* a granule: bytes that may mix, as bits */
    const bool *
        *after; /* an event: which come after it by calls of the host; NULL: not asked for yet */
};

static void note_touches(struct tear *t, const struct addresses *addresses)
{
    struct graph *g = t->g;
    for (event_id e = 0; e < t->b->events.len; e++)
        for (uint32_t i = 0; i < addresses[e].count; i++) {
            struct tear_touch touch = {.event = e, .address = addresses[e].at[i]};
            uint32_t first, count;
            if (!graph_physical(g, touch.address, &touch.physical) ||
                !graph_granules(g, touch.address, g->events[e].bytes, &first, &count))
                continue;
            for (uint32_t k = first; k < first + count; k++)
                vec_push(t->b->arena, &t->touches[k].at, touch);
        }
}

/* What calls of the host put behind an access of another thread sees it as a whole, by whatever proxy. */
static bool is_ordered(const struct tear *t, event_id x, event_id y)
{
    event_id both[2] = {x, y};
    bool apart = t->g->events[x].thread != t->g->events[y].thread;
    for (int i = 0; i < 2 && apart && t->g->fixed_count[FIXED_api_sync]; i++) {
        const bool **after = &t->after[both[i]];
        if (!*after)
            *after = api_order_after(t->b->arena, t->g, both[i]);
        if ((*after)[both[1 - i]])
            return true;
    }
    return false;
}

static bool some_mix(const struct tear *t, uint32_t granule)
{
    const struct touches *touches = &t->touches[granule];
    for (uint32_t i = 0; i < touches->at.len; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct tear_touch *x = &touches->at.at[i], *y = &touches->at.at[j];
            bool same_mapping = x->address - x->physical == y->address - y->physical;
            if (x->event != y->event && mixing_possible(t->g, x->event, y->event, same_mapping) &&
                !is_ordered(t, x->event, y->event))
                return true;
        }
    return false;
}

static uint8_t differing(uint64_t a, uint64_t b, uint32_t bytes)
{
    uint8_t result = 0;
    for (uint32_t i = 0; i < bytes; i++)
        result |= (uint8_t)(((a ^ b) >> (8 * i) & 0xff) != 0) << i;
    return result;
}

/* The bytes of the granule that some write may change. */
static uint8_t changing(struct tear *t, uint32_t index)
{
    const struct granule *granule = &t->g->granules[index];
    const struct mapping *m = freeze_root_mapping(t->g, granule->physical);
    uint64_t initial = layout_initial(t->g->test, m->location, granule->physical - m->physical_base,
                                      granule->bytes);
    uint8_t result = 0;
    if (layout_unset(t->g->test, m->location))
        return (uint8_t)((1u << granule->bytes) - 1);
    for (uint32_t i = 0; i < t->touches[index].at.len; i++) {
        const struct tear_touch *touch = &t->touches[index].at.at[i];
        const struct event *event = &t->g->events[touch->event];
        uint32_t count, shift = (uint32_t)(granule->physical - touch->physical) * 8;
        if (event->kind != EVENT_WRITE)
            continue;
        const uint64_t *values = addresses_values(t->b, t->g, event->value, &count);
        if (!values)
            return (uint8_t)((1u << granule->bytes) - 1);
        for (uint32_t v = 0; v < count; v++)
            result |= differing(values[v] >> shift, initial, granule->bytes);
    }
    return result;
}

/* Does some access take several bytes that may mix? */
static bool matters(const struct tear *t, const struct addresses *addresses)
{
    for (event_id e = 0; e < t->b->events.len; e++)
        for (uint32_t i = 0; i < addresses[e].count; i++) {
            uint32_t first, count;
            int bytes = 0;
            if (graph_granules(t->g, addresses[e].at[i], t->g->events[e].bytes, &first, &count))
                for (uint32_t k = first; k < first + count; k++)
                    bytes += __builtin_popcount(t->varying[k]);
            if (bytes > 1)
                return true;
        }
    return false;
}

static void look(struct tear *t, const struct addresses *addresses)
{
    uint32_t count = t->g->granule_count;
    t->touches = ARENA_ARRAY(t->b->arena, struct touches, count);
    t->varying = ARENA_ARRAY(t->b->arena, uint8_t, count);
    note_touches(t, addresses);
    for (uint32_t i = 0; i < count; i++)
        if (some_mix(t, i))
            t->varying[i] = changing(t, i);
}

static void cut(const struct tear *t, struct cuts *cuts)
{
    for (uint32_t i = 0; i < t->g->granule_count; i++) {
        bool before = false; /* a byte that may mix */
        for (uint32_t k = 0; k < t->g->granules[i].bytes; k++) {
            bool mixes = t->varying[i] >> k & 1;
            if (before && mixes)
                cuts_point(cuts, t->g->granules[i].physical + k);
            before |= mixes;
        }
    }
}

static bool has_copies(const struct builder *b)
{
    for (event_id e = 0; e < b->events.len; e++)
        if (b->events.at[e].copied)
            return true;
    return false;
}

void freeze_tear(struct builder *b, struct graph *g, const struct addresses *addresses,
                 struct cuts *cuts)
{
    struct tear t = {.b = b, .g = g};
    g->fixed[FIXED_api_sync] =
        b->fixed[FIXED_api_sync].at; /* until they have the graph's numbers */
    g->fixed_count[FIXED_api_sync] = b->fixed[FIXED_api_sync].len;
    t.after = ARENA_ARRAY(b->arena, const bool *, b->events.len);
    if (g->tearing == TEARING_CUTS && !has_copies(b))
        return;
    enum tearing chosen = g->tearing;
    g->granules = cuts_granules(cuts, &g->granule_count);
    if (chosen != TEARING_CUTS) {
        g->tearing = TEARING_BYTES; /* the other reading might */
        look(&t, addresses);
        g->open |= (uint32_t)matters(&t, addresses) << HOST_READING_TEARING;
        g->tearing = chosen;
    }
    if (chosen != TEARING_BYTES)
        look(&t, addresses);
    cut(&t, cuts);
}
