/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

/* What a conflict teaches: the first clause, going back from it, that names one literal of the last
 * decision (the first unique implication point). */

/* Notes a literal that is false: those of the last decision are counted, others go to the lesson. */
static uint32_t note(struct sat *sat, sat_lit a)
{
    uint32_t variable = a / 2;
    if (sat->seen[variable] || sat->level[variable] == 0)
        return 0;
    sat->seen[variable] = true;
    activity_bump(sat, variable);
    if (sat->level[variable] == sat->levels.len)
        return 1;
    vec_push(sat->arena, &sat->lesson, a);
    return 0;
}

/* Goes back from the conflict; the lesson's first literal is the point found. */
static void trace_back(struct sat *sat, clause_ref conflict)
{
    uint32_t open = 0, at = sat->trail.len;
    sat_lit point = 0;
    clause_ref clause = conflict;
    sat->lesson.len = 0;
    vec_push(sat->arena, &sat->lesson, 0);
    do {
        /* A reason's first literal is what follows from it. */
        for (uint32_t i = clause == conflict ? 0 : 1; i < clause_size(sat, clause); i++)
            open += note(sat, clause_lits(sat, clause)[i]);
        do
            point = sat->trail.at[--at];
        while (!sat->seen[point / 2]);
        clause = sat->reason[point / 2];
        sat->seen[point / 2] = false;
    } while (--open > 0);
    sat->lesson.at[0] = sat_not(point);
}

/* Does it follow from the other literals of the lesson? */
static bool is_implied(const struct sat *sat, sat_lit a)
{
    clause_ref reason = sat->reason[a / 2];
    if (reason == NO_CLAUSE)
        return false;
    for (uint32_t i = 1; i < clause_size(sat, reason); i++) {
        uint32_t variable = clause_lits(sat, reason)[i] / 2;
        if (!sat->seen[variable] && sat->level[variable] > 0)
            return false;
    }
    return true;
}

/* Leaves out what is implied, and unmarks all. */
static void shorten(struct sat *sat)
{
    uint32_t kept = 1, count = sat->lesson.len;
    sat_lit *lits = sat->lesson.at;
    for (uint32_t i = 1; i < count; i++)
        if (is_implied(sat, lits[i])) {
            sat_lit implied = lits[i]; /* marked until all are looked at */
            vec_push(sat->arena, &sat->lesson, implied);
            lits = sat->lesson.at;
        } else {
            lits[kept++] = lits[i];
        }
    for (uint32_t i = 1; i < kept; i++)
        sat->seen[lits[i] / 2] = false;
    for (uint32_t i = count; i < sat->lesson.len; i++)
        sat->seen[lits[i] / 2] = false;
    sat->lesson.len = kept;
}

/* How many levels do they name? The second literal becomes one of the last level but one. */
static uint32_t back_level(struct sat *sat, uint32_t *joined)
{
    sat_lit *lits = sat->lesson.at;
    uint32_t last = 1;
    *joined = 1;
    for (uint32_t i = 1; i < sat->lesson.len; i++) {
        uint32_t level = sat->level[lits[i] / 2], j = 1;
        while (sat->level[lits[j] / 2] != level)
            j++;
        *joined += j == i;
        if (level > sat->level[lits[last] / 2])
            last = i;
    }
    if (sat->lesson.len == 1)
        return 0;
    sat_lit second = lits[last];
    lits[last] = lits[1];
    lits[1] = second;
    return sat->level[second / 2];
}

uint32_t learn(struct sat *sat, clause_ref conflict, uint32_t *joined)
{
    trace_back(sat, conflict);
    shorten(sat);
    activity_fade(sat);
    return back_level(sat, joined);
}

void blame(struct sat *sat, sat_lit failed)
{
    sat->core.len = 0;
    vec_push(sat->arena, &sat->core, failed);
    sat->seen[failed / 2] = true;
    for (uint32_t i = sat->trail.len; i-- > 0;) {
        sat_lit a = sat->trail.at[i];
        clause_ref reason = sat->reason[a / 2];
        if (!sat->seen[a / 2] || sat->level[a / 2] == 0)
            continue;
        if (reason == NO_CLAUSE)
            vec_push(sat->arena, &sat->core, a);
        for (uint32_t j = 1; reason != NO_CLAUSE && j < clause_size(sat, reason); j++)
            sat->seen[clause_lits(sat, reason)[j] / 2] = true;
    }
    for (uint32_t i = 0; i < sat->variables; i++)
        sat->seen[i] = false;
}
