/* SPDX-License-Identifier: MIT */
#include "solver/session/session.h"

#include <assert.h>
#include <glib.h>
#include <limits.h>

#include "solver/session/words.h"

/* The first variable is true: 'yes'. A literal is one more than its number, so that none is NULL. */

sat_lit session_number_of(lit a)
{
    return (sat_lit)(GPOINTER_TO_SIZE(a) - 1);
}

static lit literal(sat_lit number)
{
    return GSIZE_TO_POINTER((gsize)number + 1);
}

/* Visits of watched clauses that count as one unit of Z3's effort. */
enum { SAT_EFFORT = 4 };

static int64_t now(const struct solver_clock *clock)
{
    return clock ? clock->now(clock->context) : g_get_monotonic_time();
}

int64_t session_deadline(const struct solver_options *options)
{
    if (options->timeout_seconds <= 0)
        return 0;
    return now(options->clock) + (int64_t)(options->timeout_seconds * 1e6);
}

struct session *session_new(struct arena *arena, const struct solver_options *options,
                            int64_t deadline)
{
    struct session *session = ARENA_NEW(arena, struct session);
    session->arena = arena;
    session->sat = sat_new(arena);
    session->clock = options->clock;
    session->deadline = deadline;
    session->effort = session->effort_left = options->effort;
    session->made = options->made;
    session->yes = session_bool(session);
    session->no = session_not(session, session->yes);
    sat_clause(session->sat, &(sat_lit){session_number_of(session->yes)}, 1);
    return session;
}

/* What was done to answer so far, as sat or Z3 counts. */
static uint64_t effort_made(const struct session *session)
{
    uint64_t made = sat_effort(session->sat) / SAT_EFFORT;
    return session->words ? made + words_effort(session) : made;
}

void session_free(struct session *session)
{
    if (!session)
        return;
    if (session->made && !session->failed)
        *session->made += effort_made(session);
    if (session->words)
        words_free(session);
}

/* ---- literals ------------------------------------------------------------------------------- */

lit session_bool(struct session *session)
{
    session->names++;
    return literal(2 * sat_variable(session->sat));
}

lit session_not(struct session *session, lit a)
{
    (void)session;
    return literal(sat_not(session_number_of(a)));
}

/* Copies 'lits' without 'neutral'; answers false when 'decisive' is among them. */
static bool without(const lit *lits, uint32_t count, lit neutral, lit decisive, lit *kept,
                    uint32_t *kept_count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (lits[i] == decisive)
            return false;
        if (lits[i] != neutral)
            kept[n++] = lits[i];
    }
    *kept_count = n;
    return true;
}

static lit *scratch(struct session *session, uint32_t count)
{
    return ARENA_ARRAY(session->arena, lit, count + 1);
}

lit session_or(struct session *session, const lit *lits, uint32_t count)
{
    lit *kept = scratch(session, count), name;
    uint32_t n;
    if (!without(lits, count, session->no, session->yes, kept, &n))
        return session->yes;
    if (n == 0)
        return session->no;
    if (n == 1)
        return kept[0];
    name = session_bool(session);
    for (uint32_t i = 0; i < n; i++)
        SESSION_CLAUSE(session, session_not(session, kept[i]), name);
    kept[n] = session_not(session, name);
    session_clause(session, kept, n + 1);
    return name;
}

lit session_and(struct session *session, const lit *lits, uint32_t count)
{
    lit *negated = scratch(session, count);
    for (uint32_t i = 0; i < count; i++)
        negated[i] = session_not(session, lits[i]);
    return session_not(session, session_or(session, negated, count));
}

lit session_and2(struct session *session, lit a, lit b)
{
    lit lits[] = {a, b};
    return a == b ? a : session_and(session, lits, 2);
}

lit session_or2(struct session *session, lit a, lit b)
{
    lit lits[] = {a, b};
    return a == b ? a : session_or(session, lits, 2);
}

/* ---- clauses -------------------------------------------------------------------------------- */

/* Notes the clause for a Z3 context to come, at the end of 'told'. */
static sat_lit *tell(struct session *session, const lit *lits, uint32_t count)
{
    uint32_t start = session->told.len + 1;
    vec_push(session->arena, &session->told, count);
    for (uint32_t i = 0; i < count; i++)
        vec_push(session->arena, &session->told, session_number_of(lits[i]));
    return session->told.at + start;
}

void session_clause(struct session *session, const lit *lits, uint32_t count)
{
    assert(lits || !count);
    lit *kept = scratch(session, count);
    uint32_t n;
    if (!without(lits, count, session->no, session->yes, kept, &n))
        return;
    if (n == 0)
        kept[n++] = session->no;
    const sat_lit *told = tell(session, kept, n);
    if (session->words)
        words_clause(session, told, n);
    else
        sat_clause(session->sat, told, n);
    session->clauses++;
}

/* Pairwise up to this many; past it a ladder of n auxiliary literals. */
enum { PAIRWISE = 6 };

void session_at_most_one(struct session *session, const lit *lits, uint32_t count)
{
    if (count <= PAIRWISE) {
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = i + 1; j < count; j++)
                SESSION_CLAUSE(session, session_not(session, lits[i]),
                               session_not(session, lits[j]));
        return;
    }
    lit before = lits[0]; /* some literal up to here holds */
    for (uint32_t i = 1; i < count; i++) {
        SESSION_CLAUSE(session, session_not(session, before), session_not(session, lits[i]));
        if (i + 1 == count)
            break;
        lit until = session_bool(session);
        SESSION_CLAUSE(session, session_not(session, before), until);
        SESSION_CLAUSE(session, session_not(session, lits[i]), until);
        before = until;
    }
}

/* when ? then : otherwise, as a literal. */
static lit choose(struct session *session, lit when, lit then, lit otherwise)
{
    if (then == otherwise)
        return then;
    return session_and2(session, session_or2(session, session_not(session, when), then),
                        session_or2(session, when, otherwise));
}

/* From the last literal to the first: at[s] says that those seen so far weigh 's', or no more. */
void session_sum(struct session *session, lit when, const lit *lits, const int *weights,
                 uint32_t count, int sum, bool exact)
{
    if (when == session->no)
        return;
    if (sum < 0) {
        SESSION_CLAUSE(session, session_not(session, when));
        return;
    }
    lit *at = scratch(session, (uint32_t)sum + 1);
    for (int s = 0; s <= sum; s++)
        at[s] = s == 0 || !exact ? session->yes : session->no;
    for (uint32_t i = count; i-- > 0;)
        for (int s = sum; s >= 0; s--)
            at[s] =
                choose(session, lits[i], s >= weights[i] ? at[s - weights[i]] : session->no, at[s]);
    SESSION_CLAUSE(session, session_not(session, when), at[sum]);
}

/* From the lowest bit to the highest, of which the first that differs decides. */
static lit compare(struct session *session, const lit *a, const lit *b, unsigned bits, lit if_equal)
{
    lit implies = if_equal;
    for (unsigned i = 0; i < bits; i++) {
        lit lower = implies, not_b = session_not(session, b[i]);
        implies = session_bool(session);
        lit unless = session_not(session, implies);
        SESSION_CLAUSE(session, unless, a[i], not_b);
        SESSION_CLAUSE(session, unless, a[i], lower);
        SESSION_CLAUSE(session, unless, not_b, lower);
    }
    return implies;
}

lit session_at_least(struct session *session, const lit *a, const lit *b, unsigned bits)
{
    return compare(session, a, b, bits, session->yes);
}

lit session_above(struct session *session, const lit *a, const lit *b, unsigned bits)
{
    return compare(session, a, b, bits, session->no);
}

/* ---- questions ------------------------------------------------------------------------------ */

/* Milliseconds left, at least 1; 0 when the time is over; UINT_MAX without a limit. */
static unsigned time_left(const struct session *session)
{
    if (!session->deadline)
        return UINT_MAX;
    int64_t left = session->deadline - now(session->clock);
    if (left <= 0)
        return 0;
    return (unsigned)(left / 1000 + 1);
}

static void note_effort(struct session *session)
{
    uint64_t made = effort_made(session);
    session->effort_left = made < session->effort ? session->effort - (unsigned)made : 0;
}

static bool is_over(void *context)
{
    return time_left(context) == 0;
}

static enum session_answer sat_check(struct session *session, const sat_lit *assumptions,
                                     uint32_t count)
{
    struct sat_limits limits = {(uint64_t)session->effort_left * SAT_EFFORT, is_over, session};
    switch (sat_solve(session->sat, assumptions, count, &limits)) {
    case SAT_YES:
        return SESSION_SAT;
    case SAT_NO:
        return SESSION_UNSAT;
    case SAT_STOPPED:
        break;
    }
    return SESSION_TIMEOUT;
}

/* Those of 'lits' that are not true anyhow, by number. */
static sat_lit *open_assumptions(struct session *session, const lit *lits, uint32_t *count)
{
    sat_lit *open = ARENA_ARRAY(session->arena, sat_lit, *count + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < *count; i++)
        if (lits[i] != session->yes)
            open[n++] = session_number_of(lits[i]);
    *count = n;
    return open;
}

static bool is_out_of_effort(const struct session *session)
{
    return session->effort && !session->effort_left;
}

enum session_answer session_check(struct session *session, const lit *assumptions, uint32_t count)
{
    assert(assumptions || !count);
    unsigned left = time_left(session);
    int64_t start = g_get_monotonic_time();
    if (session->failed)
        return session->out_of_memory ? SESSION_MEMORY : SESSION_UNKNOWN;
    if (left == 0 || is_out_of_effort(session))
        return SESSION_TIMEOUT;
    for (uint32_t i = 0; i < count; i++)
        if (assumptions[i] == session->no)
            return SESSION_UNSAT;
    const sat_lit *open = open_assumptions(session, assumptions, &count);
    session->checks++;
    session->by_words = session->words;
    enum session_answer answer =
        session->words ? words_check(session, open, count, left) : sat_check(session, open, count);
    session->check_time += g_get_monotonic_time() - start;
    if (session->effort)
        note_effort(session);
    if (answer == SESSION_UNKNOWN && (time_left(session) == 0 || is_out_of_effort(session)))
        return SESSION_TIMEOUT;
    return answer;
}

bool session_true(struct session *session, lit a)
{
    sat_lit number = session_number_of(a);
    return session->by_words ? words_true(session, number) : sat_holds(session->sat, number);
}

void session_core(struct session *session, const lit *assumptions, uint32_t count, bool *used)
{
    sat_lit *asked = ARENA_ARRAY(session->arena, sat_lit, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        asked[i] = session_number_of(assumptions[i]);
        used[i] = assumptions[i] == session->no;
    }
    if (session->by_words)
        words_core(session, asked, count, used);
    else
        for (uint32_t i = 0; i < count; i++)
            used[i] |= sat_in_core(session->sat, asked[i]);
}

const char *session_text(struct session *session)
{
    session_z3(session); /* which is told all clauses, and can write them */
    return words_text(session);
}
