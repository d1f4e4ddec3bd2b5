/* SPDX-License-Identifier: MIT */
#ifndef MODEL_HOST_HOST_H
#define MODEL_HOST_HOST_H

#include "litmus/test/host.h"
#include "model/unfold/step/call.h"

/* Host programs become event graphs. unfold.c runs the host threads, which gives the calls they
 * make; order.c finds the orders that calls of different threads can have; for each, plan.c
 * puts the calls into streams, which gives tasks and the order between them; task.c gives the
 * tasks their events, accesses and FIXED_api_sync edges. Numbers E1 to E21 are the edges that
 * docs/host-programs.md lists. */

struct task {
    enum host_subject does;       /* NONE: nothing, as the tasks by which the legacy stream waits */
    uint32_t instance;            /* the call that brought it about */
    const struct host_call *call; /* what it does: the instance's own, or a graph node's */
    uint32_t device;
    const char *stream;          /* its name */
    uint32_t peers;              /* devices whose memory its kernel may touch, one bit each */
    bool programmatic;           /* kernels: its prerequisites need not have ended when it starts */
    VEC(uint32_t) prerequisites; /* what griddepcontrol.wait waits for */
    uint32_t decider; /* 1 + the task that reads whether this one runs; 0: it always does */
    uint64_t when;    /* it runs where that value is this one; NOT_ZERO: any other than 0 */
    bool repeats;     /* a conditional node's read: again, until it is 0 */
    expr_id runs;     /* condition.c */
    expr_id started;  /* progress.c */
    event_id start, end;
    event_id first_access, last_access;  /* [first, last): of a copy or set */
    uint32_t first_thread, thread_count; /* kernels and functions */
};

#define NOT_ZERO UINT64_MAX

static inline bool task_has_thread(const struct task *t, uint32_t thread)
{
    return thread >= t->first_thread && thread < t->first_thread + t->thread_count;
}

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
    bool only_time;  /* it comes after the end, and sees nothing of it */
    expr_id late;    /* of these: where the answer is no, it is this one that has not ended */
    const char *reason;
};

/* The memory of a location is allocated, or freed, by a task or by the call itself. */
struct lifetime {
    uint32_t location, instance;
    uint32_t task; /* or NONE */
    bool ends;
    uint32_t device;                    /* that was current at the call */
    event_id first_access, last_access; /* [first, last): what makes the memory anew */
};

/* Managed memory belongs to a stream, to the host or to everybody from the task on. */
struct attachment {
    uint32_t location, task;
    enum host_constant to;
    const char *stream; /* of which 'to' says that it is one */
};

/* Work that starts as a whole: a cluster of a kernel, a cooperative grid, a host function, a copy. */
struct unit {
    uint32_t task, first_thread; /* NONE: a copy or set */
    expr_id scheduled;           /* a choice */
};

/* In what order calls come: 'position' by instance; where they can come in either order in one graph, 'choice'
 * says which: by the two, or NULL. */
struct call_order {
    const uint32_t *position;
    expr_id *choice;
    VEC(uint32_t) pairs; /* those that have a choice: two instances, one after the other */
};

/* A task that may have to wait for one that is unfolded later: it is free to start. */
struct late_start {
    uint32_t task;
    expr_id free; /* a choice */
};

struct host_plan {
    struct builder *b;
    struct call_order order;
    uint32_t open; /* points met where the sources say nothing: bits of enum host_reading */
    const struct host_program *host;
    const bool *always; /* by call: it stands in no branch; NULL: its guard says so */
    VEC(struct task) tasks;
    VEC(struct task_edge) edges;
    VEC(struct task_wait) waits;
    VEC(struct lifetime) lifetimes;
    VEC(struct attachment) attachments; /* in the order of the calls */
    VEC(struct unit) units;
    VEC(struct late_start) late;
    VEC(uint32_t)
    bounded; /* reads of conditional nodes after which no more of the body is unfolded */
};

/* The call that brought the task about. */
static inline const struct call_instance *host_instance(const struct host_plan *plan,
                                                        const struct task *t)
{
    return &plan->b->instances.at[t->instance];
}

/* task.c: "copy writes [x+4]" */
const char *host_access_text(const struct builder *b, const char *what, struct host_memory m,
                             uint32_t offset);
/* renewal.c: events of what is allocated again, after all others. */
void host_renew_memory(struct host_plan *plan);

/* The program comes to a point where the sources say nothing; how it is to be read. */
bool host_reading(struct host_plan *plan, enum host_reading point);
unsigned host_line(const struct builder *b, struct span span);

/* order.c: what the call makes, if that is all that it does to others (a stream, an event, an executable graph); or NONE. */
uint32_t host_made_object(const struct host_call *call);
/* Orders of the calls, each a list of indexes into b->instances; NULL after a report.
 * Calls that touch nothing in common are in the order of their threads, and so are those whose order
 * is a choice of the graph: enqueueing, waiting and asking calls. */
uint32_t **host_orders(struct builder *b, uint32_t *count);
void host_order_set(struct host_plan *plan, const uint32_t *order);
/* The one call comes before the other, as far as it matters to either. */
expr_id host_before(struct host_plan *plan, uint32_t instance, uint32_t other);
/* FIXED_enqueue edges between calls of different threads that touch something in common. */
void host_order_edges(struct host_plan *plan, const uint32_t *order);

/* certain.c: the thread comes to what has the guard in every execution in which it ends */
bool host_is_certain(const struct builder *b, uint32_t thread, expr_id guard);
/* answered.c: adds the queries, by call, that are sure to find that all they ask about has ended, once all edges of the
 * plan are there; true when there are more than before */
bool host_answer_queries(const struct host_plan *plan, bool *answered);

/* plan.c */
void host_plan_calls(struct host_plan *plan, const uint32_t *order);

/* task.c: events of tasks, before and after the threads of kernels are unfolded. */
void host_task_events(struct host_plan *plan);
void host_task_edges(struct host_plan *plan);

/* progress.c. Sets b->starts of the task's threads and task.started; tasks before it are unfolded. */
void host_start_task(struct host_plan *plan, uint32_t task);
/* The task has ended; its threads are unfolded. */
expr_id host_task_done(struct host_plan *plan, uint32_t task);
/* For liveness, when everything is unfolded. */
void host_settle_progress(struct host_plan *plan);

/* condition.c: conditional nodes of graphs. The task is called for, and the value that decides says that it runs; tasks before
 * it are unfolded. */
expr_id host_task_runs(struct host_plan *plan, uint32_t task);
/* The task reads whether others run. */
bool host_task_decides(const struct task *t);
/* When everything is unfolded: handles that nobody has set or two have, and bodies that would run once more. */
void host_settle_conditions(struct host_plan *plan);

/* programmatic.c: programmatic dependent launches. Tasks before it are unfolded: those that it may overlap with
 * let it start. */
expr_id host_may_overlap(const struct host_plan *plan, const struct task *t);
/* When it starts, and what it sees of them. */
void host_programmatic_edges(struct host_plan *plan, const struct task *t);
/* For liveness: who stands at griddepcontrol.wait goes on. */
void host_settle_grid_waits(struct host_plan *plan);

/* grid.c: grid.sync of the threads of a kernel, when all of them are unfolded. */
void host_join_grid(struct host_plan *plan, const struct task *t);

/* misuse.c: pairs of events that the model's text asks to be ordered. */
void host_misuse_edges(struct host_plan *plan);

/* unfold.c */
struct graph **host_graphs(struct builder *b, uint32_t *count);

#endif
