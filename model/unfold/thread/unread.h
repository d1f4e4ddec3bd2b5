/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_UNREAD_H
#define MODEL_UNFOLD_THREAD_UNREAD_H

#include "model/unfold/builder/step.h"

/* Stores, and atomic operations without a use of what was there before, to a location of which no instruction asks what is
 * in it, by the only thread that names it: a count of tries, say. A loop that does nothing else than that and wait is a spin
 * loop. By instruction of the thread's body; unless 'ends', which asks of runs without an end, the test may not ask for the
 * location either. In the builder's arena. */
bool *unread_writes(const struct unfold_run *run, bool ends);

#endif
