/* SPDX-License-Identifier: MIT */
#include "solver/solver.h"

#include <glib.h>
#include <string.h>

#include "model/models/models.h"
#include "tests/unit/graphs.h"

#define MESSAGE(store, load)                                                                       \
    "PTX message\n{ }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                       \
    " st.weak x, 1 | " load " r0, y ;\n " store " y, 1 | ld.weak r1, x ;\n"                        \
    "exists (1:r0=1 /\\ 1:r1=0)\n"
static const char passed[] = MESSAGE("st.release.gpu", "ld.acquire.gpu");
static const char lost[] = MESSAGE("st.relaxed.gpu", "ld.relaxed.gpu");
static const char ordered[] = "PTX ordered\n{ }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n"
                              " ld.weak r0, x ;\nexists (0:r0=0)\n";

static const char spins[] = "PTX spins\n{ }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                            " W: | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ;\n"
                            " setp.eq %p, r0, 0 | ;\n @%p bra W | ;\nexists (true)\n";

struct setting {
    struct unfolded u;
    struct solver_options options;
};

static void set_up(struct setting *s, const char *text)
{
    s->u = unfold_text(text);
    g_assert_nonnull(s->u.graph);
    s->options = (struct solver_options){.test = s->u.test,
                                         .graphs = &s->u.graph,
                                         .graph_count = 1,
                                         .model = model_load(s->u.arena, "ptx", &s->u.diags),
                                         .states = true,
                                         .witnesses = true,
                                         .races = true};
    g_assert_nonnull(s->options.model);
}

static void same_execution(const struct execution *a, const struct execution *b)
{
    uint32_t n = a->graph->event_count;

    for (event_id e = 0; e < n; e++) {
        g_assert_cmpint(a->executed[e], ==, b->executed[e]);
        for (uint32_t i = 0; a->executed[e] && i < a->graph->events[e].pieces; i++)
            if (a->graph->events[e].kind == EVENT_READ)
                g_assert_cmpuint(a->rf[a->rf_base[e] + i], ==, b->rf[b->rf_base[e] + i]);
        for (event_id f = 0; f < n; f++) {
            g_assert_cmpint(rel_has(a->co, e, f), ==, rel_has(b->co, e, f));
            g_assert_cmpint(rel_has(a->sc, e, f), ==, rel_has(b->sc, e, f));
        }
    }
}

static void equal_questions_get_equal_answers(void)
{
    struct setting s;

    set_up(&s, lost);
    struct solver_result *a = solve(s.u.arena, &s.options), *b = solve(s.u.arena, &s.options);
    g_assert_cmpint(a->status, ==, SOLVER_DONE);
    g_assert_cmpuint(a->outcomes.items.len, ==, 4);
    g_assert_cmpuint(b->outcomes.items.len, ==, 4);
    g_assert_cmpuint(a->iterations, ==, b->iterations);
    g_assert_cmpuint(a->clauses, ==, b->clauses);
    for (uint32_t i = 0; i < 4; i++)
        same_execution(a->witnesses[i], b->witnesses[i]);
    arena_free(s.u.arena);
}

/* 'count' writers of one location and as many readers, each of which saw two writes in turn, in a ring. */
static char *writers_and_readers(unsigned count)
{
    GString *text = g_string_new("PTX ring\n{ }\n");
    for (unsigned t = 0; t < 2 * count; t++)
        g_string_append_printf(text, " P%u@cta %u,gpu 0 %s", t, t, t + 1 < 2 * count ? "|" : ";\n");
    for (unsigned row = 0; row < 2; row++)
        for (unsigned t = 0; t < 2 * count; t++) {
            if (t >= count)
                g_string_append_printf(text, " ld.relaxed.gpu r%u, x", row);
            else if (row == 0)
                g_string_append_printf(text, " st.relaxed.gpu x, %u", t + 1);
            g_string_append(text, t + 1 < 2 * count ? " |" : " ;\n");
        }
    for (unsigned t = 0; t < count; t++)
        g_string_append_printf(text, "%s%u:r0=%u /\\ %u:r1=%u", t ? " /\\ " : "exists (", count + t,
                               t + 1, count + t, (t + 1) % count + 1);
    g_string_append(text, ")\n");
    return g_string_free(text, FALSE);
}

/* What coherence must order is known beforehand: without that this takes more than a hundred proposals. */
static void orders_are_proposed_without_detours(void)
{
    struct setting s;
    char *text = writers_and_readers(48);

    set_up(&s, text);
    s.options.state_limit = 1;
    s.options.races = false;
    struct solver_result *r = solve(s.u.arena, &s.options);
    g_assert_true(r->condition_decided && !r->condition_reachable && r->negation_reachable);
    g_assert_cmpuint(r->iterations, <, 60);
    arena_free(s.u.arena);
    g_free(text);
}

static void time_that_runs_out_leaves_it_undecided(void)
{
    struct setting s;

    set_up(&s, lost);
    s.options.timeout_seconds = 1e-6;
    struct solver_result *r = solve(s.u.arena, &s.options);
    g_assert_cmpint(r->status, ==, SOLVER_TIMEOUT);
    g_assert_false(r->condition_decided || r->negation_decided);
    g_assert_false(r->complete || r->races_complete);
    arena_free(s.u.arena);
}

static void a_limit_of_states_keeps_the_verdict(void)
{
    struct setting s;

    set_up(&s, lost);
    s.options.state_limit = 2;
    struct solver_result *r = solve(s.u.arena, &s.options);
    g_assert_cmpint(r->status, ==, SOLVER_STATES);
    g_assert_cmpuint(r->outcomes.items.len, ==, 2);
    g_assert_true(r->condition_decided && r->condition_reachable && r->negation_reachable);
    g_assert_true(r->races_complete && !r->complete);
    arena_free(s.u.arena);
}

static void races_are_found_where_there_are_some(void)
{
    struct setting s;

    set_up(&s, lost);
    struct solver_result *r = solve(s.u.arena, &s.options);
    g_assert_true(r->races_complete);
    g_assert_cmpuint(r->race_count, ==, 1);
    g_assert_cmpstr(r->races[0].flag, ==, "data-race");
    g_assert_cmpuint(r->races[0].a, ==, find_event(s.u.graph, "P0", EVENT_WRITE, 0));
    g_assert_cmpuint(r->races[0].b, ==, find_event(s.u.graph, "P1", EVENT_READ, 1));
    arena_free(s.u.arena);
    set_up(&s, ordered);
    r = solve(s.u.arena, &s.options);
    g_assert_true(r->races_complete);
    g_assert_cmpuint(r->race_count, ==, 0);
    s.options.races = false;
    g_assert_false(solve(s.u.arena, &s.options)->races_complete);
    arena_free(s.u.arena);
}

static void the_reason_is_the_axiom_that_matters(void)
{
    struct setting s;

    set_up(&s, passed);
    g_assert_false(solve(s.u.arena, &s.options)->condition_reachable);
    struct reason *reason = solver_explain(s.u.arena, &s.options, false);
    g_assert_nonnull(reason);
    g_assert_false(reason->by_values);
    g_assert_cmpuint(reason->axiom_count, ==, 1);
    g_assert_cmpstr(s.options.model->axioms[reason->axioms[0]].name, ==, "causality");
    g_assert_cmpuint(reason->example_count, ==, reason->axiom_count);
    arena_free(s.u.arena);
}

/* The flag can relate the writes in both directions for all that is known beforehand; only from the
 * later event to the earlier one does an execution do so, and no state asks for that one. */
static void races_are_looked_for_in_both_directions(void)
{
    static const char text[] = "PTX towards\n{ }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                               " ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, x ;\n"
                               " st.release.gpu x, 1 | st.relaxed.gpu x, 2 ;\n"
                               "exists (x=1)\n";
    static const char model[] = "\"towards\"\n"
                                "acyclic po | rf | co as order\n"
                                "empty [REL]; rf as unread\n"
                                "flag ~empty [W \\ IW]; co & (rf; po) as data-race\n";
    struct setting s;

    set_up(&s, text);
    s.options.states = false;
    s.options.model = model_parse(s.u.arena, source_new(s.u.arena, "own.cat", model, strlen(model)),
                                  NULL, &s.u.diags);
    g_assert_nonnull(s.options.model);
    struct solver_result *r = solve(s.u.arena, &s.options);
    g_assert_true(r->races_complete);
    g_assert_cmpuint(r->race_count, ==, 1);
    g_assert_cmpuint(r->races[0].a, ==, find_event(s.u.graph, "P0", EVENT_WRITE, 0));
    g_assert_cmpuint(r->races[0].b, ==, find_event(s.u.graph, "P1", EVENT_WRITE, 0));
    arena_free(s.u.arena);
}

/* A clock that a look at it moves on by a second. */
static int64_t look(void *context)
{
    return (*(int64_t *)context)++ * 1000000;
}

typedef bool question(struct setting *s);

static bool explains(struct setting *s)
{
    const struct reason *reason = solver_explain(s->u.arena, &s->options, false);
    return reason && reason->by_values;
}

static bool is_said_to_terminate(struct setting *s)
{
    enum solver_status status;
    struct execution *stuck;
    return solver_terminates(s->u.arena, &s->options, &status, &stuck) && status == SOLVER_DONE;
}

/* Time that is enough for one graph is not enough for two. */
static void assert_time_is_shared(const char *text, question *ask)
{
    struct setting s;
    int64_t looks = 0;
    struct solver_clock clock = {look, &looks};

    set_up(&s, text);
    s.options.clock = &clock;
    s.options.timeout_seconds = 1000;
    g_assert_true(ask(&s));
    s.options.timeout_seconds = (double)looks - 0.5;
    g_assert_true(ask(&s));
    struct graph *twice[] = {s.u.graph, s.u.graph};
    s.options.graphs = twice;
    s.options.graph_count = 2;
    g_assert_false(ask(&s));
    s.options.timeout_seconds = 1000;
    g_assert_true(ask(&s));
    arena_free(s.u.arena);
}

static void all_graphs_share_the_time(void)
{
    assert_time_is_shared("PTX values\n{ }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\n"
                          "exists (0:r0=1)\n",
                          explains);
    assert_time_is_shared(spins, is_said_to_terminate);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/solver/equal-answers", equal_questions_get_equal_answers);
    g_test_add_func("/solver/timeout", time_that_runs_out_leaves_it_undecided);
    g_test_add_func("/solver/states", a_limit_of_states_keeps_the_verdict);
    g_test_add_func("/solver/orders", orders_are_proposed_without_detours);
    g_test_add_func("/solver/races", races_are_found_where_there_are_some);
    g_test_add_func("/solver/towards", races_are_looked_for_in_both_directions);
    g_test_add_func("/solver/reason", the_reason_is_the_axiom_that_matters);
    g_test_add_func("/solver/deadline", all_graphs_share_the_time);
    return g_test_run();
}
