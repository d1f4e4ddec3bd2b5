/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_UNFOLD_H
#define MODEL_UNFOLD_UNFOLD_H

#include "litmus/base/diag.h"
#include "litmus/test/tearing.h"
#include "model/graph/graph.h"

struct unfold_options {
    uint32_t unroll;      /* how often a loop that is no spin loop is unrolled */
    uint32_t max_events;  /* give up with a diagnostic past this */
    uint32_t readings;    /* of what the sources leave open: bits of enum host_reading */
    enum tearing tearing; /* of accesses of kernels */
    bool liveness;        /* keep the failed spin iterations for --property termination */
};

/* Turns a checked test into event graphs: one, but for host programs whose conflicting calls can be
 * ordered in several ways (one graph an order). NULL after an error in 'diags'. */
struct graph **unfold(struct arena *arena, const struct test *test,
                      const struct unfold_options *options, struct diag_list *diags,
                      uint32_t *count);

#endif
