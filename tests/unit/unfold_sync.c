/* SPDX-License-Identifier: MIT */
#include "tests/unit/unfold_sync.h"

#include <glib.h>
#include <string.h>

#include "model/unfold/step/mbarrier.h"
#include "tests/unit/graphs.h"

/* Barriers, mbarriers, asynchronous copies and restricted fences. */

static const struct barrier_op *operation(const struct graph *g, const char *thread, uint32_t n)
{
    return &g->barriers[g->events[find_event(g, thread, EVENT_BARRIER, n)].barrier];
}

static uint64_t constant(const struct graph *g, expr_id id)
{
    uint64_t value = 0;
    g_assert_true(expr_is_const(g->exprs, id, &value));
    return value;
}

static const struct undefined *find_undefined(const struct graph *g, const char *name)
{
    for (uint32_t i = 0; i < g->undefined_count; i++)
        if (!strcmp(g->undefined[i].name, name))
            return &g->undefined[i];
    return NULL;
}

static void columns_without_counts_are_numbered(void)
{
    struct unfolded u = unfold_text("PTX bars\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0   | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
                                    " bar.cta.sync 1   | bar.cta.sync 2 | bar.cta.sync 1 ;\n"
                                    " bar.cta.sync 2   | bar.cta.sync 1 | ;\n"
                                    " bar.cta.arrive 1 |                | ;\n"
                                    "exists (x == 0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(constant(g, operation(g, "P0", 0)->number), ==, 0);
    g_assert_cmpuint(constant(g, operation(g, "P0", 1)->number), ==, 0);
    g_assert_cmpuint(constant(g, operation(g, "P0", 2)->number), ==, 1);
    g_assert_cmpuint(operation(g, "P0", 0)->owner, ==, operation(g, "P1", 0)->owner);
    g_assert_cmpuint(operation(g, "P0", 0)->owner, !=, operation(g, "P2", 0)->owner);
    g_assert_true(g->events[operation(g, "P0", 2)->event].tags & TAG(ARRIVE));
    struct execution *x = execute(&u, NULL, true);
    g_assert_cmpuint(x->completion[g->events[operation(g, "P0", 2)->event].barrier], ==, 1);
    arena_free(u.arena);
}

static void counts_hold_back_what_follows(void)
{
    struct unfolded u = unfold_text("PTX counted\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0   | P1@cta 0,gpu 0    ;\n"
                                    " bar.sync 1, 64   | bar.sync 1, 64    ;\n"
                                    " st.weak x, 1     |                   ;\n"
                                    "exists (x == 1)");
    const struct graph *g = u.graph;
    const struct barrier_op *a = operation(g, "P0", 0), *b = operation(g, "P1", 0);
    g_assert_true(a->counted);
    g_assert_cmpuint(a->weight, ==, 32);
    g_assert_cmpuint(constant(g, a->need), ==, 64);
    event_id store = find_event(g, "P0", EVENT_WRITE, 0);
    g_assert_cmpuint(g->events[store].guard, ==, a->passed);
    struct execution *x = execution_new(u.arena, g);
    for (uint32_t i = 0; i < g->choice_count; i++)
        x->choice[i] = 1;
    g_assert_false(execution_complete(x)); /* passed, but in no completion */
    x->completion[g->events[a->event].barrier] = x->completion[g->events[b->event].barrier] = 0;
    g_assert_true(execution_complete(x));
    x->completion[g->events[b->event].barrier] = 1; /* alone: 32 of 64 */
    g_assert_false(execution_complete(x));
    arena_free(u.arena);
}

static void one_warp_brings_its_missing_lanes(void)
{
    struct unfolded u =
        unfold_text("PTX warp\n{ x=0; }\n"
                    " P0@warp 0,cta 0,gpu 0 | P1@warp 0,cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n"
                    " bar.sync 1, 64        | bar.sync 1, 64        | bar.sync 1, 64 ;\n"
                    "exists (x == 0)");
    const struct graph *g = u.graph;
    const struct barrier_op *a = operation(g, "P0", 0), *b = operation(g, "P1", 0);
    g_assert_cmpuint(a->party, ==, b->party); /* which counts once */
    g_assert_cmpuint(a->party, !=, operation(g, "P2", 0)->party);
    g_assert_cmpuint(a->weight, ==, 32);
    g_assert_cmpuint(operation(g, "P2", 0)->weight, ==, 32);
    for (uint32_t apart = 0; apart < 2; apart++) {
        struct execution *x = execution_new(u.arena, g);
        for (uint32_t i = 0; i < g->choice_count; i++)
            x->choice[i] = 1;
        for (uint32_t i = 0; i < 3; i++)
            x->completion[i] = 0;
        x->completion[g->events[b->event].barrier] = apart;
        g_assert_true(execution_complete(x) == !apart);
    }
    arena_free(u.arena);
}

static void whole_cta_of_a_kernel_never_blocks(void)
{
    struct unfolded u = unfold_text("PTX whole\n{ u32 x = 0; }\n"
                                    "kernel k {\n  bar.sync 0;\n  st.weak.u32 [x], 1;\n}\n"
                                    "k<<<1, 2>>>();\nexists (x=1)");
    g_assert_false(u.graph->barriers[0].counted);
    g_assert_cmpuint(u.graph->choice_count, ==, 0);
    arena_free(u.arena);
}

static void crossed_barriers_of_a_kernel_are_counted(void)
{
    struct unfolded u = unfold_text("PTX crossed\n{ u32 x = 0; }\n"
                                    "kernel k {\n"
                                    "  mov.u32 %r1, %tid.x;\n  setp.eq.u32 %p1, %r1, 0;\n"
                                    "  @%p1 bra L;\n  barrier.sync 1;\n  barrier.sync 0;\n  ret;\n"
                                    "L: barrier.sync 0;\n  barrier.sync 1;\n}\n"
                                    "k<<<1, 2>>>();\nexists (x=0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(g->barrier_count, ==, 4);
    for (uint32_t i = 0; i < 4; i++)
        g_assert_true(g->barriers[i].counted);
    /* Each could only pass after the other: no numbering by time exists. */
    static const uint32_t times[][4] = {{0, 1, 1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}, {0, 0, 0, 0}};
    for (unsigned t = 0; t < G_N_ELEMENTS(times); t++) {
        struct execution *x = execution_new(u.arena, g);
        for (uint32_t i = 0; i < g->choice_count; i++)
            x->choice[i] = 1;
        for (uint32_t i = 0; i < 4; i++)
            x->completion[i] = times[t][i];
        g_assert_false(execution_complete(x));
    }
    g_assert_true(execution_complete(execution_new(u.arena, g))); /* nobody passes */
    arena_free(u.arena);
}

static void exited_threads_are_not_awaited(void)
{
    struct unfolded u = unfold_text("PTX exited\n{ u32 x = 0; }\n"
                                    "kernel k {\n"
                                    "  mov.u32 %r1, %tid.x;\n  setp.eq.u32 %p1, %r1, 0;\n"
                                    "  @%p1 exit;\n  barrier.sync 1;\n  barrier.sync 0;\n}\n"
                                    "k<<<1, 2>>>();\nexists (x=0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(g->barrier_count, ==, 2);
    g_assert_false(g->barriers[0].counted); /* both surely complete */
    g_assert_false(g->barriers[1].counted);
    arena_free(u.arena);
}

static void reductions_count_their_completion(void)
{
    struct unfolded u = unfold_text("PTX popc\n{ u32 x = 0; }\n"
                                    "kernel k {\n"
                                    "  mov.u32 %r1, %tid.x;\n  setp.lt.u32 %p1, %r1, 2;\n"
                                    "  barrier.red.popc.u32 %r2, 0, %p1;\n}\n"
                                    "k<<<1, 3>>>();\nexists (k[0,2]:r2=2)");
    uint64_t value;
    g_assert_true(expr_is_const(u.graph->exprs, u.graph->observed[0], &value));
    g_assert_cmpuint(value, ==, 2);
    arena_free(u.arena);
}

static void member_masks_and_cluster_phases_are_checked(void)
{
    struct unfolded u = unfold_text("PTX masks\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0           | P1@cta 0,gpu 0          ;\n"
                                    " bar.warp.sync 0xfffffffe; | barrier.cluster.arrive;  ;\n"
                                    "                          | barrier.cluster.arrive;  ;\n"
                                    "                          | barrier.cluster.wait;    ;\n"
                                    "                          | barrier.cluster.wait;    ;\n"
                                    "exists (x == 0)");
    const struct graph *g = u.graph;
    g_assert_true(expr_is_true(g->exprs, find_undefined(g, "bad-member-mask")->condition));
    g_assert_nonnull(find_undefined(g, "cluster-barrier-double-arrive"));
    g_assert_nonnull(find_undefined(g, "cluster-barrier-wait-without-arrive"));
    g_assert_cmpuint(constant(g, operation(g, "P1", 1)->number), ==, 1);
    g_assert_cmpuint(constant(g, operation(g, "P1", 2)->number), ==, 0); /* waits count apart */
    arena_free(u.arena);
}

static void late_threads_pass_a_met_quorum(void)
{
    struct unfolded u =
        unfold_text("PTX quorum\n{ x=0; }\n"
                    " P0@cta 0,gpu 0       | P1@cta 0,gpu 0       | P2@cta 0,gpu 0       ;\n"
                    " bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 ;\n"
                    "exists (x == 0)");
    const struct graph *g = u.graph;
    uint32_t good = 0;
    for (uint32_t late = 0; late < 8; late++) /* which of the three come late */
        for (uint32_t numbers = 0; numbers < 27; numbers++) {
            struct execution *x = execution_new(u.arena, g);
            uint32_t rest = numbers;
            for (uint32_t i = 0; i < g->choice_count; i++)
                x->choice[i] = 1;
            for (uint32_t i = 0; i < 3; i++, rest /= 3) {
                const struct expr *need = expr_get(g->exprs, g->barriers[i].need);
                x->choice[expr_get(g->exprs, need->a)->a] = late >> i & 1;
                x->completion[i] = rest % 3;
            }
            good += execution_complete(x);
        }
    g_assert_cmpuint(good, ==,
                     3 * 6); /* who is late, and the numbers of two completions out of three */
    g_assert_cmpuint(g->fixed_count[FIXED_sync_quorum], ==, 6);
    arena_free(u.arena);
}

static const char phase[] = "PTX phase\n{ u32 x = 0; shared b64 mb @ cta 0; }\n"
                            " P0@cta 0,gpu 0                          ;\n"
                            " mbarrier.init.shared::cta.b64 [mb], 2   ;\n"
                            " mbarrier.arrive.shared::cta.b64 %rd1, [mb] ;\n"
                            " mbarrier.arrive.shared::cta.b64 _, [mb] ;\n"
                            " mbarrier.test_wait.shared::cta.b64 %p1, [mb], %rd1 ;\n"
                            "exists (0:p1=1)";

static void arrivals_complete_a_phase(void)
{
    struct unfolded u = unfold_text(phase);
    const struct graph *g = u.graph;
    event_id init = find_event(g, "P0", EVENT_WRITE, 0),
             first = find_event(g, "P0", EVENT_WRITE, 1),
             second = find_event(g, "P0", EVENT_WRITE, 2);
    struct execution *x = execution_new(u.arena, g);
    event_id sources[] = {init, first, second, first};
    for (uint32_t i = 0; i < 4; i++)
        x->rf[x->rf_base[find_event(g, "P0", EVENT_READ, i)]] = sources[i];
    x->choice[0] = 1;
    g_assert_true(execution_complete(x));
    g_assert_cmphex(x->value[first], ==, UINT64_C(2) << 20 | 1);
    g_assert_cmphex(x->value[second], ==, UINT64_C(1) << 61 | UINT64_C(2) << 20 | 2);
    g_assert_cmpuint(x->observed[0], ==, 1);
    x->rf[x->rf_base[find_event(g, "P0", EVENT_READ, 2)]] = first; /* the phase is not over there */
    g_assert_false(execution_complete(x));
    x->choice[0] = 0; /* test_wait returns false, having read the state after one arrival */
    g_assert_true(execution_complete(x));
    x->rf[x->rf_base[find_event(g, "P0", EVENT_READ, 3)]] = second; /* it would return true */
    g_assert_false(execution_complete(x));
    arena_free(u.arena);
}

static void waits_acquire_only_when_true(void)
{
    struct unfolded u = unfold_text(phase);
    const struct graph *g = u.graph;
    const struct event *hit = &g->events[find_event(g, "P0", EVENT_READ, 2)];
    const struct event *miss = &g->events[find_event(g, "P0", EVENT_READ, 3)];
    g_assert_cmphex(hit->tags, ==, TAG(ACQ) | TAG(GEN) | TAG(MBARRIER));
    g_assert_cmphex(miss->tags, ==, TAG(RLX) | TAG(GEN) | TAG(MBARRIER));
    g_assert_true(expr_excludes(g->exprs, hit->guard, miss->guard));
    g_assert_cmphex(g->events[find_event(g, "P0", EVENT_WRITE, 1)].tags &
                        (TAG(REL) | TAG(MBARRIER)),
                    ==, TAG(REL) | TAG(MBARRIER));
    arena_free(u.arena);
}

static void wait_loop_is_a_spin(void)
{
    struct unfolded u = unfold_text("PTX waits\n{ u32 x = 0; shared b64 mb @ cta 0; }\n"
                                    " P0@cta 0,gpu 0                                         ;\n"
                                    " L0: mbarrier.try_wait.parity.shared::cta.b64 %p1, [mb], 0 ;\n"
                                    " @!%p1 bra L0                                           ;\n"
                                    "exists (x=0)");
    g_assert_cmpuint(u.graph->spin_count, ==, 1);
    g_assert_cmpuint(u.graph->spins[0].read_count, ==, 2);
    arena_free(u.arena);
}

static void groups_order_what_they_cover(void)
{
    struct unfolded u = unfold_text("PTX groups\n{ u32 g[2] = {5, 6}; shared u32 s[2] @ cta 0; }\n"
                                    " P0@cta 0,gpu 0                                 ;\n"
                                    " cp.async.ca.shared::cta.global [s], [g], 4     ;\n"
                                    " cp.async.commit_group                          ;\n"
                                    " cp.async.ca.shared::cta.global [s+4], [g+4], 4 ;\n"
                                    " cp.async.commit_group                          ;\n"
                                    " cp.async.wait_group 1                          ;\n"
                                    " ld.shared.u32 %r1, [s]                         ;\n"
                                    "exists (0:r1=5)");
    const struct graph *g = u.graph;
    event_id first = find_event(g, "P0~1", EVENT_WRITE, 0),
             second = find_event(g, "P0~2", EVENT_WRITE, 0),
             wait = find_event(g, "P0", EVENT_API, 2);
    g_assert_true(has_edge(g, FIXED_async, first, wait));
    g_assert_false(has_edge(g, FIXED_async, second, wait));
    g_assert_true(has_edge(g, FIXED_async, find_event(g, "P0", EVENT_API, 0), first));
    g_assert_true(has_edge(g, FIXED_data, find_event(g, "P0~1", EVENT_READ, 0), first));
    g_assert_cmphex(g->events[first].tags, ==, TAG(WEAK) | TAG(GEN));
    arena_free(u.arena);
}

static void bulk_copies_complete_their_transaction(void)
{
    struct unfolded u = unfold_text(
        "PTX bulk\n{ u32 g[4] = {5, 6, 7, 8}; shared u32 s[4] @ cta 0; shared b64 mb @ cta 0; }\n"
        " P0@cta 0,gpu 0                                                                   ;\n"
        " mbarrier.init.shared::cta.b64 [mb], 1                                            ;\n"
        " mbarrier.arrive.expect_tx.shared::cta.b64 _, [mb], 16                            ;\n"
        " cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 16, [mb] ;\n"
        "exists (true)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(count_events(g, "P0~1", EVENT_WRITE), ==, 4);
    g_assert_true(g->events[find_event(g, "P0~1", EVENT_READ, 0)].tags & TAG(ASYNC));
    event_id complete = find_event(g, "P0~2", EVENT_WRITE, 0);
    g_assert_cmphex(g->events[complete].tags &
                        (TAG(REL) | TAG(COMPLETE_TX) | TAG(GEN) | TAG(ASYNC)),
                    ==, TAG(REL) | TAG(COMPLETE_TX) | TAG(GEN));
    g_assert_cmpint(g->events[complete].scope, ==, SCOPE_CLUSTER);
    for (uint32_t i = 0; i < 4; i++)
        g_assert_true(has_edge(g, FIXED_async, find_event(g, "P0~1", EVENT_WRITE, i), complete));
    event_id init = find_event(g, "P0", EVENT_WRITE, 0),
             arrive = find_event(g, "P0", EVENT_WRITE, 1);
    struct execution *x = execution_new(u.arena, g);
    x->rf[x->rf_base[find_event(g, "P0", EVENT_READ, 0)]] = init;
    x->rf[x->rf_base[find_event(g, "P0~2", EVENT_READ, 0)]] = arrive;
    for (uint32_t i = 0; i < 4; i++)
        x->rf[x->rf_base[find_event(g, "P0~1", EVENT_READ, i)]] = i; /* initial writes of g */
    g_assert_true(execution_complete(x));
    g_assert_cmphex(x->value[arrive] >> 61, ==, 0); /* bytes are outstanding */
    g_assert_cmphex(x->value[complete] >> 61, ==, 1);
    arena_free(u.arena);
}

static void restricted_fences_cover_what_they_name(void)
{
    struct unfolded u = unfold_text("PTX restricted\n{ u32 x = 0; shared u32 s @ cta 0; }\n"
                                    " P0@cta 0,gpu 0                                     ;\n"
                                    " st.weak.u32 [x], 1                                 ;\n"
                                    " st.shared.u32 [s], 1                               ;\n"
                                    " fence.release.sync_restrict::shared::cta.cluster   ;\n"
                                    " st.shared.u32 [s], 2                               ;\n"
                                    "exists (x=1)");
    const struct graph *g = u.graph;
    event_id fence = find_event(g, "P0", EVENT_FENCE, 0);
    g_assert_cmpuint(g->fixed_count[FIXED_restrict_from], ==, 1);
    g_assert_true(has_edge(g, FIXED_restrict_from, find_event(g, "P0", EVENT_WRITE, 1), fence));
    arena_free(u.arena);
}

void add_sync_tests(void)
{
    g_test_add_func("/unfold/barriers/numbers", columns_without_counts_are_numbered);
    g_test_add_func("/unfold/barriers/counts", counts_hold_back_what_follows);
    g_test_add_func("/unfold/barriers/warp", one_warp_brings_its_missing_lanes);
    g_test_add_func("/unfold/barriers/whole-cta", whole_cta_of_a_kernel_never_blocks);
    g_test_add_func("/unfold/barriers/crossed", crossed_barriers_of_a_kernel_are_counted);
    g_test_add_func("/unfold/barriers/exited", exited_threads_are_not_awaited);
    g_test_add_func("/unfold/barriers/popc", reductions_count_their_completion);
    g_test_add_func("/unfold/barriers/undefined", member_masks_and_cluster_phases_are_checked);
    g_test_add_func("/unfold/barriers/quorum", late_threads_pass_a_met_quorum);
    g_test_add_func("/unfold/mbarrier/phase", arrivals_complete_a_phase);
    g_test_add_func("/unfold/mbarrier/wait", waits_acquire_only_when_true);
    g_test_add_func("/unfold/mbarrier/spin", wait_loop_is_a_spin);
    g_test_add_func("/unfold/async/groups", groups_order_what_they_cover);
    g_test_add_func("/unfold/async/bulk", bulk_copies_complete_their_transaction);
    g_test_add_func("/unfold/restricted", restricted_fences_cover_what_they_name);
}
