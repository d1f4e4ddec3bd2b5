/* SPDX-License-Identifier: MIT */
#ifndef MODEL_HOST_PLAN_H
#define MODEL_HOST_PLAN_H

#include "model/host/host.h"

/* Private to the files that plan: the state of the runtime while calls are put in place, one after
 * the other in the order in which they are made. */

struct plan_stream {
    bool exists, blocking, legacy;
    const char *name;
    uint32_t device;
    VEC(uint32_t) tasks;
    uint32_t capture;       /* index into planning.captures, or NONE */
    VEC(uint32_t) frontier; /* nodes that the next captured node depends on */
};

/* A record that may be the event's latest: 'alive' says that no later one was executed. */
struct plan_record {
    uint32_t task;
    expr_id alive;
};
struct plan_event {
    uint32_t device; /* NONE: it was neither created nor recorded */
    VEC(struct plan_record) records;
    uint32_t capture; /* a captured event: of this capture, else NONE */
    VEC(uint32_t) frontier;
};

struct plan_dependency {
    uint32_t node;
    bool programmatic;
};
struct plan_node {
    const struct host_call *call;
    VEC(struct plan_dependency) dependencies;
    struct plan_graph *child;
    struct plan_event match; /* of a wait node: its event when the graph was instantiated */
};
struct plan_graph {
    VEC(struct plan_node) nodes;
    uint32_t last_launch; /* of an executable graph: its task, or NONE */
};

struct plan_capture {
    struct plan_graph *graph;
    const struct plan_stream *origin;
    uint32_t host;
    enum host_constant mode; /* NONE: global */
};

struct planning {
    struct host_plan *plan;
    struct builder *b;
    const struct host_program *host;
    expr_id always;
    /* the call that is being planned */
    uint32_t instance;
    const struct call_instance *at;
    const struct host_call *call;
    uint32_t waited; /* tasks it waits for */

    struct plan_stream
        *streams; /* by object; then per-thread streams, then legacy ones of devices */
    uint32_t stream_count;
    struct plan_event *events;  /* by object */
    struct plan_graph **graphs; /* by object: graphs and executable ones */
    uint32_t *node_at;          /* by object: a node's place in its graph */
    uint32_t *device;           /* current one of a host thread */
    expr_id *gone;              /* by object: it was destroyed */
    VEC(struct plan_stream) destroyed;
    VEC(struct plan_capture) captures;
};

static inline struct task *plan_task(const struct planning *p, uint32_t task)
{
    return &p->plan->tasks.at[task];
}

/* ---- planning.c ---- */
/* The call fails. */
void plan_error(struct planning *p, enum host_misuse misuse);
void plan_error_if(struct planning *p, enum host_misuse misuse, expr_id condition);
/* What 'call' asks for is not modelled: the present call, or a node's. */
#define plan_refuse(p, call, ...)                                                                  \
    builder_fail((p)->b, DIAG_host_unsupported, (call)->span, NULL, __VA_ARGS__)
/* The present call is made in every execution that does not stop before it. */
bool plan_is_made(const struct planning *p);
/* False after a report: a call of graphs or captures is made under a condition. */
bool plan_outside_branches(struct planning *p);
unsigned plan_line(const struct planning *p, uint32_t task);
expr_id plan_guard(const struct planning *p, uint32_t task);
uint32_t plan_add_task(struct planning *p, struct task task);
/* A task of the present call that does what 'call' says: that call itself, or a node's. */
uint32_t plan_new_task(struct planning *p, const struct host_call *call);
__attribute__((format(printf, 7, 8))) void plan_order(struct planning *p, enum api_edge rule,
                                                      enum task_edge_kind kind, uint32_t from,
                                                      uint32_t to, expr_id guard,
                                                      const char *reason, ...);
/* What the call does, if it is an event's or memory's, when the task is there. 'noted': the event as it
 * was when a graph was instantiated, or NULL. */
void plan_work(struct planning *p, const struct host_call *call, uint32_t task,
               const struct plan_event *noted);
/* The block that 'call' names is allocated or freed: by the task, or (NONE) by the call itself. */
void plan_lifetime(struct planning *p, const struct host_call *call, uint32_t task);

/* ---- stream.c ---- */
struct plan_stream *plan_stream(struct planning *p, uint32_t object);
/* The legacy stream waits for it and it for the legacy stream (E4). */
bool plan_takes_part(const struct plan_stream *s, const struct plan_stream *legacy);
void plan_create_stream(struct planning *p);
void plan_enqueue(struct planning *p, struct plan_stream *s, uint32_t task);

/* ---- wait.c ---- */
void plan_record(struct planning *p, struct plan_event *e, uint32_t task);
void plan_match(struct planning *p, const struct plan_event *e, uint32_t task);
void plan_synchronize_stream(struct planning *p);
void plan_synchronize_device(struct planning *p);
void plan_synchronize_event(struct planning *p);
/* Of an empty set of work a query is cudaSuccess. */
void plan_settle_query(struct planning *p);
/* What the call waits for that has put a copy or a set into the stream. */
void plan_return(struct planning *p, struct plan_stream *s, uint32_t task);

/* ---- check.c ---- */
/* Reports that the call fails whatever is captured: what it names was destroyed, belongs to another device,
 * or is memory that cannot be copied so. */
bool plan_call_fails(struct planning *p);
/* The call makes or destroys what it names. */
void plan_note_destroyed(struct planning *p);

/* ---- graph.c ---- */
struct plan_graph *plan_new_graph(struct planning *p);
struct plan_graph *plan_copy_graph(struct planning *p, const struct plan_graph *from);
/* Adds a node of the call; its place. */
uint32_t plan_add_node(struct planning *p, struct plan_graph *g);
void plan_depend(struct planning *p, struct plan_graph *g, uint32_t node, uint32_t on,
                 bool programmatic);
void plan_node_by_hand(struct planning *p);
void plan_dependency_by_hand(struct planning *p);
void plan_instantiate(struct planning *p);
void plan_launch_graph(struct planning *p, uint32_t task);

/* ---- capture.c ---- */
void plan_begin_capture(struct planning *p);
void plan_end_capture(struct planning *p);
/* Does capture take the call instead of the stream? */
bool plan_capture(struct planning *p, struct plan_stream *s);
/* Reports a synchronization or query that a capture makes an error. */
bool plan_capture_forbids(struct planning *p);
/* Reports a call that is unsafe while a capture of its thread, or a global one, is in progress. */
bool plan_capture_prohibits(struct planning *p);

#endif
