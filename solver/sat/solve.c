/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

/* Decide, propagate, learn from conflicts, begin again now and then. */

enum {
    RUN = 64,              /* conflicts of the shortest run between two restarts */
    LOOK = 1 << 16,        /* effort between two looks at the time */
    WORTH_SIMPLIFYING = 64 /* new variables that have their value for good */
};

/* The i-th of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, … (Luby, Sinclair and Zuckerman). */
static uint32_t luby(uint32_t i)
{
    uint32_t size = 1, power = 0;
    while (size < i + 1) {
        size = 2 * size + 1;
        power++;
    }
    while (size - 1 != i) {
        size = (size - 1) / 2;
        power--;
        i %= size;
    }
    return 1u << power;
}

struct asked {
    const sat_lit *assumptions;
    uint32_t count;
    const struct sat_limits *limits;
    uint64_t start, look; /* effort */
    bool over;            /* a limit was reached: for good, whatever is looked at in between */
};

static bool is_over(const struct sat *sat, struct asked *asked)
{
    const struct sat_limits *limits = asked->limits;
    if (!limits || asked->over)
        return asked->over;
    asked->over = limits->effort && sat->effort - asked->start >= limits->effort;
    if (!asked->over && limits->is_over && sat->effort >= asked->look) {
        asked->look = sat->effort + LOOK;
        asked->over = limits->is_over(limits->context);
    }
    return asked->over;
}

static void decide(struct sat *sat, sat_lit a)
{
    vec_push(sat->arena, &sat->levels, sat->trail.len);
    if (sat->value[a] == 0)
        assign(sat, a, NO_CLAUSE);
}

/* False: all variables have a value, or an assumption is false. */
static bool decide_next(struct sat *sat, const struct asked *asked, enum sat_answer *answer)
{
    if (sat->levels.len < asked->count) {
        sat_lit a = asked->assumptions[sat->levels.len];
        if (sat->value[a] < 0) {
            blame(sat, a);
            *answer = SAT_NO;
            return false;
        }
        decide(sat, a);
        return true;
    }
    uint32_t variable = activity_next(sat);
    *answer = SAT_YES;
    if (variable != NONE_PLACE)
        decide(sat, 2 * variable + !sat->phase[variable]);
    return variable != NONE_PLACE;
}

static void learn_from(struct sat *sat, clause_ref conflict)
{
    uint32_t joined, level = learn(sat, conflict, &joined);
    undo(sat, level);
    clause_ref reason = sat->lesson.len > 1
                            ? clause_new(sat, sat->lesson.at, sat->lesson.len, true, joined)
                            : NO_CLAUSE;
    assign(sat, sat->lesson.at[0], reason);
}

/* SAT_STOPPED: 'conflicts' are over. */
static enum sat_answer run(struct sat *sat, struct asked *asked, uint32_t conflicts)
{
    enum sat_answer answer = SAT_STOPPED;
    do {
        clause_ref conflict = propagate(sat);
        if (conflict == NO_CLAUSE) {
            if (!decide_next(sat, asked, &answer))
                return answer;
        } else if (sat->levels.len == 0) {
            sat->contradiction = true;
            return SAT_NO;
        } else {
            learn_from(sat, conflict);
            conflicts--;
        }
    } while (conflicts > 0 && !is_over(sat, asked));
    return SAT_STOPPED;
}

static void keep_model(struct sat *sat)
{
    for (uint32_t v = 0; v < sat->variables; v++)
        sat->model[v] = sat->value[2 * v] > 0;
    sat->model_count = sat->variables;
}

/* Keeps the decisions of the last question as far as it assumed the same. */
static void assume(struct sat *sat, const struct asked *asked)
{
    uint32_t same = 0;
    while (same < sat->assumed.len && same < asked->count &&
           sat->assumed.at[same] == asked->assumptions[same])
        same++;
    if (same < sat->assumed.len || same < asked->count)
        undo(sat, same);
    sat->assumed.len = 0;
    for (uint32_t i = 0; i < asked->count; i++)
        vec_push(sat->arena, &sat->assumed, asked->assumptions[i]);
}

/* How many variables have their value for good. */
static uint32_t settled(const struct sat *sat)
{
    return sat->levels.len ? sat->levels.at[0] : sat->trail.len;
}

static void tidy(struct sat *sat)
{
    if (sat->learned < sat->most_learned && settled(sat) < sat->simplified + WORTH_SIMPLIFYING)
        return;
    undo(sat, 0);
    sat->contradiction = propagate(sat) != NO_CLAUSE;
    if (!sat->contradiction)
        reduce(sat);
}

enum sat_answer sat_solve(struct sat *sat, const sat_lit *assumptions, uint32_t count,
                          const struct sat_limits *limits)
{
    struct asked asked = {assumptions, count, limits, sat->effort, sat->effort, false};
    enum sat_answer answer = SAT_STOPPED;
    sat->core.len = 0;
    assume(sat, &asked);
    for (uint32_t i = 0; answer == SAT_STOPPED && !sat->contradiction; i++) {
        if (is_over(sat, &asked))
            return SAT_STOPPED;
        tidy(sat);
        if (!sat->contradiction)
            answer = run(sat, &asked, RUN * luby(i));
        if (answer == SAT_STOPPED)
            undo(sat, 0);
    }
    if (sat->contradiction)
        return SAT_NO;
    if (answer == SAT_YES)
        keep_model(sat);
    return answer;
}
