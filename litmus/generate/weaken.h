/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_WEAKEN_H
#define LITMUS_GENERATE_WEAKEN_H

#include "litmus/generate/outcome.h"

/* Tests that ask for less order than another (Lustig, Wright, Papakonstantinou, Giroux: Automated
 * Synthesis of Comprehensive Memory Model Litmus Test Suites, ASPLOS 2017). */

/* The number-th way to weaken a test by one step: an instruction is left out, with what the outcome says
 * of it, or has the next weaker semantics, the next narrower scope, or no dependency. False when there are
 * fewer ways. 'values' may hold OUTCOME_ANY, and 'weaker_values' has room for OBSERVED_MOST. */
bool generated_weaken(const struct generated_program *program, const uint32_t *values,
                      uint32_t number, struct generated_program *weaker, uint32_t *weaker_values);

/* Is the first step the second one, or what comes of weakening it, without leaving it out? Both are accesses of one kind,
 * or both fences. */
bool generated_at_most(const struct generated_step *weaker, const struct generated_step *step);

#endif
