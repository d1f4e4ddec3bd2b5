/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

#include "model/theory/reason.h"

#include "litmus/base/sort.h"

/* A way to break an axiom, before its facts are known. */
struct breach {
    event_id *events;
    uint32_t count;
    uint32_t cost;
};

struct breaches {
    struct arena *arena;
    VEC(struct breach) items;
};

static void add_breach(struct breaches *found, const event_id *events, uint32_t count,
                       uint32_t cost)
{
    struct breach breach = {ARENA_ARRAY(found->arena, event_id, count), count, cost};
    memcpy(breach.events, events, count * sizeof *events);
    vec_push(found->arena, &found->items, breach);
}

static int compare_events(const event_id *a, uint32_t a_count, const event_id *b, uint32_t b_count)
{
    for (uint32_t i = 0; i < a_count && i < b_count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return (a_count > b_count) - (a_count < b_count);
}

static int compare_breaches(const void *x, const void *y)
{
    const struct breach *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return compare_events(a->events, a->count, b->events, b->count);
}

/* ---- what breaks a check -------------------------------------------------------------------- */

static void find_pairs(struct theory *theory, cat_id node, struct breaches *found)
{
    bool is_set = theory->model->nodes[node].is_set;
    for (event_id a = 0; a < theory->n; a++)
        for (event_id b = 0; b < (is_set ? 1 : theory->n); b++)
            if (theory_has(theory->now[node], a, b)) {
                event_id pair[2] = {a, is_set ? a : b};
                add_breach(found, pair, 2, reason_cost(theory, node, a, b));
            }
}

static void find_loops(struct theory *theory, cat_id node, struct breaches *found)
{
    for (event_id a = 0; a < theory->n; a++)
        if (rel_has(theory->now[node], a, a))
            add_breach(found, &a, 1, reason_cost(theory, node, a, a));
}

/* Starts a cycle at its least event, so that equal cycles look equal. */
static void rotate(event_id *cycle, uint32_t count)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < count; i++)
        if (cycle[i] < cycle[least])
            least = i;
    event_id turned[count];
    for (uint32_t i = 0; i < count; i++)
        turned[i] = cycle[(least + i) % count];
    memcpy(cycle, turned, sizeof turned);
}

/* A cheapest cycle through each event that is on one, but for those on cycles found already. */
static void find_cycles(struct theory *theory, cat_id node, struct breaches *found)
{
    struct rel *closure = rel_new(found->arena, theory->n);
    struct rel *around = set_new(found->arena, theory->n);
    struct rel *covered = set_new(found->arena, theory->n);
    event_id *cycle = ARENA_ARRAY(found->arena, event_id, theory->n + 1);
    rel_closure(closure, theory->now[node]);
    for (event_id a = 0; a < theory->n; a++) {
        uint32_t cost;
        if (!rel_has(closure, a, a) || set_has(covered, a))
            continue;
        rel_clear(around);
        for (event_id b = 0; b < theory->n; b++)
            if (rel_has(closure, a, b) && rel_has(closure, b, a))
                set_add(around, b);
        uint32_t count = reason_path(theory, node, a, a, UINT32_MAX, around->bits, cycle, &cost);
        for (uint32_t i = 0; i < count; i++)
            set_add(covered, cycle[i]);
        rotate(cycle, count);
        add_breach(found, cycle, count, cost);
    }
}

static bool is_irreflexive(const struct rel *r)
{
    for (event_id a = 0; a < r->n; a++)
        if (rel_has(r, a, a))
            return false;
    return true;
}

static bool is_acyclic(struct arena *arena, const struct rel *r)
{
    struct rel *closure = rel_new(arena, r->n);
    rel_closure(closure, r);
    return is_irreflexive(closure);
}

bool theory_holds(struct theory *theory, uint32_t index)
{
    const struct cat_axiom *axiom = &theory->model->axioms[index];
    const struct rel *value = theory->now[axiom->node];
    bool passes;
    if (axiom->check == CAT_IS_EMPTY) {
        passes = rel_is_empty(value);
    } else if (axiom->check == CAT_IRREFLEXIVE) {
        passes = is_irreflexive(value);
    } else {
        struct arena *scratch = arena_scratch(theory->arena);
        passes = is_acyclic(scratch, value);
        arena_free(scratch);
    }
    return passes != axiom->negated;
}

/* ---- violations ----------------------------------------------------------------------------- */

/* Cycles for a reader: the events that an irreflexive composition goes through. */
static void expand(struct theory *theory, cat_id id, event_id a, event_id b, struct arena *arena,
                   struct violation *violation, uint32_t *room)
{
    const struct cat_node *node = &theory->model->nodes[id];
    uint32_t cost;
    if (node->op != CAT_COMPOSE)
        return;
    event_id m = reason_midpoint(theory, id, a, b, &cost);
    expand(theory, node->a, a, m, arena, violation, room);
    if (violation->cycle[violation->cycle_length - 1] != m && violation->cycle_length < *room)
        violation->cycle[violation->cycle_length++] = m;
    expand(theory, node->b, m, b, arena, violation, room);
}

static void show_cycle(struct theory *theory, struct arena *arena, const struct cat_axiom *axiom,
                       const struct breach *breach, struct violation *violation)
{
    uint32_t room = theory->n + 1 > breach->count ? theory->n + 1 : breach->count;
    violation->cycle = ARENA_ARRAY(arena, event_id, room);
    memcpy(violation->cycle, breach->events, breach->count * sizeof(event_id));
    violation->cycle_length = breach->count;
    if (axiom->check != CAT_IRREFLEXIVE)
        return;
    expand(theory, axiom->node, breach->events[0], breach->events[0], arena, violation, &room);
    if (violation->cycle_length > 1 &&
        violation->cycle[violation->cycle_length - 1] == violation->cycle[0])
        violation->cycle_length--;
}

/* The facts that suffice for the breach, and the cycle to show for it. */
static struct violation explain(struct theory *theory, struct arena *arena, uint32_t index,
                                const struct breach *breach)
{
    const struct cat_axiom *axiom = &theory->model->axioms[index];
    struct violation violation = {.axiom = index};
    struct fact_sink sink = {.arena = arena};
    const event_id *events = breach->events;
    reason_open(theory);
    if (axiom->check == CAT_IS_EMPTY)
        reason_add(theory, axiom->node, events[0], events[1], true, &sink);
    else if (axiom->check == CAT_IRREFLEXIVE)
        reason_add(theory, axiom->node, events[0], events[0], true, &sink);
    else
        for (uint32_t i = 0; i < breach->count; i++)
            reason_add(theory, axiom->node, events[i], events[(i + 1) % breach->count], true,
                       &sink);
    fact_sort(&sink.list);
    violation.facts = sink.list;
    show_cycle(theory, arena, axiom, breach, &violation);
    return violation;
}

/* A negated check is broken as a whole: nothing that could be there is. */
static struct violation explain_negated(struct theory *theory, struct arena *arena, uint32_t index)
{
    const struct cat_axiom *axiom = &theory->model->axioms[index];
    const struct rel *now = theory->now[axiom->node], *may = theory->may[axiom->node];
    struct fact_sink sink = {.arena = arena};
    uint32_t columns = theory->model->nodes[axiom->node].is_set ? 1 : theory->n;
    reason_open(theory);
    for (event_id a = 0; a < theory->n; a++)
        for (event_id b = 0; b < columns; b++)
            if (theory_has(may, a, b) && !theory_has(now, a, b) &&
                (axiom->check != CAT_IRREFLEXIVE || a == b))
                reason_add(theory, axiom->node, a, b, false, &sink);
    fact_sort(&sink.list);
    return (struct violation){.axiom = index, .facts = sink.list};
}

struct violations {
    struct arena *arena;
    VEC(struct violation) items;
};

static int compare_violations(const void *x, const void *y)
{
    const struct violation *a = x, *b = y;
    if (a->facts.items.len != b->facts.items.len)
        return a->facts.items.len < b->facts.items.len ? -1 : 1;
    int order = compare_events(a->cycle, a->cycle_length, b->cycle, b->cycle_length);
    return order ? order : (a->axiom > b->axiom) - (a->axiom < b->axiom);
}

/* Drops violations that a shorter one implies; what holds of a flag says nothing of other axioms.
 */
static void drop_implied(const struct cat_model *model, struct violations *all)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->items.len; i++) {
        const struct violation *here = &all->items.at[i];
        bool implied = false;
        for (uint32_t j = 0; j < kept && !implied; j++) {
            const struct violation *other = &all->items.at[j];
            bool comparable = here->axiom == other->axiom || (!model->axioms[here->axiom].flag &&
                                                              !model->axioms[other->axiom].flag);
            implied = comparable && fact_subset(&other->facts, &here->facts);
        }
        if (!implied)
            all->items.at[kept++] = all->items.at[i];
    }
    all->items.len = kept;
}

/* Adds the ways in which the execution breaks the axiom, those with the cheapest reasons first,
 * 'limit' at most. */
static void violate(struct theory *theory, struct arena *scratch, uint32_t index, uint32_t limit,
                    struct violations *all)
{
    const struct cat_axiom *axiom = &theory->model->axioms[index];
    struct breaches found = {.arena = scratch};
    if (axiom->negated) {
        if (!theory_holds(theory, index))
            vec_push(all->arena, &all->items, explain_negated(theory, all->arena, index));
        return;
    }
    if (axiom->check == CAT_IS_EMPTY)
        find_pairs(theory, axiom->node, &found);
    else if (axiom->check == CAT_IRREFLEXIVE)
        find_loops(theory, axiom->node, &found);
    else
        find_cycles(theory, axiom->node, &found);
    sort_array(found.items.at, found.items.len, sizeof *found.items.at, compare_breaches);
    for (uint32_t i = 0; i < found.items.len && i < limit; i++)
        vec_push(all->arena, &all->items, explain(theory, all->arena, index, &found.items.at[i]));
}

uint32_t theory_violations(struct theory *theory, struct arena *arena, const bool *axioms,
                           uint32_t limit, struct violation **violations)
{
    assert(theory->evaluation && violations);
    struct arena *scratch = arena_scratch(theory->arena);
    struct violations all = {.arena = arena};
    for (uint32_t i = 0; i < theory->model->axiom_count; i++)
        if (axioms ? axioms[i] : !theory->model->axioms[i].flag)
            violate(theory, scratch, i, limit, &all);
    arena_free(scratch);
    sort_array(all.items.at, all.items.len, sizeof *all.items.at, compare_violations);
    drop_implied(theory->model, &all);
    *violations = all.items.at;
    return all.items.len;
}
