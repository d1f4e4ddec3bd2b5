/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_TOUCH_H
#define MODEL_MACHINE_STEP_TOUCH_H

#include "model/machine/core/run.h"

/* Which locations the program of a lane can touch. An access to a location that no lane touches
 * which may run before it need not be tried in every order. */

/* After everything is placed. */
void touch_find(struct machine *machine);
/* The lane stands at an access: can no other lane touch the location before it does? */
bool touch_is_private(struct run *run, uint32_t lane);

#endif
