/* SPDX-License-Identifier: MIT */
#include "model/graph/semantic.h"

#include <glib.h>

#include "model/graph/ground.h"
#include "tests/unit/graphs.h"

/* A thread that loads a byte of x, computes, and stores into y, by its instructions between the load
 * and the end. */
static struct unfolded program(const char *body)
{
    g_autofree char *text = g_strdup_printf("PTX one\n{ u8 x = 0; u8 y[4] = {0, 0, 0, 0}; }\n"
                                            " P0@cta 0,gpu 0      | P1@cta 1,gpu 0 ;\n"
                                            " ld.weak.u8 %%r1, [x] | st.weak.u8 [x], 1 ;\n"
                                            "%s"
                                            "exists (y[0] = 1)",
                                            body);
    return unfold_text(text);
}

#define ROW(instruction)    " " instruction " | ;\n"
#define SUCCESSOR           ROW("add.u32 %r2, %r1, 1") ROW("mul.lo.u32 %r2, %r2, %r1")
#define STORE(guard, value) ROW(guard " st.weak.u8 [y], " value)

/* One store each: whether it depends on the load is asked of every value of the byte. */
static const char *const single[] = {
    STORE("", "%r1"),
    STORE("", "1"),
    ROW("xor.b32 %r2, %r1, %r1") STORE("", "%r2"),
    ROW("and.b32 %r2, %r1, 1") ROW("or.b32 %r2, %r2, 1") STORE("", "%r2"),
    SUCCESSOR ROW("and.b32 %r2, %r2, 1") STORE("", "%r2"),
    SUCCESSOR ROW("and.b32 %r2, %r2, 2") STORE("", "%r2"),
    ROW("setp.lt.u32 %p1, %r1, 256") STORE("@%p1", "1"),
    ROW("setp.lt.u32 %p1, %r1, 255") STORE("@%p1", "1"),
    ROW("setp.gt.u32 %p1, %r1, 255") STORE("@!%p1", "1"),
    ROW("or.b32 %r2, %r1, 4") ROW("setp.ne.u32 %p1, %r2, 0") STORE("@%p1", "1"),
    ROW("div.u32 %r2, %r1, 256") STORE("", "%r2"),
    ROW("div.u32 %r2, %r1, 128") STORE("", "%r2"),
    ROW("rem.u32 %r2, %r1, 1") STORE("", "%r2"),
    ROW("shr.u32 %r2, %r1, 8") STORE("", "%r2"),
    ROW("shr.u32 %r2, %r1, 7") STORE("", "%r2"),
    ROW("sub.u32 %r2, 255, %r1") ROW("add.u32 %r2, %r2, %r1") STORE("", "%r2"),
    SUCCESSOR ROW("and.b32 %r2, %r2, 1") ROW("cvt.u64.u32 %rd1, %r2") ROW("mov.u64 %rd2, y")
        ROW("add.u64 %rd1, %rd1, %rd2") ROW("st.weak.u8 [%rd1], 1"),
    ROW("and.b32 %r2, %r1, 1") ROW("cvt.u64.u32 %rd1, %r2") ROW("mov.u64 %rd2, y")
        ROW("add.u64 %rd1, %rd1, %rd2") ROW("st.weak.u8 [%rd1], 1"),
};

static bool byte_leaf(void *context, const struct expr *leaf, uint64_t *value)
{
    (void)leaf;
    *value = *(const uint64_t *)context;
    return true;
}

static bool no_leaf(void *context, const struct expr *leaf, uint64_t *value)
{
    (void)context;
    (void)leaf;
    (void)value;
    return false;
}

/* What the store does when the load returns 'byte': guard, address, value. */
struct effect {
    uint64_t guard, address, value;
};

static struct effect effect_of(const struct graph *g, const struct event *store, uint64_t byte)
{
    struct effect effect = {0};
    g_assert_true(expr_eval(g->exprs, store->guard, byte_leaf, &byte, &effect.guard));
    g_assert_true(expr_eval(g->exprs, store->address, byte_leaf, &byte, &effect.address));
    g_assert_true(expr_eval(g->exprs, store->value, byte_leaf, &byte, &effect.value));
    return effect;
}

static bool equal(struct effect a, struct effect b)
{
    return a.guard == b.guard && (!a.guard || (a.address == b.address && a.value == b.value));
}

static void dependencies_are_those_of_all_values(void)
{
    uint32_t dependent = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(single); i++) {
        struct unfolded u = program(single[i]);
        event_id load = find_event(u.graph, "P0", EVENT_READ, 0);
        event_id store = find_event(u.graph, "P0", EVENT_WRITE, 0);
        bool differ = false;
        for (uint64_t byte = 1; byte < 256; byte++)
            differ |= !equal(effect_of(u.graph, &u.graph->events[store], 0),
                             effect_of(u.graph, &u.graph->events[store], byte));
        semantic_find(u.graph);
        g_assert_cmpuint(u.graph->semantic_decided, ==, u.graph->fixed_count[FIXED_semantic_dep]);
        g_assert_cmpint(has_edge(u.graph, FIXED_semantic_dep, load, store), ==, differ);
        dependent += differ;
        arena_free(u.arena);
    }
    g_assert_cmpuint(dependent, ==, 6);
}

/* An access without dependency is known without the load, and is what it was. */
static void accesses_without_dependency_need_no_load(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(single); i++) {
        struct unfolded u = program(single[i]), old = program(single[i]);
        event_id load = find_event(u.graph, "P0", EVENT_READ, 0);
        event_id store = find_event(u.graph, "P0", EVENT_WRITE, 0);
        const struct event *event = &u.graph->events[store];
        uint64_t value;
        ground_accesses(u.graph);
        bool needs = has_edge(u.graph, FIXED_semantic_dep, load, store);
        expr_id parts[] = {event_assured(u.graph, store), event->address, event->value};
        for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
            g_assert_true(needs || expr_eval(u.graph->exprs, parts[k], no_leaf, NULL, &value));
        for (uint64_t byte = 0; byte < 256; byte++)
            g_assert_true(equal(effect_of(u.graph, event, byte),
                                effect_of(old.graph, &old.graph->events[store], byte)));
        g_assert_false(semantic_cut_short(u.graph));
        arena_free(u.arena);
        arena_free(old.arena);
    }
}

#define BRANCHES(first, second)                                                                    \
    ROW("setp.eq.u32 %p1, %r1, 7")                                                                 \
    ROW("sub.u32 %r2, %r1, 6")                                                                     \
    ROW("add.u32 %r3, %r1, 1") STORE("@%p1", first) STORE("@!%p1", second)

/* Two stores in two branches; 'dependent': of both. */
static void check_branches(const char *body, bool dependent)
{
    struct unfolded u = program(body);
    struct graph *g = u.graph;
    event_id load = find_event(g, "P0", EVENT_READ, 0);
    ground_accesses(g);
    for (uint32_t i = 0; i < 2; i++) {
        event_id store = find_event(g, "P0", EVENT_WRITE, i);
        uint64_t value;
        g_assert_cmpint(has_edge(g, FIXED_semantic_dep, load, store), ==, dependent);
        g_assert_cmpint(expr_eval(g->exprs, event_assured(g, store), no_leaf, NULL, &value) &&
                            value,
                        ==, !dependent);
        g_assert_false(expr_is_true(g->exprs, g->events[store].guard));
        g_assert_true(
            dependent ||
            (expr_eval(g->exprs, g->events[store].value, no_leaf, NULL, &value) && value == 1));
    }
    arena_free(u.arena);
}

static void stores_of_two_branches_stand_for_each_other(void)
{
    check_branches(BRANCHES("1", "1"), false);
    check_branches(BRANCHES("%r2", "1"), false); /* 7 - 6 */
    check_branches(BRANCHES("1", "2"), true);
    check_branches(BRANCHES("%r3", "1"), true); /* 7 + 1 */
    check_branches(BRANCHES("1", "%r1"), true);
}

/* Two loads in two branches are one, but no value is made of that before it is known which. */
static void a_load_in_each_branch_is_left(void)
{
    struct unfolded u = unfold_text("PTX loads\n{ u8 x = 0; u8 y = 0; u8 z = 0; }\n"
                                    " P0@cta 0,gpu 0           | P1@cta 1,gpu 0 ;\n"
                                    " ld.weak.u8 %r1, [x]      | ld.weak.u8 %r1, [y] ;\n"
                                    " setp.eq.u32 %p1, %r1, 7  | st.weak.u8 [x], %r1 ;\n"
                                    " @%p1 ld.weak.u8 %r2, [z] | ;\n"
                                    " @!%p1 ld.weak.u8 %r2, [z] | ;\n"
                                    " st.weak.u8 [y], %r2      | ;\n"
                                    "exists (0:r1 = 1)");
    event_id load = find_event(u.graph, "P0", EVENT_READ, 0);
    event_id store = find_event(u.graph, "P0", EVENT_WRITE, 0);
    g_assert_true(semantic_matters(u.graph));
    ground_accesses(u.graph);
    g_assert_false(has_edge(u.graph, FIXED_semantic_dep, load, store));
    g_assert_true(semantic_cut_short(u.graph));
    arena_free(u.arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/semantic/values", dependencies_are_those_of_all_values);
    g_test_add_func("/semantic/ground", accesses_without_dependency_need_no_load);
    g_test_add_func("/semantic/branches", stores_of_two_branches_stand_for_each_other);
    g_test_add_func("/semantic/loads", a_load_in_each_branch_is_left);
    return g_test_run();
}
