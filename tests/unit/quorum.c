/* SPDX-License-Identifier: MIT
 *
 * Barriers of two among three threads under models that name them in their own words: as Dartagnan's
 * texts do, 'syncbar & scta' in older ones and 'sync_barrier' in newer ones, and as the texts on
 * board do. All must allow the same states. */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/brute/brute.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"

enum { THREADS = 3, PAIRS = 3, BRUTE_BUDGET = 200000 };

static const char cause[] = "let co = co+\n"
                            "let fr = rf^-1; co\n"
                            "let cause = (po | barrier)+\n"
                            "empty ([W]; cause; [W]) & loc \\ co as coherence\n"
                            "irreflexive (rf | fr); cause as causality\n";

static const char *const barriers[] = {"syncbar & scta", "sync_barrier",
                                       "sync_barrier | sync_quorum"};

/* Thread t is left out of pair t. */
static bool is_in(unsigned pair, unsigned thread)
{
    return pair != thread;
}

/* Threads of pair 'before' store, each to a location of its own, and those of pair 'after' load all
 * three locations, on the other side of the barrier. */
static char *program(unsigned before, unsigned after)
{
    GString *text = g_string_new("PTX two-of-three\n{ v0 = 0; v1 = 0; v2 = 0; }\n");
    for (unsigned t = 0; t < THREADS; t++)
        g_string_append_printf(text, "%s P%u@cta 0,gpu 0", t ? "|" : "", t);
    g_string_append(text, ";\n");
    for (unsigned t = 0; t < THREADS; t++)
        g_string_append_printf(text, is_in(before, t) ? "%s st.weak v%u, 1 " : "%s ", t ? "|" : "",
                               t);
    g_string_append(text, ";\n");
    for (unsigned t = 0; t < THREADS; t++)
        g_string_append_printf(text, "%s bar.cta.sync 1, 1, 2 ", t ? "|" : "");
    for (unsigned v = 0; v < THREADS; v++) {
        g_string_append(text, ";\n");
        for (unsigned t = 0; t < THREADS; t++)
            g_string_append_printf(text, is_in(after, t) ? "%s ld.weak r%u, v%u " : "%s ",
                                   t ? "|" : "", v, v);
    }
    g_string_append(text, ";\nlocations [");
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned v = 0; is_in(after, t) && v < THREADS; v++)
            g_string_append_printf(text, "%u:r%u; ", t, v);
    g_string_append(text, "]\nexists (true)\n");
    return g_string_free(text, FALSE);
}

static struct cat_model *model_of(struct arena *arena, const char *barrier)
{
    struct diag_list diags = {.arena = arena};
    const char *text = arena_printf(arena, "let barrier = %s\n%s", barrier, cause);
    struct cat_model *model =
        model_parse(arena, source_new(arena, "own.cat", text, strlen(text)), NULL, &diags);
    g_assert_nonnull(model);
    return model;
}

/* The states that Z3 finds, which are those of brute force. */
static const struct outcome_set *states_of(struct arena *arena, const struct test *test,
                                           const struct cat_model *model)
{
    struct diag_list diags = {.arena = arena};
    struct unfold_options unfold_options = {.unroll = 2, .max_events = 1000};
    uint32_t count, index;
    struct graph **graphs = unfold(arena, test, &unfold_options, &diags, &count);
    g_assert_nonnull(graphs);
    struct solver_options options = {.test = test,
                                     .graphs = graphs,
                                     .graph_count = count,
                                     .model = model,
                                     .states = true,
                                     .state_limit = 10000};
    struct solver_result *found = solve(arena, &options);
    g_assert_true(found->complete);
    struct brute_result reference = brute(arena, graphs, count, model, BRUTE_BUDGET);
    if (reference.complete)
        g_assert_cmpuint(found->outcomes.items.len, ==, reference.outcomes.items.len);
    for (uint32_t i = 0; reference.complete && i < reference.outcomes.items.len; i++)
        g_assert_true(
            outcome_find(&found->outcomes, reference.outcomes.items.at[i].values, &index));
    return &found->outcomes;
}

static void assert_same(const struct outcome_set *a, const struct outcome_set *b)
{
    uint32_t index;
    g_assert_cmpuint(a->items.len, ==, b->items.len);
    for (uint32_t i = 0; i < a->items.len; i++)
        g_assert_true(outcome_find(b, a->items.at[i].values, &index));
}

static void compare(unsigned before, unsigned after)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    char *text = program(before, after);
    const struct test *test =
        litmus_parse(arena, source_new(arena, "two-of-three", text, strlen(text)), &diags);
    g_assert_nonnull(test);
    const struct outcome_set *expected =
        states_of(arena, test, model_load(arena, "ptx-7.5", &diags));
    assert_same(states_of(arena, test, model_load(arena, "ptx", &diags)), expected);
    for (unsigned i = 0; i < G_N_ELEMENTS(barriers); i++)
        assert_same(states_of(arena, test, model_of(arena, barriers[i])), expected);
    g_free(text);
    arena_free(arena);
}

static void every_model_allows_the_same_states(void)
{
    for (unsigned before = 0; before < PAIRS; before++)
        for (unsigned after = 0; after < PAIRS; after++)
            compare(before, after);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/quorum/two-of-three", every_model_allows_the_same_states);
    return g_test_run();
}
