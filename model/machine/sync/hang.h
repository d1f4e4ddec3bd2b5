/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_HANG_H
#define MODEL_MACHINE_SYNC_HANG_H

#include "model/machine/core/run.h"

/* Reports why no lane can move any more (lane-semantics section 6). */

/* After the last step: no lane can run. Reports what every waiting lane waits for and why it never
 * comes. False when all lanes have exited. 'spinning' (or NULL) has, by lane, whether it goes round a
 * loop that cannot end. */
bool hang_explain(struct run *run, const bool *spinning);

#endif
