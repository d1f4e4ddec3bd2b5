/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_FLOW_H
#define MODEL_UNFOLD_THREAD_FLOW_H

#include "model/unfold/builder/step.h"

/* Walks a body symbolically. Backward jumps make loops: the instructions from the target to the
 * last jump back to it, widened until loops nest. Ways through a loop's iteration, and out of it,
 * meet again wherever they reach the same instruction, so code is unfolded once an iteration and
 * not once a path.
 *
 * An iteration that goes round and leaves everything as it was, an atomic operation included that
 * wrote what it had read, and for termination what writes the same again (again.h), has no effect: it is assumed away (graph.h, struct spin), and a loop with no
 * other rounds is one iteration. So is a loop that has no way out, or that none is
 * taken of, as it is sure to go round and registers are again what they were. An iteration that is sure to be
 * repeated costs nothing of options.unroll; any other does, and after the last one the loop is
 * assumed left. */

/* Unfolds a thread from 'start' to its end. NULL when it never ends, or after an error. */
struct state *flow_run(struct unfold_run *run, struct state start);

#endif
