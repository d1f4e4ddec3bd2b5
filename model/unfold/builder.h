/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_BUILDER_H
#define MODEL_UNFOLD_BUILDER_H

#include <glib.h>

#include "litmus/base/diag.h"
#include "model/graph/deps.h"
#include "model/unfold/unfold.h"

/* The graph while it grows, shared by the files that unfold: flow.c walks a body, the files after
 * it give each instruction its events, freeze.c turns the result into a graph. Event numbers are
 * those of 'events' until freeze.c renumbers them; a read's value is one EXPR_READ of its whole
 * width. */
struct host_instance;

struct builder {
    struct arena *arena;
    const struct test *test;
    const struct unfold_options *options;
    struct diag_list *diags;
    bool failed; /* an error was reported: stop soon */
    struct expr_pool *exprs;
    struct deps_context deps;
    struct mapping *mappings;
    uint32_t mapping_count;
    VEC(struct thread) threads;
    VEC(struct event) events;
    VEC(struct fixed_edge) fixed[FIXED_COUNT];
    VEC(struct barrier_op) barriers;
    VEC(struct choice) choices;
    VEC(struct assumption) assumptions;
    VEC(struct spin) spins;
    VEC(struct undefined) undefined;
    VEC(struct delayed) delayed;
    uint32_t *first_barrier; /* a device thread: its operations in 'barriers' start here; one more
                                entry for the end */
    VEC(struct reduction) reductions;
    VEC(struct whole_barrier) whole;
    VEC(struct companions) companions;
    VEC(struct departure) departures;
    VEC(struct quorum) quorums;
    VEC(struct mbarrier_wait) waits;
    VEC(struct host_instance) instances; /* calls of host threads in the order of each (host.h) */
    VEC(struct trigger) triggers;
    VEC(event_id) grid_waits; /* griddepcontrol.wait */
    VEC(struct grid_sync) grid_syncs;
    event_id *thread_start, *thread_end; /* of the threads of a host program's tasks */
    uint32_t device_threads; /* threads past these are pseudo-threads of asynchronous operations */
    expr_id *starts;         /* a thread: it is started */
    expr_id *ended;          /* a thread: it reached its end or was not started */
    struct state **finals;   /* a thread: its registers at the end */
    uint64_t steps;
};

/* A choice that stands for an expression which can only be built when every thread is unfolded;
 * freeze.c replaces it. */
struct delayed {
    uint32_t choice;
    expr_id value;
};

/* bar.red: what barrier 'op' hands out is made of the operands of its completion. */
struct reduction {
    uint32_t op, delayed;
    expr_id operand; /* width 1 */
    enum atom_op how;
};

/* A barrier operation of the dialect, with a quorum: see quorum.c. */
struct quorum {
    uint32_t op;
    expr_id late, count; /* late: arrives when the quorum was met without it */
};

/* A barrier operation of a kernel that waits for everybody: its 'passed' is settled at the end. */
struct whole_barrier {
    uint32_t op, delayed;
};

/* The read of an mbarrier wait that returned false, and that the phase was not over then. */
struct mbarrier_wait {
    event_id miss;
    expr_id false_rightly;
};

/* A release fence before a griddepcontrol.launch_dependents of its thread, executed under 'guard'. */
struct trigger {
    event_id fence;
    expr_id guard;
};

struct grid_sync {
    uint32_t thread;
    event_id arrive, leave;
};

/* An asynchronous copy: events [first, end), issued before 'position' of its thread. */
struct async_copy {
    bool bulk;
    event_id first, end;
    uint32_t position;
};
struct async_commit {
    bool bulk;
    uint32_t position;
    expr_id guard;
};

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
struct run {
    struct builder *b;
    const struct body *body;
    uint32_t thread;
    uint32_t position; /* of the next event in program order */
    struct state_list
        *pending; /* an instruction: states that jump or fall to it; inst_count: the end */
    struct flow *flow;
    VEC(struct async_copy) copies;
    VEC(struct async_commit) commits;
};

/* One instruction of one thread on all paths that reach it. */
struct step {
    struct run *run;
    struct builder *b;
    const struct inst *inst;
    struct state *state;
    expr_id predicate;       /* of @p; true without */
    expr_id guard;           /* state guard and predicate */
    const struct deps *ctrl; /* of the state and the predicate */
};

/* A value with what it depends on. */
struct value {
    expr_id expr;
    const struct deps *deps;
};

/* ---- builder.c ---- */
unsigned type_bits(enum type type); /* TYPE_NONE: 64, TYPE_PRED: 1 */
expr_id new_choice(struct builder *b, const char *name, unsigned width);
/* A choice whose value is filled in later: b->delayed.at[*index].value. */
expr_id new_delayed(struct builder *b, unsigned width, uint32_t *index);
/* 1 where the truth value holds, as a 32-bit number. */
expr_id as_count(struct builder *b, expr_id truth);
void assume(struct builder *b, enum assumption_kind kind, expr_id condition, struct span span,
            uint32_t thread);
void add_undefined(struct step *s, const char *name, const char *detail, expr_id condition);
void add_edge(struct builder *b, enum fixed_relation relation, event_id from, event_id to,
              expr_id guard, const char *reason);
/* Between host calls, tasks and their threads; the reason given to a reader names the rule. */
void add_api_edge(struct builder *b, enum api_edge rule, event_id from, event_id to, expr_id guard,
                  const char *reason);
void add_edges(struct builder *b, enum fixed_relation relation, const struct deps *from,
               event_id to);
/* Fills in thread, guard, inst, span and text, and adds the ctrl edges. */
event_id add_event(struct step *s, struct event event);
/* An event one place later than those before; siblings share the place of the first. */
uint32_t next_position(struct run *run);
__attribute__((format(printf, 3, 4))) void refuse(struct step *s, enum diag_id id,
                                                  const char *format, ...);

/* ---- operand.c ---- */
struct value operand_value(struct step *s, const struct operand *operand, enum type type);
struct value operand_address(struct step *s, const struct operand *operand);
/* Where the predicate fails the old contents stay. */
void write_operand(struct step *s, const struct operand *operand, enum type type,
                   struct value value);
/* The address of a location as this thread sees it: its CTA's copy of shared memory, its own of
 * local. */
uint64_t symbol_address(const struct builder *b, uint32_t thread, uint32_t location);
expr_id special_value(struct step *s, enum special special);
/* Of a thread of a kernel: the rank of its CTA in the cluster. */
uint32_t cluster_rank(const struct builder *b, const struct thread *thread);
expr_id compare_values(struct step *s, enum cmp cmp, enum type type, expr_id a, expr_id b);

/* ---- alu_clamp.c ---- */
/* The upper 64 bits of the product of two 64-bit numbers. */
expr_id alu_high_product(struct step *s, expr_id a, expr_id b, bool is_signed);
/* The number in the range of 'to' that is nearest to the 64-bit 'value'. */
expr_id alu_clamp(struct step *s, expr_id value, bool is_signed, enum type to);

/* ---- instructions ---- */
void step_alu(struct step *s);
bool step_bits(struct step *s); /* alu_bits.c: false when it is no instruction of that file */
void step_space(struct step *s);
void step_load(struct step *s);
void step_store(struct step *s);
void step_atomic(struct step *s);
void step_fence(struct step *s);
void step_barrier(struct step *s);
void step_mbarrier(struct step *s);
void step_async(struct step *s);
void step_host_call(struct step *s); /* host_unfold.c */
/* For liveness: queries made from event 'first' on found work that has not ended, or succeeded. */
expr_id host_queries_rightly(struct builder *b, event_id first);
void step_grid_wait(struct step *s);
void step_grid_trigger(struct step *s);
void step_grid_sync(struct step *s);
/* When every thread is unfolded: */
void finish_barriers(struct builder *b);
void finish_quorums(struct builder *b); /* after finish_barriers */
void finish_restricted(struct builder *b);

/* ---- unfold.c ---- */
void unfold_thread(struct builder *b, uint32_t thread);
struct graph *unfold_finish(struct builder *b); /* when every thread is unfolded */

/* ---- freeze.c ---- */
struct graph *freeze(struct builder *b);

#endif
