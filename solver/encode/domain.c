/* SPDX-License-Identifier: MIT */
#include "solver/encode/domain.h"

#include <glib.h>
#include <string.h>

/* A domain grows by rounds. In each, reads take the values that writes had after the last one, and
 * every expression is computed again from its kids. A value of an execution rests on a tree of
 * reads-from steps in which no write repeats on a path, so after as many rounds as there are writes
 * that depend on reads, every value has been met, even where the rounds would go on (a counter that
 * two threads increment reaches 2 and not infinity). */

/* ---- sets of values ------------------------------------------------------------------------- */

struct collector {
    bool any;
    uint32_t count, most;
    uint64_t *at;
};

/* Keeps the values sorted; more than 'most' are any. */
static void collect(struct collector *set, uint64_t value)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->at[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    if (set->any || (low < set->count && set->at[low] == value))
        return;
    if (set->count >= set->most) {
        set->any = true;
        return;
    }
    memmove(set->at + low + 1, set->at + low, sizeof *set->at * (set->count - low));
    set->at[low] = value;
    set->count++;
}

static void collect_all(struct collector *set, const struct domain *domain)
{
    set->any |= domain->any;
    for (uint32_t i = 0; i < domain->count && !set->any; i++)
        collect(set, domain->at[i]);
}

/* Makes 'domain' what was collected; true when that changes it. Domains only grow. */
static bool settle(struct arena *arena, struct domain *domain, const struct collector *set)
{
    if (domain->any)
        return false;
    if (set->any) {
        domain->any = true;
        domain->count = 0;
        return true;
    }
    if (set->count == domain->count)
        return false;
    domain->at = ARENA_ARRAY(arena, uint64_t, set->count);
    memcpy(domain->at, set->at, sizeof *set->at * set->count);
    domain->count = set->count;
    return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void apply_unary(struct domains *domains, const struct expr *expr, struct collector *set)
{
    const struct domain *a = &domains->of[expr->a];
    set->any |= a->any;
    for (uint32_t i = 0; i < a->count && !set->any; i++)
        collect(set, expr_apply(domains->graph->exprs, expr, a->at[i], 0));
}

static bool has(const struct domain *domain, uint64_t value)
{
    for (uint32_t i = 0; i < domain->count; i++)
        if (domain->at[i] == value)
            return true;
    return false;
}

/* One operand of a conjunction or disjunction can decide it while the other has no value, being of
 * a read that does not execute. */
static void apply_absorbed(const struct domain *a, const struct domain *b, enum expr_op op,
                           struct collector *set)
{
    uint64_t decisive = op == EXPR_OR;
    if ((op == EXPR_AND || op == EXPR_OR) && (has(a, decisive) || has(b, decisive)))
        collect(set, decisive);
}

static void apply_binary(struct domains *domains, const struct expr *expr, struct collector *set)
{
    const struct domain *a = &domains->of[expr->a], *b = &domains->of[expr->b];
    set->any |= a->any || b->any;
    for (uint32_t i = 0; i < a->count && !set->any; i++)
        for (uint32_t j = 0; j < b->count && !set->any; j++)
            collect(set, expr_apply(domains->graph->exprs, expr, a->at[i], b->at[j]));
    if (expr->width == 1)
        apply_absorbed(a, b, expr->op, set);
}

static void apply_ite(struct domains *domains, const struct expr *expr, struct collector *set)
{
    const struct domain *condition = &domains->of[expr->a];
    for (uint32_t i = 0; i < condition->count; i++)
        collect_all(set, &domains->of[condition->at[i] ? expr->b : expr->c]);
}

/* A truth value is never 'any': both will do. */
static void tame(const struct expr *expr, struct collector *set)
{
    if (expr->width != 1 || !set->any)
        return;
    set->any = false;
    set->count = 2;
    set->at[0] = 0;
    set->at[1] = 1;
}

/* Computes the values of the expression from those of its operands. True: there are new ones. */
static bool refresh_expr(struct arena *arena, struct domains *domains, expr_id id)
{
    const struct expr *expr = expr_get(domains->graph->exprs, id);
    struct collector set = {expr->width > 64, 0, DOMAIN_LIMIT, domains->collected};
    expr_id kids[3];
    if (expr->op == EXPR_READ)
        return false;
    if (expr->op == EXPR_CONST && !set.any)
        collect(&set, expr->value);
    else if (expr->op == EXPR_CHOICE)
        set.any = true;
    else if (expr->op == EXPR_ITE)
        apply_ite(domains, expr, &set);
    else if (expr_kids(expr, kids) == 1)
        apply_unary(domains, expr, &set);
    else if (expr->op != EXPR_CONST)
        apply_binary(domains, expr, &set);
    tame(expr, &set);
    return settle(arena, &domains->of[id], &set);
}

/* ---- places --------------------------------------------------------------------------------- */

static void add_place(struct arena *arena, struct domains *domains, event_id e, uint64_t address)
{
    struct footprint place = {.address = address}, *grown;
    uint32_t count = domains->place_count[e];
    if (!graph_granules(domains->graph, address, domains->graph->events[e].bytes, &place.first,
                        &place.count) ||
        !graph_physical(domains->graph, address, &place.physical))
        return;
    grown = ARENA_ARRAY(arena, struct footprint, count + 1);
    if (count)
        memcpy(grown, domains->places[e], sizeof *grown * count);
    grown[count] = place;
    domains->places[e] = grown;
    domains->place_count[e]++;
}

/* An address that can be anything in its domain's view: unfolding knows better. */
static void add_every_place(struct arena *arena, struct domains *domains, event_id e)
{
    const struct event *event = &domains->graph->events[e];
    for (uint32_t i = 0; i < event->address_count; i++)
        add_place(arena, domains, e, event->addresses[i]);
}

/* Finds the places of the access again when its address has new values. True: it did. */
static bool place_event(struct arena *arena, struct domains *domains, event_id e)
{
    const struct event *event = &domains->graph->events[e];
    const struct domain *address;
    if (!event_is_memory(event) || expr_is_false(domains->graph->exprs, event->guard))
        return false;
    address = &domains->of[event->address];
    uint32_t known = address->any ? UINT32_MAX : address->count;
    if (domains->placed[e] == known)
        return false;
    domains->placed[e] = known;
    domains->place_count[e] = 0;
    if (address->any)
        add_every_place(arena, domains, e);
    for (uint32_t i = 0; i < address->count; i++)
        add_place(arena, domains, e, address->at[i]);
    return true;
}

bool footprint_covers(const struct footprint *place, uint32_t granule)
{
    return granule - place->first < place->count;
}

unsigned footprint_shift(const struct graph *graph, const struct footprint *place, uint32_t granule)
{
    return (unsigned)(graph->granules[granule].physical - place->physical) * 8;
}

uint64_t footprint_cut(const struct graph *graph, const struct footprint *place, uint32_t granule,
                       uint64_t value)
{
    unsigned shift = footprint_shift(graph, place, granule),
             bits = graph->granules[granule].bytes * 8;
    value = shift < 64 ? value >> shift : 0;
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

/* The writes that may cover each granule: counts them first, then lists them. */
static void list_writers(struct arena *arena, struct domains *domains)
{
    const struct graph *graph = domains->graph;
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, graph->granule_count + 1);
    memset(domains->writer_count, 0, sizeof *domains->writer_count * graph->granule_count);
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t g = 0; g < graph->granule_count; g++) {
            last[g] = NONE;
            if (fill)
                domains->writers[g] = ARENA_ARRAY(arena, event_id, domains->writer_count[g] + 1);
            domains->writer_count[g] = fill ? 0 : domains->writer_count[g];
        }
        for (event_id e = 0; e < graph->event_count; e++) {
            if (!event_is_write(&graph->events[e]))
                continue;
            for (uint32_t p = 0; p < domains->place_count[e]; p++) {
                const struct footprint *place = &domains->places[e][p];
                for (uint32_t g = place->first; g < place->first + place->count; g++) {
                    if (last[g] == e)
                        continue;
                    last[g] = e;
                    if (fill)
                        domains->writers[g][domains->writer_count[g]] = e;
                    domains->writer_count[g]++;
                }
            }
        }
    }
}

/* ---- reads ---------------------------------------------------------------------------------- */

static bool writes_constant(const struct graph *graph, event_id e)
{
    uint64_t value;
    return event_is_write(&graph->events[e]) &&
           expr_is_const(graph->exprs, graph->events[e].value, &value);
}

uint32_t domains_limit(const struct domains *domains, uint32_t granule)
{
    uint32_t limit = DOMAIN_LIMIT;
    for (uint32_t i = 0; i < domains->writer_count[granule]; i++)
        limit += writes_constant(domains->graph, domains->writers[granule][i]);
    return MIN(limit, DOMAIN_MOST);
}

bool domains_exclude(const struct domains *domains, event_id write, event_id read)
{
    bool **origin = domains->excluded ? domains->excluded->origin : NULL;
    return origin && origin[read] && origin[read][write];
}

static void collect_from_writers(const struct domains *domains, event_id read, uint32_t granule,
                                 struct collector *set)
{
    const struct graph *graph = domains->graph;
    for (uint32_t i = 0; i < domains->writer_count[granule] && !set->any; i++) {
        event_id w = domains->writers[granule][i];
        const struct domain *value = &domains->of[graph->events[w].value];
        if (domains_exclude(domains, w, read))
            continue;
        set->any |= value->any;
        for (uint32_t p = 0; p < domains->place_count[w] && !set->any; p++)
            if (footprint_covers(&domains->places[w][p], granule))
                for (uint32_t v = 0; v < value->count; v++)
                    collect(set,
                            footprint_cut(graph, &domains->places[w][p], granule, value->at[v]));
    }
}

/* A read returns what some write may have left in a granule that the read may be at. True: there
 * are new values. */
static bool refresh_read(struct arena *arena, struct domains *domains, expr_id id)
{
    const struct expr *expr = expr_get(domains->graph->exprs, id);
    struct collector set = {expr->width > 64, 0, DOMAIN_LIMIT, domains->collected};
    event_id read = expr->b;
    for (uint32_t p = 0; p < domains->place_count[read]; p++) {
        const struct footprint *place = &domains->places[read][p];
        if (expr->a >= place->count)
            continue;
        uint32_t most = set.count + domains_limit(domains, place->first + expr->a);
        set.most = MIN(MAX(set.most, most), DOMAIN_MOST);
        collect_from_writers(domains, read, place->first + expr->a, &set);
    }
    tame(expr, &set);
    return settle(arena, &domains->of[id], &set);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* One step towards the least domains that agree with each other. False: they do. */
static bool round_of(struct arena *arena, struct domains *domains)
{
    const struct graph *graph = domains->graph;
    uint32_t count = expr_count(graph->exprs);
    bool changed = false, moved = false;
    for (expr_id id = 0; id < count; id++)
        changed |= refresh_expr(arena, domains, id);
    for (event_id e = 0; e < graph->event_count; e++)
        moved |= place_event(arena, domains, e);
    if (moved)
        list_writers(arena, domains);
    for (expr_id id = 0; id < count; id++)
        if (expr_get(graph->exprs, id)->op == EXPR_READ)
            changed |= refresh_read(arena, domains, id);
    return changed || moved;
}

/* Writes whose value or place depends on what reads return: each can ask for one more round. */
static uint32_t dependent_writes(const struct graph *graph)
{
    uint32_t count = 0;
    for (event_id e = 0; e < graph->event_count; e++) {
        const struct event *event = &graph->events[e];
        uint64_t value;
        if (event_is_write(event) && (!expr_is_const(graph->exprs, event->value, &value) ||
                                      !expr_is_const(graph->exprs, event->address, &value)))
            count++;
    }
    return count;
}

struct domains *domains_new(struct arena *arena, const struct graph *graph,
                            const struct exclusion *excluded)
{
    struct domains *domains = ARENA_NEW(arena, struct domains);
    uint32_t rounds = dependent_writes(graph) + 2;
    domains->graph = graph;
    domains->excluded = excluded;
    domains->of = ARENA_ARRAY(arena, struct domain, expr_count(graph->exprs));
    domains->places = ARENA_ARRAY(arena, struct footprint *, graph->event_count);
    domains->place_count = ARENA_ARRAY(arena, uint32_t, graph->event_count);
    domains->placed = ARENA_ARRAY(arena, uint32_t, graph->event_count);
    domains->writers = ARENA_ARRAY(arena, event_id *, graph->granule_count);
    domains->writer_count = ARENA_ARRAY(arena, uint32_t, graph->granule_count);
    domains->collected = ARENA_ARRAY(arena, uint64_t, DOMAIN_MOST);
    for (uint32_t i = 0; i < rounds && round_of(arena, domains); i++)
        ;
    /* Expressions hold every image of what reads hold, also where the rounds were cut short. */
    for (expr_id id = 0; id < expr_count(graph->exprs); id++)
        refresh_expr(arena, domains, id);
    return domains;
}
