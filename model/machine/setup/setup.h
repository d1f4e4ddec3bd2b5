/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SETUP_SETUP_H
#define MODEL_MACHINE_SETUP_SETUP_H

#include "model/machine/core/state.h"

/* A test or a launch becomes a machine; a machine gets its initial state and is asked for the final
 * one. */

/* NULL after errors in 'diags': host programs, instructions the executor does not know, too many
 * threads for lane-by-lane running (MACHINE_MAX_LANES). Everything lives in 'arena'. */
struct machine *machine_new(struct arena *arena, const struct test *test,
                            const struct machine_options *options, struct diag_list *diags);

/* One cluster of a launch only, for whole kernels; machine_move_cluster makes it another one. */
struct machine *machine_new_cluster(struct arena *arena, const struct test *test, uint32_t launch,
                                    const struct machine_options *options, struct diag_list *diags);
void machine_move_cluster(struct machine *machine, uint32_t index);

/* Writes the initial state into 'state', machine.state_bytes of the caller's. */
void machine_start(const struct machine *machine, struct state *state);

/* Values of test->observed in a final state; 'memory_at' holds machine.memory_bytes bytes. */
void machine_observe(const struct machine *machine, struct state *state, const uint8_t *memory_at,
                     uint64_t *values);

#endif
