/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_MUTEX_H
#define MODEL_UNFOLD_THREAD_MUTEX_H

#include "model/unfold/thread/spin.h"

/* Mutexes of host threads: memory that is only locked, by an exchange of 1 that acquires, and unlocked, by a store of 0
 * that releases. A thread that locks one, finds that it has to wait longer and unlocks it could as well have waited
 * without: what others do in between they may do before, and it passes on nothing that it did not get from the mutex. */

/* Is the write the lock of a mutex, or, where 'either', its unlock? */
bool mutex_is_lock(const struct builder *b, const struct event *event, bool either);
/* Does the iteration lock and unlock the mutex of the write 'event' in turn, and as often, whenever it goes round? */
bool mutex_is_harmless(const struct builder *b, const struct iteration *iteration, event_id event);

#endif
