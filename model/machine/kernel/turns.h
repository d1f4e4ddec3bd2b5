/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_TURNS_H
#define MODEL_MACHINE_KERNEL_TURNS_H

#include "model/machine/search/schedule.h"

/* How a schedule other than the usual one (disturbed.h) gives turns: private to vector.c and
 * disturbed.c. */
struct disturbance {
    struct random_chooser random;
    bool backwards;  /* clusters start with the last one */
    uint32_t turned; /* so many eighths of all clusters start behind the others */
    uint32_t *order; /* in which clusters start; NULL: as these two say */
    bool lone;       /* there is one cluster: its warps are what can be held back */
    uint32_t
        rarely; /* of so many steps that synchronize one ends the warp's turn, and of so many such
                        turns one that of the cluster; 0: none does */
    uint32_t
        delay; /* steps that synchronize until the cluster or its warp has to wait for all others;
                        0: it need not */
    uint32_t held;  /* the warp that waits for the others of its cluster, or NONE */
    bool yields;    /* the turn of the warp is over */
    bool gives_way; /* and that of the cluster */
};

/* A number below 'count'. */
static inline uint32_t turns_draw(struct disturbance *d, uint32_t count)
{
    return d->random.chooser.choose(&d->random.chooser, count);
}

/* Does the micro synchronize, or tell in which order threads ran? One that a thread ends with is of no instruction. */
static inline bool turns_end_at(const struct micro *micro)
{
    enum sem sem = micro->inst ? micro->inst->sem : SEM_NONE;
    bool strong = micro_is_access(micro) && sem != SEM_NONE && sem != SEM_WEAK;
    return strong || micro_is_atomic(micro) || micro->kind == MICRO_FENCE ||
           micro->kind == MICRO_MBARRIER;
}

/* The warp is past the micro: is its turn over? */
static inline void turns_note(struct disturbance *d, uint32_t warp, const struct micro *micro)
{
    if (!d || !turns_end_at(micro))
        return;
    if (d->delay && !--d->delay) {
        d->yields = true;
        d->gives_way = !d->lone && turns_draw(d, 2);
        d->held = d->gives_way ? NONE : warp;
    } else if (d->rarely && !turns_draw(d, d->rarely)) {
        d->yields = true;
        d->gives_way = !d->lone && !turns_draw(d, d->rarely);
    }
}

#endif
