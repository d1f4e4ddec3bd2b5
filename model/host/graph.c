/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Graphs: their nodes, made by hand or by capture, and their launches. */

enum { MAX_TASKS = 20000 };

/* ---- nodes ---------------------------------------------------------------------------------- */

struct plan_graph *plan_new_graph(struct planning *p)
{
    return ARENA_NEW(p->b->arena, struct plan_graph);
}

struct plan_graph *plan_copy_graph(struct planning *p, const struct plan_graph *from)
{
    struct plan_graph *copy = plan_new_graph(p);
    for (uint32_t i = 0; from && i < from->nodes.len; i++)
        vec_push(p->b->arena, &copy->nodes, from->nodes.at[i]);
    return copy;
}

uint32_t plan_add_node(struct planning *p, struct plan_graph *g)
{
    vec_push(p->b->arena, &g->nodes, ((struct plan_node){.call = p->call}));
    return g->nodes.len - 1;
}

void plan_depend(struct planning *p, struct plan_graph *g, uint32_t node, uint32_t on,
                 bool programmatic)
{
    struct plan_dependency d = {on, programmatic};
    vec_push(p->b->arena, &g->nodes.at[node].dependencies, d);
}

/* ---- by hand -------------------------------------------------------------------------------- */

static struct plan_graph *graph_of(struct planning *p)
{
    struct plan_graph **g = &p->graphs[p->call->graph];
    if (!*g) {
        plan_refuse(p, p->call, "no call before this one makes the graph");
        *g = plan_new_graph(p);
    }
    return *g;
}

void plan_node_by_hand(struct planning *p)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = graph_of(p);
    uint32_t node = p->node_at[call->node] = plan_add_node(p, g);
    for (uint32_t i = 0; i < call->dependency_count; i++)
        plan_depend(p, g, node, p->node_at[call->dependencies[i]], false);
    if (call->child != NONE)
        g->nodes.at[node].child = plan_copy_graph(p, p->graphs[call->child]);
}

void plan_dependency_by_hand(struct planning *p)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = graph_of(p);
    uint32_t from = p->node_at[call->node], to = p->node_at[call->other_node];
    if (from < to && to < g->nodes.len)
        plan_depend(p, g, to, from, call->constant == HOST_DEPENDENCY_PROGRAMMATIC);
    else
        plan_refuse(p, call, "the node that waits must be added after the one it waits for");
}

/* What the wait nodes would wait for now. */
static void note_matches(struct planning *p, struct plan_graph *g)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        struct plan_node *n = &g->nodes.at[i];
        if (n->child)
            note_matches(p, n->child);
        if (n->call->row->subject != HOST_SUBJECT_EVENT_WAIT)
            continue;
        n->match.records.len = 0;
        const struct plan_event *e = &p->events[n->call->event];
        for (uint32_t k = 0; k < e->records.len; k++)
            vec_push(p->b->arena, &n->match.records, e->records.at[k]);
    }
}

void plan_instantiate(struct planning *p)
{
    p->graphs[p->call->exec] = plan_copy_graph(p, graph_of(p));
    note_matches(p, p->graphs[p->call->exec]);
}

/* ---- launches ------------------------------------------------------------------------------- */

/* E9, E10, E11 and E20. */
static void node_edges(struct planning *p, const struct plan_graph *g, uint32_t n,
                       const uint32_t *tasks, uint32_t launch, bool *has_successor)
{
    const struct plan_node *node = &g->nodes.at[n];
    for (uint32_t i = 0; i < node->dependencies.len; i++) {
        struct plan_dependency d = node->dependencies.at[i];
        has_successor[d.node] = true;
        if (d.programmatic) {
            plan_task(p, tasks[n])->programmatic = true;
            vec_push(p->b->arena, &plan_task(p, tasks[n])->prerequisites, tasks[d.node]);
        } else {
            plan_order(p, API_EDGE_E10, END_TO_START, tasks[d.node], tasks[n], p->always,
                       "graph edge from the node of line %u to that of line %u",
                       plan_line(p, tasks[d.node]), plan_line(p, tasks[n]));
        }
    }
    if (!node->dependencies.len)
        plan_order(p, API_EDGE_E9, START_TO_START, launch, tasks[n], p->always,
                   "a root node of the graph");
}

static void expand(struct planning *p, const struct plan_graph *g, uint32_t launch)
{
    uint32_t *tasks = ARENA_ARRAY(p->b->arena, uint32_t, g->nodes.len + 1);
    bool *has_successor = ARENA_ARRAY(p->b->arena, bool, g->nodes.len + 1);
    for (uint32_t n = 0; n < g->nodes.len && !p->b->failed; n++) {
        if (p->plan->tasks.len > MAX_TASKS) {
            plan_refuse(p, g->nodes.at[n].call, "the launches have too many nodes");
            return;
        }
        tasks[n] = plan_new_task(p, g->nodes.at[n].call);
        plan_task(p, tasks[n])->device = plan_task(p, launch)->device;
        plan_task(p, tasks[n])->stream = plan_task(p, launch)->stream;
        node_edges(p, g, n, tasks, launch, has_successor);
        if (g->nodes.at[n].call->row->subject == HOST_SUBJECT_GRAPH)
            expand(p, g->nodes.at[n].child, tasks[n]);
        else
            plan_work(p, g->nodes.at[n].call, tasks[n], &g->nodes.at[n].match);
    }
    for (uint32_t n = 0; n < g->nodes.len && !p->b->failed; n++)
        if (!has_successor[n])
            plan_order(p, API_EDGE_E11, END_TO_END, tasks[n], launch, p->always,
                       "a last node of the graph");
}

static void follow_launch(struct planning *p, uint32_t before, uint32_t task, expr_id guard)
{
    plan_order(p, API_EDGE_E12, END_TO_START, before, task, guard,
               "one executable graph, launched before line %u and there", plan_line(p, task));
}

/* E12 */
static void relaunch(struct planning *p, struct plan_graph *g, uint32_t task)
{
    for (uint32_t i = g->launches.len; i-- > 0;) {
        uint32_t before = g->launches.at[i];
        expr_id first = plan_before(p, before, task);
        follow_launch(p, before, task, first);
        if (!expr_is_true(p->b->exprs, first))
            follow_launch(p, task, before, expr_not(p->b->exprs, first));
        else if (!p->plan->order.choice)
            break;
    }
    vec_push(p->b->arena, &g->launches, task);
}

void plan_launch_graph(struct planning *p, uint32_t task)
{
    struct plan_graph *g = p->graphs[p->call->exec];
    if (!g) {
        plan_refuse(p, p->call, "no call before this one makes the executable graph");
        return;
    }
    if (!plan_outside_branches(p))
        return;
    relaunch(p, g, task);
    expand(p, g, task);
}
