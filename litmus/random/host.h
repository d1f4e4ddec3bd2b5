/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_HOST_H
#define LITMUS_RANDOM_HOST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Random host programs, as values that can be shrunk and printed as litmus text. */

enum { RANDOM_HOSTS = 2, RANDOM_CALLS = 7, RANDOM_KERNEL_INSTS = 3 };

enum random_call_kind {
    RANDOM_CALL_LAUNCH,
    RANDOM_CALL_SET,
    RANDOM_CALL_COPY,
    RANDOM_CALL_FUNCTION,
    /* those above can be captured */
    RANDOM_CALL_RECORD,
    RANDOM_CALL_WAIT,
    RANDOM_CALL_STREAM_SYNC,
    RANDOM_CALL_EVENT_SYNC,
    RANDOM_CALL_DEVICE_SYNC,
    RANDOM_CALL_STREAM_QUERY,
    RANDOM_CALL_EVENT_QUERY,
    RANDOM_CALL_BLOCKING_COPY,
    RANDOM_CALL_STORE,
    RANDOM_CALL_LOAD,
    RANDOM_CALL_DESTROY,
};

enum random_kernel_kind {
    RANDOM_KERNEL_LOAD,
    RANDOM_KERNEL_STORE,
    RANDOM_KERNEL_ADD,
    RANDOM_KERNEL_FENCE,
    RANDOM_KERNEL_TRIGGER,
    RANDOM_KERNEL_WAIT
};
struct random_kernel_inst {
    uint8_t kind, location, sem, scope;
};

struct random_call {
    uint8_t kind, stream, event, location;
    bool programmatic;
    bool guarded;  /* a launch, if the query just before it was cudaSuccess */
    uint8_t after; /* of a graph node: a bit each earlier one that it waits for */
    uint32_t inst_count;
    struct random_kernel_inst insts[RANDOM_KERNEL_INSTS];
};

/* What becomes of the first calls of the first thread. */
enum random_graph { RANDOM_GRAPH_NONE, RANDOM_GRAPH_CAPTURED, RANDOM_GRAPH_BY_HAND };

struct random_host {
    uint64_t seed;
    uint32_t hosts, count[RANDOM_HOSTS];
    enum random_graph graph;
    uint32_t nodes, launches; /* calls that become nodes; launches of the graph, 1 or 2 */
    struct random_call calls[RANDOM_HOSTS][RANDOM_CALLS];
};

void random_host_draw(struct random_host *program, uint64_t seed);
/* Litmus text that observes every register and location. */
GString *random_host_write(const struct random_host *program);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool random_host_shrink(const struct random_host *program, uint32_t step,
                        struct random_host *smaller);

#endif
