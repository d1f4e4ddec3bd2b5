/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "tests/unit/graphs.h"
#include "tests/unit/unfold_loops.h"
#include "tests/unit/unfold_sync.h"

static void message_passing_has_its_events(void)
{
    struct unfolded u = unfold_text("PTX MP\n{ x=0; y=0; }\n"
                                    " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                                    " st.weak x, 1        | ld.acquire.gpu r0, y ;\n"
                                    " st.release.gpu y, 1 | ld.weak r1, x        ;\n"
                                    "exists (P1:r0 == 1 /\\ P1:r1 == 0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(g->granule_count, ==, 2);
    g_assert_cmpuint(g->event_count, ==, 6);
    const struct event *release = &g->events[find_event(g, "P0", EVENT_WRITE, 1)];
    const struct event *acquire = &g->events[find_event(g, "P1", EVENT_READ, 0)];
    g_assert_cmphex(release->tags, ==, TAG(REL) | TAG(GEN));
    g_assert_cmphex(acquire->tags, ==, TAG(ACQ) | TAG(GEN));
    g_assert_cmphex(g->events[find_event(g, "P0", EVENT_WRITE, 0)].tags, ==, TAG(WEAK) | TAG(GEN));
    g_assert_cmpstr(release->text, ==, "st.release.gpu y, 1");
    g_assert_cmpuint(release->position, >, g->events[find_event(g, "P0", EVENT_WRITE, 0)].position);
    event_id flag = find_event(g, "P0", EVENT_WRITE, 1), x = find_event(g, "P0", EVENT_WRITE, 0);
    event_id sources[] = {flag, x};
    g_assert_cmpstr(state_text(&u, execute(&u, sources, true)), ==, "1:r0=1; 1:r1=1;");
    event_id wrong[] = {x, flag};
    execute(&u, wrong, false);
    arena_free(u.arena);
}

static void scopes_are_sets_of_threads(void)
{
    struct unfolded u =
        unfold_text("PTX scopes\n{ x=0; }\n"
                    " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 | P3@cta 0,gpu 1 ;\n"
                    " fence.sc.cta | fence.sc.gpu | fence.sc.gpu | fence.sc.sys ;\n"
                    "exists (x == 0)");
    const struct graph *g = u.graph;
    event_id f[4];
    for (unsigned i = 0; i < 4; i++)
        f[i] = find_event(g, (const char *[]){"P0", "P1", "P2", "P3"}[i], EVENT_FENCE, 0);
    static const bool contains[4][4] = {{1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            g_assert_cmpint(graph_scope_contains(g, f[i], f[j]), ==, contains[i][j]);
    arena_free(u.arena);
}

static void dependencies_survive_folding(void)
{
    struct unfolded u = unfold_text("PTX deps\n{ x=0; y=0; z=0; }\n"
                                    " P0@cta 0,gpu 0                    ;\n"
                                    " ld.relaxed.gpu.u32 %r1, [x];      ;\n"
                                    " xor.b32 %r2, %r1, %r1;            ;\n"
                                    " st.relaxed.gpu.u32 [y], %r2;      ;\n"
                                    " setp.eq.u32 %p1, %r1, 1;          ;\n"
                                    " @%p1 st.relaxed.gpu.u32 [z], 1;   ;\n"
                                    " st.relaxed.gpu.u32 [z], 2;        ;\n"
                                    "exists (z == 1)");
    const struct graph *g = u.graph;
    event_id r = find_event(g, "P0", EVENT_READ, 0), y = find_event(g, "P0", EVENT_WRITE, 0),
             guarded = find_event(g, "P0", EVENT_WRITE, 1),
             after = find_event(g, "P0", EVENT_WRITE, 2);
    g_assert_true(expr_is_const(g->exprs, g->events[y].value, NULL));
    g_assert_true(has_edge(g, FIXED_data, r, y));
    g_assert_true(has_edge(g, FIXED_ctrl, r, guarded));
    g_assert_false(has_edge(g, FIXED_ctrl, r, after));
    g_assert_false(expr_is_true(g->exprs, g->events[guarded].guard));
    g_assert_true(expr_is_true(g->exprs, g->events[after].guard));
    arena_free(u.arena);
}

static void failed_cas_writes_nothing(void)
{
    struct unfolded u = unfold_text("PTX cas\n{ x=5; }\n"
                                    " P0@cta 0,gpu 0                   ;\n"
                                    " atom.acquire.gpu.cas r0, x, 0, 1 ;\n"
                                    "exists (P0:r0 == 5 /\\ x == 5)");
    const struct graph *g = u.graph;
    event_id read = find_event(g, "P0", EVENT_READ, 0), write = find_event(g, "P0", EVENT_WRITE, 0);
    g_assert_cmpuint(g->events[read].rmw, ==, write);
    g_assert_cmpuint(g->events[write].rmw, ==, read);
    g_assert_cmphex(g->events[read].tags, ==, TAG(ACQ) | TAG(GEN) | TAG(RMW));
    struct execution *x = execute(&u, (event_id[]){0}, true);
    g_assert_false(x->executed[write]);
    g_assert_cmpstr(state_text(&u, x), ==, "0:r0=5; [x]=5;");
    arena_free(u.arena);
}

static void red_is_marked_and_acquires_nothing(void)
{
    struct unfolded u = unfold_text("PTX red\n{ x=0; }\n"
                                    " P0@cta 0,gpu 0           ;\n"
                                    " red.acq_rel.sys.add x, 1 ;\n"
                                    "exists (x == 1)");
    const struct graph *g = u.graph;
    g_assert_cmphex(g->events[find_event(g, "P0", EVENT_READ, 0)].tags, ==,
                    TAG(RLX) | TAG(GEN) | TAG(RMW) | TAG(RED));
    g_assert_cmphex(g->events[find_event(g, "P0", EVENT_WRITE, 0)].tags, ==,
                    TAG(REL) | TAG(GEN) | TAG(RMW) | TAG(RED));
    arena_free(u.arena);
}

static void mixed_sizes_cut_memory(void)
{
    struct unfolded u =
        unfold_text("PTX mixed\n{ .global .u32 x = 0x11223344; }\n"
                    " P0@cta 0,gpu 0                | P1@cta 0,gpu 0            ;\n"
                    " st.relaxed.gpu.u16 [x+2], 7;  | ld.relaxed.gpu.u32 %r0, [x]; ;\n"
                    "exists (P1:%r0 == 0)");
    const struct graph *g = u.graph;
    g_assert_cmpuint(g->granule_count, ==, 2);
    event_id read = find_event(g, "P1", EVENT_READ, 0), write = find_event(g, "P0", EVENT_WRITE, 0);
    g_assert_cmpuint(g->events[read].pieces, ==, 2);
    g_assert_cmpuint(g->events[read].piece_start[1], ==, 2);
    struct execution *x = execution_new(u.arena, g);
    x->rf[x->rf_base[read]] = 0;
    x->rf[x->rf_base[read] + 1] = write;
    g_assert_true(execution_complete(x));
    g_assert_cmphex(x->observed[0], ==, 0x00073344);
    x->rf[x->rf_base[read]] = write; /* does not cover the lower half */
    g_assert_false(execution_complete(x));
    arena_free(u.arena);
}

static void vectors_are_siblings(void)
{
    struct unfolded u = unfold_text("PTX vector\n{ .global .u32 x[2] = {5, 6}; }\n"
                                    " P0@cta 0,gpu 0                     ;\n"
                                    " ld.global.v2.u32 {%r0, %r1}, [x];  ;\n"
                                    "exists (P0:%r0 == 5 /\\ P0:%r1 == 6)");
    const struct graph *g = u.graph;
    event_id a = find_event(g, "P0", EVENT_READ, 0), b = find_event(g, "P0", EVENT_READ, 1);
    g_assert_cmpuint(g->events[a].position, ==, g->events[b].position);
    g_assert_cmpstr(state_text(&u, execute(&u, (event_id[]){0, 1}, true)), ==, "0:r0=5; 0:r1=6;");
    arena_free(u.arena);
}

static void aliases_share_bytes_not_addresses(void)
{
    struct unfolded u =
        unfold_text("PTX alias\n{ x=0; y @ generic aliases x; s @ surface aliases x; }\n"
                    " P0@cta 0,gpu 0   ;\n"
                    " st.weak x, 1     ;\n"
                    " ld.weak r0, y    ;\n"
                    " suld.weak r1, s  ;\n"
                    "exists (P0:r0 == 1)");
    const struct graph *g = u.graph;
    const struct event *store = &g->events[find_event(g, "P0", EVENT_WRITE, 0)];
    const struct event *other = &g->events[find_event(g, "P0", EVENT_READ, 0)];
    const struct event *surface = &g->events[find_event(g, "P0", EVENT_READ, 1)];
    g_assert_cmpuint(g->granule_count, ==, 1);
    g_assert_cmpuint(store->addresses[0], !=, other->addresses[0]);
    g_assert_cmpuint(store->addresses[0], ==, surface->addresses[0]);
    g_assert_cmphex(surface->tags & (TAG(GEN) | TAG(SUR)), ==, TAG(SUR));
    arena_free(u.arena);
}

static void pointers_reach_what_they_may_point_to(void)
{
    struct unfolded u = unfold_text("PTX pointer\n{ x=3; y=4; p=&x; }\n"
                                    " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                                    " ld.weak r0, p  | st.weak p, y   ;\n"
                                    " ld.weak r1, r0 |                ;\n"
                                    "exists (P0:r1 == 4)");
    const struct graph *g = u.graph;
    if (g->events[find_event(g, "P1", EVENT_WRITE, 0)].address_count == 0)
        g_test_message("no address");
    event_id load = find_event(g, "P0", EVENT_READ, 1);
    g_assert_cmpuint(g->events[load].address_count, >=, 1);
    g_assert_true(has_edge(g, FIXED_addr, find_event(g, "P0", EVENT_READ, 0), load));
    arena_free(u.arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/unfold/message-passing", message_passing_has_its_events);
    g_test_add_func("/unfold/scopes", scopes_are_sets_of_threads);
    g_test_add_func("/unfold/dependencies", dependencies_survive_folding);
    g_test_add_func("/unfold/cas", failed_cas_writes_nothing);
    g_test_add_func("/unfold/red", red_is_marked_and_acquires_nothing);
    g_test_add_func("/unfold/mixed-sizes", mixed_sizes_cut_memory);
    g_test_add_func("/unfold/vectors", vectors_are_siblings);
    g_test_add_func("/unfold/aliases", aliases_share_bytes_not_addresses);
    g_test_add_func("/unfold/pointers", pointers_reach_what_they_may_point_to);
    add_loop_tests();
    add_sync_tests();
    return g_test_run();
}
