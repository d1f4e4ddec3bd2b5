/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_GRAPHS_H
#define TESTS_UNIT_GRAPHS_H

#include "model/execution/execution.h"
#include "model/unfold/unfold.h"

/* Graphs from test text, for tests of what reads them. */
struct unfolded {
    struct arena *arena;
    struct test *test;
    struct graph *graph; /* NULL after an error */
    struct diag_list diags;
};

struct unfolded unfold_text(const char *text);
/* The same, for asking whether it ends. */
struct unfolded unfold_live(const char *text);
struct unfolded unfold_bytes(const char *name, const char *text, size_t length, bool liveness);
/* The n-th event of the kind in the thread; the test fails without one. */
event_id find_event(const struct graph *graph, const char *thread, enum event_kind kind,
                    uint32_t n);
uint32_t count_events(const struct graph *graph, const char *thread, enum event_kind kind);
bool has_edge(const struct graph *graph, enum fixed_relation relation, event_id from, event_id to);
/* An execution in which piece 0 of each read takes the source given, in order of the reads'
 * numbers; the final write of each granule is its last write. Completed, which must succeed or not
 * as said. */
struct execution *execute(struct unfolded *u, const event_id *sources, bool succeeds);
const char *state_text(struct unfolded *u, const struct execution *execution);

#endif
