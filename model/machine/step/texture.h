/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_TEXTURE_H
#define MODEL_MACHINE_STEP_TEXTURE_H

#include "model/machine/core/run.h"

/* The lane's texture or surface instruction, done in one step; true. */
bool texture_execute(struct run *run, uint32_t lane);

#endif
