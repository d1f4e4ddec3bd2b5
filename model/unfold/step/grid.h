/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_GRID_H
#define MODEL_UNFOLD_STEP_GRID_H

#include "model/unfold/builder/builder.h"

/* What grid.c leaves for the edges between kernels (model/host). */

/* A griddepcontrol.launch_dependents, executed under 'guard'. */
struct trigger {
    uint32_t thread;
    event_id event;
    expr_id guard;
    const event_id *fences; /* release fences before it in its thread */
    uint32_t fence_count;
};

/* A griddepcontrol.wait. */
struct grid_wait {
    event_id event;
    expr_id guard; /* of the thread when it comes there */
    uint32_t over; /* for liveness, in b->delayed: the prerequisite kernels have ended */
};

struct grid_sync {
    uint32_t thread;
    event_id arrive, leave;
    expr_id guard, after; /* of the thread when it arrives, and when it left */
    uint32_t passed;      /* for liveness, in b->delayed: the whole grid has arrived */
    struct span span;
};

#endif
