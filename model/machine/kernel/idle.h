/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_IDLE_H
#define MODEL_MACHINE_KERNEL_IDLE_H

#include "model/machine/kernel/vector.h"

/* A cluster whose lanes go round loops without changing memory: does it wait, in the same state again
 * and again, or compute? What is computed from %clock does not make a state another one, as a wait that
 * looks at the time is one all the same; but a delay ends, so before such a cluster is said to wait the
 * clock is turned on, further each time, past whatever it may be compared with. */
struct idling {
    const bool *clock_slots; /* NULL: no register comes from the clock */
    uint64_t hash, ahead;
    uint32_t checks;
    bool steady; /* it waits */
};

void idle_new(struct idling *idling, struct arena *arena, const struct program *program);
/* The cluster begins, or goes on. */
void idle_start(struct idling *idling, struct vector_engine *v);
/* Has it gone round for long enough to ask? */
bool idle_long(const struct vector_engine *v);
/* Should another cluster have its turn? In doubt yes. */
bool idle_gives_way(struct idling *idling, struct vector_engine *v);

#endif
