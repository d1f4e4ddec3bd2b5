/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SAT_SAT_H
#define SOLVER_SAT_SAT_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/base/arena.h"

/* Clauses over Boolean variables, and whether they can be satisfied together: conflict-driven clause
 * learning with two watched literals, as in MiniSat (Een and Sorensson, SAT 2003). Incremental:
 * clauses and variables may be added between questions, and what was learned is kept. Equal calls
 * give equal answers and equal assignments, on every machine. */
struct sat;

/* 2 * variable, + 1 when negated. Variables are numbered from 0 in the order they were made. */
typedef uint32_t sat_lit;

static inline sat_lit sat_not(sat_lit a)
{
    return a ^ 1;
}

/* All its memory comes from 'arena'; nothing has to be freed. */
struct sat *sat_new(struct arena *arena);
/* A fresh variable. A search first tries it as false, later as it was last. */
uint32_t sat_variable(struct sat *sat);
/* One of them holds from now on. */
void sat_clause(struct sat *sat, const sat_lit *lits, uint32_t count);

enum sat_answer { SAT_YES, SAT_NO, SAT_STOPPED };

/* When a search gives up. */
struct sat_limits {
    uint64_t effort;                /* of this question; 0: no limit */
    bool (*is_over)(void *context); /* asked now and then, or NULL */
    void *context;
};

/* Can all clauses and assumptions hold? */
enum sat_answer sat_solve(struct sat *sat, const sat_lit *assumptions, uint32_t count,
                          const struct sat_limits *limits);
/* After SAT_YES and until the next question, clauses added or not: does the literal hold? Variables made since are false. */
bool sat_holds(const struct sat *sat, sat_lit a);
/* After SAT_NO: is the assumption one of those that already contradict the clauses? */
bool sat_in_core(const struct sat *sat, sat_lit assumption);
/* Watched clauses visited so far: what a search costs, the same on every machine. */
uint64_t sat_effort(const struct sat *sat);

#endif
