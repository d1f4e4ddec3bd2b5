/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_GRID_H
#define MODEL_UNFOLD_STEP_GRID_H

#include "model/unfold/builder/builder.h"

/* What grid.c leaves for the edges between kernels (model/host). */

/* A release fence before a griddepcontrol.launch_dependents of its thread, executed under 'guard'. */
struct trigger {
    event_id fence;
    expr_id guard;
};

struct grid_sync {
    uint32_t thread;
    event_id arrive, leave;
    expr_id guard, after; /* of the thread when it arrives, and when it left */
    uint32_t passed;      /* for liveness, in b->delayed: the whole grid has arrived */
    struct span span;
};

#endif
