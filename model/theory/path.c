/* SPDX-License-Identifier: MIT */
#include "model/theory/reason.h"

/* Cheapest paths (Dijkstra). The length of a path is the cost of its edges, then their number. */

enum { STEP = 1, FACT = 1 << 16 };

struct path_search {
    struct arena *arena;
    struct theory *theory;
    cat_id node;
    uint32_t deadline;
    const uint64_t *within;
    uint64_t *distance; /* UINT64_MAX: not reached */
    event_id *before;   /* NONE: the edge comes from where the search began */
    bool *done;
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

/* Tries the edges from -> ..., where 'from' lies 'distance' away. */
static void relax(struct path_search *s, event_id from, uint64_t distance, event_id before)
{
    const struct rel *r = s->theory->now[s->node];
    for (uint32_t w = 0; w < r->words; w++) {
        uint64_t left = rel_row(r, from)[w] & (s->within ? s->within[w] : UINT64_MAX);
        for (; left; left &= left - 1) {
            event_id to = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (s->done[to] || distance + STEP >= s->distance[to] ||
                (s->deadline != UINT32_MAX &&
                 reason_round(s->theory, s->node, from, to) > s->deadline))
                continue;
            uint64_t cost = reason_cost(s->theory, s->node, from, to);
            if (distance + STEP + FACT * cost >= s->distance[to])
                continue;
            s->distance[to] = distance + STEP + FACT * cost;
            s->before[to] = before;
        }
    }
}

/* The nearest event that is not done, or NONE. */
static event_id nearest(const struct path_search *s)
{
    event_id best = NONE;
    for (event_id e = 0; e < s->theory->n; e++)
        if (!s->done[e] && s->distance[e] != UINT64_MAX &&
            (best == NONE || s->distance[e] < s->distance[best]))
            best = e;
    return best;
}

/* Stops when 'goal' (NONE: everything) is done. */
static void search_from(struct path_search *s, event_id a, event_id goal)
{
    relax(s, a, 0, NONE);
    for (event_id e = nearest(s); e != NONE; e = nearest(s)) {
        s->done[e] = true;
        if (e == goal)
            return;
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
