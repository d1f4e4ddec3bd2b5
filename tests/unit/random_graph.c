/* SPDX-License-Identifier: MIT */
#include "tests/unit/random_graph.h"

enum { MAX_EVENTS = 32, MAX_THREADS = 4, MAX_EDGES = 8, GRANULES = 3 };

static const uint32_t whole[] = {0, 4, 8};

uint64_t location_address(uint32_t location)
{
    static const uint64_t addresses[] = {0x1000, 0x1004, 0x2000, 0x3000};
    return addresses[location];
}

static struct test *small_test(struct arena *arena)
{
    struct test *test = ARENA_NEW(arena, struct test);
    test->location_count = 3;
    test->locations = ARENA_ARRAY(arena, struct location, 3);
    for (uint32_t i = 0; i < 3; i++)
        test->locations[i] = (struct location){.name = "l", .space = SPACE_GLOBAL};
    return test;
}

struct graph *empty_graph(struct arena *arena)
{
    struct graph *graph = ARENA_NEW(arena, struct graph);
    *graph = (struct graph){.test = small_test(arena), .arena = arena};
    graph->exprs = expr_pool_new(arena);
    graph->threads = ARENA_ARRAY(arena, struct thread, MAX_THREADS);
    graph->events = ARENA_ARRAY(arena, struct event, MAX_EVENTS);
    graph->granules = ARENA_ARRAY(arena, struct granule, GRANULES);
    graph->granule_count = GRANULES;
    graph->granules[0] = (struct granule){0x10, 4, 0, 0};
    graph->granules[1] = (struct granule){0x14, 4, 1, 0};
    graph->granules[2] = (struct granule){0x20, 4, 2, 1};
    graph->mappings = ARENA_ARRAY(arena, struct mapping, 3);
    graph->mapping_count = 3;
    graph->mappings[0] = (struct mapping){0x1000, 0x10, 8, 0, NONE, NONE};
    graph->mappings[1] = (struct mapping){0x2000, 0x20, 4, 1, NONE, NONE};
    graph->mappings[2] = (struct mapping){0x3000, 0x10, 8, 2, NONE, NONE};
    graph->barriers = ARENA_ARRAY(arena, struct barrier_op, MAX_EVENTS);
    for (uint32_t i = 0; i < FIXED_COUNT; i++)
        graph->fixed[i] = ARENA_ARRAY(arena, struct fixed_edge, MAX_EDGES);
    for (uint32_t g = 0; g < GRANULES; g++) {
        add_access(graph, NONE, EVENT_INIT, g, 0, TAG(WEAK) | TAG(GEN), SCOPE_NONE);
        graph->events[g].thread = NONE;
    }
    return graph;
}

uint32_t add_thread(struct graph *graph, uint32_t cta)
{
    graph->threads[graph->thread_count] = (struct thread){
        .name = "T", .launch = NONE, .host = NONE, .issuer = NONE, .cta = cta, .cluster = cta};
    return graph->thread_count++;
}

event_id add_event(struct graph *graph, uint32_t thread, enum event_kind kind, event_tags tags,
                   enum scope scope)
{
    g_assert_cmpuint(graph->event_count, <, MAX_EVENTS);
    struct event event = event_new(kind, tags, thread, graph->event_count, expr_true(graph->exprs));
    event.scope = scope;
    graph->events[graph->event_count] = event;
    return graph->event_count++;
}

static void set_address(struct graph *graph, event_id e, expr_id address)
{
    graph->events[e].address = address;
}

event_id add_access(struct graph *graph, uint32_t thread, enum event_kind kind, uint32_t location,
                    uint32_t value, event_tags tags, enum scope scope)
{
    event_id e = add_event(graph, thread, kind, tags, scope);
    struct event *event = &graph->events[e];
    set_address(graph, e, expr_const(graph->exprs, 64, location_address(location)));
    event->bytes = 4;
    event->pieces = 1;
    event->piece_start = whole;
    event->value = kind == EVENT_READ ? expr_read(graph->exprs, 32, 0, e)
                                      : expr_const(graph->exprs, 32, value);
    return e;
}

/* ---- random graphs -------------------------------------------------------------------------- */

static bool chance(GRand *rand, double p)
{
    return g_rand_double(rand) < p;
}

static enum scope random_scope(GRand *rand)
{
    return chance(rand, 0.3) ? SCOPE_CTA : SCOPE_GPU;
}

/* Some truth that a read of the thread decides, or true. */
static expr_id random_truth(struct graph *graph, GRand *rand, event_id read, double p)
{
    if (read == NONE || !chance(rand, p))
        return expr_true(graph->exprs);
    expr_id value = graph->events[read].value;
    if (graph->events[read].bytes != 4)
        value = expr_read(graph->exprs, 32, 1, read);
    return expr_binary(graph->exprs, EXPR_EQ, value,
                       expr_const(graph->exprs, 32, (uint64_t)g_rand_int_range(rand, 0, 3)));
}

static void widen(struct graph *graph, event_id e, uint32_t value)
{
    struct event *event = &graph->events[e];
    event->bytes = 8;
    event->pieces = 2;
    event->value = event->kind == EVENT_READ
                       ? expr_binary(graph->exprs, EXPR_CONCAT, expr_read(graph->exprs, 32, 1, e),
                                     expr_read(graph->exprs, 32, 0, e))
                       : expr_const(graph->exprs, 64, ((uint64_t)value << 32) | (value + 1) % 3);
}

static event_id random_access(struct graph *graph, GRand *rand, uint32_t thread, event_id read,
                              enum event_kind kind)
{
    static const event_tags strengths[] = {TAG(WEAK), TAG(RLX), 0};
    event_tags strength = strengths[g_rand_int_range(rand, 0, 3)];
    if (!strength)
        strength = kind == EVENT_READ ? TAG(ACQ) : TAG(REL);
    uint32_t location = (uint32_t)g_rand_int_range(rand, 0, 4);
    uint32_t value = (uint32_t)g_rand_int_range(rand, 0, 3);
    event_id e = add_access(graph, thread, kind, location, value, strength | TAG(GEN),
                            strength == TAG(WEAK) ? SCOPE_NONE : random_scope(rand));
    if (location % 3 == 0 && chance(rand, 0.3)) {
        widen(graph, e, value);
        return e;
    }
    expr_id other =
        expr_const(graph->exprs, 64, location_address((uint32_t)g_rand_int_range(rand, 0, 4)));
    expr_id truth = random_truth(graph, rand, read, 0.6);
    set_address(graph, e, expr_ite(graph->exprs, truth, graph->events[e].address, other));
    return e;
}

static event_id random_atomic(struct graph *graph, GRand *rand, uint32_t thread)
{
    uint32_t location = (uint32_t)g_rand_int_range(rand, 0, 4);
    enum scope scope = random_scope(rand);
    event_tags tags = TAG(RMW) | TAG(GEN) | (chance(rand, 0.3) ? TAG(RED) : 0);
    event_id read = add_access(graph, thread, EVENT_READ, location, 0, tags | TAG(ACQ), scope);
    event_id write = add_access(graph, thread, EVENT_WRITE, location, 0, tags | TAG(REL), scope);
    graph->events[read].rmw = write;
    graph->events[write].rmw = read;
    graph->events[write].value = expr_binary(graph->exprs, EXPR_ADD, graph->events[read].value,
                                             expr_const(graph->exprs, 32, 1));
    return read;
}

static void random_barrier(struct graph *graph, GRand *rand, uint32_t thread, event_id read)
{
    event_id e =
        add_event(graph, thread, EVENT_BARRIER,
                  TAG(CTA_BARRIER) | (chance(rand, 0.3) ? TAG(ARRIVE) : TAG(SYNC)), SCOPE_CTA);
    expr_id zero = expr_const(graph->exprs, 32, 0), one = expr_const(graph->exprs, 32, 1);
    graph->events[e].barrier = graph->barrier_count;
    graph->barriers[graph->barrier_count++] = (struct barrier_op){
        .event = e,
        .owner = graph->threads[thread].cta,
        .resource = expr_ite(graph->exprs, random_truth(graph, rand, read, 0.3), zero, one),
        .number = expr_ite(graph->exprs, random_truth(graph, rand, read, 0.3), zero, one),
        .need = one,
        .passed = expr_true(graph->exprs)};
}

static void random_fence(struct graph *graph, GRand *rand, uint32_t thread)
{
    static const event_tags kinds[] = {TAG(SC) | TAG(ACQ_REL) | TAG(GEN), TAG(ACQ_REL) | TAG(GEN),
                                       TAG(PROXY_FENCE) | TAG(ALIAS)};
    add_event(graph, thread, EVENT_FENCE, kinds[g_rand_int_range(rand, 0, 3)], random_scope(rand));
}

static void random_edge(struct graph *graph, GRand *rand, event_id from, event_id to)
{
    enum fixed_relation kind = (enum fixed_relation)g_rand_int_range(rand, 0, FIXED_COUNT);
    if (graph->fixed_count[kind] == MAX_EDGES || kind == FIXED_sync_quorum)
        return; /* a quorum is of counted operations, which these graphs have not */
    graph->fixed[kind][graph->fixed_count[kind]++] =
        (struct fixed_edge){.from = from, .to = to, .guard = random_truth(graph, rand, from, 0.5)};
}

static void random_step(struct graph *graph, GRand *rand, uint32_t thread, event_id *read)
{
    event_id first = graph->event_count;
    double what = g_rand_double(rand);
    if (what < 0.28)
        random_access(graph, rand, thread, *read, EVENT_WRITE);
    else if (what < 0.52)
        random_access(graph, rand, thread, *read, EVENT_READ);
    else if (what < 0.62)
        random_atomic(graph, rand, thread);
    else if (what < 0.77)
        random_fence(graph, rand, thread);
    else
        random_barrier(graph, rand, thread, *read);
    expr_id guard = random_truth(graph, rand, *read, 0.3);
    for (event_id e = first; e < graph->event_count; e++)
        graph->events[e].guard = guard;
    if (*read != NONE && chance(rand, 0.4))
        random_edge(graph, rand, *read, first);
    if (graph->events[first].kind == EVENT_READ && expr_is_true(graph->exprs, guard))
        *read = first;
}

struct graph *random_graph(struct arena *arena, GRand *rand)
{
    struct graph *graph = empty_graph(arena);
    uint32_t threads = (uint32_t)g_rand_int_range(rand, 1, MAX_THREADS);
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t thread = add_thread(graph, chance(rand, 0.6) ? 0 : 1);
        uint32_t steps = (uint32_t)g_rand_int_range(rand, 1, 5);
        event_id read = NONE;
        if (chance(rand, 0.5))
            read = random_access(graph, rand, thread, NONE, EVENT_READ);
        for (uint32_t i = 0; i < steps; i++)
            random_step(graph, rand, thread, &read);
    }
    bool counted = chance(rand, 0.5);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        graph->barriers[i].counted = counted;
    return graph;
}

/* ---- random executions ---------------------------------------------------------------------- */

/* Does the write cover the granule, as far as addresses are known? */
static bool may_cover(const struct graph *graph, event_id w, event_id r, uint32_t i)
{
    const struct event *write = &graph->events[w], *read = &graph->events[r];
    uint64_t from, to;
    uint32_t first, count, granule, unused;
    if (!expr_is_const(graph->exprs, write->address, &from) ||
        !expr_is_const(graph->exprs, read->address, &to))
        return true;
    return graph_granules(graph, from, write->bytes, &first, &count) &&
           graph_granules(graph, to, read->bytes, &granule, &unused) && granule + i >= first &&
           granule + i - first < count;
}

static void choose_sources(struct execution *x, GRand *rand)
{
    const struct graph *graph = x->graph;
    for (event_id r = 0; r < graph->event_count; r++) {
        if (graph->events[r].kind != EVENT_READ)
            continue;
        for (uint32_t i = 0; i < graph->events[r].pieces; i++) {
            event_id w;
            do
                w = (event_id)g_rand_int_range(rand, 0, (gint32)graph->event_count);
            while (!event_is_write(&graph->events[w]) || !may_cover(graph, w, r, i));
            x->rf[x->rf_base[r] + i] = w;
        }
    }
}

static bool share_bytes(const struct execution *x, event_id a, event_id b)
{
    return x->first_granule[a] < x->first_granule[b] + x->granules[b] &&
           x->first_granule[b] < x->first_granule[a] + x->granules[a];
}

static void choose_orders(struct execution *x, GRand *rand)
{
    const struct graph *graph = x->graph;
    uint32_t rank[MAX_EVENTS];
    for (event_id e = 0; e < graph->event_count; e++)
        rank[e] = graph->events[e].kind == EVENT_INIT ? 0 : g_rand_int(rand) / 2 + 1;
    bool partial = chance(rand, 0.5);
    for (event_id a = 0; a < graph->event_count; a++)
        for (event_id b = 0; b < graph->event_count; b++) {
            const struct event *s = &graph->events[a], *t = &graph->events[b];
            if (!x->executed[a] || !x->executed[b] || rank[a] >= rank[b])
                continue;
            if (event_is_write(s) && event_is_write(t) && share_bytes(x, a, b) &&
                (s->kind == EVENT_INIT || !partial || chance(rand, 0.7)))
                rel_add(x->co, a, b);
            if (s->kind == EVENT_FENCE && t->kind == EVENT_FENCE && s->tags & t->tags & TAG(SC) &&
                graph_scope_contains(graph, a, b) && graph_scope_contains(graph, b, a))
                rel_add(x->sc, a, b);
        }
}

static void choose_completions(struct execution *x, GRand *rand)
{
    for (uint32_t i = 0; i < x->graph->barrier_count; i++)
        if (x->graph->barriers[i].counted)
            x->completion[i] = !x->executed[x->graph->barriers[i].event] || chance(rand, 0.2)
                                   ? NONE
                                   : (uint32_t)g_rand_int_range(rand, 0, 2);
}

/* Completes with every operation uncounted: the rules of counting are not what is tested here. */
static bool complete(struct execution *x)
{
    bool counted[MAX_EVENTS];
    for (uint32_t i = 0; i < x->graph->barrier_count; i++) {
        counted[i] = x->graph->barriers[i].counted;
        x->graph->barriers[i].counted = false;
    }
    bool result = execution_complete(x);
    for (uint32_t i = 0; i < x->graph->barrier_count; i++)
        x->graph->barriers[i].counted = counted[i];
    return result;
}

struct execution *random_execution(struct arena *arena, const struct graph *graph, GRand *rand)
{
    struct execution *x = execution_new(arena, graph);
    for (uint32_t tries = 0; tries < 100; tries++) {
        choose_sources(x, rand);
        if (!complete(x))
            continue;
        choose_orders(x, rand);
        choose_completions(x, rand);
        return x;
    }
    return NULL;
}

static bool reads(const struct execution *x, event_id w, event_id r, uint64_t granule)
{
    if (!x->executed[w] || !x->executed[r] || granule < x->first_granule[r] ||
        granule - x->first_granule[r] >= x->granules[r])
        return false;
    return x->rf[x->rf_base[r] + (granule - x->first_granule[r])] == w;
}

bool fact_holds(const struct execution *x, const struct fact *fact)
{
    bool holds = false;
    uint64_t value;
    switch (fact->kind) {
    case FACT_EXPR:
        holds = execution_eval(x, fact->a, &value) && value == fact->value;
        break;
    case FACT_RF:
        holds = reads(x, fact->a, fact->b, fact->value);
        break;
    case FACT_CO:
        holds = rel_has(x->co, fact->a, fact->b);
        break;
    case FACT_SC:
        holds = rel_has(x->sc, fact->a, fact->b);
        break;
    case FACT_COMPLETION:
        holds =
            x->executed[x->graph->barriers[fact->a].event] && x->completion[fact->a] == fact->value;
        break;
    }
    return holds != fact->negated;
}
