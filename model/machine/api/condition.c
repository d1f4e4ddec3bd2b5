/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Conditional nodes: a task reads the handle, and when it ends the body that the value asks for becomes tasks. */

/* ---- graphs --------------------------------------------------------------------------------- */

static uint32_t graph_now(const struct run *run, uint32_t object)
{
    return (uint32_t)*api_set(run, API_GRAPH, object) - 1;
}

uint32_t api_instantiated(const struct run *run, uint32_t graph)
{
    struct api_graph_table *table = api_of(run)->graphs;
    for (uint32_t n = 0; n < api_graph_at(table, graph)->count; n++) {
        const struct host_call *call = api_graph_at(table, graph)->nodes[n].call;
        uint32_t bodies[API_NODES];
        if (!call->body_count)
            continue;
        for (uint32_t i = 0; i < call->body_count && i < API_NODES; i++)
            bodies[i] = api_instantiated(run, graph_now(run, call->bodies[i]));
        graph = api_graph_with_bodies(table, graph, n, bodies, call->body_count);
    }
    return graph;
}

static bool may_stand_in_body(enum host_subject does)
{
    return does == HOST_SUBJECT_KERNEL || does == HOST_SUBJECT_COPY || does == HOST_SUBJECT_SET ||
           does == HOST_SUBJECT_NONE || does == HOST_SUBJECT_GRAPH ||
           does == HOST_SUBJECT_CONDITION;
}

static bool fits(const struct run *run, uint32_t graph, bool is_body)
{
    const struct api_graph *shape = api_graph_at(api_of(run)->graphs, graph);
    bool good = true;
    for (uint32_t n = 0; n < shape->count; n++) {
        const struct host_call *call = shape->nodes[n].call;
        good = good && (!is_body || may_stand_in_body(call->row->subject)) &&
               (shape->nodes[n].child == NONE || fits(run, shape->nodes[n].child, is_body));
        for (uint32_t i = 0; i < call->body_count; i++)
            good = good && fits(run, graph_now(run, call->bodies[i]), true);
    }
    return good;
}

bool api_bodies_fit(const struct run *run, uint32_t graph)
{
    return fits(run, graph, false);
}

/* ---- handles -------------------------------------------------------------------------------- */

static bool reads_handle(const struct run *run, uint32_t graph, uint32_t handle)
{
    const struct api_graph *shape = api_graph_at(api_of(run)->graphs, graph);
    for (uint32_t n = 0; n < shape->count; n++) {
        const struct api_node *node = &shape->nodes[n];
        if (node->body_count && node->call->to.location == handle)
            return true;
        for (uint32_t i = 0; i < node->body_count; i++)
            if (reads_handle(run, node->bodies[i], handle))
                return true;
    }
    return false;
}

bool api_set_defaults(struct run *run, uint32_t lane, uint32_t graph, uint32_t fork,
                      uint64_t *defaults)
{
    const struct host_program *host = api_of(run)->host;
    for (uint32_t i = 0; i < host->call_count && api_has_rule(run, API_RULE_DEFAULT); i++) {
        if (host->calls[i].row->subject != HOST_SUBJECT_HANDLE ||
            !reads_handle(run, graph, host->calls[i].to.location))
            continue;
        uint32_t task =
            api_take_task(run, lane, &host->calls[i], false, api_task(run, fork)->device);
        if (task == NONE)
            return false;
        set_add(api_set(run, API_AFTER, task), fork);
        set_add(defaults, task);
    }
    return true;
}

/* ---- decisions ------------------------------------------------------------------------------ */

void api_decide_later(struct run *run, uint32_t task, uint32_t graph, uint32_t n, uint32_t join)
{
    *api_set(run, API_DECIDES, task) = 1 + (uint64_t)graph * API_NODES + n;
    *api_set(run, API_JOIN, task) = join;
    set_add(api_set(run, API_AFTER, join), task);
}

/* What the task's lane has loaded. */
static uint64_t handle_value(struct run *run, const struct api_task *t)
{
    const struct program *program =
        run->machine->programs[run->machine->lanes[t->first_lane].program];
    uint32_t i = 0;
    while (!program->micros[i].inst || program->micros[i].inst->op != OP_LD)
        i++;
    return *state_slot(run->machine, run->state, t->first_lane, program->micros[i].dst[0]);
}

/* Of the bodies of a node; NONE: none runs. */
static uint32_t body_for(const struct api_node *node, uint64_t value)
{
    uint32_t body = node->call->constant == HOST_CONDITION_SWITCH ? (uint32_t)value
                    : value                                       ? 0
                    : node->call->constant == HOST_CONDITION_IF   ? 1
                                                                  : NONE;
    return body < node->body_count ? body : NONE;
}

/* The body, and behind it another read of the handle. */
static void go_round(struct run *run, uint32_t task, uint32_t body)
{
    const struct api_task *t = api_task(run, task);
    uint64_t node = *api_set(run, API_DECIDES, task) - 1;
    uint32_t join = (uint32_t)*api_set(run, API_JOIN, task);
    uint32_t next = api_take_task(run, t->driver, t->call, false, t->device);
    if (next == NONE)
        return;
    api_decide_later(run, next, (uint32_t)(node / API_NODES), (uint32_t)(node % API_NODES), join);
    set_remove(api_set(run, API_AFTER, join), task);
    api_expand(run, t->driver, body, task, next, NULL);
}

void api_decide(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    uint64_t decides = *api_set(run, API_DECIDES, task);
    if (!decides)
        return;
    const struct api_graph *shape =
        api_graph_at(api_of(run)->graphs, (uint32_t)((decides - 1) / API_NODES));
    const struct api_node *node = &shape->nodes[(decides - 1) % API_NODES];
    uint64_t value = handle_value(run, t);
    uint32_t body = body_for(node, value);
    if (value == HOST_HANDLE_UNSET)
        run_report(run, t->driver, REPORT_API_CONDITION_UNSET, "%s: %s", t->call->row->name,
                   host_misuse_rows[HOST_MISUSE_CONDITION_UNSET].detail);
    else if (body != NONE && node->call->constant == HOST_CONDITION_WHILE)
        go_round(run, task, node->bodies[body]);
    else if (body != NONE)
        api_expand(run, t->driver, node->bodies[body], task,
                   (uint32_t)*api_set(run, API_JOIN, task), NULL);
    *api_set(run, API_DECIDES, task) = 0;
}
