/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

/* What follows from what holds, clause by clause. */

void assign(struct sat *sat, sat_lit a, clause_ref reason)
{
    sat->value[a] = 1;
    sat->value[sat_not(a)] = -1;
    sat->level[a / 2] = sat->levels.len;
    sat->reason[a / 2] = reason;
    vec_push(sat->arena, &sat->trail, a);
}

/* Lets the clause watch another literal than its second, which became false. */
static bool watch_another(struct sat *sat, clause_ref clause)
{
    sat_lit *lits = clause_lits(sat, clause);
    uint32_t size = clause_size(sat, clause);
    for (uint32_t i = 2; i < size; i++)
        if (sat->value[lits[i]] >= 0) {
            struct watch watch = {clause, lits[0]};
            sat_lit old = lits[1];
            lits[1] = lits[i];
            lits[i] = old;
            vec_push(sat->arena, &sat->watches[lits[1]].of, watch);
            return true;
        }
    return false;
}

/* The clause, which watches a literal that became false, has another one that holds, or will. */
static bool settle(struct sat *sat, sat_lit falsified, const struct watch *watch, sat_lit *other)
{
    sat_lit *lits = clause_lits(sat, watch->clause);
    if (lits[0] == falsified) {
        lits[0] = lits[1];
        lits[1] = falsified;
    }
    *other = lits[0];
    return sat->value[lits[0]] > 0;
}

/* Goes through the clauses that watch 'falsified' and keeps those that go on to do so. */
static clause_ref visit(struct sat *sat, sat_lit falsified)
{
    struct watch_list *list = &sat->watches[falsified];
    uint32_t kept = 0, i = 0;
    clause_ref conflict = NO_CLAUSE;
    sat->effort += list->of.len;
    while (i < list->of.len && conflict == NO_CLAUSE) {
        struct watch watch = list->of.at[i++];
        if (sat->value[watch.blocker] <= 0 && !settle(sat, falsified, &watch, &watch.blocker)) {
            if (watch_another(sat, watch.clause))
                continue;
            if (sat->value[watch.blocker] < 0)
                conflict = watch.clause;
            else
                assign(sat, watch.blocker, watch.clause);
        }
        list->of.at[kept++] = watch;
    }
    while (i < list->of.len)
        list->of.at[kept++] = list->of.at[i++];
    list->of.len = kept;
    return conflict;
}

clause_ref propagate(struct sat *sat)
{
    clause_ref conflict = NO_CLAUSE;
    while (sat->head < sat->trail.len && conflict == NO_CLAUSE)
        conflict = visit(sat, sat_not(sat->trail.at[sat->head++]));
    return conflict;
}

void undo(struct sat *sat, uint32_t level)
{
    if (sat->levels.len <= level)
        return;
    uint32_t start = sat->levels.at[level];
    for (uint32_t i = sat->trail.len; i-- > start;) {
        sat_lit a = sat->trail.at[i];
        sat->value[a] = sat->value[sat_not(a)] = 0;
        sat->phase[a / 2] = !(a & 1);
        activity_enter(sat, a / 2);
    }
    sat->trail.len = sat->head = start;
    sat->levels.len = level;
}
