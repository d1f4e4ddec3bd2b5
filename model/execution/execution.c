/* SPDX-License-Identifier: MIT */
#include "model/execution/execution.h"

#include <assert.h>
#include <string.h>

#include "litmus/base/arena.h"

/* What follows from the choices of an execution, and whether they are one. */

struct execution *execution_new(struct arena *arena, const struct graph *graph)
{
    struct execution *x = ARENA_NEW(arena, struct execution);
    uint32_t n = graph->event_count, slots = 0;
    x->arena = arena;
    x->graph = graph;
    x->executed = ARENA_ARRAY(arena, bool, n);
    x->address = ARENA_ARRAY(arena, uint64_t, n);
    x->value = ARENA_ARRAY(arena, uint64_t, n);
    x->rf_base = ARENA_ARRAY(arena, uint32_t, n);
    for (event_id e = 0; e < n; e++) {
        x->rf_base[e] = slots;
        slots += graph->events[e].kind == EVENT_READ ? graph->events[e].pieces : 0;
    }
    x->rf = ARENA_ARRAY(arena, event_id, slots);
    for (uint32_t i = 0; i < slots; i++)
        x->rf[i] = NONE;
    x->first_granule = ARENA_ARRAY(arena, uint32_t, n);
    x->granules = ARENA_ARRAY(arena, uint32_t, n);
    x->co = rel_new(arena, n);
    x->sc = rel_new(arena, n);
    x->completion = ARENA_ARRAY(arena, uint32_t, graph->barrier_count);
    x->choice = ARENA_ARRAY(arena, uint64_t, graph->choice_count);
    x->final = ARENA_ARRAY(arena, event_id, graph->granule_count);
    x->observed = ARENA_ARRAY(arena, uint64_t, graph->test->observed_count);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        x->completion[i] = NONE;
    for (uint32_t i = 0; i < graph->granule_count; i++)
        x->final[i] = graph->granules[i].init;
    return x;
}

static uint32_t rf_slots(const struct execution *x)
{
    const struct graph *g = x->graph;
    if (!g->event_count)
        return 0;
    const struct event *last = &g->events[g->event_count - 1];
    return x->rf_base[g->event_count - 1] + (last->kind == EVENT_READ ? last->pieces : 0);
}

#define COPY(to, from, count)                                                                      \
    do {                                                                                           \
        if (count)                                                                                 \
            memcpy((to), (from), (size_t)(count) * sizeof *(to));                                  \
    } while (0)

void execution_assign(struct execution *x, const struct execution *from)
{
    assert(x->graph == from->graph);
    const struct graph *g = from->graph;
    COPY(x->executed, from->executed, g->event_count);
    COPY(x->address, from->address, g->event_count);
    COPY(x->value, from->value, g->event_count);
    COPY(x->rf, from->rf, rf_slots(from));
    COPY(x->first_granule, from->first_granule, g->event_count);
    COPY(x->granules, from->granules, g->event_count);
    COPY(x->completion, from->completion, g->barrier_count);
    COPY(x->choice, from->choice, g->choice_count);
    COPY(x->final, from->final, g->granule_count);
    COPY(x->observed, from->observed, g->test->observed_count);
    rel_copy(x->co, from->co);
    rel_copy(x->sc, from->sc);
    x->stuck = from->stuck;
}

struct execution *execution_copy(struct arena *arena, const struct execution *from)
{
    struct execution *x = execution_new(arena, from->graph);
    execution_assign(x, from);
    return x;
}

/* Completing an execution: facts about events become known in the order that reads-from dictates.
 */
enum known { KNOWS_GUARD = 1, KNOWS_ADDRESS = 2, KNOWS_VALUE = 4, IS_ASSURED = 8 };

struct completion {
    struct execution *x;
    struct expr_memo memo;
    uint8_t *known; /* an event */
    bool *chosen;   /* a choice that rests on something: that is known */
};

static uint64_t granule_mask(const struct granule *granule)
{
    return granule->bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * granule->bytes)) - 1;
}

/* The bits that a write whose value is known left in a granule it covers. */
static uint64_t written_bits(const struct execution *x, event_id write,
                             const struct granule *granule)
{
    uint64_t first = x->graph->granules[x->first_granule[write]].physical;
    return x->value[write] >> (8 * (granule->physical - first)) & granule_mask(granule);
}

static bool covers(const struct execution *x, event_id write, uint32_t granule)
{
    uint32_t first = x->first_granule[write];
    return granule >= first && granule - first < x->granules[write];
}

/* What a read's granule returns, once the write that it comes from is known; choices are given.
 * False: not known yet, or the write does not cover the granule. */
static bool leaf(void *context, const struct expr *e, uint64_t *value)
{
    struct completion *c = context;
    struct execution *x = c->x;
    if (e->op == EXPR_CHOICE) {
        *value = x->choice[e->a];
        return !x->graph->choices[e->a].rests_on || c->chosen[e->a];
    }
    event_id source = x->rf[x->rf_base[e->b] + e->a];
    const uint8_t needed = KNOWS_ADDRESS | KNOWS_VALUE;
    if (source == NONE || (c->known[source] & needed) != needed ||
        !(c->known[e->b] & KNOWS_ADDRESS))
        return false;
    uint32_t granule = x->first_granule[e->b] + e->a;
    if (!covers(x, source, granule))
        return false;
    *value = written_bits(x, source, &x->graph->granules[granule]);
    return true;
}

static bool evaluate(struct completion *c, expr_id id, uint64_t *value)
{
    return expr_eval_memo(c->x->graph->exprs, &c->memo, id, leaf, c, value);
}

/* An address outside every object is known too; the access then has no granules. */
static bool learn_address(struct completion *c, event_id e)
{
    struct execution *x = c->x;
    const struct event *event = &x->graph->events[e];
    if (!evaluate(c, event->address, &x->address[e]))
        return false;
    if (graph_granules(x->graph, x->address[e], event->bytes, &x->first_granule[e],
                       &x->granules[e]))
        return true;
    x->granules[e] = 0;
    return true;
}

/* Learns what it can about the event; true when that was something new. */
static bool learn(struct completion *c, event_id e)
{
    struct execution *x = c->x;
    const struct event *event = &x->graph->events[e];
    uint8_t before = c->known[e];
    uint64_t guard, assured;
    if (!(c->known[e] & KNOWS_GUARD) && evaluate(c, event->guard, &guard)) {
        x->executed[e] = guard;
        c->known[e] |= KNOWS_GUARD;
    }
    if (!(c->known[e] & IS_ASSURED) && evaluate(c, event_assured(x->graph, e), &assured) && assured)
        c->known[e] |= IS_ASSURED;
    bool wanted = (c->known[e] & IS_ASSURED) && event_is_memory(event);
    if (wanted && !(c->known[e] & KNOWS_ADDRESS) && learn_address(c, e))
        c->known[e] |= KNOWS_ADDRESS;
    if (wanted && !(c->known[e] & KNOWS_VALUE) && evaluate(c, event->value, &x->value[e]))
        c->known[e] |= KNOWS_VALUE;
    return c->known[e] != before;
}

/* An access of the branch that is not taken, where the other one makes the same. */
static void forget(struct completion *c, event_id e)
{
    c->known[e] = KNOWS_GUARD;
    c->x->value[e] = 0;
    c->x->granules[e] = 0;
}

/* The choice can be known; true when that is new. */
static bool learn_choice(struct completion *c, uint32_t choice)
{
    expr_id rests_on = c->x->graph->choices[choice].rests_on;
    uint64_t value;
    if (!rests_on || c->chosen[choice] || !evaluate(c, rests_on - 1, &value))
        return false;
    return c->chosen[choice] = true;
}

/* Learns until nothing new follows. False: something that the execution needs stays open, so its
 * values depend on themselves or on what is not there. */
static bool learn_all(struct completion *c)
{
    const struct graph *g = c->x->graph;
    for (bool more = true; more;) {
        more = false;
        for (event_id e = 0; e < g->event_count; e++)
            more |= learn(c, e);
        for (uint32_t i = 0; i < g->choice_count; i++)
            more |= learn_choice(c, i);
    }
    for (event_id e = 0; e < g->event_count; e++) {
        if ((c->known[e] & KNOWS_GUARD) && !c->x->executed[e])
            forget(c, e);
        uint8_t needed = KNOWS_GUARD;
        if (c->x->executed[e] && event_is_memory(&g->events[e]))
            needed |= KNOWS_ADDRESS | KNOWS_VALUE;
        if ((c->known[e] & needed) != needed)
            return false;
    }
    return true;
}

/* Both execute on the same barrier of the same owner. */
static bool same_barrier(struct completion *c, const struct barrier_op *a,
                         const struct barrier_op *b)
{
    uint64_t x, y;
    const struct graph *g = c->x->graph;
    return c->x->executed[a->event] && c->x->executed[b->event] && a->owner == b->owner &&
           event_barrier_class(&g->events[a->event]) == event_barrier_class(&g->events[b->event]) &&
           evaluate(c, a->resource, &x) && evaluate(c, b->resource, &y) && x == y;
}

static uint32_t thread_of(const struct graph *g, const struct barrier_op *op)
{
    return g->events[op->event].thread;
}

/* Completions of barriers without a count follow from the numbers of the operations; only counted
 * ones are choices. */
static bool number_uncounted(struct completion *c)
{
    const struct graph *g = c->x->graph;
    for (uint32_t i = 0; i < g->barrier_count; i++) {
        const struct barrier_op *op = &g->barriers[i];
        uint64_t number = NONE;
        if (op->counted)
            continue;
        if (c->x->executed[op->event] && !evaluate(c, op->number, &number))
            return false;
        c->x->completion[i] = (uint32_t)number;
    }
    return true;
}

/* Counted operations 'a' before 'b' of one thread: numbers grow as graph.h says. */
static bool numbers_grow(struct completion *c, uint32_t a, uint32_t b)
{
    const struct graph *g = c->x->graph;
    const struct barrier_op *x = &g->barriers[a], *y = &g->barriers[b];
    const uint32_t *number = c->x->completion;
    if (thread_of(g, x) != thread_of(g, y) || number[b] == NONE)
        return true;
    bool waits = (g->events[x->event].tags & TAG(SYNC)) && c->x->executed[x->event];
    bool same_kind =
        event_barrier_kind(&g->events[x->event]) == event_barrier_kind(&g->events[y->event]);
    if (!waits && (!same_kind || !same_barrier(c, x, y)))
        return true;
    return number[a] != NONE && number[a] < number[b];
}

/* Parties are not split: what they arrive for together completes together. */
static bool stay_together(struct completion *c, uint32_t a, uint32_t b)
{
    const struct barrier_op *x = &c->x->graph->barriers[a], *y = &c->x->graph->barriers[b];
    uint64_t p, q;
    if (x->party != y->party || !same_barrier(c, x, y) || !evaluate(c, x->number, &p) ||
        !evaluate(c, y->number, &q) || p != q)
        return true;
    return c->x->completion[a] == c->x->completion[b];
}

static bool in_completion(struct completion *c, uint32_t op, uint32_t other)
{
    const struct barrier_op *a = &c->x->graph->barriers[op], *b = &c->x->graph->barriers[other];
    return b->counted && c->x->completion[other] == c->x->completion[op] && same_barrier(c, a, b);
}

/* Does an earlier operation of the completion bring the same party? */
static bool is_brought(struct completion *c, uint32_t op, uint32_t other)
{
    const struct barrier_op *barriers = c->x->graph->barriers;
    for (uint32_t i = 0; i < other; i++)
        if (barriers[i].weight && barriers[i].party == barriers[other].party &&
            in_completion(c, op, i))
            return true;
    return false;
}

/* Does the completion of the operation have the arrivals that it needs? All operations in it must
 * ask for the same number, and a party counts once. */
static bool completion_full(struct completion *c, uint32_t op)
{
    const struct graph *g = c->x->graph;
    uint64_t need, other_need, sum = 0;
    if (!evaluate(c, g->barriers[op].need, &need))
        return false;
    for (uint32_t i = 0; i < g->barrier_count; i++) {
        if (!in_completion(c, op, i))
            continue;
        if (!evaluate(c, g->barriers[i].need, &other_need) || other_need != need)
            return false;
        sum += is_brought(c, op, i) ? 0 : g->barriers[i].weight;
    }
    return sum == need;
}

/* Two companions are in one completion exactly where the choice between them says so. */
static bool companions_hold(struct completion *c)
{
    const struct graph *g = c->x->graph;
    for (uint32_t i = 0; i < g->companion_count; i++) {
        uint32_t a = g->events[g->companions[i].a].barrier,
                 b = g->events[g->companions[i].b].barrier;
        uint64_t together;
        bool are = c->x->completion[a] != NONE && in_completion(c, a, b);
        if (!evaluate(c, g->companions[i].together, &together) || together != are)
            return false;
    }
    return true;
}

/* A thread may exit without taking part in a completion: what it waits for completes before. */
static bool departures_hold(struct completion *c)
{
    const struct graph *g = c->x->graph;
    for (uint32_t i = 0; i < g->departure_count; i++) {
        const struct departure *d = &g->departures[i];
        uint32_t time = c->x->completion[g->events[d->op].barrier];
        uint64_t absent;
        if (time == NONE)
            continue;
        if (!evaluate(c, d->absent, &absent))
            return false;
        for (uint32_t j = 0; absent && j < g->barrier_count; j++) {
            const struct event *event = &g->events[g->barriers[j].event];
            bool waits = g->barriers[j].counted && event->thread == d->thread &&
                         (event->tags & TAG(SYNC)) && c->x->executed[g->barriers[j].event];
            if (waits && (c->x->completion[j] == NONE || c->x->completion[j] >= time))
                return false;
        }
    }
    return true;
}

/* Are the chosen completions of counted barriers possible? What passed is complete, what is
 * complete is full, and numbers follow program order. */
static bool completions_hold(struct completion *c)
{
    const struct graph *g = c->x->graph;
    uint64_t passed;
    for (uint32_t i = 0; i < g->barrier_count; i++) {
        if (!g->barriers[i].counted)
            continue;
        bool completed = c->x->completion[i] != NONE;
        if (completed && (!c->x->executed[g->barriers[i].event] || !completion_full(c, i)))
            return false;
        if (!evaluate(c, g->barriers[i].passed, &passed) || passed != completed)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (g->barriers[j].counted && (!numbers_grow(c, j, i) || !stay_together(c, j, i)))
                return false;
    }
    return companions_hold(c) && departures_hold(c);
}

/* Is what remains of two writes a mixture, each left on a byte that both wrote? */
static bool remain_mixed(const struct execution *x, uint32_t g, uint32_t h)
{
    event_id a = x->final[g], b = x->final[h];
    const struct event *events = x->graph->events;
    return a != b && !events[a].copied && !events[b].copied && x->executed[a] && x->executed[b] &&
           covers(x, a, h) && covers(x, b, g);
}

static bool remains_fit(const struct execution *x)
{
    uint32_t count = x->graph->tearing == TEARING_WHOLE ? x->graph->granule_count : 0;
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t h = g + 1; h < count && h < g + 8; h++)
            if (remain_mixed(x, g, h))
                return false;
    return true;
}

/* Every executed access lies in memory as unfolding cut it, every read has executing sources. */
static bool sources_fit(const struct execution *x)
{
    const struct graph *g = x->graph;
    for (event_id e = 0; e < g->event_count; e++) {
        const struct event *event = &g->events[e];
        if (!x->executed[e] || !event_is_memory(event))
            continue;
        if (x->granules[e] == 0 || (event->kind != EVENT_INIT && x->granules[e] != event->pieces))
            return false;
        for (uint32_t i = 0; event->kind == EVENT_READ && i < event->pieces; i++) {
            event_id source = x->rf[x->rf_base[e] + i];
            if (source == NONE || !event_is_write(&g->events[source]) || !x->executed[source] ||
                !covers(x, source, x->first_granule[e] + i))
                return false;
        }
    }
    return true;
}

/* The bound of a loop is not asked for here, and of an execution that is stuck only plain
 * assumptions are. */
static bool assumptions_hold(struct completion *c)
{
    const struct graph *g = c->x->graph;
    uint64_t holds;
    for (uint32_t i = 0; i < g->assumption_count; i++) {
        enum assumption_kind kind = g->assumptions[i].kind;
        if (kind == ASSUME_BOUND || (kind != ASSUME_PLAIN && c->x->stuck))
            continue;
        if (!evaluate(c, g->assumptions[i].condition, &holds) || !holds)
            return false;
    }
    return true;
}

/* The final value of what the condition asks for, put together from the last write to each granule.
 * False: such a write does not execute or does not cover the granule. */
static bool observe_location(const struct execution *x, uint32_t index, uint64_t *value)
{
    const struct graph *g = x->graph;
    const struct cond_term *term = &g->test->observed[index];
    uint32_t bytes = g->test->locations[term->location].element_bytes, done = 0;
    *value = 0;
    for (uint32_t i = g->observed_granules[index]; done < bytes && done < 8; i++) {
        if (i >= g->granule_count || !x->executed[x->final[i]] || !covers(x, x->final[i], i))
            return false;
        *value |= written_bits(x, x->final[i], &g->granules[i]) << (8 * done);
        done += g->granules[i].bytes;
    }
    return true;
}

/* A thread that is stuck has no final registers: they show as 0. */
static bool observe(struct completion *c)
{
    struct execution *x = c->x;
    const struct test *test = x->graph->test;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        bool known = test->observed[i].kind == TERM_LOCATION
                         ? observe_location(x, i, &x->observed[i])
                         : evaluate(c, x->graph->observed[i], &x->observed[i]);
        if (!known && !x->stuck)
            return false;
        if (!known)
            x->observed[i] = 0;
    }
    return true;
}

bool execution_complete(struct execution *x)
{
    struct arena *scratch = arena_scratch(x->arena);
    struct completion c = {.x = x,
                           .memo = expr_memo_new(scratch, x->graph->exprs),
                           .known = ARENA_ARRAY(scratch, uint8_t, x->graph->event_count),
                           .chosen = ARENA_ARRAY(scratch, bool, x->graph->choice_count)};
    if (x->graph->event_count) {
        memset(x->executed, 0, x->graph->event_count * sizeof *x->executed);
        memset(x->value, 0, x->graph->event_count * sizeof *x->value);
        memset(x->granules, 0, x->graph->event_count * sizeof *x->granules);
    }
    bool complete = learn_all(&c) && sources_fit(x) && remains_fit(x) && assumptions_hold(&c) &&
                    number_uncounted(&c) && completions_hold(&c) && (observe(&c) || x->stuck);
    arena_free(scratch);
    return complete;
}
