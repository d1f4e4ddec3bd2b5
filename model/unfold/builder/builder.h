/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_BUILDER_BUILDER_H
#define MODEL_UNFOLD_BUILDER_BUILDER_H

#include <glib.h>

#include "litmus/base/diag.h"
#include "model/graph/deps.h"
#include "model/unfold/builder/options.h"

/* Local memory that is kept in registers (step/private.h). */
struct private_memory {
    bool *escapes; /* by location: not this one */
    bool again;    /* more escapes than was known when unfolding began */
};

/* The graph while it grows, shared by the folders that unfold: 'thread' walks a body, 'step' gives each
 * instruction its events, 'freeze' turns the result into a graph. Event numbers are those of 'events'
 * until freeze.c renumbers them; a read's value is one EXPR_READ of its whole width. */
struct call_instance;

struct builder {
    struct arena *arena;
    const struct test *test;
    uint32_t *workspaces; /* by launch: the location that %envreg1 and %envreg2 name, or NONE */
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
    VEC(struct span) racing; /* spin loops in which one more iteration is made (racing.h) */
    VEC(struct lone) lone;   /* writes where no other thread writes (lone.h) */
    VEC(struct unwritten) unwritten;
    VEC(struct repeat) repeats;
    VEC(struct unrolled_loop) unrolled; /* each loop once */
    VEC(struct undefined) undefined;
    VEC(struct delayed) delayed;
    uint32_t *first_barrier; /* a device thread: its operations in 'barriers' start here; one more
                                entry for the end */
    VEC(struct reduction) reductions;
    VEC(struct whole_barrier) whole;
    VEC(struct exchange) exchanges; /* warp collectives */
    VEC(struct companions) companions;
    VEC(struct departure) departures;
    VEC(struct quorum) quorums;
    VEC(struct mbarrier_wait) waits;
    VEC(struct call_instance) instances; /* calls of host threads in the order of each (call.h) */
    VEC(struct trigger) triggers;        /* of griddepcontrol.launch_dependents */
    VEC(struct grid_wait) grid_waits;    /* griddepcontrol.wait */
    VEC(struct grid_sync) grid_syncs;
    event_id *thread_start, *thread_end; /* of the threads of a host program's tasks */
    uint32_t device_threads; /* threads past these are pseudo-threads of asynchronous operations */
    const bool *answered;    /* a call: a query that is sure to return cudaSuccess; NULL: none */
    expr_id *starts;         /* a thread: it is started */
    expr_id *ended;          /* a thread: it reached its end or was not started */
    struct state **finals;   /* a thread: its registers at the end */
    const struct body **inlined; /* a body of the test: with what it calls, once it was asked for */
    uint32_t **private_bytes;    /* and its registers of local memory (thread/frame.h) */
    struct private_memory *private_memory; /* shared by all builders of the test */
    uint64_t steps;
    struct values *values; /* addresses_values */
};

/* An instruction of a thread. */
struct lone {
    uint32_t thread;
    struct span span;
};

/* A write that an iteration leaves out when it goes round; it would be made where 'guard' holds. Of several entries for
 * a write the first counts. */
struct unwritten {
    event_id event;
    expr_id guard;
};

/* A choice that stands for an expression which can only be built when every thread is unfolded;
 * freeze.c replaces it. */
struct delayed {
    uint32_t choice;
    expr_id value;
};

expr_id builder_choice(struct builder *b, const char *name, unsigned width);
/* A choice whose value is filled in later: b->delayed.at[*index].value. */
expr_id builder_delayed(struct builder *b, unsigned width, uint32_t *index);
/* A choice that must equal the value where 'guard' holds, and is 0 elsewhere: for values that name each other
 * in a circle. In an execution it is known no earlier than what it equals. */
expr_id builder_guess(struct builder *b, expr_id value, expr_id guard, struct span span,
                      uint32_t thread);
/* A choice of which nothing is known, as of what an allocation leaves in memory. */
expr_id builder_anything(struct builder *b, const char *name, unsigned width);
/* 1 where the truth value holds, as a 32-bit number. */
expr_id builder_count(struct builder *b, expr_id truth);
void builder_assume(struct builder *b, enum assumption_kind kind, expr_id condition,
                    struct span span, uint32_t thread);
void builder_undefined(struct builder *b, const char *name, const char *detail, expr_id condition,
                       struct span span, uint32_t thread);
void builder_edge(struct builder *b, enum fixed_relation relation, event_id from, event_id to,
                  expr_id guard, const char *reason);
/* Between host calls, tasks and their threads; the reason given to a reader names the rule. */
void builder_api_edge(struct builder *b, enum api_edge rule, event_id from, event_id to,
                      expr_id guard, const char *reason);
void builder_edges(struct builder *b, enum fixed_relation relation, const struct deps *from,
                   event_id to);
/* The start or the end of a thread or task. */
event_id builder_api_event(struct builder *b, event_tags tags, uint32_t thread, uint32_t position,
                           expr_id guard, const char *text, struct span span);
/* The address lies in the mapping. */
expr_id builder_lies_in(struct builder *b, expr_id address, const struct mapping *mapping);
/* Is the loop one of 'racing'? */
bool builder_may_race(const struct builder *b, struct span loop);
/* Is it made by one of 'lone'? */
bool builder_is_lone(const struct builder *b, const struct event *event);
/* Reports why the test is not unfolded, the first reason only. */
void builder_fail(struct builder *b, enum diag_id id, struct span span, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
