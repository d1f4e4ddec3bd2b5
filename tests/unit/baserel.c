/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "model/relation/base.h"
#include "model/judge/base.h"
#include "model/models/models.h"
#include "tests/unit/random_graph.h"

static bool has(const struct rel *set, const struct rel *rel, event_id a, event_id b)
{
    return set ? set_has(set, a) : rel_has(rel, a, b);
}

/* The judge states each base name a second time, from its sentence in model/graph/base.def. */
static void check_against_judge(struct arena *arena, const struct bases *bases,
                                const struct execution *x, enum base base)
{
    uint32_t n = x->graph->event_count;
    bool is_set = model_bases[base].is_set;
    struct rel *set = is_set ? set_new(arena, n) : NULL;
    struct rel *rel = is_set ? NULL : rel_new(arena, n);
    unsigned char *expected = ARENA_ARRAY(arena, unsigned char, n *n);
    if (is_set)
        base_set(bases, base, set);
    else
        base_rel(bases, base, rel);
    judge_base_fill(x, base, expected);
    for (event_id a = 0; a < n; a++)
        for (event_id b = 0; b < (is_set ? 1 : n); b++)
            if (has(set, rel, a, b) != expected[is_set ? a : a * n + b])
                g_error("%s %u %u: %d here", model_bases[base].name, a, b, has(set, rel, a, b));
}

static void names_mean_what_the_judge_says(void)
{
    GRand *rand = g_rand_new_with_seed(21);
    for (uint32_t round = 0; round < 300; round++) {
        struct arena *arena = arena_new();
        struct graph *graph = random_graph(arena, rand);
        struct bases *bases = base_new(arena, graph);
        for (uint32_t base = 0; base < BASE_COUNT; base++)
            base_use(bases, (enum base)base);
        for (uint32_t i = 0; i < 3; i++) {
            struct execution *x = random_execution(arena, graph, rand);
            if (!x)
                break;
            base_look(bases, x);
            for (uint32_t base = 0; base < BASE_COUNT; base++)
                check_against_judge(arena, bases, x, (enum base)base);
        }
        arena_free(arena);
    }
    g_rand_free(rand);
}

enum { EXECUTIONS = 30 };

/* Executions of one graph, and what every base name is in each. */
struct sample {
    struct arena *arena;
    struct graph *graph;
    struct bases *bases;
    struct execution *executions[EXECUTIONS];
    struct rel *sets[EXECUTIONS][BASE_COUNT];
    struct rel *rels[EXECUTIONS][BASE_COUNT];
    uint32_t count;
};

static void note_values(struct sample *s, uint32_t i)
{
    base_look(s->bases, s->executions[i]);
    for (uint32_t base = 0; base < BASE_COUNT; base++)
        if (model_bases[base].is_set)
            base_set(s->bases, (enum base)base,
                     s->sets[i][base] = set_new(s->arena, s->graph->event_count));
        else
            base_rel(s->bases, (enum base)base,
                     s->rels[i][base] = rel_new(s->arena, s->graph->event_count));
}

static struct sample *new_sample(GRand *rand)
{
    struct arena *arena = arena_new();
    struct sample *s = ARENA_NEW(arena, struct sample);
    s->arena = arena;
    s->graph = random_graph(arena, rand);
    s->bases = base_new(arena, s->graph);
    for (uint32_t base = 0; base < BASE_COUNT; base++)
        base_use(s->bases, (enum base)base);
    while (s->count < EXECUTIONS) {
        struct execution *x = random_execution(arena, s->graph, rand);
        if (!x)
            break;
        s->executions[s->count] = x;
        note_values(s, s->count++);
    }
    return s;
}

static bool member(const struct sample *s, uint32_t i, enum base base, event_id a, event_id b)
{
    return has(s->sets[i][base], s->rels[i][base], a, b);
}

static bool all_hold(const struct execution *x, const struct fact_list *facts)
{
    for (uint32_t i = 0; i < facts->items.len; i++)
        if (!fact_holds(x, &facts->items.at[i]))
            return false;
    return true;
}

static void check_reason(struct sample *s, uint32_t here, enum base base, event_id a, event_id b)
{
    bool present = member(s, here, base, a, b);
    struct fact_sink sink = {.arena = s->arena};
    base_why(s->bases, base, a, b, present, &sink);
    g_assert_true(all_hold(s->executions[here], &sink.list));
    for (uint32_t i = 0; i < s->count; i++)
        if (member(s, i, base, a, b) != present && all_hold(s->executions[i], &sink.list))
            g_error("%s %u %u: %d does not follow", model_bases[base].name, a, b, present);
}

/* Every relation, and a set for all of them: what puts an event into one is that it executes. */
static bool is_looked_at(enum base base)
{
    return base == BASE_SYS || !base_is_set(base);
}

static void reasons_suffice(void)
{
    GRand *rand = g_rand_new_with_seed(22);
    for (uint32_t round = 0; round < 100; round++) {
        struct sample *s = new_sample(rand);
        for (uint32_t i = 0; i < s->count && i < 4; i++) {
            base_look(s->bases, s->executions[i]);
            for (uint32_t base = 0; base < BASE_COUNT; base++)
                for (event_id a = 0; is_looked_at((enum base)base) && a < s->graph->event_count;
                     a++)
                    for (event_id b = 0; b < s->graph->event_count; b++)
                        check_reason(s, i, (enum base)base, a, b);
        }
        arena_free(s->arena);
    }
    g_rand_free(rand);
}

/* What fixes everything fixes every pair. */
static void all_facts_fix_all_pairs(void)
{
    GRand *rand = g_rand_new_with_seed(23);
    for (uint32_t round = 0; round < 100; round++) {
        struct sample *s = new_sample(rand);
        for (uint32_t i = 0; i < s->count && i < 8; i++) {
            struct fact_sink sink = {.arena = s->arena};
            base_look(s->bases, s->executions[i]);
            base_why_all(s->bases, &sink);
            g_assert_true(all_hold(s->executions[i], &sink.list));
            for (uint32_t k = 0; k < s->count; k++)
                for (uint32_t base = 0; base < BASE_COUNT; base++)
                    if (!base_is_set((enum base)base) &&
                        !rel_equal(s->rels[i][base], s->rels[k][base]))
                        g_assert_false(all_hold(s->executions[k], &sink.list));
        }
        arena_free(s->arena);
    }
    g_rand_free(rand);
}

/* ---- lengths of reasons --------------------------------------------------------------------- */

static uint32_t fact_count(struct arena *arena, const struct bases *bases, enum base base,
                           event_id a, event_id b, bool present)
{
    struct fact_sink sink = {.arena = arena};
    base_why(bases, base, a, b, present, &sink);
    return sink.list.items.len;
}

/* Constant guards and addresses need no words; an initial write is before all without being told
 * so. */
static void reasons_are_short(void)
{
    struct arena *arena = arena_new();
    struct graph *graph = empty_graph(arena);
    uint32_t left = add_thread(graph, 0), right = add_thread(graph, 0);
    event_id w = add_access(graph, left, EVENT_WRITE, 0, 1, TAG(RLX) | TAG(GEN), SCOPE_GPU);
    event_id v = add_access(graph, right, EVENT_WRITE, 0, 2, TAG(RLX) | TAG(GEN), SCOPE_GPU);
    event_id r = add_access(graph, right, EVENT_READ, 0, 0, TAG(RLX) | TAG(GEN), SCOPE_GPU);
    struct bases *bases = base_new(arena, graph);
    for (uint32_t base = 0; base < BASE_COUNT; base++)
        base_use(bases, (enum base)base);
    struct execution *x = execution_new(arena, graph);
    x->rf[x->rf_base[r]] = w;
    rel_add(x->co, w, v);
    g_assert_true(execution_complete(x));
    base_look(bases, x);
    g_assert_cmpuint(fact_count(arena, bases, BASE_po, v, r, true), ==, 0);
    g_assert_cmpuint(fact_count(arena, bases, BASE_vloc, w, r, true), ==, 0);
    g_assert_cmpuint(fact_count(arena, bases, BASE_co, 0, v, true), ==, 0);
    g_assert_cmpuint(fact_count(arena, bases, BASE_co, w, v, true), ==, 1);
    g_assert_cmpuint(fact_count(arena, bases, BASE_rf, w, r, true), ==, 1);
    g_assert_cmpuint(fact_count(arena, bases, BASE_fr, r, v, true), ==, 2);
    g_assert_cmpuint(fact_count(arena, bases, BASE_rf, v, r, false), ==, 1);
    g_assert_cmpuint(fact_count(arena, bases, BASE_co, v, w, false), ==, 1);
    g_assert_cmpuint(fact_count(arena, bases, BASE_fr, r, w, false), ==, 1);
    x->rf[x->rf_base[r]] = 0;
    g_assert_true(execution_complete(x));
    base_look(bases, x);
    g_assert_cmpuint(fact_count(arena, bases, BASE_fr, r, v, true), ==, 1);
    arena_free(arena);
}

/* Two barrier operations; which barrier the first uses, or its number, is what a read returns. */
static struct graph *open_barrier(struct arena *arena, bool counted)
{
    struct graph *graph = empty_graph(arena);
    uint32_t left = add_thread(graph, 0), right = add_thread(graph, 0);
    event_id w = add_access(graph, right, EVENT_WRITE, 0, 1, TAG(WEAK) | TAG(GEN), SCOPE_NONE);
    event_id r = add_access(graph, left, EVENT_READ, 0, 0, TAG(WEAK) | TAG(GEN), SCOPE_NONE);
    g_assert_cmpuint(w + 1, ==, r);
    expr_id read = graph->events[r].value, zero = expr_const(graph->exprs, 32, 0);
    for (uint32_t i = 0; i < 2; i++) {
        event_id e = add_event(graph, i ? right : left, EVENT_BARRIER, TAG(CTA_BARRIER) | TAG(SYNC),
                               SCOPE_CTA);
        graph->events[e].barrier = i;
        graph->barriers[i] = (struct barrier_op){.event = e,
                                                 .resource = i || !counted ? zero : read,
                                                 .number = i || counted ? zero : read,
                                                 .counted = counted,
                                                 .need = zero,
                                                 .passed = expr_true(graph->exprs)};
    }
    graph->barrier_count = 2;
    return graph;
}

/* Same numbers of different barriers, and different numbers, are different completions. */
static void completions_rest_on_operands(void)
{
    for (uint32_t counted = 0; counted < 2; counted++) {
        struct arena *arena = arena_new();
        struct graph *graph = open_barrier(arena, counted);
        struct bases *bases = base_new(arena, graph);
        base_use(bases, BASE_sync_barrier);
        struct rel *rel = rel_new(arena, graph->event_count);
        struct execution *x = execution_new(arena, graph);
        for (uint32_t round = 0; round < 2; round++) {
            x->rf[x->rf_base[4]] = round ? 3 : 0;
            graph->barriers[0].counted = graph->barriers[1].counted = false;
            g_assert_true(execution_complete(x));
            graph->barriers[0].counted = graph->barriers[1].counted = counted;
            if (counted)
                x->completion[0] = x->completion[1] = 0;
            base_look(bases, x);
            base_rel(bases, BASE_sync_barrier, rel);
            g_assert_cmpint(rel_has(rel, 5, 6), ==, !round);
            struct fact_sink sink = {.arena = arena};
            base_why(bases, BASE_sync_barrier, 5, 6, !round, &sink);
            struct fact read = {.kind = FACT_EXPR, .a = graph->events[4].value, .value = round};
            struct fact_list expected = {0};
            vec_push(arena, &expected.items, read);
            fact_sort(&sink.list);
            g_assert_true(fact_subset(&expected, &sink.list));
        }
        arena_free(arena);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/baserel/judge", names_mean_what_the_judge_says);
    g_test_add_func("/baserel/reasons", reasons_suffice);
    g_test_add_func("/baserel/all", all_facts_fix_all_pairs);
    g_test_add_func("/baserel/completions", completions_rest_on_operands);
    g_test_add_func("/baserel/short", reasons_are_short);
    return g_test_run();
}
