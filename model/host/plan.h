/* SPDX-License-Identifier: MIT */
#ifndef MODEL_HOST_PLAN_H
#define MODEL_HOST_PLAN_H

#include "model/host/host.h"

/* Private to host_plan.c and host_graph.c: the state of the runtime while calls are put in place. */

struct stream {
    bool exists, blocking, legacy;
    const char *name;
    uint32_t device;
    VEC(uint32_t) tasks;
    uint32_t capture;       /* index into planning.captures, or NONE */
    VEC(uint32_t) frontier; /* nodes that the next captured node depends on */
};

/* A record that may be the event's latest: 'alive' says that no later one was executed. */
struct record {
    uint32_t task;
    expr_id alive;
};
struct event_state {
    VEC(struct record) records;
    uint32_t capture; /* a captured event: of this capture, else NONE */
    VEC(uint32_t) frontier;
};

struct dependency {
    uint32_t node;
    bool programmatic;
};
struct node {
    struct event_state match; /* of a wait node: its event when the graph was instantiated */
    enum task_kind kind;
    const struct host_call *call;
    VEC(struct dependency) dependencies;
    struct node_graph *child;
};
struct node_graph {
    VEC(struct node) nodes;
    VEC(uint32_t) last_launch; /* of an executable graph: its tasks */
};

struct capture {
    struct node_graph *graph;
    const struct stream *origin;
    uint32_t host;
    bool any_thread; /* relaxed: another host thread may end it */
};

struct planning {
    struct host_plan *plan;
    struct builder *b;
    const struct host_program *host;
    struct stream *streams; /* by object; then per-thread streams, then legacy ones of devices */
    uint32_t stream_count;
    struct event_state *events; /* by object */
    struct node_graph **graphs; /* by object: graphs and executable ones */
    uint32_t *node_at;          /* by object: a node's place in its graph */
    uint32_t *device;           /* current one of a host thread */
    VEC(struct stream) destroyed;
    VEC(struct capture) captures;
    uint32_t waited; /* tasks the present call waits for */
};

/* host_plan.c */
uint32_t new_task(struct planning *p, enum task_kind kind, uint32_t instance,
                  const struct host_call *call);
void order_tasks(struct planning *p, enum api_edge rule, enum task_edge_kind kind, uint32_t from,
                 uint32_t to, expr_id guard, const char *reason);
enum task_kind task_kind_of(const struct host_call *call);
struct stream *stream_of(struct planning *p, const struct host_instance *at, uint32_t object);
void record_event(struct planning *p, struct event_state *e, uint32_t task);
void match_wait(struct planning *p, const struct event_state *e, uint32_t task);
/* The block that the call names is allocated or freed: by the task, or (NONE) by the call. */
void change_lifetime(struct planning *p, uint32_t instance, const struct host_call *call,
                     uint32_t task);
void refuse_call(struct planning *p, const struct host_call *call, const char *why);

/* host_graph.c. Does capture take the call instead of the stream? */
bool capture_call(struct planning *p, uint32_t instance, const struct host_call *call,
                  struct stream *s);
/* Reports a synchronization or query that a capture makes an error. */
bool capture_forbids(struct planning *p, uint32_t instance, const struct host_call *call);
void plan_graph_call(struct planning *p, uint32_t instance, const struct host_call *call);
void launch_graph(struct planning *p, uint32_t task);

#endif
