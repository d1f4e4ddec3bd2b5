/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_SYSTEM_H
#define MODEL_MACHINE_STEP_SYSTEM_H

#include "model/machine/core/run.h"

/* Calls of functions that the CUDA runtime defines (litmus/isa/system.def): printf writes to
 * run->printed, a failed assertion is reported. Always true: nothing waits. */
bool system_call(struct run *run, uint32_t lane);

/* What device code sees at generic addresses; false: nothing is there. */
bool system_read(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes, uint64_t *value);
/* A string, up to SYSTEM_LONGEST bytes, with the reports; NULL: part of it lies nowhere. */
enum { SYSTEM_LONGEST = 1 << 16 };
const char *system_string(struct run *run, uint32_t lane, uint64_t address);

/* printf as CUDA does it (programming guide, "Formatted Output"): the arguments lie one after the other
 * at 'list', each at a multiple of its size. Gives the number of arguments, -1 without a format; what
 * cannot be read is printed as "(null)". */
int32_t format_print(struct run *run, uint32_t lane, const char *format, uint64_t list);

#endif
