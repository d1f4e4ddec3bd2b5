/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

#include <assert.h>
#include <string.h>

/* Variables, clauses, and what was found. */

enum { FIRST_ROOM = 64, FIRST_LEARNED = 4000 };

struct sat *sat_new(struct arena *arena)
{
    struct sat *sat = ARENA_NEW(arena, struct sat);
    sat->arena = arena;
    sat->bump = 1;
    sat->most_learned = FIRST_LEARNED;
    return sat;
}

#define GROW(sat, array, per)                                                                      \
    ((sat)->array = arena_grow((sat)->arena, (sat)->array, sizeof *(sat)->array * old * (per),     \
                               sizeof *(sat)->array * (sat)->room * (per)))

static void make_room(struct sat *sat)
{
    size_t old = sat->room;
    sat->room = old ? sat->room * 2 : FIRST_ROOM;
    GROW(sat, value, 2);
    GROW(sat, watches, 2);
    GROW(sat, level, 1);
    GROW(sat, reason, 1);
    GROW(sat, phase, 1);
    GROW(sat, seen, 1);
    GROW(sat, activity, 1);
    GROW(sat, place, 1);
    GROW(sat, model, 1);
}

uint32_t sat_variable(struct sat *sat)
{
    if (sat->variables == sat->room)
        make_room(sat);
    uint32_t variable = sat->variables++;
    sat->reason[variable] = NO_CLAUSE;
    sat->place[variable] = NONE_PLACE;
    activity_enter(sat, variable);
    return variable;
}

void clause_watch(struct sat *sat, clause_ref clause)
{
    const sat_lit *lits = clause_lits(sat, clause);
    struct watch first = {clause, lits[1]}, second = {clause, lits[0]};
    vec_push(sat->arena, &sat->watches[lits[0]].of, first);
    vec_push(sat->arena, &sat->watches[lits[1]].of, second);
}

clause_ref clause_new(struct sat *sat, const sat_lit *lits, uint32_t count, bool learned,
                      uint32_t joined)
{
    clause_ref clause = sat->memory.len;
    assert(count >= 2);
    vec_push(sat->arena, &sat->memory, count << 1 | learned);
    vec_push(sat->arena, &sat->memory, joined);
    for (uint32_t i = 0; i < count; i++)
        vec_push(sat->arena, &sat->memory, lits[i]);
    sat->learned += learned;
    clause_watch(sat, clause);
    return clause;
}

static bool is_for_good(const struct sat *sat, sat_lit a)
{
    return sat->value[a] != 0 && sat->level[a / 2] == 0;
}

/* Copies what may hold and is not said twice to 'lesson'. False: the clause says nothing. */
static bool take_open(struct sat *sat, const sat_lit *lits, uint32_t count)
{
    bool says = true;
    sat->lesson.len = 0;
    for (uint32_t i = 0; i < count && says; i++) {
        bool known = is_for_good(sat, lits[i]);
        assert(lits[i] / 2 < sat->variables);
        if (!known && !sat->seen[lits[i] / 2]) {
            sat->seen[lits[i] / 2] = true;
            vec_push(sat->arena, &sat->lesson, lits[i]);
        } else if (known) {
            says = sat->value[lits[i]] < 0;
        } else {
            for (uint32_t j = 0; j < sat->lesson.len; j++)
                says &= sat->lesson.at[j] != sat_not(lits[i]);
        }
    }
    for (uint32_t i = 0; i < sat->lesson.len; i++)
        sat->seen[sat->lesson.at[i] / 2] = false;
    return says;
}

/* When the literal becomes false, for all that is decided now: the later the better to watch it. */
static uint32_t false_from(const struct sat *sat, sat_lit a)
{
    return sat->value[a] < 0 ? sat->level[a / 2] : UINT32_MAX;
}

/* Brings the literal that is false last to place 'to'. */
static void bring_last(struct sat *sat, uint32_t to)
{
    sat_lit *lits = sat->lesson.at;
    uint32_t best = to;
    for (uint32_t i = to + 1; i < sat->lesson.len; i++)
        if (false_from(sat, lits[i]) > false_from(sat, lits[best]))
            best = i;
    sat_lit last = lits[best];
    lits[best] = lits[to];
    lits[to] = last;
}

/* Decisions stay where they leave the clause two literals to watch: the next question mends what the last one found. */
static void add_open(struct sat *sat)
{
    bring_last(sat, 0);
    bring_last(sat, 1);
    uint32_t level = false_from(sat, sat->lesson.at[1]);
    if (level != UINT32_MAX)
        undo(sat, level - 1);
    clause_new(sat, sat->lesson.at, sat->lesson.len, false, 0);
}

void sat_clause(struct sat *sat, const sat_lit *lits, uint32_t count)
{
    if (sat->contradiction || !take_open(sat, lits, count))
        return;
    if (sat->lesson.len == 0) {
        sat->contradiction = true;
    } else if (sat->lesson.len == 1) {
        undo(sat, 0);
        assign(sat, sat->lesson.at[0], NO_CLAUSE);
        sat->contradiction = propagate(sat) != NO_CLAUSE;
    } else {
        add_open(sat);
    }
}

bool sat_holds(const struct sat *sat, sat_lit a)
{
    bool value = a / 2 < sat->model_count && sat->model[a / 2];
    return value != (a & 1);
}

bool sat_in_core(const struct sat *sat, sat_lit assumption)
{
    for (uint32_t i = 0; i < sat->core.len; i++)
        if (sat->core.at[i] == assumption)
            return true;
    return false;
}

uint64_t sat_effort(const struct sat *sat)
{
    return sat->effort;
}
