/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_STANDSTILL_H
#define SOLVER_ANSWER_STANDSTILL_H

#include "solver/answer/guarantee.h"

/* A stuck execution, as model/graph/graph.h defines it at struct spin, as literals. */

struct standstill {
    lit *waits;   /* a barrier op: it waits, and what arrived will never suffice */
    lit *spins;   /* a spin loop: it goes round for ever */
    lit *goes_on; /* a thread: it goes round a loop that is not unrolled any further */
    lit some_waits, some_spins, some_go_on;
    lit some_write; /* a thread spins, and writes what may tell others of what came before */
    lit quiet;      /* every thread ended, waits or spins, or the scheduler may leave it standing */
    lit unchanged;  /* spinning threads read what nothing will ever replace */
    /* a spinning read need not see the last write, and some thread writes so while it spins: as the graph does
     * not show what that orders, nothing is known */
    lit unsure;
};

/* 'progress': NULL for the fair scheduler. */
struct standstill encode_standstill(struct encoding *encoding, const struct guarantee *progress);

#endif
