/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SESSION_SESSION_H
#define SOLVER_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <z3.h>

#include "solver/session/options.h"

/* One Z3 context with one incremental solver, and clauses over literals. A literal is a Z3 Boolean;
 * 'yes' and 'no' are recognised and folded, so a fact known beforehand costs nothing. Terms live as
 * long as the session (Z3_mk_context keeps them), so only the solver and its models are counted. */
typedef Z3_ast lit;

struct session {
    struct arena *arena;
    Z3_context z3;
    Z3_solver solver;
    struct tie tie; /* of the context */
    Z3_model model; /* of the last check that answered SESSION_SAT, or NULL */
    Z3_sort boolean;
    lit yes, no;
    const struct solver_clock *clock;
    int64_t deadline;                 /* on that clock: past it every check gives up; 0: none */
    unsigned effort, effort_left;     /* 0: no limit */
    uint64_t *made;                   /* as the options have it */
    unsigned milliseconds, mebibytes; /* the limits that Z3 was told last */
    uint32_t names;                   /* of constants made so far */
    uint32_t checks, clauses;
    int64_t z3_time; /* microseconds spent in checks */
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

lit session_bool(struct session *session);                    /* a fresh one */
Z3_ast session_word(struct session *session, unsigned width); /* a fresh bit-vector */
Z3_ast session_number(struct session *session, unsigned width, uint64_t value);
lit session_not(struct session *session, lit a);
lit session_equal(struct session *session, Z3_ast a, Z3_ast b);
/* Words as unsigned numbers: a >= b, a > b. For clauses, not for assumptions. */
lit session_at_least(struct session *session, Z3_ast a, Z3_ast b);
lit session_above(struct session *session, Z3_ast a, Z3_ast b);
/* A literal that is true exactly when some (every) one of 'lits' is; defined by clauses. */
lit session_or(struct session *session, const lit *lits, uint32_t count);
lit session_and(struct session *session, const lit *lits, uint32_t count);
lit session_and2(struct session *session, lit a, lit b);
lit session_or2(struct session *session, lit a, lit b);
/* 'lits' holds literals of one term over words: gives it a name of its own. */
lit session_name(struct session *session, lit formula);

/* Asserts that one of 'lits' holds. */
void session_clause(struct session *session, const lit *lits, uint32_t count);
#define SESSION_CLAUSE(session, ...)                                                               \
    session_clause(session, (lit[]){__VA_ARGS__}, sizeof(lit[]){__VA_ARGS__} / sizeof(lit))
/* No two of 'lits' hold together. */
void session_at_most_one(struct session *session, const lit *lits, uint32_t count);
/* when -> the weights of the true literals sum up to 'sum', or to no more if it is not to be exact. */
void session_sum(struct session *session, lit when, const lit *lits, const int *weights,
                 uint32_t count, int sum, bool exact);

/* Is there an assignment that satisfies all clauses and the assumptions? */
enum session_answer session_check(struct session *session, const lit *assumptions, uint32_t count);
/* After SESSION_SAT. */
bool session_true(struct session *session, lit a);
uint64_t session_value(struct session *session, Z3_ast word);
/* All clauses as SMT-LIB 2, until the next call. */
const char *session_text(struct session *session);
/* After SESSION_UNSAT: is assumption 'a' in the core? Fills 'used' (parallel to the assumptions of
 * the last check). */
void session_core(struct session *session, const lit *assumptions, uint32_t count, bool *used);

#endif
