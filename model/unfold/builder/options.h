/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_BUILDER_OPTIONS_H
#define MODEL_UNFOLD_BUILDER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/test/tearing.h"

/* What the caller of unfold decides: bounds of loops and events, the question, the readings. */
struct unfold_options {
    uint32_t unroll;      /* how often a loop that is no spin loop is unrolled */
    uint32_t max_events;  /* give up with a diagnostic past this */
    uint32_t readings;    /* of what the sources leave open: bits of enum host_reading */
    enum tearing tearing; /* of accesses of kernels */
    bool liveness;        /* keep the failed spin iterations for --property termination */
    uint32_t
        without; /* a rule of host programs that a test leaves out (litmus/test/host_rule.h), or 0 */
    bool abandon; /* and let threads be left standing anywhere; not of host programs */
};

#endif
