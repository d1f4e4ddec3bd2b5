/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_DIRECTION_H
#define MODEL_MACHINE_KERNEL_DIRECTION_H

#include "model/machine/kernel/turns.h"
#include "model/machine/race/predict.h"

/* A schedule in which a thread waits before an access, or behind it, until another one is done
 * (directed.h): private to vector.c and directed.c. */
struct direction {
    struct predicted_access held, goal;
    uint32_t
        beyond;  /* it waits before so manieth step that synchronizes behind its access; 0: before
                        the access */
    bool starts; /* the cluster of the one that waits starts first */
    bool goal_first;           /* the other one goes as far as it can before that starts */
    uint32_t passed;           /* such steps behind the access so far */
    uint32_t cluster;          /* that runs now */
    uint32_t held_at, goal_at; /* times that the lanes have executed the instructions so far */
    bool holds, reached, done; /* it waits; the other one is done; it is done, too */
    bool lost;                 /* the other one was done before it waited */
    bool pauses;               /* one of holds, reached and lost has just become true */
};

/* Is the lane of the access among those that execute something now? */
static inline bool direction_is_of(const struct direction *d, const struct predicted_access *access,
                                   uint32_t first, uint32_t active)
{
    uint32_t position = access->lane - first;
    return d->cluster == access->cluster && position < 32 && active >> position & 1;
}

static inline bool direction_is_at(const struct direction *d, const struct predicted_access *access,
                                   uint32_t first, const struct micro *micro, uint32_t active)
{
    return micro->inst_index == access->inst && micro_is_access(micro) &&
           direction_is_of(d, access, first, active);
}

/* Does the lane synchronize behind its access? */
static inline bool direction_is_beyond(const struct direction *d, uint32_t first,
                                       const struct micro *micro, uint32_t active)
{
    return d->beyond && d->held_at >= d->held.count && turns_end_at(micro) &&
           direction_is_of(d, &d->held, first, active);
}

/* Does the warp whose first lane is 'first' have to wait before the micro? */
static inline bool direction_holds(struct direction *d, uint32_t first, const struct micro *micro,
                                   uint32_t active)
{
    if (!d || d->reached)
        return false;
    bool here =
        d->beyond
            ? direction_is_beyond(d, first, micro, active) && d->passed + 1 == d->beyond
            : direction_is_at(d, &d->held, first, micro, active) && d->held_at + 1 == d->held.count;
    d->pauses |= here;
    d->holds |= here;
    return here;
}

/* The warp is past the micro. */
static inline void direction_note(struct direction *d, uint32_t first, const struct micro *micro,
                                  uint32_t active)
{
    if (!d)
        return;
    if (direction_is_at(d, &d->goal, first, micro, active) && ++d->goal_at == d->goal.count) {
        d->reached = d->holds;
        d->lost = !d->holds;
        d->pauses = true;
    }
    d->passed += direction_is_beyond(d, first, micro, active);
    if (direction_is_at(d, &d->held, first, micro, active))
        d->held_at++;
    d->done = d->reached && d->held_at >= d->held.count;
}

#endif
