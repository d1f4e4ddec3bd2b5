/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_STALE_H
#define MODEL_MACHINE_RACE_STALE_H

#include "model/machine/race/race.h"

/* Weak memory for whole kernels: a load may return the value before the newest one, if its lane knows
 * neither of the newest write nor of anybody who has seen it (PTX 8.10.6, causality order, in an
 * execution whose coherence order is that of time). Atomics read the newest value. It shows fewer
 * outcomes than the weak machine of tests: one old value a location, no load late, no write early. */

/* From now on the accesses that the detector is told of are remembered so. */
void race_remember(struct race_detector *race);
/* From now on they return the newest value again. */
void race_refresh(struct race_detector *race);
/* Before an access is done, the detector told of it or not. 'bytes': what its location holds. True: a
 * load returns access->value instead, chosen by run->chooser; the detector must not be told. */
bool race_stale(struct race_detector *race, struct run *run, struct memory_access *access,
                const uint8_t *bytes);

#endif
