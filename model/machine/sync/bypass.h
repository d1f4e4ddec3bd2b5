/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_BYPASS_H
#define MODEL_MACHINE_SYNC_BYPASS_H

#include "model/machine/core/run.h"

/* Lanes that leave without taking part. PTX as compiled does not tell 'if (i >= n) return;' before
 * a barrier from a barrier inside 'if (i < n)', so what a lane does after it turned off decides: if it
 * only computes, branches and exits, it counts as exited where it turned off; if it does anything
 * else, it has passed the barrier or collective by. */

/* The lane executes the micro it stands at, whose guard is true. */
void bypass_note(struct run *run, uint32_t lane, const struct micro *micro);
/* The same of lanes of a warp, 'first' its position 0, that stand at one micro, which accesses no memory. */
void bypass_note_lanes(struct run *run, uint32_t first, uint32_t lanes, const struct micro *micro);
/* Of the exited 'lanes' of the warp those that passed by micro 'pc' of the program that lane 'like'
 * runs. */
uint32_t bypass_lanes(struct run *run, uint32_t warp, uint32_t lanes, uint32_t like, uint32_t pc);
/* "lane 3 of warp 0 (CTA 0) went on at 'st' (line 12)": the lowest of the lanes and where. */
const char *bypass_text(const struct run *run, uint32_t warp, uint32_t lanes);

#endif
