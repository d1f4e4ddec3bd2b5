/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_STEP_H
#define MODEL_MACHINE_STEP_STEP_H

#include "model/machine/core/run.h"

/* The moves of a run: which lane goes next, or whose outstanding load returns. Shared by the random
 * and the exhaustive search. */

enum move_kind { MOVE_STEP, MOVE_ISSUE, MOVE_RETURN, MOVE_COPY };
struct move {
    enum move_kind kind;
    uint32_t lane, which; /* RETURN: the load's micro; COPY: the entry of the lane's queue */
    bool alone;           /* no other lane can notice it: the reduction tries nothing else */
};

enum step_end {
    STEP_DONE,
    STEP_BLOCKED, /* the lane cannot go on now; nothing changed */
    STEP_PRUNED,  /* the memory's choices lead nowhere */
    STEP_FULL,    /* a table of the memory is full */
};

/* The most moves a state can have. */
uint32_t step_move_limit(const struct machine *machine);
/* Runs every lane to its next scheduling point. */
void step_settle(struct run *run);
/* After step_settle: the moves, in a fixed order. 'reduce': one move alone when no other lane can
 * notice it. 'issue': loads may be left outstanding. None: every lane has exited or waits. */
uint32_t step_moves(struct run *run, struct move *moves, bool reduce, bool issue);
/* What the move is about: the micro the lane stands at, the load, the copy. */
const struct micro *step_micro(struct run *run, const struct move *move);
enum step_end step_make(struct run *run, const struct move *move);
/* For run.live: which registers are used behind each micro, or asked for at the end. NULL: host programs. In 'arena'. */
const uint64_t **step_live(struct arena *arena, const struct machine *machine);
/* The state of lanes and memory. */
void step_hash(struct run *run, uint64_t hash[2]);
#endif
