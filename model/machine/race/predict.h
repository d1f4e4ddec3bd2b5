/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_PREDICT_H
#define MODEL_MACHINE_RACE_PREDICT_H

#include "model/machine/core/report.h"
#include "model/machine/race/race.h"

/* Pairs of accesses that may race in another schedule: those that barriers leave unordered, whatever
 * releases, fences and atomics made of them in the run that was watched. Those may have ordered them by
 * accident; whether they always do another schedule has to show (directed.h). Two accesses of one warp
 * are left out. */

/* The 'count'th time, from 1 on, that a lane executes an instruction. */
struct predicted_access {
    uint32_t cluster, lane; /* lane of the machine */
    uint32_t inst, count;
};

struct predicted_race {
    struct predicted_access first, second; /* as they ran */
    struct machine_report report;          /* REPORT_POSSIBLE_RACE */
};

/* No more than two a pair of lines: the first found, and the last. */
struct predictions {
    struct arena *arena;
    VEC(struct predicted_race) items;
    bool first_only; /* a pair of lines that is there already is left as it is */
    bool cut;        /* there were more pairs or accesses than are kept */
};

/* From now on the detector adds such pairs to 'to'. */
void race_predict(struct race_detector *race, struct predictions *to);

#endif
