/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_LIVENESS_H
#define MODEL_MACHINE_SEARCH_LIVENESS_H

#include "model/machine/search/progress.h"
#include "model/machine/search/state_graph.h"

/* Does every run end that a scheduler allows? Found in the state graph: a run that never ends goes
 * round in a strongly connected component of it, and the scheduler allows that when each thread that
 * it owes a turn in every state of the component has a step there. Clocks move on: a loop ends that waits for one. */

/* How a run never ends. */
enum hang_kind {
    HANG_NONE,
    HANG_STARVATION, /* it goes on, and a thread that has not ended stands still */
    HANG_LIVELOCK,   /* it goes on, and so does every thread that has not ended */
    HANG_BARRIER,    /* it cannot go on, and a thread waits: under every scheduler */
};
const char *hang_kind_name(enum hang_kind kind); /* "starvation" … */

/* A run that never ends: a stem, and a loop that repeats; each a list of edges of the graph. */
struct hang {
    enum hang_kind kind;
    uint32_t *stem, *loop;
    uint32_t stem_length, loop_length;
    uint64_t standing; /* threads that have not ended and take no step in the loop */
    uint64_t started;  /* threads that have taken a step */
    bool timed; /* none was found, but a loop may go on for ever by what it does with clocks */
};

/* The one with the shortest stem; kind HANG_NONE: the graph has none. */
struct hang liveness_find(struct arena *arena, const struct machine *machine,
                          const struct state_graph *graph, const struct guarantee *progress);

#endif
