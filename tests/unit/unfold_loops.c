/* SPDX-License-Identifier: MIT */
#include "tests/unit/unfold_loops.h"

#include <glib.h>

#include "tests/unit/graphs.h"

static uint32_t count_assumptions(const struct graph *g, enum assumption_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->assumption_count; i++)
        count += g->assumptions[i].kind == kind;
    return count;
}

static void goto_loop_that_only_reads_is_one_iteration(void)
{
    struct unfolded u = unfold_text("PTX spin\n{ out=0; x=0; }\n"
                                    " P0@cta 0,gpu 0         | P1@cta 0,gpu 0           ;\n"
                                    " LC00:                  | st.release.gpu out, 1    ;\n"
                                    " ld.acquire.gpu r2, out |                          ;\n"
                                    " beq r2, 1, LC01        |                          ;\n"
                                    " goto LC00              |                          ;\n"
                                    " LC01:                  |                          ;\n"
                                    " ld.weak r3, x          |                          ;\n"
                                    "exists (P0:r3 == 0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(count_assumptions(g, ASSUME_SPIN_EXIT), ==, 1);
    g_assert_cmpuint(count_assumptions(g, ASSUME_BOUND), ==, 0);
    g_assert_cmpuint(count_events(g, "P0", EVENT_READ), ==, 2);
    g_assert_cmpuint(g->spin_count, ==, 1);
    g_assert_cmpuint(g->spins[0].read_count, ==, 1);
    event_id flag = find_event(g, "P1", EVENT_WRITE, 0), init_out = 0, init_x = 1;
    execute(&u, (event_id[]){flag, init_x}, true);
    execute(&u, (event_id[]){init_out, init_x}, false);
    g_assert_true(
        has_edge(g, FIXED_ctrl, g->spins[0].reads[0], find_event(g, "P0", EVENT_READ, 1)));
    arena_free(u.arena);
}

static void cas_lock_spins(void)
{
    struct unfolded u = unfold_text("PTX lock\n{ m=0; }\n"
                                    " P0@cta 0,gpu 0                    ;\n"
                                    " L:                                ;\n"
                                    " atom.acquire.gpu.cas r0, m, 0, 1  ;\n"
                                    " bne r0, 0, L                      ;\n"
                                    "exists (m == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_WRITE), ==, 1);
    arena_free(u.arena);
}

static void narrow_cas_lock_spins(void)
{
    struct unfolded u = unfold_text("PTX lock32\n{ .global .u32 m = 0; }\n"
                                    " P0@cta 0,gpu 0                                ;\n"
                                    " L: atom.acquire.gpu.cas.b32 %r0, [m], 0, 1;   ;\n"
                                    " setp.ne.u32 %p, %r0, 0;                       ;\n"
                                    " @%p bra L;                                    ;\n"
                                    "exists (m == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    arena_free(u.arena);
}

/* Going round, it wrote what it had read. */
static void exchange_lock_spins(void)
{
    struct unfolded u = unfold_text("PTX exch\n{ m=0; }\n"
                                    " P0@cta 0,gpu 0                   ;\n"
                                    " L:                               ;\n"
                                    " atom.acquire.gpu.exch r0, m, 1   ;\n"
                                    " beq r0, 1, L                     ;\n"
                                    "exists (m == 1)");
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_WRITE), ==, 1);
    arena_free(u.arena);
}

static void register_carried_round_is_no_spin(void)
{
    struct unfolded u = unfold_text("PTX carried\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0         ;\n"
                                    " L:                     ;\n"
                                    " add r1, r1, 1          ;\n"
                                    " ld.relaxed.gpu r0, x   ;\n"
                                    " bne r0, 1, L           ;\n"
                                    "exists (P0:r1 == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 0);
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_READ), ==, 3);
    arena_free(u.arena);
}

static void known_counts_do_not_count(void)
{
    struct unfolded u = unfold_text("PTX counted\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0  ;\n"
                                    " L:              ;\n"
                                    " st.weak x, r1   ;\n"
                                    " add r1, r1, 1   ;\n"
                                    " blt r1, 20, L   ;\n"
                                    "exists (P0:r1 == 20)");
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_WRITE), ==, 20);
    g_assert_cmpuint(u.graph->assumption_count, ==, 0);
    uint64_t r1;
    g_assert_true(expr_is_const(u.graph->exprs, u.graph->observed[0], &r1));
    g_assert_cmpuint(r1, ==, 20);
    arena_free(u.arena);
}

static void exits_in_the_middle_meet_again(void)
{
    struct unfolded u = unfold_text("PTX middle\n{ a=0; b=0; x=0; }\n"
                                    " P0@cta 0,gpu 0        ;\n"
                                    " L:                    ;\n"
                                    " ld.relaxed.gpu r0, a  ;\n"
                                    " bne r0, 0, M          ;\n"
                                    " goto N                ;\n"
                                    " M:                    ;\n"
                                    " ld.relaxed.gpu r1, b  ;\n"
                                    " bne r1, 0, E          ;\n"
                                    " N: goto L             ;\n"
                                    " E:                    ;\n"
                                    " st.weak x, 1          ;\n"
                                    "exists (x == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_cmpuint(u.graph->spins[0].read_count, ==, 2);
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_WRITE), ==, 1);
    arena_free(u.arena);
}

static void branches_meet_with_chosen_values(void)
{
    struct unfolded u = unfold_text("PTX diamond\n{ x=0; y=0; }\n"
                                    " P0@cta 0,gpu 0        | P1@cta 0,gpu 0 ;\n"
                                    " ld.weak r0, x         | st.weak x, 1   ;\n"
                                    " bne r0, 1, ELSE       |                ;\n"
                                    " mov r1, 10            |                ;\n"
                                    " goto END              |                ;\n"
                                    " ELSE:                 |                ;\n"
                                    " mov r1, 20            |                ;\n"
                                    " END:                  |                ;\n"
                                    " st.weak y, r1         |                ;\n"
                                    "exists (P0:r1 == 10)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(count_events(g, "P0", EVENT_WRITE), ==, 1);
    g_assert_true(expr_is_true(g->exprs, g->events[find_event(g, "P0", EVENT_WRITE, 0)].guard));
    event_id one = find_event(g, "P1", EVENT_WRITE, 0);
    g_assert_cmpstr(state_text(&u, execute(&u, (event_id[]){one}, true)), ==, "0:r1=10;");
    g_assert_cmpstr(state_text(&u, execute(&u, (event_id[]){0}, true)), ==, "0:r1=20;");
    arena_free(u.arena);
}

static void too_long_loops_are_refused(void)
{
    struct unfolded u = unfold_text("PTX long\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0          ;\n"
                                    " L:                      ;\n"
                                    " st.weak x, r1           ;\n"
                                    " add r1, r1, 1           ;\n"
                                    " blt r1, 1000000000, L   ;\n"
                                    "exists (x == 1)");
    g_assert_null(u.graph);
    g_assert_cmpstr(diag_code(u.diags.items.at[0].id), ==, "U004");
    arena_free(u.arena);
}

static void loop_without_exit_is_a_spin(void)
{
    struct unfolded u = unfold_text("PTX endless\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0 ;\n"
                                    " L:             ;\n"
                                    " add r1, r1, 1  ;\n"
                                    " st.weak x, r1  ;\n"
                                    " goto L         ;\n"
                                    "exists (x == 1)");
    g_assert_nonnull(u.graph);
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_true(expr_is_true(u.graph->exprs, u.graph->spins[0].condition));
    arena_free(u.arena);
}

static void empty_endless_loop_is_a_spin(void)
{
    struct unfolded u = unfold_text("PTX empty\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0 ;\n"
                                    " L: goto L      ;\n"
                                    "exists (x == 0)");
    g_assert_nonnull(u.graph);
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_true(expr_is_true(u.graph->exprs, u.graph->spins[0].condition));
    g_assert_true(expr_is_false(u.graph->exprs, u.graph->ended[0]));
    arena_free(u.arena);
}

/* The round that repeats writes nothing, or else two threads that spin would outdo each other. */
static void exchange_may_repeat_for_ever(void)
{
    struct unfolded u = unfold_live("PTX exch\n{ m=1; }\n"
                                    " P0@cta 0,gpu 0                 ;\n"
                                    " L:                             ;\n"
                                    " atom.relaxed.gpu.exch r0, m, 1 ;\n"
                                    " beq r0, 1, L                   ;\n"
                                    "exists (m == 1)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(g->spin_count, ==, 1);
    g_assert_cmpuint(g->spins[0].read_count, ==, 1);
    g_assert_false(g->spins[0].open);
    struct execution *x = execution_new(u.arena, g);
    uint64_t round;
    x->stuck = true;
    x->rf[x->rf_base[g->spins[0].reads[0]]] = 0; /* the initial write */
    g_assert_true(execution_complete(x));
    g_assert_true(execution_eval(x, g->spins[0].condition, &round));
    g_assert_cmpuint(round, ==, 1);
    for (event_id e = 0; e < g->event_count; e++)
        g_assert_false(g->events[e].kind == EVENT_WRITE && x->executed[e]);
    arena_free(u.arena);
}

static void changing_rounds_stay_open(void)
{
    struct unfolded u = unfold_live("PTX open\n{ x=0; y=0; }\n"
                                    " P0@cta 0,gpu 0       ;\n"
                                    " L:                   ;\n"
                                    " add r1, r1, 1        ;\n"
                                    " st.weak x, r1        ;\n"
                                    " ld.relaxed.gpu r0, y ;\n"
                                    " beq r0, 0, L         ;\n"
                                    "exists (x == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_true(u.graph->spins[0].open);
    g_assert_cmpuint(count_assumptions(u.graph, ASSUME_BOUND), ==, 1);
    arena_free(u.arena);
}

/* Whether a round changed something may hang on two branches that meet at the head. */
static void test_and_set_spins(void)
{
    struct unfolded u = unfold_text("PTX ttas\n{ m=0; }\n"
                                    " P0@cta 0,gpu 0                   ;\n"
                                    " L:                               ;\n"
                                    " ld.relaxed.gpu r0, m             ;\n"
                                    " bne r0, 0, L                     ;\n"
                                    " atom.acquire.gpu.cas r1, m, 0, 1 ;\n"
                                    " bne r1, 0, L                     ;\n"
                                    "exists (m == 1)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_cmpuint(count_assumptions(u.graph, ASSUME_BOUND), ==, 0);
    g_assert_cmpuint(count_events(u.graph, "P0", EVENT_READ), ==, 2);
    arena_free(u.arena);
}

void add_loop_tests(void)
{
    g_test_add_func("/unfold/loops/repeats", exchange_may_repeat_for_ever);
    g_test_add_func("/unfold/loops/open", changing_rounds_stay_open);
    g_test_add_func("/unfold/loops/test-and-set", test_and_set_spins);
    g_test_add_func("/unfold/loops/goto", goto_loop_that_only_reads_is_one_iteration);
    g_test_add_func("/unfold/loops/cas", cas_lock_spins);
    g_test_add_func("/unfold/loops/cas32", narrow_cas_lock_spins);
    g_test_add_func("/unfold/loops/exch", exchange_lock_spins);
    g_test_add_func("/unfold/loops/carried", register_carried_round_is_no_spin);
    g_test_add_func("/unfold/loops/known", known_counts_do_not_count);
    g_test_add_func("/unfold/loops/middle", exits_in_the_middle_meet_again);
    g_test_add_func("/unfold/loops/diamond", branches_meet_with_chosen_values);
    g_test_add_func("/unfold/loops/endless", loop_without_exit_is_a_spin);
    g_test_add_func("/unfold/loops/long", too_long_loops_are_refused);
    g_test_add_func("/unfold/loops/empty", empty_endless_loop_is_a_spin);
}
