/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_DIRECTION_H
#define MODEL_MACHINE_KERNEL_DIRECTION_H

#include "model/machine/race/predict.h"

/* A schedule in which one access waits until another one is done (directed.h): private to vector.c and
 * directed.c. */
struct direction {
    struct predicted_access held, goal;
    bool starts;               /* the cluster of the one that waits starts first */
    uint32_t cluster;          /* that runs now */
    uint32_t held_at, goal_at; /* times that the lanes have executed the instructions so far */
    bool holds, reached, done; /* it waits; the other one is done; it is done, too */
    bool pauses;               /* one of the first two has just become true */
};

static inline bool direction_is_at(const struct direction *d, const struct predicted_access *access,
                                   uint32_t first, const struct micro *micro, uint32_t active)
{
    uint32_t position = access->lane - first;
    return d->cluster == access->cluster && micro->inst_index == access->inst &&
           micro_is_access(micro) && position < 32 && active >> position & 1;
}

/* Does the warp whose first lane is 'first' have to wait before the micro? */
static inline bool direction_holds(struct direction *d, uint32_t first, const struct micro *micro,
                                   uint32_t active)
{
    if (!d || d->reached || !direction_is_at(d, &d->held, first, micro, active) ||
        d->held_at + 1 != d->held.count)
        return false;
    d->pauses = d->holds = true;
    return true;
}

/* The warp is past the micro. */
static inline void direction_note(struct direction *d, uint32_t first, const struct micro *micro,
                                  uint32_t active)
{
    if (!d)
        return;
    if (direction_is_at(d, &d->goal, first, micro, active) && ++d->goal_at == d->goal.count &&
        d->holds)
        d->pauses = d->reached = true;
    if (direction_is_at(d, &d->held, first, micro, active) && ++d->held_at && d->reached)
        d->done = true;
}

#endif
