/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_RELEVANCE_H
#define MODEL_UNFOLD_THREAD_RELEVANCE_H

#include "litmus/test/test.h"

/* Which instructions of a body matter: those that give events, end rounds of loops or give registers that are 'needed' at
 * the end, what these compute with, and the branches that decide whether they run. What does not, such as the count of
 * tries after which a wait sleeps for longer, cannot be noticed. One value an instruction, in 'arena'. */
bool *relevance_new(struct arena *arena, const struct body *body, const bool *needed);

#endif
