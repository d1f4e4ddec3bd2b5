/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_CALL_H
#define MODEL_UNFOLD_STEP_CALL_H

#include "litmus/test/host.h"
#include "model/unfold/builder/step.h"

/* A call made by a host thread. */
struct call_instance {
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
    expr_id blocked;   /* the call was made and has not returned */
    expr_id may_block; /* until other work is over, for reasons of the runtime's own */
    const struct inst *inst;
};

/* For liveness: queries made from event 'first' on found work that has not ended, or succeeded. */
expr_id call_queries_rightly(struct builder *b, event_id first);

#endif
