/* SPDX-License-Identifier: MIT */
#include "model/theory/reason.h"

/* Cheapest paths (Dijkstra). The length of a path is the cost of its edges, then their number. */

enum { STEP = 1, FACT = 1 << 16 };

/* An event and a way to it, perhaps not the shortest. */
struct reached {
    uint64_t distance;
    event_id event;
};

struct path_search {
    struct arena *arena;
    struct theory *theory;
    cat_id node;
    uint32_t deadline;
    const uint64_t *within;
    uint64_t *distance; /* UINT64_MAX: not reached */
    event_id *before;   /* NONE: the edge comes from where the search began */
    bool *done;
    VEC(struct reached) heap; /* the nearest first; of equally near ones the least event */
    event_id goal;            /* NONE: everything */
    uint64_t last;            /* no edge into the goal is shorter */
};

/* A search in which no event was reached yet. */
static struct path_search search_open(struct theory *theory, cat_id node, uint32_t deadline,
                                      const uint64_t *within)
{
    struct arena *arena = arena_scratch(theory->arena);
    struct path_search s = {arena, theory, node, deadline, within};
    s.distance = ARENA_ARRAY(arena, uint64_t, theory->n);
    s.before = ARENA_ARRAY(arena, event_id, theory->n);
    s.done = ARENA_ARRAY(arena, bool, theory->n);
    for (event_id e = 0; e < theory->n; e++)
        s.distance[e] = UINT64_MAX;
    return s;
}

static bool is_nearer(struct reached a, struct reached b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.event < b.event;
}

static void enter(struct path_search *s, struct reached reached)
{
    uint32_t at = s->heap.len;
    vec_push(s->arena, &s->heap, reached);
    for (; at > 0 && is_nearer(reached, s->heap.at[(at - 1) / 2]); at = (at - 1) / 2)
        s->heap.at[at] = s->heap.at[(at - 1) / 2];
    s->heap.at[at] = reached;
}

static struct reached take_nearest(struct path_search *s)
{
    struct reached first = s->heap.at[0], last = s->heap.at[--s->heap.len];
    uint32_t at = 0;
    for (uint32_t below = 1; below < s->heap.len; below = 2 * at + 1) {
        if (below + 1 < s->heap.len && is_nearer(s->heap.at[below + 1], s->heap.at[below]))
            below++;
        if (!is_nearer(s->heap.at[below], last))
            break;
        s->heap.at[at] = s->heap.at[below];
        at = below;
    }
    s->heap.at[at] = last;
    return first;
}

static bool is_late(const struct path_search *s, event_id from, event_id to)
{
    return s->deadline != UINT32_MAX && reason_round(s->theory, s->node, from, to) > s->deadline;
}

static uint64_t edge_length(const struct path_search *s, event_id from, event_id to)
{
    return STEP + (uint64_t)FACT * reason_cost(s->theory, s->node, from, to);
}

static void try_edge(struct path_search *s, event_id from, event_id to, uint64_t distance,
                     event_id before)
{
    if (s->done[to] || distance + STEP >= s->distance[to] || is_late(s, from, to))
        return;
    distance += edge_length(s, from, to);
    if (distance >= s->distance[to])
        return;
    s->distance[to] = distance;
    s->before[to] = before;
    enter(s, (struct reached){distance, to});
}

/* Two edges or more lead to the goal through another event: can they be shorter than the way that is known? */
static bool is_worth_a_detour(const struct path_search *s, uint64_t distance)
{
    return s->goal == NONE || distance + STEP + s->last < s->distance[s->goal];
}

/* Tries the edges from -> ..., where 'from' lies 'distance' away. */
static void relax(struct path_search *s, event_id from, uint64_t distance, event_id before)
{
    const struct rel *r = s->theory->now[s->node];
    if (s->goal != NONE && rel_has(r, from, s->goal))
        try_edge(s, from, s->goal, distance, before);
    for (uint32_t w = 0; w < r->words && is_worth_a_detour(s, distance); w++) {
        uint64_t left = rel_row(r, from)[w] & (s->within ? s->within[w] : UINT64_MAX);
        for (; left; left &= left - 1)
            try_edge(s, from, w * 64 + (uint32_t)__builtin_ctzll(left), distance, before);
    }
}

static void measure_last(struct path_search *s)
{
    const struct rel *r = s->theory->now[s->node];
    s->last = UINT64_MAX / 2;
    for (event_id e = 0; e < r->n; e++)
        if (rel_has(r, e, s->goal) && !is_late(s, e, s->goal) &&
            edge_length(s, e, s->goal) < s->last)
            s->last = edge_length(s, e, s->goal);
}

/* The nearest event that is not done, or NONE. */
static event_id nearest(struct path_search *s)
{
    while (s->heap.len > 0) {
        event_id e = take_nearest(s).event;
        if (!s->done[e])
            return e;
    }
    return NONE;
}

/* Stops when 'goal' (NONE: everything) is done. */
static void search_from(struct path_search *s, event_id a, event_id goal)
{
    s->goal = goal;
    if (goal != NONE)
        measure_last(s);
    relax(s, a, 0, NONE);
    for (event_id e = nearest(s); e != NONE; e = nearest(s)) {
        bool is_known = goal != NONE && s->distance[e] + s->last >= s->distance[goal];
        if (e == goal || is_known) {
            s->done[goal] = true;
            return;
        }
        s->done[e] = true;
        relax(s, e, s->distance[e], e);
    }
}

static uint32_t saturated(uint64_t distance)
{
    return distance / FACT > COST_LIMIT ? COST_LIMIT : (uint32_t)(distance / FACT);
}

uint32_t reason_path(struct theory *theory, cat_id node, event_id a, event_id b, uint32_t deadline,
                     const uint64_t *within, event_id *path, uint32_t *cost)
{
    struct path_search s = search_open(theory, node, deadline, within);
    uint32_t length = 0;
    search_from(&s, a, b);
    if (s.done[b]) {
        *cost = saturated(s.distance[b]);
        for (event_id e = b; e != NONE; e = s.before[e])
            length++;
        event_id e = b;
        for (uint32_t i = length; i-- > 0; e = s.before[e])
            path[i] = e;
    }
    arena_free(s.arena);
    return length;
}

void reason_costs_from(struct theory *theory, cat_id node, event_id a, uint32_t deadline,
                       uint32_t *costs)
{
    struct path_search s = search_open(theory, node, deadline, NULL);
    search_from(&s, a, NONE);
    for (event_id e = 0; e < theory->n; e++)
        costs[e] = s.done[e] ? saturated(s.distance[e]) : UINT32_MAX;
    arena_free(s.arena);
}
