/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_WORKER_H
#define MODEL_MACHINE_KERNEL_WORKER_H

#include "model/machine/kernel/findings.h"
#include "model/machine/kernel/grid.h"
#include "model/machine/kernel/idle.h"

/* A host thread of a launch, and the clusters that it runs one at a time. Private to this folder. */

/* A cluster set aside while it waits for another one. */
struct parked {
    uint32_t index;
    uint64_t clock;
    uint64_t seen;  /* it waits for the memory to change once more; UINT64_MAX: it could go on */
    uint8_t *bytes; /* its state, its shared memory, and which of that is written */
};

/* What the host threads share. */
struct grid {
    const struct test *test;
    uint32_t launch, total;
    const struct grid_options *options;
    uint8_t *globals;
    struct grid_worker *first, **helpers; /* NULL: not called yet */
    GThread **host_threads;               /* of the helpers */
    uint32_t helper_count;
    uint32_t threads;  /* of the host, at most */
    uint32_t schedule; /* 0: the usual one; else the number of another one (disturbed.h) */
    struct direction *direction;     /* of that one, if it is a directed one (directed.h) */
    struct predictions *predictions; /* where the schedule predicts races; or NULL */
    bool weak;                       /* loads may return old values (stale.h) */
    uint64_t most_steps;             /* of one host thread */
    gint64 deadline;                 /* of g_get_monotonic_time, or 0 */
    gint stop;                       /* a bound is reached */
    gint last;  /* clusters behind this one do not count: it ended the launch */
    gint alone; /* a cluster waits for another one: one host thread must run all of them */
    gint next;  /* cluster to start next */
};

/* What a host thread did for a cluster at a time. */
struct cluster_cost {
    uint32_t index;
    uint64_t instructions, steps;
};

struct grid_worker {
    struct grid *grid;
    struct arena *arena;
    struct machine *machine;
    struct vector_engine v;
    struct findings findings;
    struct idling idling;
    VEC(struct parked) parked;
    VEC(struct cluster_cost) costs; /* where several host threads may run */
    uint32_t index;                 /* of the cluster that runs */
    uint64_t clusters;
    uint64_t progress; /* grows whenever a cluster changed memory or finished */
    bool all_steady;   /* all of the present round of parked ones waited */
    bool hang, bound;
    struct canceller canceller;
};

enum cluster_end { CLUSTER_DONE, CLUSTER_IDLE, CLUSTER_BLOCKED, CLUSTER_YIELDS, CLUSTER_STOPPED };

/* Have all its threads exited? Can any move, or a copy be made at last? */
bool worker_cluster_done(const struct grid_worker *w);
bool worker_can_move(struct grid_worker *w);
/* Copies that nobody waits for yet happen at last. */
bool worker_finish_copies(struct grid_worker *w);
/* Is a limit reached? Reports it; whatever was found stands. */
bool worker_out_of_bounds(struct grid_worker *w);
bool worker_is_stopped(const struct grid_worker *w);
void worker_start_cluster(struct grid_worker *w, uint32_t index);
/* Keeps the cluster that runs for another turn; 'waits': for a change of memory. */
void worker_park(struct grid_worker *w, bool waits);
/* That turn: its bytes are freed. */
void worker_unpark(struct grid_worker *w, struct parked *parked);
size_t worker_parked_bytes(const struct grid_worker *w);
void worker_drop_parked(struct grid_worker *w);
/* Runs the launch once more, with one host thread, in the schedule that grid->schedule and grid->direction
 * name. NULL after errors in 'diags'. */
struct grid_result *grid_attempt(struct arena *arena, struct grid *grid, struct diag_list *diags);
/* Starts the other host threads of the launch once that is worth it. */
void grid_call_helpers(struct grid_worker *w);
/* All clusters that are left, beside the other host threads. */
void worker_work(struct grid_worker *w);
/* Until the cluster that runs is over, one way or the other, waits, or yields. */
enum cluster_end worker_run_cluster(struct grid_worker *w);
/* Every lane of it still running goes round a loop that nobody will end. */
void worker_explain_idle(struct grid_worker *w);

#endif
