/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_CALL_H
#define MODEL_MACHINE_STEP_CALL_H

#include "model/machine/core/run.h"

/* Calls and returns of functions (PTX 7.1, 9.7.12.4): parameters are bytes of the caller's frame
 * that become bytes of the callee's, return values the reverse. No other lane can tell. */

/* Enters the function of a MICRO_CALL whose guard is true; reports 'call-too-deep' where the frame
 * finds no room. */
void call_enter(struct run *run, uint32_t lane, const struct micro *micro);
/* Back to behind the call that entered the function of a MICRO_RETURN. */
void call_leave(struct run *run, uint32_t lane, const struct micro *micro);

#endif
