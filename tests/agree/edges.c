/* SPDX-License-Identifier: MIT
 *
 * edges FOLDER: leaves out one rule by which calls of the CUDA runtime order accesses at a time
 * (model/graph/api_edge.def) and asks the host programs of the folder to notice: the answer to one's
 * question must change. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "model/models/models.h"
#include "solver/solver.h"
#include "tests/agree/question.h"

enum { E7_END = API_EDGE_E21 + 1, RULES }; /* API_EDGE_E7 leaves out its half about the start */

static const char *const rule_texts[RULES] = {
    "",
#define API_EDGE(name, what) #name ": " what,
#include "model/graph/api_edge.def"
#undef API_EDGE
    "E7: its second half, accesses before the end",
};

struct noticed {
    const struct cat_model *model;
    struct arena *arena;
    const char *by[RULES];
    uint32_t open;
};

static void drop_edges(struct graph *g, enum fixed_relation relation, uint32_t rule)
{
    const struct fixed_edge *all = g->fixed[relation];
    uint32_t count = g->fixed_count[relation];
    g->fixed[relation] = ARENA_ARRAY(g->arena, struct fixed_edge, count + 1);
    g->fixed_count[relation] = 0;
    for (uint32_t i = 0; i < count; i++)
        if (all[i].rule != rule)
            g->fixed[relation][g->fixed_count[relation]++] = all[i];
}

/* E7 is program order in a copy's own thread, which has no place among warps, columns and hosts:
 * the start at 0, accesses at 1, the end at 2. */
static void move_copies(struct graph *g, uint32_t position)
{
    const struct event *all = g->events;
    g->events = ARENA_ARRAY(g->arena, struct event, g->event_count + 1);
    for (event_id e = 0; e < g->event_count; e++) {
        g->events[e] = all[e];
        const struct thread *t = all[e].thread == NONE ? NULL : &g->threads[all[e].thread];
        if (t && t->host == NONE && t->column == NONE && t->launch == NONE &&
            event_is_memory(&all[e]))
            g->events[e].position = position;
    }
}

/* Without E17 every query orders, whatever it returned. */
static void believe_queries(struct graph *g)
{
    const struct fixed_edge *all = g->fixed[FIXED_api_sync];
    uint32_t count = g->fixed_count[FIXED_api_sync];
    g->fixed[FIXED_api_sync] = ARENA_ARRAY(g->arena, struct fixed_edge, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        g->fixed[FIXED_api_sync][i] = all[i];
        if (all[i].rule == API_EDGE_E16)
            g->fixed[FIXED_api_sync][i].guard = expr_true(g->exprs);
    }
}

static struct graph *without(const struct graph *graph, uint32_t rule)
{
    struct graph *copy = ARENA_NEW(graph->arena, struct graph);
    *copy = *graph;
    drop_edges(copy, FIXED_api_sync, rule);
    drop_edges(copy, FIXED_async, rule);
    if (rule == API_EDGE_E7)
        move_copies(copy, 0);
    if (rule == E7_END)
        move_copies(copy, 2);
    if (rule == API_EDGE_E17)
        believe_queries(copy);
    return copy;
}

static bool can_hold(const struct question *q, struct graph **graphs, const struct cat_model *model)
{
    struct solver_options options = {
        .test = q->test, .graphs = graphs, .graph_count = q->graph_count, .model = model};
    return solve(q->arena, &options)->condition_reachable;
}

static void ask(const struct question *q, struct noticed *noticed)
{
    bool whole = can_hold(q, q->graphs, noticed->model);
    struct graph **cut = ARENA_ARRAY(q->arena, struct graph *, q->graph_count + 1);
    for (uint32_t rule = 1; rule < RULES; rule++) {
        for (uint32_t i = 0; i < q->graph_count; i++)
            cut[i] = without(q->graphs[i], rule);
        if (noticed->by[rule] || can_hold(q, cut, noticed->model) == whole)
            continue;
        noticed->by[rule] = arena_strdup(noticed->arena, q->test->name);
        noticed->open--;
    }
}

static void ask_file(const char *path, struct noticed *noticed)
{
    struct question q;
    if (question_open(&q, path, TEARING_WHOLE) && q.test->host)
        ask(&q, noticed);
    arena_free(q.arena);
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
    for (uint32_t i = 0; i < paths->len && noticed->open; i++)
        ask_file(g_ptr_array_index(paths, i), noticed);
    g_ptr_array_free(paths, TRUE);
    if (dir)
        g_dir_close(dir);
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct noticed noticed = {model_load(arena, "ptx", &diags), arena, {NULL}, RULES - 1};
    if (!noticed.model || argc != 2)
        return 2;
    walk(argv[1], &noticed);
    printf("1..%d\n", RULES - 1);
    for (uint32_t rule = 1; rule < RULES; rule++)
        printf("%sok %u - %s # %s\n", noticed.by[rule] ? "" : "not ", rule, rule_texts[rule],
               noticed.by[rule] ? noticed.by[rule] : "nothing notices");
    arena_free(arena);
    return noticed.open != 0;
}
