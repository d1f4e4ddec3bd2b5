/* SPDX-License-Identifier: MIT
 *
 * What models say of generated programs by words of bits (model/direct) and by Z3: some programs of each
 * kind, every outcome that its reads and writes could give, several models.
 *
 * usage: direct [TIMES as many]    prints TAP */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/generate/enumerate.h"
#include "litmus/generate/write.h"
#include "litmus/read/read.h"
#include "model/direct/direct.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"

static const char *const models[] = {"ptx", "ptx-6.0", "ptx-7.5", "alloy75-literal"};
/* With how many programs of each kind one is looked at. */
static const struct {
    struct generate_words words;
    uint32_t every;
} kinds[] = {
    {{.instructions = "3..3", .placements = "all", .scopes = "cta,gpu"}, 601},
    {{.instructions = "5..5", .accesses = "4..4", .strengths = "relaxed", .fences = "sc,release"},
     61},
    {{.threads = "3", .instructions = "4..4", .strengths = "weak,relaxed"}, 101},
    {{.instructions = "3..3", .strengths = "weak,acquire,release", .atomics = "exch,add,red"},
     2003},
    {{.instructions = "4..4", .strengths = "relaxed,volatile,mmio", .fences = "acq_rel"}, 1201},
    {{.instructions = "5..5", .strengths = "relaxed", .locations = "1"}, 61},
};

struct comparing {
    uint32_t every, met, asked, differ;
    const struct cat_model *model;
    struct direct_model *direct;
};

static bool z3_allows(struct arena *arena, const struct cat_model *model, const char *text)
{
    struct diag_list diags = {.arena = arena};
    const struct source *source = source_new(arena, "direct", text, strlen(text));
    const struct unfold_options unfolding = {
        .unroll = 1, .max_events = 1000, .tearing = TEARING_CUTS};
    struct solver_options options = {.test = litmus_parse(arena, source, &diags), .model = model};
    options.graphs = unfold(arena, options.test, &unfolding, &diags, &options.graph_count);
    const struct solver_result *result = solve(arena, &options);
    g_assert_true(result->condition_decided);
    return result->condition_reachable;
}

static void compare(struct comparing *c, struct arena *arena,
                    const struct generated_program *program, const uint32_t *values)
{
    g_autoptr(GString) text = g_string_new(NULL);
    generated_write(text, generated_name(arena, program), NULL, NULL, program, values);
    bool direct = direct_allows(c->direct, program, values);
    c->asked++;
    if (z3_allows(arena, c->model, text->str) == direct)
        return;
    c->differ++;
    printf("# %s by words of bits, not by Z3:\n%s", direct ? "allowed" : "forbidden", text->str);
}

static bool visit(void *context, const struct generated_program *program)
{
    struct comparing *c = context;
    struct generated_outcomes outcomes;
    if (c->met++ % c->every)
        return true;
    g_assert_true(direct_can_ask(program));
    struct arena *arena = arena_new();
    generated_outcomes(arena, program, &outcomes);
    for (uint32_t i = 0; i < outcomes.items.len; i++)
        compare(c, arena, program, outcomes.items.at[i].values);
    arena_free(arena);
    return true;
}

static bool compare_kind(struct arena *arena, struct comparing *c, size_t kind)
{
    struct diag_list diags = {.arena = arena};
    struct generate_bounds bounds;
    g_assert_true(generate_read_bounds(arena, &kinds[kind].words, &bounds, &diags));
    for (size_t i = 0; i < G_N_ELEMENTS(models); i++) {
        c->met = (uint32_t)i; /* other programs for each model */
        c->model = model_load(arena, models[i], &diags);
        c->direct = direct_model_new(arena, c->model);
        generate_programs(&bounds, (struct generate_share){1, 1}, visit, c);
    }
    return !c->differ;
}

int main(int argc, char **argv)
{
    uint32_t times = argc > 1 ? (uint32_t)MAX(atoi(argv[1]), 1) : 1, failed = 0;
    for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
        struct arena *arena = arena_new();
        struct comparing c = {.every = MAX(kinds[kind].every / times, 1)};
        bool good = compare_kind(arena, &c, kind) && c.asked;
        printf("%s %zu %u outcomes, %u differ\n", good ? "ok" : "not ok", kind + 1, c.asked,
               c.differ);
        failed += !good;
        arena_free(arena);
    }
    printf("1..%zu\n", G_N_ELEMENTS(kinds));
    return failed != 0;
}
