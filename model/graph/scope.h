/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_SCOPE_H
#define MODEL_GRAPH_SCOPE_H

#include "model/graph/graph.h"

/* The threads of a test, with global numbers for their CTA, cluster and warp. Columns come first,
 * then launch by launch, CTA by CTA, thread by thread. */

enum { MAX_THREADS = 4096 };

/* A thread that is nowhere yet: every number is NONE. */
struct thread scope_thread(const char *name);
/* Number of device threads; UINT64_MAX on overflow. */
uint64_t scope_thread_count(const struct test *test);
/* All device threads, in 'arena'; needs scope_thread_count <= MAX_THREADS. */
struct thread *scope_threads(struct arena *arena, const struct test *test, uint32_t *count);
/* For host programs: the threads of one run of a launch, with numbers that no earlier run has. */
struct numbering *scope_numbering(struct arena *arena);
struct thread *scope_launch_threads(struct numbering *numbering, const struct test *test,
                                    uint32_t launch, uint32_t gpu, uint32_t *count);

static inline uint64_t dim3_size(struct dim3 d)
{
    return (uint64_t)d.x * d.y * d.z;
}

#endif
