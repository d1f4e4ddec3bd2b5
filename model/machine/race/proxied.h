/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_PROXIED_H
#define MODEL_MACHINE_RACE_PROXIED_H

#include "model/machine/race/clock.h"

/* Of what is known, what lies behind a proxy fence: by the accesses that it acts on, those of the proxy
 * that it names, in the state space that it names. */

enum proxied_kind {
    PROXIED_GLOBAL, /* async copies and stores, of global memory */
    PROXIED_SHARED, /* the same of shared memory */
    PROXIED_TEXTURE,
    PROXIED_SURFACE,
    PROXIED_COUNT
};

struct proxied {
    struct clock *of[PROXIED_COUNT];
};

static inline void proxied_add(struct proxied *to, const struct proxied *news)
{
    for (uint32_t i = 0; i < PROXIED_COUNT; i++)
        if (news->of[i] && news->of[i] != to->of[i])
            clock_add(&to->of[i], news->of[i]);
}

static inline void proxied_ref(const struct proxied *proxied)
{
    for (uint32_t i = 0; i < PROXIED_COUNT; i++)
        clock_ref(proxied->of[i]);
}

static inline void proxied_clear(struct proxied *proxied)
{
    for (uint32_t i = 0; i < PROXIED_COUNT; i++)
        clock_unref(proxied->of[i]);
    *proxied = (struct proxied){0};
}

#endif
