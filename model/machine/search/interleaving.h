/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_INTERLEAVING_H
#define MODEL_MACHINE_SEARCH_INTERLEAVING_H

#include "model/machine/core/run.h"
#include "model/machine/step/pointing.h"

/* Is every execution that the PTX models allow an interleaving, so that the memory 'sc' shows all of
 * them? Decided by what the threads can touch: a cycle of program order and communication goes
 * through two threads that share two locations, or through several that share them in a ring, or
 * stays at one location, where coherence forbids it. So it is enough that threads and the locations
 * they share make no ring, barriers and collectives being such locations, and that accesses there are
 * strong, of one size, by the generic proxy, and in scopes that hold each other's threads. An object that is indexed by
 * what a thread counts is one location, which no two threads may share. */
struct interleaved {
    struct tracer tracer; /* sees every access of the runs: none may leave its object */
    struct arena *arena;
    const struct machine *machine;
    struct pointing **pointing; /* by lane */
    bool leaves;                /* one did */
};

/* Of the runs that are made from now on, on the memory 'sc', with the tracer. In 'arena', with the run's machine. */
struct interleaved *interleaving_new(struct arena *arena, const struct machine *machine);
/* Behind the runs. False: not known. */
bool interleaving_is_all(const struct interleaved *interleaving);
/* Do interleavings show whether every run ends? The same of the accesses that can decide it (deciding.h):
 * what a lock protects is none, as long as no branch looks at it. */
bool interleaving_tells_ends(const struct interleaved *interleaving);

#endif
