/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SESSION_SESSION_H
#define SOLVER_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <z3.h>

#include "solver/sat/sat.h"
#include "solver/session/options.h"

/* Clauses over literals, and questions about them, one after the other. Most graphs need Booleans
 * only, which solver/sat answers for. The first bit-vector makes a Z3 context, which is told all
 * that was said before and answers from then on.
 *
 * 'yes' and 'no' are recognised and folded, so a fact known beforehand costs nothing. A literal is
 * never NULL. Z3's terms live as long as the session (Z3_mk_context keeps them), so only its solver
 * and models are counted. */
typedef struct literal *lit; /* its number in solver/sat, as a pointer: nothing lies there */

struct session {
    struct arena *arena;
    struct sat *sat;
    lit yes, no;
    VEC(uint32_t) told;  /* every clause: how many literals, and which */
    struct words *words; /* of words.c: NULL until a bit-vector is asked for */
    const struct solver_clock *clock;
    int64_t deadline;             /* on that clock: past it every check gives up; 0: none */
    unsigned effort, effort_left; /* 0: no limit */
    uint64_t *made;               /* as the options have it */
    uint32_t names;               /* of literals and words made so far */
    uint32_t checks, clauses;
    int64_t check_time; /* microseconds */
    bool by_words;      /* the last check was Z3's */
    bool failed,
        out_of_memory; /* Z3 reported an error: every later check answers SESSION_UNKNOWN */
};

enum session_answer {
    SESSION_SAT,
    SESSION_UNSAT,
    SESSION_TIMEOUT,
    SESSION_MEMORY,
    SESSION_UNKNOWN
};

/* When the time of the options, counted from now, is over; 0: never. */
int64_t session_deadline(const struct solver_options *options);
/* Freed by session_free, which accepts NULL. */
struct session *session_new(struct arena *arena, const struct solver_options *options,
                            int64_t deadline);
void session_free(struct session *session);

lit session_bool(struct session *session); /* a fresh one */
lit session_not(struct session *session, lit a);
/* A literal that is true exactly when some (every) one of 'lits' is; defined by clauses. */
lit session_or(struct session *session, const lit *lits, uint32_t count);
lit session_and(struct session *session, const lit *lits, uint32_t count);
lit session_and2(struct session *session, lit a, lit b);
lit session_or2(struct session *session, lit a, lit b);

/* Asserts that one of 'lits' holds. */
void session_clause(struct session *session, const lit *lits, uint32_t count);
#define SESSION_CLAUSE(session, ...)                                                               \
    session_clause(session, (lit[]){__VA_ARGS__}, sizeof(lit[]){__VA_ARGS__} / sizeof(lit))
/* No two of 'lits' hold together. */
void session_at_most_one(struct session *session, const lit *lits, uint32_t count);
/* when -> the weights, not negative, of the true literals sum up to 'sum', or to no more if it is not to be exact. */
void session_sum(struct session *session, lit when, const lit *lits, const int *weights,
                 uint32_t count, int sum, bool exact);

/* Numbers of 'bits' literals, the lowest first. The literal implies that a >= b, a > b: for clauses that it stands in
 * as it is, not for assumptions. */
lit session_at_least(struct session *session, const lit *a, const lit *b, unsigned bits);
lit session_above(struct session *session, const lit *a, const lit *b, unsigned bits);

/* words.c: bit-vectors. */
Z3_context session_z3(struct session *session);               /* to make terms in */
Z3_ast session_word(struct session *session, unsigned width); /* a fresh bit-vector */
Z3_ast session_number(struct session *session, unsigned width, uint64_t value);
Z3_ast session_term(struct session *session, lit a);       /* the literal, for a term over words */
lit session_name(struct session *session, Z3_ast formula); /* of a Boolean term over words */
lit session_equal(struct session *session, Z3_ast a, Z3_ast b);

/* Is there an assignment that satisfies all clauses and the assumptions? */
enum session_answer session_check(struct session *session, const lit *assumptions, uint32_t count);
/* After SESSION_SAT. A literal or a word made since is false, is 0. */
bool session_true(struct session *session, lit a);
uint64_t session_value(struct session *session, Z3_ast word);
/* All clauses as SMT-LIB 2, until the next call. */
const char *session_text(struct session *session);
/* After SESSION_UNSAT: is assumption 'a' in the core? Fills 'used' (parallel to the assumptions of
 * the last check). */
void session_core(struct session *session, const lit *assumptions, uint32_t count, bool *used);

#endif
