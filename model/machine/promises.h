/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_PROMISES_H
#define MODEL_MACHINE_PROMISES_H

#include "model/machine/machine.h"

/* Asserts what machine.h and program.h promise of a machine that was set up. Nothing in a release
 * build. */
#ifdef NDEBUG
#define machine_promises(machine) ((void)(machine))
#else
void machine_promises(const struct machine *machine);
#endif

#endif
