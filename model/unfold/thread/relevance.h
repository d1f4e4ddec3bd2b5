/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_RELEVANCE_H
#define MODEL_UNFOLD_THREAD_RELEVANCE_H

#include "litmus/test/test.h"

/* Which instructions of a body matter: those that give events, end rounds of loops or give registers that are asked for
 * at the end, what these compute with, and the branches that decide whether they run. What does not, such as the count of
 * tries after which a wait sleeps for longer, cannot be noticed. */
struct relevance;
/* At first those that matter whatever comes of their results. In 'arena'. */
struct relevance *relevance_new(struct arena *arena, const struct body *body);
bool relevance_of(const struct relevance *relevance, uint32_t pc);
/* Adds the instruction if it gives one of the registers that are 'live' behind it, a bit each; true: it was not there. */
bool relevance_add_result(struct relevance *relevance, uint32_t pc, const uint64_t *live);
/* Adds the branches that decide whether an instruction which is there runs; true: some were not. */
bool relevance_add_branches(struct relevance *relevance);

#endif
