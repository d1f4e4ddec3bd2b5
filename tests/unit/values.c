/* SPDX-License-Identifier: MIT */
#include "model/graph/values.h"

#include <glib.h>

#include "model/graph/layout.h"
#include "tests/unit/graphs.h"

static expr_id read_of(const struct graph *g, const char *thread, uint32_t n)
{
    return g->events[find_event(g, thread, EVENT_READ, n)].value;
}

static void reads_see_initial_values_and_writes(void)
{
    struct unfolded u = unfold_text("PTX sets\n{ x=7; y=0; }\n"
                                    " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
                                    " ld.weak r0, x  | st.weak x, 3   ;\n"
                                    " ld.weak r1, y  | st.weak x, 5   ;\n"
                                    "exists (P0:r0 == 3)");
    const struct graph *g = u.graph;
    struct values *v = values_new(u.arena, g);
    uint32_t count;
    const uint64_t *out = values_of(v, read_of(g, "P0", 0), &count);
    g_assert_cmpuint(count, ==, 3);
    g_assert_cmpuint(out[0], ==, 3);
    g_assert_cmpuint(out[1], ==, 5);
    g_assert_cmpuint(out[2], ==, 7);
    g_assert_nonnull(values_of(v, read_of(g, "P0", 1), &count));
    g_assert_cmpuint(count, ==, 1);
    g_assert_true(values_may_read(v, find_event(g, "P0", EVENT_READ, 0),
                                  find_event(g, "P1", EVENT_WRITE, 0)));
    g_assert_false(values_may_read(v, find_event(g, "P0", EVENT_READ, 1),
                                   find_event(g, "P1", EVENT_WRITE, 0)));
    arena_free(u.arena);
}

static void writes_that_cannot_execute_do_not_count(void)
{
    struct unfolded u = unfold_text("PTX dead\n{ x=0; y=0; }\n"
                                    " P0@cta 0,gpu 0  | P1@cta 0,gpu 0 ;\n"
                                    " ld.weak r0, x   | ld.weak r0, y  ;\n"
                                    " bne r0, 9, L    |                ;\n"
                                    " st.weak y, 1    |                ;\n"
                                    " L:              |                ;\n"
                                    "exists (P1:r0 == 1)");
    const struct graph *g = u.graph;
    struct values *v = values_new(u.arena, g);
    g_assert_false(values_may_read(v, find_event(g, "P1", EVENT_READ, 0),
                                   find_event(g, "P0", EVENT_WRITE, 0)));
    arena_free(u.arena);
}

static void pointers_have_a_short_list(void)
{
    struct unfolded u = unfold_text("PTX list\n{ .global .u32 x = 1; .global .u32 y = 2; .global "
                                    ".u32 z = 3; .global .u64 p = &x; }\n"
                                    " P0@cta 0,gpu 0          | P1@cta 0,gpu 0        ;\n"
                                    " ld.weak.u64 %rd1, [p];  | mov.u64 %rd1, y;      ;\n"
                                    " ld.weak.u32 %r1, [%rd1]; | st.weak.u64 [p], %rd1; ;\n"
                                    "exists (P0:r1 == 2)");
    const struct graph *g = u.graph;
    const struct event *load = &g->events[find_event(g, "P0", EVENT_READ, 1)];
    g_assert_cmpuint(load->address_count, ==, 2);
    g_assert_cmphex(load->addresses[0], ==, layout_address(u.test, 0, 0));
    g_assert_cmphex(load->addresses[1], ==, layout_address(u.test, 1, 0));
    arena_free(u.arena);
}

static void a_value_rests_on_each_read_once(void)
{
    struct unfolded u =
        unfold_text("PTX grow\n{ x=0; }\n"
                    " P0@cta 0,gpu 0            | P1@cta 0,gpu 0            ;\n"
                    " atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;\n"
                    "exists (P0:r0 == 1)");
    const struct graph *g = u.graph;
    struct values *v = values_new(u.arena, g);
    uint32_t count;
    const uint64_t *values = values_of(v, read_of(g, "P0", 0), &count);
    g_assert_nonnull(values);
    g_assert_cmpuint(count, >=, 2); /* 0 and 1 */
    g_assert_cmpuint(count, <, VALUES_LIMIT);
    g_assert_cmpuint(values[0], ==, 0);
    g_assert_cmpuint(values[1], ==, 1);
    arena_free(u.arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/values/sets", reads_see_initial_values_and_writes);
    g_test_add_func("/values/dead", writes_that_cannot_execute_do_not_count);
    g_test_add_func("/values/pointers", pointers_have_a_short_list);
    g_test_add_func("/values/each-read-once", a_value_rests_on_each_read_once);
    return g_test_run();
}
