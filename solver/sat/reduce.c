/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

#include <assert.h>

/* The clauses anew, closer together: without those that hold for good, without literals that never
 * will, and without the half of what was learned that joins most decisions, which seldom helps. */

enum { ALWAYS_KEPT = 2, MOST_JOINED = 64 };

static uint32_t joined_by(const struct sat *sat, clause_ref clause)
{
    uint32_t joined = sat->memory.at[clause + 1];
    return joined < MOST_JOINED ? joined : MOST_JOINED;
}

/* Half of what was learned joins no more than this many. */
static uint32_t half_joins(const struct sat *sat)
{
    uint32_t count[MOST_JOINED + 1] = {0}, sum = 0, joined = 0;
    for (clause_ref c = 0; c < sat->memory.len; c = clause_after(sat, c))
        if (clause_is_learned(sat, c))
            count[joined_by(sat, c)]++;
    while (joined < MOST_JOINED && (sum += count[joined]) < sat->learned / 2)
        joined++;
    return joined > ALWAYS_KEPT ? joined : ALWAYS_KEPT;
}

/* Moves the clause to 'to', unless it holds; returns where the next one goes. */
static clause_ref move(struct sat *sat, clause_ref clause, clause_ref to)
{
    uint32_t size = clause_size(sat, clause), kept = 0;
    const sat_lit *lits = clause_lits(sat, clause);
    uint32_t learned = clause_is_learned(sat, clause), joined = sat->memory.at[clause + 1];
    for (uint32_t i = 0; i < size; i++)
        if (sat->value[lits[i]] > 0)
            return to;
    for (uint32_t i = 0; i < size; i++)
        if (sat->value[lits[i]] == 0)
            sat->memory.at[to + CLAUSE_HEAD + kept++] = lits[i];
    assert(kept >= 2); /* all was propagated */
    sat->memory.at[to] = kept << 1 | learned;
    sat->memory.at[to + 1] = joined;
    sat->learned += learned;
    clause_watch(sat, to);
    return to + CLAUSE_HEAD + kept;
}

void reduce(struct sat *sat)
{
    bool forgets = sat->learned >= sat->most_learned;
    uint32_t most = forgets ? half_joins(sat) : MOST_JOINED;
    clause_ref to = 0, next;
    assert(sat->levels.len == 0 && sat->head == sat->trail.len);
    for (uint32_t a = 0; a < 2 * sat->variables; a++)
        sat->watches[a].of.len = 0;
    for (uint32_t i = 0; i < sat->trail.len; i++)
        sat->reason[sat->trail.at[i] / 2] = NO_CLAUSE;
    sat->learned = 0;
    for (clause_ref c = 0; c < sat->memory.len; c = next) {
        next = clause_after(sat, c); /* before it is moved over itself */
        if (!clause_is_learned(sat, c) || joined_by(sat, c) <= most)
            to = move(sat, c, to);
    }
    sat->memory.len = to;
    sat->simplified = sat->trail.len;
    if (forgets)
        sat->most_learned += sat->most_learned / 10;
}
