/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_GENERATE_HOST_H
#define TESTS_AGREE_GENERATE_HOST_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Random host programs, as values that can be shrunk and printed as litmus text. */

enum { HOSTS = 2, HOST_CALLS = 7, KERNEL_INSTS = 3 };

enum gen_call_kind {
    GEN_CALL_LAUNCH,
    GEN_CALL_SET,
    GEN_CALL_COPY,
    GEN_CALL_FUNCTION,
    /* those above can be captured */
    GEN_CALL_RECORD,
    GEN_CALL_WAIT,
    GEN_CALL_STREAM_SYNC,
    GEN_CALL_EVENT_SYNC,
    GEN_CALL_DEVICE_SYNC,
    GEN_CALL_STREAM_QUERY,
    GEN_CALL_EVENT_QUERY,
    GEN_CALL_BLOCKING_COPY,
    GEN_CALL_STORE,
    GEN_CALL_LOAD,
    GEN_CALL_DESTROY,
};

enum gen_kernel_kind {
    GEN_KERNEL_LOAD,
    GEN_KERNEL_STORE,
    GEN_KERNEL_ADD,
    GEN_KERNEL_FENCE,
    GEN_KERNEL_TRIGGER,
    GEN_KERNEL_WAIT
};
struct gen_kernel_inst {
    uint8_t kind, location, sem, scope;
};

struct gen_call {
    uint8_t kind, stream, event, location;
    bool programmatic;
    bool guarded;  /* a launch, if the query just before it was cudaSuccess */
    uint8_t after; /* of a graph node: a bit each earlier one that it waits for */
    uint8_t inst_count;
    struct gen_kernel_inst insts[KERNEL_INSTS];
};

/* What becomes of the first calls of the first thread. */
enum gen_graph { GEN_GRAPH_NONE, GEN_GRAPH_CAPTURED, GEN_GRAPH_BY_HAND };

struct gen_host {
    uint64_t seed;
    uint32_t hosts, count[HOSTS];
    enum gen_graph graph;
    uint32_t nodes, launches; /* calls that become nodes; launches of the graph, 1 or 2 */
    struct gen_call calls[HOSTS][HOST_CALLS];
};

void generate_host(struct gen_host *program, uint64_t seed);
/* Litmus text that observes every register and location. */
GString *gen_host_print(const struct gen_host *program);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool gen_host_shrink(const struct gen_host *program, uint32_t step, struct gen_host *smaller);

#endif
