/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_PROGRESS_H
#define MODEL_MACHINE_SEARCH_PROGRESS_H

#include "litmus/progress/progress.h"

/* Which of those that can move are owed a turn. Sets of threads are masks, the thread of lowest id
 * lowest. */
uint64_t progress_owed(enum progress_model model, uint64_t enabled, uint64_t started);

#endif
