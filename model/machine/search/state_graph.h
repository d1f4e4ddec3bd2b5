/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_STATE_GRAPH_H
#define MODEL_MACHINE_SEARCH_STATE_GRAPH_H

#include "model/machine/step/step.h"

/* The states that a test can be in on a memory, the steps between them and the threads that
 * have taken one: what runs for ever goes round in it. Left out are orders that no thread and no
 * scheduler can tell apart. Sets of threads are masks; bit i is thread order[i], in the order of
 * the columns, or of the linear CTA and thread number. */

enum { STATE_GRAPH_THREADS = 64 };

struct state_edge {
    uint32_t to;
    uint16_t choices; /* which combination of choices, counted from 0 */
    struct move move;
    uint64_t missed; /* weak memory: writes that the step returned an older value than */
    bool clock;      /* what a clock shows is a choice of the step */
};

struct graph_state {
    uint64_t hash[2];
    uint64_t started; /* have taken a step */
    uint64_t enabled; /* have a step to take */
    uint64_t live;    /* have not ended */
    uint64_t copying; /* have asynchronous copies on their way */
    uint64_t writes;  /* weak memory: the numbers of those that are there */
    uint32_t first_edge, edge_count;
    uint32_t parent; /* where it was reached from first; NONE: the first state */
    bool waits;      /* nothing can move, and not all have ended */
};

struct state_graph_limits {
    uint64_t states;     /* 0: no limit */
    double seconds;      /* 0: none */
    size_t memory_bytes; /* that the search may take; 0: no limit */
    bool every_order;    /* leaves nothing out, to tell what that saves */
    bool fair;           /* every thread gets its turn: the graph is for no other scheduler */
};

struct state_graph {
    VEC(struct graph_state) nodes; /* nearest to the first state first */
    VEC(struct state_edge) edges;
    uint32_t *order, *number; /* thread to lane, lane to thread */
    uint32_t threads;
    const char *limit; /* which was reached, or NULL */
    bool stops;        /* some run ends in an error */
};

/* NULL: more threads than STATE_GRAPH_THREADS, or a weak memory that does not forget (weak.h). On the weak memory not
 * every run is there: no access is performed late, and few writes of a location are known apart. Everything lives in 'arena'; 'run' has a machine, its
 * state, a memory and reports, and is left in any state. */
struct state_graph *state_graph_new(struct arena *arena, struct run *run,
                                    const struct state_graph_limits *limits);

/* To the first state, and along an edge from the state that the run is in. */
void state_graph_start(struct arena *arena, struct run *run);
void state_graph_follow(struct arena *arena, struct run *run, const struct state_edge *edge);

#endif
