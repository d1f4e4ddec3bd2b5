/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_rule.h"
#include "model/host/plan.h"

#include <string.h>

/* Graphs: their nodes, made by hand or by capture, and their launches. */

enum { MAX_TASKS = 20000 };

/* ---- nodes ---------------------------------------------------------------------------------- */

struct plan_graph *plan_new_graph(struct planning *p)
{
    return ARENA_NEW(p->b->arena, struct plan_graph);
}

/* Its own copies of the graphs of a conditional node. */
static void copy_bodies(struct planning *p, struct plan_node *n)
{
    struct plan_node own = *n;
    memset(&own.bodies, 0, sizeof own.bodies);
    for (uint32_t i = 0; i < n->bodies.len; i++)
        vec_push(p->b->arena, &own.bodies, plan_copy_graph(p, n->bodies.at[i]));
    *n = own;
}

struct plan_graph *plan_copy_graph(struct planning *p, const struct plan_graph *from)
{
    struct plan_graph *copy = plan_new_graph(p);
    for (uint32_t i = 0; from && i < from->nodes.len; i++)
        vec_push(p->b->arena, &copy->nodes, from->nodes.at[i]);
    for (uint32_t i = 0; i < copy->nodes.len; i++)
        copy_bodies(p, &copy->nodes.at[i]);
    for (uint32_t i = 0; from && i < from->handles.len; i++)
        vec_push(p->b->arena, &copy->handles, from->handles.at[i]);
    return copy;
}

/* Some node of the graph allocates or frees memory. */
static bool holds_memory(const struct plan_graph *g)
{
    for (uint32_t i = 0; g && i < g->nodes.len; i++) {
        enum host_subject does = g->nodes.at[i].call->row->subject;
        if (does == HOST_SUBJECT_ALLOCATION || does == HOST_SUBJECT_RELEASE ||
            holds_memory(g->nodes.at[i].child))
            return true;
    }
    return false;
}

struct plan_graph *plan_clone(struct planning *p, uint32_t graph)
{
    if (holds_memory(p->graphs[graph]))
        plan_error(p, HOST_MISUSE_MEMORY_GRAPH);
    return plan_copy_graph(p, p->graphs[graph]);
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

struct plan_graph *plan_named_graph(struct planning *p)
{
    struct plan_graph **g = &p->graphs[p->call->graph];
    if (!*g) {
        plan_error(p, HOST_MISUSE_NO_GRAPH);
        *g = plan_new_graph(p);
    }
    return *g;
}

void plan_node_by_hand(struct planning *p)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = plan_named_graph(p);
    uint32_t node = p->node_at[call->node] = plan_add_node(p, g);
    for (uint32_t i = 0; i < call->dependency_count; i++)
        plan_depend(p, g, node, p->node_at[call->dependencies[i]], false);
    if (call->child != NONE)
        g->nodes.at[node].child = plan_clone(p, call->child);
    for (uint32_t i = 0; i < call->body_count; i++) {
        p->graphs[call->bodies[i]] = plan_new_graph(p);
        p->gone[call->bodies[i]] = expr_false(p->b->exprs);
        vec_push(p->b->arena, &g->nodes.at[node].bodies, p->graphs[call->bodies[i]]);
    }
}

void plan_handle(struct planning *p)
{
    vec_push(p->b->arena, &plan_named_graph(p)->handles, p->call);
}

/* Bodies of conditional nodes hold kernels, copies, sets, and nodes that hold graphs. */
static bool may_stand_in_body(enum host_subject does)
{
    return does == HOST_SUBJECT_KERNEL || does == HOST_SUBJECT_COPY || does == HOST_SUBJECT_SET ||
           does == HOST_SUBJECT_NONE || does == HOST_SUBJECT_GRAPH ||
           does == HOST_SUBJECT_CONDITION;
}

static bool fits(const struct plan_graph *g, bool is_body)
{
    bool good = true;
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const struct plan_node *n = &g->nodes.at[i];
        good = good && (!is_body || may_stand_in_body(n->call->row->subject)) &&
               (!n->child || fits(n->child, is_body));
        for (uint32_t k = 0; k < n->bodies.len; k++)
            good = good && fits(n->bodies.at[k], true);
    }
    return good;
}

void plan_dependency_by_hand(struct planning *p)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = plan_named_graph(p);
    uint32_t from = p->node_at[call->node], to = p->node_at[call->other_node];
    if (from < to && to < g->nodes.len)
        plan_depend(p, g, to, from, call->constant == HOST_DEPENDENCY_PROGRAMMATIC);
    else
        plan_refuse(p, call, "the node that waits must be added after the one it waits for");
}

/* The node without its dependencies on another one. */
static void depend_no_longer(struct planning *p, struct plan_node *n, uint32_t on)
{
    struct plan_node left = *n;
    memset(&left.dependencies, 0, sizeof left.dependencies);
    for (uint32_t i = 0; i < n->dependencies.len; i++)
        if (n->dependencies.at[i].node != on)
            vec_push(p->b->arena, &left.dependencies, n->dependencies.at[i]);
    *n = left;
}

void plan_no_dependency(struct planning *p)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = plan_named_graph(p);
    uint32_t from = p->node_at[call->node], to = p->node_at[call->other_node];
    struct plan_node *n = to < g->nodes.len ? &g->nodes.at[to] : NULL;
    if (holds_memory(g))
        plan_error(p, HOST_MISUSE_MEMORY_GRAPH);
    uint32_t before = n ? n->dependencies.len : 0;
    if (n)
        depend_no_longer(p, n, from);
    if (!n || n->dependencies.len == before)
        plan_error(p, HOST_MISUSE_NO_GRAPH);
}

/* What is left is an empty node without edges, which orders nothing. */
void plan_destroy_node(struct planning *p)
{
    struct plan_graph *g = plan_named_graph(p);
    uint32_t node = p->node_at[p->call->node];
    if (node >= g->nodes.len) {
        plan_error(p, HOST_MISUSE_NO_GRAPH);
        return;
    }
    if (holds_memory(g))
        plan_error(p, HOST_MISUSE_MEMORY_GRAPH);
    for (uint32_t i = 0; i < g->nodes.len; i++)
        depend_no_longer(p, &g->nodes.at[i], node);
    g->nodes.at[node] = (struct plan_node){.call = p->call};
}

/* What a wait node would wait for now. */
static void note_match(struct planning *p, struct plan_node *n)
{
    if (n->call->row->subject != HOST_SUBJECT_EVENT_WAIT)
        return;
    const struct plan_event *e = &p->events[n->call->event];
    n->match = (struct plan_event){.capture = NONE};
    for (uint32_t k = 0; k < e->records.len; k++)
        vec_push(p->b->arena, &n->match.records, e->records.at[k]);
}

static void note_matches(struct planning *p, struct plan_graph *g)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        if (g->nodes.at[i].child)
            note_matches(p, g->nodes.at[i].child);
        note_match(p, &g->nodes.at[i]);
    }
}

void plan_instantiate(struct planning *p)
{
    struct plan_graph *from = plan_named_graph(p);
    bool live = p->b->options->without == HOST_RULE_SNAPSHOT;
    struct plan_graph *g = live ? from : plan_copy_graph(p, from);
    if (from->executable && holds_memory(from))
        plan_error_if(p, HOST_MISUSE_TWO_EXECUTABLES,
                      expr_not(p->b->exprs, p->gone[from->executable - 1]));
    if (!fits(from, false))
        plan_error(p, HOST_MISUSE_CONDITION_BODY);
    from->executable = 1 + p->call->exec;
    p->graphs[p->call->exec] = g;
    g->frees = p->call->constant == HOST_INSTANTIATE_AUTO_FREE;
    note_matches(p, g);
}

/* ---- what nodes do from now on -------------------------------------------------------------- */

/* The node of the graph, or of the executable one, that the call names; NULL after a report. */
static struct plan_node *named_node(struct planning *p)
{
    uint32_t object = p->call->exec == NONE ? p->call->graph : p->call->exec;
    struct plan_graph *g = object == NONE ? NULL : p->graphs[object];
    uint32_t node = p->node_at[p->call->node];
    if (g && node < g->nodes.len)
        return &g->nodes.at[node];
    plan_error(p, HOST_MISUSE_NO_GRAPH);
    return NULL;
}

void plan_set_node(struct planning *p)
{
    struct plan_node *n = named_node(p);
    if (n && !host_call_replaces(p->b->test, n->call, p->call)) {
        plan_error(p, HOST_MISUSE_NODE_KIND);
    } else if (n) {
        n->call = p->call;
        note_match(p, n);
    }
}

void plan_enable_node(struct planning *p)
{
    struct plan_node *n = named_node(p);
    if (n && !host_call_may_be_off(n->call))
        plan_error(p, HOST_MISUSE_NODE_KIND);
    else if (n)
        n->off = p->call->value ? NULL : p->call;
}

static bool have_one_shape(const struct planning *p, const struct plan_graph *a,
                           const struct plan_graph *b)
{
    bool one = a->nodes.len == b->nodes.len;
    for (uint32_t i = 0; one && i < a->nodes.len; i++) {
        const struct plan_node *x = &a->nodes.at[i], *y = &b->nodes.at[i];
        one = x->dependencies.len == y->dependencies.len &&
              host_call_replaces(p->b->test, x->call, y->call) &&
              (!x->child || have_one_shape(p, x->child, y->child));
        for (uint32_t k = 0; one && k < x->dependencies.len; k++)
            one = x->dependencies.at[k].node == y->dependencies.at[k].node &&
                  x->dependencies.at[k].programmatic == y->dependencies.at[k].programmatic;
    }
    return one;
}

/* Nodes that were disabled stay so. */
void plan_update(struct planning *p)
{
    struct plan_graph *from = plan_named_graph(p), *to = p->graphs[p->call->exec];
    if (!to || !have_one_shape(p, to, from)) {
        plan_error(p, to ? HOST_MISUSE_UPDATE_SHAPE : HOST_MISUSE_NO_GRAPH);
        return;
    }
    for (uint32_t i = 0; i < to->nodes.len; i++) {
        const struct host_call *off = to->nodes.at[i].off;
        to->nodes.at[i] = from->nodes.at[i];
        to->nodes.at[i].off = off;
    }
    note_matches(p, to);
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
        if (p->b->options->without == HOST_RULE_DISABLED_EDGES &&
            (node->off || g->nodes.at[d.node].off))
            continue;
        if (d.programmatic && !node->off && !g->nodes.at[d.node].off) {
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

/* A task inside of another one: it runs where that one does. */
static uint32_t task_within(struct planning *p, const struct host_call *call, uint32_t outer)
{
    uint32_t task = plan_new_task(p, call);
    plan_task(p, task)->device = plan_task(p, outer)->device;
    plan_task(p, task)->peers = plan_task(p, outer)->peers;
    plan_task(p, task)->stream = plan_task(p, outer)->stream;
    plan_task(p, task)->decider = plan_task(p, outer)->decider;
    plan_task(p, task)->when = plan_task(p, outer)->when;
    return task;
}

static void expand(struct planning *p, const struct plan_graph *g, uint32_t launch);

/* ---- conditional nodes ---------------------------------------------------------------------- */

/* Does the launch name the location: in an argument, or in its kernel? */
static bool names_location(const struct test *test, const struct launch *l, uint32_t location)
{
    const struct body *body = &test->bodies[l->kernel];
    for (uint32_t i = 0; i < l->arg_count; i++)
        if (l->args[i].location == location)
            return true;
    for (uint32_t i = 0; i < body->inst_count; i++)
        for (uint32_t k = 0; k < body->insts[i].operand_count; k++)
            if (body->insts[i].operands[k].location == location)
                return true;
    return false;
}

/* May some kernel of the graph set the handle? */
static bool may_set(const struct test *test, const struct plan_graph *g, uint32_t handle)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const struct plan_node *n = &g->nodes.at[i];
        if (n->call->launch != NONE &&
            names_location(test, &test->launches[n->call->launch], handle))
            return true;
        if (n->child && may_set(test, n->child, handle))
            return true;
        for (uint32_t k = 0; k < n->bodies.len; k++)
            if (may_set(test, n->bodies.at[k], handle))
                return true;
    }
    return false;
}

/* The task that reads the handle for the node. */
static uint32_t decider(struct planning *p, const struct plan_node *n, uint32_t node)
{
    uint32_t task = task_within(p, n->call, node);
    plan_task(p, task)->does = HOST_SUBJECT_FUNCTION;
    plan_order(p, API_EDGE_E9, START_TO_START, node, task, p->always,
               "the conditional node reads its handle");
    plan_order(p, API_EDGE_E11, END_TO_END, task, node, p->always,
               "the conditional node has read its handle");
    return task;
}

/* The body once, where the value that the decider has read says so. */
static uint32_t run_body(struct planning *p, const struct plan_node *n, uint32_t node,
                         uint32_t body, uint32_t by, uint64_t when)
{
    uint32_t task = task_within(p, n->call, node);
    plan_task(p, task)->does = HOST_SUBJECT_GRAPH;
    plan_task(p, task)->decider = 1 + by;
    plan_task(p, task)->when = when;
    plan_order(p, API_EDGE_E10, END_TO_START, by, task, p->always,
               "the body runs when the conditional node has read its handle");
    plan_order(p, API_EDGE_E11, END_TO_END, task, node, p->always,
               "the conditional node ends after its body");
    expand(p, n->bodies.at[body], task);
    return task;
}

/* The body again and again. One that cannot set the handle never stops; else no more is unfolded than --unroll says. */
static void repeat_body(struct planning *p, const struct plan_node *n, uint32_t node)
{
    bool sets = may_set(p->b->test, n->bodies.at[0], n->call->to.location);
    uint32_t most = sets ? p->b->options->unroll : 1, by = decider(p, n, node);
    for (uint32_t i = 0; i < most && !p->b->failed; i++) {
        uint32_t body = run_body(p, n, node, 0, by, NOT_ZERO), last = by;
        by = decider(p, n, node);
        plan_task(p, by)->decider = 1 + last;
        plan_task(p, by)->when = NOT_ZERO;
        plan_order(p, API_EDGE_E10, END_TO_START, body, by, p->always,
                   "the handle is read again after the body");
    }
    if (sets)
        vec_push(p->b->arena, &p->plan->bounded, by);
    else
        plan_task(p, by)->repeats = true;
}

/* "if": the first body when the value is not 0, the second when it is; "switch": the body of that number. */
static void choose_body(struct planning *p, const struct plan_node *n, uint32_t node)
{
    bool numbered = n->call->constant == HOST_CONDITION_SWITCH;
    uint32_t by = decider(p, n, node);
    for (uint32_t i = 0; i < n->bodies.len && !p->b->failed; i++)
        run_body(p, n, node, i, by, numbered ? i : i ? 0 : NOT_ZERO);
}

static void expand_condition(struct planning *p, const struct plan_node *n, uint32_t node)
{
    if (n->call->constant == HOST_CONDITION_WHILE && n->bodies.len == 1)
        repeat_body(p, n, node);
    else
        choose_body(p, n, node);
}

/* Every launch of the graph gives its handles their defaults before anything else: a task for each of them. */
static uint32_t *set_defaults(struct planning *p, const struct plan_graph *g, uint32_t launch)
{
    uint32_t *tasks = ARENA_ARRAY(p->b->arena, uint32_t, g->handles.len + 1);
    for (uint32_t i = 0; i < g->handles.len; i++) {
        tasks[i] = task_within(p, g->handles.at[i], launch);
        plan_task(p, tasks[i])->does = HOST_SUBJECT_FUNCTION;
        plan_order(p, API_EDGE_E9, START_TO_START, launch, tasks[i], p->always,
                   "the launch sets the handle");
        plan_order(p, API_EDGE_E11, END_TO_END, tasks[i], launch, p->always,
                   "the launch has set the handle");
    }
    return tasks;
}

/* ---- nodes of a launch ---------------------------------------------------------------------- */

static void expand(struct planning *p, const struct plan_graph *g, uint32_t launch)
{
    uint32_t *tasks = ARENA_ARRAY(p->b->arena, uint32_t, g->nodes.len + 1);
    bool *has_successor = ARENA_ARRAY(p->b->arena, bool, g->nodes.len + 1);
    const uint32_t *defaults = set_defaults(p, g, launch);
    for (uint32_t n = 0; n < g->nodes.len && !p->b->failed; n++) {
        if (p->plan->tasks.len > MAX_TASKS) {
            plan_refuse(p, g->nodes.at[n].call, "the launches have too many nodes");
            return;
        }
        const struct plan_node *node = &g->nodes.at[n];
        tasks[n] = task_within(p, node->off ? node->off : node->call, launch);
        node_edges(p, g, n, tasks, launch, has_successor);
        for (uint32_t i = 0; i < g->handles.len && !node->dependencies.len; i++)
            plan_order(p, API_EDGE_E9, END_TO_START, defaults[i], tasks[n], p->always,
                       "the launch has set the handle before a root node");
        if (node->bodies.len)
            expand_condition(p, node, tasks[n]);
        else if (node->child)
            expand(p, node->child, tasks[n]);
        else if (!node->off)
            plan_work(p, node->call, tasks[n], &node->match);
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

/* E12. An upload comes after launches, which need not wait for it. */
static void relaunch(struct planning *p, struct plan_graph *g, uint32_t task)
{
    bool upload = plan_task(p, task)->does == HOST_SUBJECT_UPLOAD;
    for (uint32_t i = g->launches.len; i-- > 0;) {
        uint32_t before = g->launches.at[i];
        bool uploaded = plan_task(p, before)->does == HOST_SUBJECT_UPLOAD;
        expr_id first = plan_before(p, before, task);
        if (!uploaded)
            follow_launch(p, before, task, first);
        if (!expr_is_true(p->b->exprs, first) && !upload)
            follow_launch(p, task, before, expr_not(p->b->exprs, first));
        else if (!p->plan->order.choice && !uploaded && plan_is_sure(p, before, task))
            break;
    }
    vec_push(p->b->arena, &g->launches, task);
}

/* The executable graph that the call puts into a stream; NULL after a report. */
static struct plan_graph *enqueued_graph(struct planning *p)
{
    struct plan_graph *g = p->graphs[p->call->exec];
    if (!g)
        plan_error(p, HOST_MISUSE_NO_GRAPH);
    return g;
}

void plan_upload(struct planning *p, uint32_t task)
{
    struct plan_graph *g = enqueued_graph(p);
    if (g && plan_outside_branches(p))
        relaunch(p, g, task);
}

/* What a launch allocates or frees, later calls depend on. */
static bool has_memory_nodes(const struct plan_graph *g)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const struct plan_node *n = &g->nodes.at[i];
        enum host_subject subject = n->call->row->subject;
        if (subject == HOST_SUBJECT_ALLOCATION || subject == HOST_SUBJECT_RELEASE ||
            (n->child && has_memory_nodes(n->child)))
            return true;
    }
    return false;
}

/* What earlier launches of the graph left allocated is freed before this one, or (false) it may not be launched. */
static bool free_leftovers(struct planning *p, const struct plan_graph *g, bool frees,
                           uint32_t task)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        const struct plan_node *n = &g->nodes.at[i];
        uint32_t location = n->call->to.location;
        if (n->child && !free_leftovers(p, n->child, frees, task))
            return false;
        if (n->call->row->subject != HOST_SUBJECT_ALLOCATION || !plan_is_allocated(p, location))
            continue;
        if (!frees)
            return false;
        plan_free_early(p, location, task);
    }
    return true;
}

void plan_launch_graph(struct planning *p, uint32_t task)
{
    struct plan_graph *g = enqueued_graph(p);
    if (!g || (has_memory_nodes(g) && !plan_outside_branches(p)))
        return;
    relaunch(p, g, task);
    if (!free_leftovers(p, g, g->frees, task))
        plan_error(p, HOST_MISUSE_NOT_FREED);
    else
        expand(p, g, task);
}
