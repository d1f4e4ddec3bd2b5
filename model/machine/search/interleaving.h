/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_INTERLEAVING_H
#define MODEL_MACHINE_SEARCH_INTERLEAVING_H

#include "model/machine/core/machine.h"

/* Is every execution that the PTX models allow an interleaving, so that the memory 'sc' shows all of
 * them? Decided by what the threads can touch: a cycle of program order and communication goes
 * through two threads that share two locations, or through several that share them in a ring, or
 * stays at one location, where coherence forbids it. So it is enough that threads and the locations
 * they share make no ring, barriers and collectives being such locations, and that accesses there are
 * strong, of one size, by the generic proxy, and in scopes that hold each other's threads. False: not known. */
bool interleaving_is_all(struct arena *arena, const struct machine *machine);
/* Do interleavings show whether every run ends? The same of the accesses that can decide it (deciding.h):
 * what a lock protects is none, as long as no branch looks at it. */
bool interleaving_tells_ends(struct arena *arena, const struct machine *machine);

#endif
