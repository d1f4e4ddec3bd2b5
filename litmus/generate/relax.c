/* SPDX-License-Identifier: MIT */
#include "litmus/generate/relax.h"

/* ---- the cycle of a list -------------------------------------------------------------------- */

/* The cycles of a list of words, while they are made. */
struct listing {
    const struct cycle_words *words;
    struct cycle cycle;
    uint32_t met;
    cycle_visit *visit;
    void *context;
};

static bool extend(struct listing *listing)
{
    struct cycle *cycle = &listing->cycle;
    uint32_t at = cycle->count, count = listing->words->items.len;
    bool go_on = true;
    if (at == count) {
        if (!cycle_fits(&cycle->edge[count - 1], &cycle->edge[0]))
            return true;
        listing->met++;
        return listing->visit(listing->context, cycle);
    }
    const struct cycle_word *word = &listing->words->items.at[at];
    for (uint32_t i = 0; go_on && i < word->count; i++) {
        if (at && !cycle_fits(&cycle->edge[at - 1], &word->at[i]))
            continue;
        cycle->edge[at] = word->at[i];
        cycle->count = at + 1;
        go_on = extend(listing);
        cycle->count = at;
    }
    return go_on;
}

/* Words that fit in no way are visited as well: whoever builds the cycle says what is wrong. */
bool cycle_each(const struct cycle_words *words, cycle_visit *visit, void *context)
{
    struct listing listing = {.words = words, .visit = visit, .context = context};
    bool go_on = extend(&listing);
    if (!go_on || listing.met)
        return go_on;
    listing.cycle.count = words->items.len;
    for (uint32_t i = 0; i < words->items.len; i++)
        listing.cycle.edge[i] = words->items.at[i].at[0];
    return visit(context, &listing.cycle);
}

/* ---- every cycle ---------------------------------------------------------------------------- */

struct relaxing {
    const struct cycle_edge *edges;
    uint32_t edge_count, size;
    struct generate_range threads;
    struct generate_share share;
    uint64_t prefixes;
    cycle_visit *visit;
    void *context;
    uint32_t at[CYCLE_EDGES + 1]; /* edges chosen, from 1; at[0] is 0 */
};

/* Is the second edge, after the first, more than one edge of a shorter cycle? */
static bool goes_on(const struct cycle_edge *first, const struct cycle_edge *second)
{
    if (!cycle_fits(first, second))
        return false;
    if (!first->external || !second->external)
        return true;
    return second->relation != (first->relation == EDGE_RF ? EDGE_FR : EDGE_CO);
}

static bool close_cycle(struct relaxing *r)
{
    struct cycle cycle = {.count = r->size};
    uint32_t threads = 0;
    for (uint32_t k = 0; k < r->size; k++) {
        cycle.edge[k] = r->edges[r->at[k + 1]];
        threads += cycle.edge[k].external;
    }
    if (threads < r->threads.least || threads > r->threads.most ||
        !goes_on(&cycle.edge[r->size - 1], &cycle.edge[0]))
        return true;
    return r->visit(r->context, &cycle);
}

/* Of the readings of a cycle the smallest: Fredricksen, Kessler and Maiorana's necklaces. 'period': of
 * what is chosen so far. */
static bool choose(struct relaxing *r, uint32_t place, uint32_t period)
{
    if (place == 3 && r->prefixes++ % r->share.count != r->share.number - 1)
        return true;
    if (place > r->size)
        return r->size % period || close_cycle(r);
    bool go_on = true;
    uint32_t least = r->at[place - period];
    for (uint32_t edge = least; go_on && edge < r->edge_count; edge++) {
        if (place > 1 && !goes_on(&r->edges[r->at[place - 1]], &r->edges[edge]))
            continue;
        r->at[place] = edge;
        go_on = choose(r, place + 1, edge == least ? period : place);
    }
    return go_on;
}

bool relax_each(const struct cycle_words *words, struct generate_range sizes,
                struct generate_range threads, struct generate_share share, cycle_visit *visit,
                void *context)
{
    struct arena *arena = arena_new();
    VEC(struct cycle_edge) edges = {0};
    for (uint32_t i = 0; i < words->items.len; i++)
        for (uint32_t k = 0; k < words->items.at[i].count; k++)
            vec_push(arena, &edges, words->items.at[i].at[k]);
    struct relaxing relaxing = {.edges = edges.at,
                                .edge_count = edges.len,
                                .threads = threads,
                                .share = share,
                                .visit = visit,
                                .context = context};
    bool go_on = true;
    for (relaxing.size = sizes.least; go_on && relaxing.size <= sizes.most; relaxing.size++)
        go_on = choose(&relaxing, 1, 1);
    arena_free(arena);
    return go_on;
}
