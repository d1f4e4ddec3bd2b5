/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_BUILDER_STEP_H
#define MODEL_UNFOLD_BUILDER_STEP_H

#include "model/unfold/builder/builder.h"

/* What a thread knows on its way through its body, and one instruction on that way. */

/* What a thread knows at one point of its program. */
struct state {
    expr_id guard; /* the paths that lead here */
    expr_id *regs;
    const struct deps **deps; /* of each register */
    const struct deps *ctrl;  /* of being here at all */
    expr_id cluster_arrived;  /* arrived at barrier.cluster and not yet waited */
};

struct state_list {
    struct state *at;
    uint32_t len, cap;
};

/* A thread being unfolded. */
struct unfold_run {
    struct builder *b;
    const struct body *body;
    uint32_t thread;
    uint32_t position; /* of the next event in program order */
    struct state_list
        *pending; /* an instruction: states that jump or fall to it; inst_count: the end */
    struct flow *flow;
    const uint32_t
        *private_bytes; /* by location: the register of its first byte, or NONE; NULL: none */
    VEC(struct async_copy) copies;
    VEC(struct async_commit) commits;
};

/* One instruction of one thread on all paths that reach it. */
struct unfold_step {
    struct unfold_run *run;
    struct builder *b;
    const struct inst *inst;
    struct state *state;
    expr_id predicate;       /* of @p; true without */
    expr_id guard;           /* state guard and predicate */
    const struct deps *ctrl; /* of the state and the predicate */
};

/* A value with what it depends on. */
struct unfold_value {
    expr_id expr;
    const struct deps *deps;
};

void step_undefined(struct unfold_step *s, const char *name, const char *detail, expr_id condition);
/* Fills in thread, guard, inst, span and text, and adds the ctrl edges. */
event_id step_add_event(struct unfold_step *s, struct event event);
/* One that accesses no memory, next in its thread. */
struct event step_event(struct unfold_step *s, enum event_kind kind, event_tags tags);
/* An event one place later than those before; siblings share the place of the first. */
uint32_t step_next_position(struct unfold_run *run);
/* Adds an event that does nothing itself; 'text' NULL: the instruction's. */
event_id step_api_event(struct unfold_step *s, event_tags tags, const char *text);
/* Report the instruction by builder_fail: a diagnostic, or what the axioms do not have. */
#define step_refuse(s, id, ...)  builder_fail((s)->b, id, (s)->inst->span, NULL, __VA_ARGS__)
#define step_unsupported(s, ...) step_refuse(s, DIAG_unfold_unsupported, __VA_ARGS__)

#endif
