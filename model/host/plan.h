/* SPDX-License-Identifier: MIT */
#ifndef MODEL_HOST_PLAN_H
#define MODEL_HOST_PLAN_H

#include "model/host/host.h"

/* Private to the files that plan: the state of the runtime while calls are put in place, one after
 * the other in the order in which they are made. */

enum { PLAN_DEVICES = 16 };

/* What a stream holds, also when it was destroyed. Tasks are in the order of planning, which says of tasks whose
 * calls can come in either order nothing (host_before). */
struct plan_queue {
    bool blocking, legacy;
    const char *name;
    uint32_t device;
    uint32_t creator, destroyer; /* instances, or NONE */
    VEC(uint32_t) tasks;
};

struct plan_stream {
    struct plan_queue *queue; /* NULL: no such stream */
    uint32_t capture;         /* index into planning.captures, or NONE */
    VEC(uint32_t) frontier;   /* nodes that the next captured node depends on */
};

/* A record that may be the event's latest: 'alive' says that no later one was executed. */
struct plan_record {
    uint32_t task;
    expr_id alive;
};
struct plan_history { /* of an event, all of them: where calls can come in either order */
    VEC(uint32_t) records;
};
struct plan_event {
    uint32_t device; /* NONE: it was neither created nor recorded */
    bool untimed;    /* made with cudaEventDisableTiming */
    VEC(struct plan_record) records;
    struct plan_history *history;
    uint32_t capture; /* a captured event: of this capture, else NONE */
    VEC(uint32_t) frontier;
};

struct plan_dependency {
    uint32_t node;
    bool programmatic;
};
struct plan_node {
    const struct host_call *call;
    const struct host_call *off; /* the call that has disabled it, or NULL */
    VEC(struct plan_dependency) dependencies;
    struct plan_graph *child;
    VEC(struct plan_graph *) bodies; /* of a conditional node */
    struct plan_event match;         /* of a wait node: its event when the graph was instantiated */
};
struct plan_graph {
    VEC(struct plan_node) nodes;
    VEC(const struct host_call *) handles; /* the calls that have made them */
    VEC(uint32_t) launches;                /* of an executable graph: their tasks */
    bool frees;          /* the same: a launch frees what earlier ones left allocated */
    uint32_t executable; /* 1 + the last that was made of it, or 0 */
};

struct plan_capture {
    struct plan_graph *graph;
    const struct plan_stream *origin;
    uint32_t host;
    enum host_constant mode; /* NONE: global */
};

#define PLAN_ALL_DEVICES (NONE - 1)

/* A call that waits, or a task that waits for an event: for what, is known when all calls are planned. */
struct plan_waiter {
    uint32_t instance, task;            /* task: NONE or of a wait for an event */
    const struct plan_queue *queue;     /* of a stream, or NULL */
    uint32_t device;                    /* all of it, or NONE, or PLAN_ALL_DEVICES */
    const struct plan_history *history; /* of an event, or NULL */
    VEC(struct plan_record) records;    /* of an event, where the order of calls is known */
    bool stages;                        /* cudaMemcpy from pageable memory: the work before it */
    bool is_timed;                      /* the time of the event's record is asked for */
    expr_id late;                       /* of these, see struct task_wait */
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
    expr_id late;  /* of a waiter that is timed */
    expr_id asked; /* of a query: some work that it asks about is there */

    struct plan_stream
        *streams; /* by object; then per-thread streams, then legacy ones of devices */
    uint32_t stream_count;
    struct plan_event *events;       /* by object */
    struct plan_graph **graphs;      /* by object: graphs and executable ones */
    uint32_t *node_at;               /* by object: a node's place in its graph */
    uint32_t *device;                /* current one of a host thread */
    enum host_constant *mode;        /* of captures, of a host thread */
    uint32_t peers[PLAN_DEVICES];    /* by device: those whose memory it may touch, one bit each */
    expr_id *gone;                   /* by object: it was destroyed */
    bool *reset;                     /* by object: by cudaDeviceReset */
    struct span *gone_at;            /* by object: the call that destroyed it */
    VEC(struct plan_queue *) queues; /* all that ever were */
    VEC(struct plan_waiter) waiters;
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
/* The same in words of its own. */
void plan_error_told(struct planning *p, enum host_misuse misuse, expr_id condition,
                     const char *detail);
/* What 'call' asks for is not modelled: the present call, or a node's. */
#define plan_refuse(p, call, ...)                                                                  \
    builder_fail((p)->b, DIAG_host_unsupported, (call)->span, NULL, __VA_ARGS__)
/* The present call is made in every execution that does not stop before it. */
bool plan_is_made(const struct planning *p);
/* False after a report: a call of graphs or captures is made under a condition. */
bool plan_outside_branches(struct planning *p);
unsigned plan_line(const struct planning *p, uint32_t task);
expr_id plan_guard(const struct planning *p, uint32_t task);
/* The present call is now this one. */
void plan_turn_to(struct planning *p, uint32_t instance);
/* The call of the one task comes before that of the other. */
expr_id plan_before(struct planning *p, uint32_t task, uint32_t other);
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
/* The memory was allocated, and not freed since. */
bool plan_is_allocated(const struct planning *p, uint32_t location);
/* The block ends with the start of the task. */
void plan_free_early(struct planning *p, uint32_t location, uint32_t task);
/* The blocks of the device that calls have allocated, not in stream order, end with the present call. */
void plan_free_all(struct planning *p, uint32_t device);

/* ---- stream.c ---- */
struct plan_stream *plan_stream(struct planning *p, uint32_t object);
/* The legacy stream waits for it and it for the legacy stream (E4). */
bool plan_takes_part(const struct plan_queue *q, const struct plan_queue *legacy);
void plan_create_stream(struct planning *p);
void plan_destroy_stream(struct planning *p);
void plan_enqueue(struct planning *p, struct plan_stream *s, uint32_t task);

/* ---- queue.c: when all calls are planned ---- */
/* Is the one task there whenever the other is? */
bool plan_is_sure(struct planning *p, uint32_t before, uint32_t task);
/* A task of a blocking queue and one of a legacy one whose calls came so are ordered: 'first' of 'from', then
 * 'then' of 'to'. A stream that was made or destroyed in between knows nothing of the other (readings). */
expr_id plan_counts(struct planning *p, const struct plan_queue *from, uint32_t first,
                    const struct plan_queue *to, uint32_t instance);
/* The task, of 'of', is a copy between devices that orders the queue (E21). */
bool plan_reaches(struct planning *p, const struct plan_queue *of, uint32_t task,
                  const struct plan_queue *q);
void plan_order_queues(struct planning *p);

/* ---- wait.c ---- */
void plan_record(struct planning *p, struct plan_event *e, uint32_t task);
void plan_match(struct planning *p, const struct plan_event *e, uint32_t task);
void plan_synchronize_stream(struct planning *p);
void plan_synchronize_device(struct planning *p);
void plan_synchronize_event(struct planning *p);
void plan_ask_time(struct planning *p);
/* All devices. */
void plan_synchronize_everything(struct planning *p);
/* What the call waits for that has put a copy or a set into the stream. */
void plan_return(struct planning *p, struct plan_stream *s, uint32_t task);
/* When all calls are planned: what they wait for. */
void plan_settle_waits(struct planning *p);

/* ---- check.c ---- */
/* Reports that the call fails whatever is captured: what it names was destroyed, belongs to another device,
 * or is memory that cannot be copied so. */
bool plan_call_fails(struct planning *p);
/* The call makes or destroys what it names. */
void plan_note_destroyed(struct planning *p);
/* cudaDeviceReset destroys what the current device has. */
void plan_reset(struct planning *p);

/* ---- graph.c ---- */
struct plan_graph *plan_new_graph(struct planning *p);
struct plan_graph *plan_copy_graph(struct planning *p, const struct plan_graph *from);
/* A copy that the program asks for: not of a graph that allocates or frees memory. */
struct plan_graph *plan_clone(struct planning *p, uint32_t graph);
/* Adds a node of the call; its place. */
uint32_t plan_add_node(struct planning *p, struct plan_graph *g);
void plan_depend(struct planning *p, struct plan_graph *g, uint32_t node, uint32_t on,
                 bool programmatic);
void plan_node_by_hand(struct planning *p);
void plan_handle(struct planning *p);
/* The graph that the present call names; an empty one after a report. */
struct plan_graph *plan_named_graph(struct planning *p);
void plan_dependency_by_hand(struct planning *p);
void plan_no_dependency(struct planning *p);
void plan_destroy_node(struct planning *p);
/* What a node does from now on, and whether it does it: in later launches of an executable graph. */
void plan_set_node(struct planning *p);
void plan_enable_node(struct planning *p);
void plan_update(struct planning *p);
void plan_upload(struct planning *p, uint32_t task);
void plan_instantiate(struct planning *p);
void plan_launch_graph(struct planning *p, uint32_t task);

/* ---- capture.c ---- */
void plan_begin_capture(struct planning *p);
void plan_end_capture(struct planning *p);
/* What the next node of a captured stream comes after. */
void plan_change_frontier(struct planning *p);
/* Does capture take the call instead of the stream? */
bool plan_capture(struct planning *p, struct plan_stream *s);
/* Reports a synchronization or query that a capture makes an error. */
bool plan_capture_forbids(struct planning *p);
/* Asked of the legacy stream, whether it is captured is an error while a blocking stream is. */
void plan_ask_capture(struct planning *p);
/* Reports a call that is unsafe while a capture of its thread, or a global one, is in progress. */
bool plan_capture_prohibits(struct planning *p);

#endif
