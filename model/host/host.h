/* SPDX-License-Identifier: MIT */
#ifndef MODEL_HOST_HOST_H
#define MODEL_HOST_HOST_H

#include "litmus/test/host.h"
#include "model/unfold/builder.h"

/* Host programs become event graphs. host_unfold.c runs the host threads, which gives the calls they
 * make; host_order.c finds the orders that calls of different threads can have; for each, host_plan.c
 * puts the calls into streams, which gives tasks and the order between them; host_task.c gives the
 * tasks their events, accesses and FIXED_API edges. Numbers E1 to E20 are the edges that
 * docs/host-programs.md lists. */

/* A call made by a host thread. */
struct host_instance {
    uint32_t call;   /* index into host_program.calls */
    uint32_t thread; /* graph thread */
    uint32_t host;   /* index into host_program.threads */
    event_id start;  /* the call; tasks it enqueues start after it */
    event_id back;   /* its return, when something can be waited for; else the same */
    expr_id guard;
    expr_id success; /* of a query: it returned cudaSuccess */
    /* For liveness, places in b->delayed or NONE: a call that waits has returned; what a query asks
     * about has not ended. */
    uint32_t returned, unfinished;
    expr_id blocked; /* the call was made and has not returned */
    const struct inst *inst;
};

enum task_kind {
    TASK_KERNEL,
    TASK_COPY,
    TASK_SET,
    TASK_FUNCTION,
    TASK_RECORD,
    TASK_WAIT,
    TASK_BARRIER, /* inserted by the rule of the legacy stream */
    TASK_GRAPH,   /* a launch of an executable graph, or of a child graph in one */
    TASK_MEMORY,  /* cudaMallocAsync, cudaFreeAsync */
    TASK_EMPTY,
};

struct task {
    enum task_kind kind;
    uint32_t instance;            /* the call that brought it about */
    const struct host_call *call; /* what it does: the instance's own, or a graph node's */
    uint32_t device;
    const char *stream;          /* its name */
    bool programmatic;           /* kernels: its prerequisites need not have ended when it starts */
    VEC(uint32_t) prerequisites; /* what griddepcontrol.wait waits for */
    expr_id started;             /* host_progress.c */
    event_id start, end;
    event_id first_access, last_access;  /* [first, last): of a copy or set */
    uint32_t first_thread, thread_count; /* kernels and functions */
};

enum task_edge_kind { END_TO_START, START_TO_START, END_TO_END };

struct task_edge {
    enum api_edge rule;
    enum task_edge_kind kind;
    uint32_t from, to;
    expr_id guard;
    const char *reason;
};

/* A task that a blocking call or a query which returned cudaSuccess has seen the end of. */
struct task_wait {
    enum api_edge rule;
    uint32_t task, instance;
    expr_id guard;
    expr_id alive;   /* the guard without the success of a query */
    bool only_reads; /* cudaMemcpy from pageable memory: the source was read, no more */
    const char *reason;
};

/* The memory of a location is allocated, or freed, by a task or by the call itself. */
struct lifetime {
    uint32_t location, instance;
    uint32_t task; /* or NONE */
    bool ends;
};

/* Work that starts as a whole: a cluster of a kernel, a cooperative grid, a host function, a copy. */
struct unit {
    uint32_t task, first_thread; /* NONE: a copy or set */
    expr_id scheduled;           /* a choice */
};

struct host_plan {
    struct builder *b;
    uint32_t open; /* points met where the sources say nothing: bits of enum host_reading */
    const struct host_program *host;
    VEC(struct task) tasks;
    VEC(struct task_edge) edges;
    VEC(struct task_wait) waits;
    VEC(struct lifetime) lifetimes;
    VEC(struct unit) units;
};

/* The program comes to a point where the sources say nothing; how it is to be read. */
bool host_reading(struct host_plan *plan, enum host_reading point);
unsigned host_line(const struct builder *b, struct span span);

/* host_order.c: orders of the calls, each a list of indexes into b->instances; NULL after a report.
 * Calls that touch nothing in common are in the order of their threads. */
uint32_t **host_orders(struct builder *b, uint32_t *count);
bool host_conflict(const struct builder *b, const struct host_instance *x,
                   const struct host_instance *y);

/* host_plan.c */
void plan_calls(struct host_plan *plan, const uint32_t *order);
/* Something wrong at the call, by the name the runtime gives it. */
void plan_error(struct host_plan *plan, uint32_t instance, const char *name, const char *detail);

/* host_task.c: events of tasks, before and after the threads of kernels are unfolded. */
void task_events(struct host_plan *plan);
void task_edges(struct host_plan *plan);

/* host_progress.c. Sets b->starts of the task's threads and task.started; tasks before it are unfolded. */
void start_task(struct host_plan *plan, uint32_t task);
/* The task has ended; its threads are unfolded. */
expr_id task_done(struct host_plan *plan, uint32_t task);
/* For liveness, when everything is unfolded. */
void settle_progress(struct host_plan *plan);

/* host_misuse.c: pairs of events that the model's text asks to be ordered. */
void misuse_edges(struct host_plan *plan);

/* host_unfold.c */
struct graph **unfold_host(struct builder *b, uint32_t *count);

#endif
