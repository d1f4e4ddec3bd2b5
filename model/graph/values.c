/* SPDX-License-Identifier: MIT */
#include "model/graph/values.h"

#include <assert.h>
#include <string.h>

#include "model/value/expr_fold.h"
#include "model/graph/mixing.h"
#include "model/graph/layout.h"

struct value_set {
    uint64_t *at; /* ascending */
    uint32_t count;
    bool any;
};

struct values {
    struct arena *arena;
    const struct graph *graph;
    struct value_set *sets; /* an expression */
    bool changed;
};

enum { MAX_ROUNDS = 400 };

static void add_value(struct values *v, struct value_set *set, uint64_t value)
{
    uint32_t i = 0;
    if (set->any)
        return;
    while (i < set->count && set->at[i] < value)
        i++;
    if (i < set->count && set->at[i] == value)
        return;
    v->changed = true;
    if (set->count == VALUES_LIMIT) {
        set->any = true;
        return;
    }
    if (!set->at)
        set->at = ARENA_ARRAY(v->arena, uint64_t, VALUES_LIMIT);
    memmove(&set->at[i + 1], &set->at[i], (set->count - i) * sizeof *set->at);
    set->at[i] = value;
    set->count++;
}

static void add_any(struct values *v, struct value_set *set)
{
    v->changed |= !set->any;
    set->any = true;
}

static bool is_empty(const struct value_set *set)
{
    return !set->any && set->count == 0;
}

static void add_set(struct values *v, struct value_set *to, const struct value_set *from)
{
    if (from->any)
        add_any(v, to);
    for (uint32_t i = 0; i < from->count && !from->any; i++)
        add_value(v, to, from->at[i]);
}

static const struct value_set *set_of(const struct values *v, expr_id id)
{
    return &v->sets[id];
}

/* ---- reads ---------------------------------------------------------------------------------- */

static bool may_execute(const struct values *v, const struct event *event)
{
    const struct value_set *guard = set_of(v, event->guard);
    if (graph_guesses_branches(v->graph))
        return !expr_is_false(v->graph->exprs, event->guard);
    return guard->any || (guard->count && guard->at[guard->count - 1] != 0);
}

/* Bytes of one piece of a read against a write at one pair of addresses. */
enum overlap { APART, COVERED, PARTIAL };
static enum overlap overlap_at(const struct graph *g, uint64_t read, uint32_t bytes, uint64_t write,
                               uint32_t write_bytes, uint32_t *shift)
{
    uint64_t r, w;
    if (!graph_mapping(g, read, bytes) || !graph_mapping(g, write, write_bytes) ||
        !graph_physical(g, read, &r) || !graph_physical(g, write, &w) || r + bytes <= w ||
        w + write_bytes <= r)
        return APART;
    if (r < w || r + bytes > w + write_bytes)
        return PARTIAL;
    *shift = (uint32_t)(r - w) * 8;
    return COVERED;
}

static void take(struct values *v, struct value_set *to, const struct value_set *from,
                 uint32_t shift, unsigned width)
{
    if (from->any)
        add_any(v, to);
    for (uint32_t i = 0; i < from->count && !to->any; i++)
        add_value(v, to, from->at[i] >> shift & width_mask(width));
}

static bool all_aligned(const struct value_set *addresses, uint32_t bytes)
{
    for (uint32_t i = 0; i < addresses->count && !addresses->any; i++)
        if (addresses->at[i] % bytes)
            return false;
    return true;
}

struct piece {
    const struct event *event;
    uint32_t offset, bytes;
    unsigned width;
};

static void take_from_write(struct values *v, struct value_set *to, const struct piece *p,
                            const struct event *write)
{
    const struct value_set *ra = set_of(v, p->event->address), *wa = set_of(v, write->address);
    const struct value_set *from = set_of(v, write->value);
    if (ra->any || wa->any) {
        bool alike = p->event->bytes == write->bytes && all_aligned(ra, write->bytes) &&
                     all_aligned(wa, write->bytes);
        if (!alike)
            add_any(v, to);
        else
            take(v, to, from, p->offset * 8, p->width);
        return;
    }
    for (uint32_t i = 0; i < ra->count; i++)
        for (uint32_t j = 0; j < wa->count; j++) {
            uint32_t shift = 0;
            enum overlap o = overlap_at(v->graph, ra->at[i] + p->offset, p->bytes, wa->at[j],
                                        write->bytes, &shift);
            if (o == PARTIAL)
                add_any(v, to);
            else if (o == COVERED)
                take(v, to, from, shift, p->width);
        }
}

static void add_initial(struct values *v, struct value_set *to, uint32_t location, uint64_t offset,
                        uint32_t bytes)
{
    if (layout_unset(v->graph->test, location))
        add_any(v, to);
    else
        add_value(v, to, layout_initial(v->graph->test, location, offset, bytes));
}

static void take_initial(struct values *v, struct value_set *to, const struct piece *p)
{
    const struct value_set *addresses = set_of(v, p->event->address);
    const struct graph *g = v->graph;
    for (uint32_t i = 0; i < addresses->count && !addresses->any; i++) {
        uint64_t address = addresses->at[i] + p->offset;
        const struct mapping *m = graph_mapping(g, address, p->bytes);
        if (m)
            add_initial(v, to, m->location, address - m->virtual_base, p->bytes);
    }
    if (!addresses->any)
        return;
    for (uint32_t i = 0; i < g->mapping_count && !to->any; i++)
        for (uint64_t at = 0; at + p->bytes <= g->mappings[i].bytes && !to->any;
             at += p->event->bytes)
            add_initial(v, to, g->mappings[i].location, at + p->offset, p->bytes);
}

/* Then it returns 0 (graph.h). */
static bool may_go_astray(const struct values *v, const struct event *read)
{
    const struct value_set *addresses = set_of(v, read->address);
    bool everywhere = addresses->any || !all_aligned(addresses, read->bytes);
    for (uint32_t i = 0; i < addresses->count && !everywhere; i++)
        everywhere = !graph_mapping(v->graph, addresses->at[i], read->bytes);
    return everywhere;
}

static bool has_aliases(const struct test *test)
{
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].alias_of != NONE)
            return true;
    return false;
}

/* May some of what the read can take from mix with the read or with one another? */
static bool may_mix(const struct values *v, event_id read)
{
    const struct graph *g = v->graph;
    bool one_mapping = !has_aliases(g->test);
    for (event_id a = 0; a < g->event_count; a++) {
        if (g->events[a].kind != EVENT_WRITE || !values_may_read(v, read, a))
            continue;
        if (mixing_possible(g, read, a, one_mapping))
            return true;
        for (event_id b = 0; b < a; b++)
            if (g->events[b].kind == EVENT_WRITE && values_may_read(v, read, b) &&
                mixing_possible(g, a, b, one_mapping))
                return true;
    }
    return false;
}

/* All values that have each byte of some value of the set. */
static void mix_bytes(struct values *v, struct value_set *set, unsigned width)
{
    for (unsigned low = 0; low < width && !set->any; low += 8) {
        uint64_t mask = UINT64_C(0xff) << low;
        uint32_t count = set->count;
        uint64_t *before = ARENA_ARRAY(v->arena, uint64_t, count + 1);
        memcpy(before, set->at, count * sizeof *before);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < count && !set->any; j++)
                add_value(v, set, (before[i] & ~mask) | (before[j] & mask));
    }
}

static void visit_read(struct values *v, struct value_set *to, const struct expr *e)
{
    const struct graph *g = v->graph;
    const struct event *read = &g->events[e->b];
    struct piece p = {read, 0, read->bytes, e->width};
    if (read->piece_start) {
        p.offset = read->piece_start[e->a];
        p.bytes = read->piece_start[e->a + 1] - p.offset;
    }
    if (is_empty(set_of(v, read->address)))
        return;
    if (may_go_astray(v, read))
        add_value(v, to, 0);
    take_initial(v, to, &p);
    for (event_id w = 0; w < g->event_count && !to->any; w++)
        if (g->events[w].kind == EVENT_WRITE && read->rmw != w && may_execute(v, &g->events[w]))
            take_from_write(v, to, &p, &g->events[w]);
    if (p.width > 8 && to->count > 1 && may_mix(v, e->b))
        mix_bytes(v, to, p.width);
}

/* ---- operations ----------------------------------------------------------------------------- */

static void visit_binary(struct values *v, struct value_set *to, const struct expr *e)
{
    const struct value_set *a = set_of(v, e->a), *b = set_of(v, e->b);
    unsigned width = expr_get(v->graph->exprs, e->a)->width;
    if (is_empty(a) || is_empty(b))
        return;
    if (a->any || b->any || width > 64 || e->width > 64) {
        if (e->width == 1) {
            add_value(v, to, 0);
            add_value(v, to, 1);
        } else {
            add_any(v, to);
        }
        return;
    }
    for (uint32_t i = 0; i < a->count && !to->any; i++)
        for (uint32_t j = 0; j < b->count && !to->any; j++)
            add_value(v, to, expr_apply(v->graph->exprs, e, a->at[i], b->at[j]));
}

static void visit_ite(struct values *v, struct value_set *to, const struct expr *e)
{
    const struct value_set *c = set_of(v, e->a);
    bool may_hold = c->any || (c->count && c->at[c->count - 1]);
    bool may_fail = c->any || (c->count && !c->at[0]);
    if (may_hold)
        add_set(v, to, set_of(v, e->b));
    if (may_fail)
        add_set(v, to, set_of(v, e->c));
}

static void visit_unary(struct values *v, struct value_set *to, const struct expr *e)
{
    const struct value_set *a = set_of(v, e->a);
    unsigned from = expr_get(v->graph->exprs, e->a)->width;
    if (a->any || (from > 64 && !is_empty(a))) {
        add_any(v, to);
        return;
    }
    for (uint32_t i = 0; i < a->count; i++)
        add_value(v, to, expr_apply(v->graph->exprs, e, a->at[i], 0));
}

static void visit(struct values *v, expr_id id)
{
    const struct expr *e = expr_get(v->graph->exprs, id);
    struct value_set *to = &v->sets[id];
    if (to->any)
        return;
    switch (e->op) {
    case EXPR_CONST:
        add_value(v, to, e->value);
        return;
    case EXPR_READ:
        visit_read(v, to, e);
        return;
    case EXPR_CHOICE:
        if (v->graph->choices[e->a].stands_for) {
            add_set(v, to, set_of(v, v->graph->choices[e->a].stands_for - 1));
            return;
        }
        if (e->width > 1) {
            add_any(v, to);
            return;
        }
        add_value(v, to, 0);
        add_value(v, to, 1);
        return;
    case EXPR_ITE:
        visit_ite(v, to, e);
        return;
    case EXPR_NOT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
        visit_unary(v, to, e);
        return;
    default:
        visit_binary(v, to, e);
        return;
    }
}

static uint32_t count_reads(const struct graph *graph)
{
    uint32_t count = 0;
    for (event_id e = 0; e < graph->event_count; e++)
        count += graph->events[e].kind == EVENT_READ;
    return count;
}

/* Choices that stand for something made later. */
static uint32_t count_stand_ins(const struct graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->choice_count; i++)
        count += graph->choices[i].stands_for != 0;
    return count;
}

/* A value rests on no read twice, and operands stand before what is made of them: a round follows every
 * chain of reads and of stand-ins one further. */
struct values *values_new(struct arena *arena, const struct graph *graph)
{
    struct values *v = ARENA_NEW(arena, struct values);
    uint32_t count = expr_count(graph->exprs);
    v->arena = arena;
    v->graph = graph;
    v->sets = ARENA_ARRAY(arena, struct value_set, count);
    v->changed = true;
    uint32_t rounds = count_reads(graph) + count_stand_ins(graph) + 1;
    for (uint32_t round = 0; v->changed && round < rounds; round++) {
        v->changed = false;
        for (expr_id id = 0; id < count; id++) {
            uint32_t before = v->sets[id].count;
            visit(v, id);
            if (round >= MAX_ROUNDS &&
                v->sets[id].count != before) /* still growing: give up on it */
                add_any(v, &v->sets[id]);
        }
    }
    return v;
}

const uint64_t *values_of(const struct values *v, expr_id expr, uint32_t *count)
{
    static const uint64_t none[1];
    const struct value_set *set = set_of(v, expr);
    *count = set->count;
    if (set->any)
        return NULL;
    return set->at ? set->at : none;
}

bool values_may_read(const struct values *v, event_id read, event_id write)
{
    assert(event_is_memory(&v->graph->events[read]) && event_is_write(&v->graph->events[write]));
    const struct event *r = &v->graph->events[read], *w = &v->graph->events[write];
    const struct value_set *ra = set_of(v, r->address), *wa = set_of(v, w->address);
    if (r->rmw == write || !may_execute(v, r) || !may_execute(v, w))
        return false;
    if (ra->any || wa->any)
        return true;
    for (uint32_t i = 0; i < ra->count; i++)
        for (uint32_t j = 0; j < wa->count; j++) {
            uint32_t shift;
            if (overlap_at(v->graph, ra->at[i], r->bytes, wa->at[j], w->bytes, &shift) != APART)
                return true;
        }
    return false;
}
