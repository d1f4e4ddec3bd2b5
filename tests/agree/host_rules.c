/* SPDX-License-Identifier: MIT
 *
 * host-rules FOLDER: leaves out one rule of host programs at a time, calls that fail (litmus/test/host_misuse.def) and
 * what litmus/test/host_rule.def lists, and asks the tests of the folder to notice: what is reported of one must change. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "litmus/test/host_rule.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/answer/answer.h"
#include "solver/solver.h"
#include "tests/agree/question.h"

static const char *const texts[HOST_RULE_COUNT] = {
    "",
#define MISUSE(id, error, detail) error ": " detail,
#include "litmus/test/host_misuse.def"
#undef MISUSE
#define RULE(id, what) what,
#include "litmus/test/host_rule.def"
#undef RULE
};

struct noticed {
    const struct cat_model *model;
    struct arena *arena;
    const char *by[HOST_RULE_COUNT];
    uint32_t open;
};

/* What is reported of a test, as far as rules decide it. */
struct findings {
    uint32_t undefined, flags;
    bool ends, reaches, avoids; /* final states as the condition asks for, and others */
};

static bool says(const struct test *test, const char *word)
{
    for (uint32_t i = 0; i < test->comment_count; i++)
        if (strstr(test->comments[i], word))
            return true;
    return false;
}

static struct graph **graphs_without(const struct question *q, uint32_t rule, bool liveness,
                                     uint32_t *count)
{
    struct diag_list diags = {.arena = q->arena};
    struct unfold_options options = {.unroll = 2,
                                     .max_events = 1000,
                                     .tearing = TEARING_WHOLE,
                                     .liveness = liveness,
                                     .without = rule};
    return unfold(q->arena, q->test, &options, &diags, count);
}

static struct findings find_without(const struct question *q, const struct cat_model *model,
                                    uint32_t rule)
{
    struct findings found = {.ends = true};
    struct solver_options options = {.test = q->test, .model = model, .races = true};
    enum solver_status status;
    struct execution *stuck;
    options.graphs = graphs_without(q, rule, false, &options.graph_count);
    if (options.graphs) {
        const struct solver_result *result = solve(q->arena, &options);
        found.undefined = result->undefined_count;
        found.flags = result->race_count;
        found.reaches = result->condition_reachable;
        found.avoids = result->negation_reachable;
    }
    if (says(q->test, "hang-"))
        options.graphs = graphs_without(q, rule, true, &options.graph_count);
    if (says(q->test, "hang-") && options.graphs)
        found.ends = solver_terminates(q->arena, &options, &status, &stuck);
    return found;
}

static uint64_t size_of(struct graph **graphs, uint32_t count)
{
    uint64_t size = count;
    for (uint32_t i = 0; graphs && i < count; i++) {
        size = size * 31 + graphs[i]->event_count;
        size = size * 31 + graphs[i]->undefined_count;
        for (uint32_t k = 0; k < graphs[i]->thread_count; k++)
            size += graphs[i]->threads[k].domain;
        size = size * 31 + expr_count(graphs[i]->exprs);
        for (uint32_t k = 0; k < FIXED_COUNT; k++)
            size = size * 31 + graphs[i]->fixed_count[k];
    }
    return size;
}

/* The rule decides what a test may end in: it leaves traces in the graphs. */
static bool changes(const struct question *q, uint32_t rule)
{
    uint32_t with, without;
    struct graph **whole = graphs_without(q, 0, false, &with);
    struct graph **less = graphs_without(q, rule, false, &without);
    return whole && less && size_of(whole, with) != size_of(less, without);
}

/* Can the rule say anything about the test? */
static bool concerns(const struct question *q, uint32_t rule)
{
    const char *detail = rule < HOST_MISUSE_COUNT ? host_misuse_rows[rule].detail : NULL;
    if (rule >= HOST_RULE_CONTENTS)
        return changes(q, rule);
    bool hang = rule >= HOST_RULE_BLOCKING_ALLOCATION;
    if (!detail)
        return hang ? says(q->test, "hang-")
                    : says(q->test, "undefined=") || says(q->test, "warns=");
    bool named = rule == HOST_MISUSE_DESTROYED || rule == HOST_MISUSE_RESET; /* with its object */
    for (uint32_t i = 0; i < q->graph_count; i++)
        for (uint32_t k = 0; k < q->graphs[i]->undefined_count; k++)
            if (strcmp(q->graphs[i]->undefined[k].detail, detail) == 0 ||
                (named &&
                 strcmp(q->graphs[i]->undefined[k].name, host_misuse_rows[rule].error) == 0))
                return says(q->test, "undefined=");
    return false;
}

static void ask(const struct question *q, struct noticed *noticed)
{
    struct findings whole, without;
    bool known = false;
    for (uint32_t rule = 1; rule < HOST_RULE_COUNT; rule++) {
        if (noticed->by[rule] || !concerns(q, rule))
            continue;
        if (!known)
            whole = find_without(q, noticed->model, 0);
        known = true;
        without = find_without(q, noticed->model, rule);
        if (whole.undefined == without.undefined && whole.flags == without.flags &&
            whole.ends == without.ends && whole.reaches == without.reaches &&
            whole.avoids == without.avoids)
            continue;
        noticed->by[rule] = arena_strdup(noticed->arena, q->test->name);
        noticed->open--;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void walk(const char *folder, struct noticed *noticed)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    g_ptr_array_sort(paths, by_name);
    for (uint32_t i = 0; i < paths->len && noticed->open; i++) {
        struct question q;
        if (question_open(&q, g_ptr_array_index(paths, i), TEARING_WHOLE) && q.test->host)
            ask(&q, noticed);
        arena_free(q.arena);
    }
    g_ptr_array_free(paths, TRUE);
    if (dir)
        g_dir_close(dir);
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct noticed noticed = {model_load(arena, "ptx", &diags), arena, {NULL}, HOST_RULE_COUNT - 1};
    if (!noticed.model || argc != 2)
        return 2;
    walk(argv[1], &noticed);
    printf("1..%d\n", HOST_RULE_COUNT - 1);
    for (uint32_t rule = 1; rule < HOST_RULE_COUNT; rule++)
        printf("%sok %u - %s # %s\n", noticed.by[rule] ? "" : "not ", rule, texts[rule],
               noticed.by[rule] ? noticed.by[rule] : "nothing notices");
    arena_free(arena);
    return noticed.open != 0;
}
