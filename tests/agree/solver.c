/* SPDX-License-Identifier: MIT
 *
 * Solver and brute force must agree on every test that brute force can finish: the same states, the
 * same flags and undefined behaviour. solver BUDGET EVERY FOLDER | FILE.litmus…: models other than the
 * default one of each language judge each EVERY-th test. The two share the graph
 * and the judge, and nothing of how executions are found. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/models/models.h"
#include "solver/solver.h"
#include "tests/agree/question.h"

struct tally {
    uint64_t budget, every;
    uint32_t files, agree, disagree, unfinished, refused;
};

static bool same_states(const struct outcome_set *a, const struct outcome_set *b)
{
    if (a->items.len != b->items.len)
        return false;
    for (uint32_t i = 0; i < a->items.len; i++)
        if (outcome_compare(a->test, a->items.at[i].values, b->items.at[i].values))
            return false;
    return true;
}

/* Whether executions that end in a state race, and whether some do not. */
static bool same_state_races(const struct outcome_set *solved, const struct outcome_set *brute)
{
    for (uint32_t i = 0; i < solved->items.len; i++) {
        const struct outcome *a = &solved->items.at[i], *b = &brute->items.at[i];

        if (a->race_open || a->race_free_open || a->race != b->race || a->race_free != b->race_free)
            return false;
    }
    return true;
}

static bool has_flag(const struct solver_result *result, const char *flag)
{
    for (uint32_t i = 0; i < result->race_count; i++)
        if (!strcmp(result->races[i].flag, flag))
            return true;
    return false;
}

/* Several flags may have one name. */
static bool is_flagged(const struct cat_model *model, const struct brute_result *brute,
                       const char *flag)
{
    for (uint32_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].flag && brute->flags[i] && !strcmp(model->axioms[i].name, flag))
            return true;
    return false;
}

/* Flags over pairs: the solver reports those. A flag over a set only names what a model leaves out.
 */
static bool same_flags(const struct cat_model *model, const struct solver_result *solved,
                       const struct brute_result *brute)
{
    for (uint32_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].flag && !model->nodes[model->axioms[i].node].is_set &&
            is_flagged(model, brute, model->axioms[i].name) !=
                has_flag(solved, model->axioms[i].name))
            return false;
    return true;
}

static bool same_undefined(const struct solver_result *solved, const struct brute_result *brute)
{
    for (uint32_t i = 0; i < solved->undefined_count; i++) {
        const struct undefined *u = solved->undefined[i];
        bool found = false;
        for (uint32_t j = 0; j < brute->undefined_count; j++)
            found |= brute->undefined[j]->name == u->name &&
                     brute->undefined[j]->span.offset == u->span.offset;
        if (!found)
            return false;
    }
    return solved->undefined_count == brute->undefined_count;
}

static void report(const struct question *q, const char *model, const struct solver_result *solved,
                   const struct brute_result *brute)
{
    printf("# %s: %s: solver %u states, status %d%s%s; brute force %u\n", q->path, model,
           solved->outcomes.items.len, solved->status, solved->internal ? " " : "",
           solved->internal ? solved->internal : "", brute->outcomes.items.len);
}

static void compare(const struct question *q, const char *name, struct tally *tally)
{
    struct diag_list diags = {.arena = q->arena};
    struct cat_model *model = model_load(q->arena, name, &diags);
    struct brute_result all = brute(q->arena, q->graphs, q->graph_count, model, tally->budget);
    struct solver_options options = {.test = q->test,
                                     .graphs = q->graphs,
                                     .graph_count = q->graph_count,
                                     .model = model,
                                     .state_limit = 100000,
                                     .states = true,
                                     .races = true,
                                     .state_races = true};
    struct solver_result *solved;

    if (!all.complete) {
        tally->unfinished++;
        return;
    }
    solved = solve(q->arena, &options);
    if (solved->status == SOLVER_DONE && same_states(&solved->outcomes, &all.outcomes) &&
        same_state_races(&solved->outcomes, &all.outcomes) && same_flags(model, solved, &all) &&
        same_undefined(solved, &all)) {
        tally->agree++;
        return;
    }
    tally->disagree++;
    report(q, name, solved, &all);
}

static void compare_file(const char *path, struct tally *tally)
{
    static const struct {
        const char *model;
        enum tearing tearing;
    } ways[] = {{"ptx", TEARING_WHOLE}, {"ptx", TEARING_BYTES},      {"ptx-6.0", TEARING_CUTS},
                {"cpp", TEARING_CUTS},  {"cpp+split", TEARING_CUTS}, {"cpp11", TEARING_CUTS},
                {"cpp20", TEARING_CUTS}};

    for (uint32_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        struct question q;
        bool usual = i == 0 || strcmp(ways[i].model, "cpp") == 0;

        if (!usual && tally->files % tally->every)
            continue;
        bool open = question_open(&q, path, ways[i].tearing);
        if (open && (q.test->language == LANGUAGE_CPP) != g_str_has_prefix(ways[i].model, "cpp")) {
            arena_free(q.arena);
            continue;
        }
        if (open)
            compare(&q, ways[i].model, tally);
        else
            tally->refused++;
        arena_free(q.arena);
    }
    tally->files++;
}

static void walk(const char *path, struct tally *tally)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    const char *name;

    if (!folder) {
        if (g_str_has_suffix(path, ".litmus"))
            compare_file(path, tally);
        return;
    }
    while ((name = g_dir_read_name(folder))) {
        char *inner = g_build_filename(path, name, NULL);

        walk(inner, tally);
        g_free(inner);
    }
    g_dir_close(folder);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    bool right;

    if (argc < 4) {
        fprintf(stderr, "usage: solver BUDGET EVERY FOLDER|FILE.litmus...\n");
        return 2;
    }
    tally.budget = strtoull(argv[1], NULL, 10);
    tally.every = MAX(1, strtoull(argv[2], NULL, 10));
    for (int i = 3; i < argc; i++)
        walk(argv[i], &tally);
    right = tally.disagree == 0 && tally.agree > 0;
    printf("# %u agree, %u disagree, %u too large for brute force, %u refused\n", tally.agree,
           tally.disagree, tally.unfinished, tally.refused);
    printf("1..1\n%sok 1 solver and brute force agree\n", right ? "" : "not ");
    return !right;
}
