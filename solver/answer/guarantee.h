/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_GUARANTEE_H
#define SOLVER_ANSWER_GUARANTEE_H

#include "litmus/progress/progress.h"
#include "solver/encode/encode.h"

/* Which threads a scheduler may leave standing for ever while others go on. By thread of the graph. */
struct standing {
    const lit *looping; /* goes on for ever */
    const lit *live;    /* does so, or is left standing */
};

/* The scheduler allows that the live threads that do not loop are left standing. */
lit guarantee_allows(struct encoding *encoding, const struct guarantee *progress,
                     const struct standing *standing);

#endif
