/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SAT_STATE_H
#define SOLVER_SAT_STATE_H

#include "solver/sat/sat.h"

/* What the files of this folder share. */

/* Where a clause begins in 'memory': a head, the levels that it joined when it was learned, its
 * literals. The first two literals are watched; that of a reason is the first. */
typedef uint32_t clause_ref;
#define NO_CLAUSE UINT32_MAX
enum { CLAUSE_HEAD = 2 };

/* Some clause watches a literal: 'blocker', another one of it, mostly holds already. */
struct watch {
    clause_ref clause;
    sat_lit blocker;
};
struct watch_list {
    VEC(struct watch) of;
};

struct sat {
    struct arena *arena;
    uint32_t variables, room; /* how many there are, and how many the arrays have room for */
    /* a literal */
    int8_t *value; /* 1: holds, -1: its negation does, 0: open */
    struct watch_list *watches;
    /* a variable */
    uint32_t *level;    /* the decision that gave it its value */
    clause_ref *reason; /* or NO_CLAUSE */
    bool *phase;        /* its last value */
    bool *seen;         /* scratch, all false in between */
    double *activity;
    uint32_t *place; /* in the heap; NONE_PLACE outside */
    bool *model;     /* of the last SAT_YES */
    uint32_t model_count;

    VEC(uint32_t) heap;   /* variables, the most active one first */
    double bump;          /* what activity grows by */
    VEC(sat_lit) trail;   /* what holds, in order */
    VEC(uint32_t) levels; /* where in the trail each decision stands */
    uint32_t head;        /* up to there the trail is propagated */
    VEC(uint32_t) memory;
    uint32_t learned, most_learned; /* clauses, and how many to keep */
    uint32_t simplified;            /* what held for good when the clauses were last simplified */
    VEC(sat_lit) lesson;            /* scratch: the clause learned last */
    VEC(sat_lit) core;
    VEC(sat_lit) assumed; /* by the question before */
    bool contradiction;   /* the clauses alone */
    uint64_t effort;
};

#define NONE_PLACE UINT32_MAX

static inline uint32_t clause_size(const struct sat *sat, clause_ref clause)
{
    return sat->memory.at[clause] >> 1;
}

static inline bool clause_is_learned(const struct sat *sat, clause_ref clause)
{
    return sat->memory.at[clause] & 1;
}

static inline sat_lit *clause_lits(const struct sat *sat, clause_ref clause)
{
    return sat->memory.at + clause + CLAUSE_HEAD;
}

static inline clause_ref clause_after(const struct sat *sat, clause_ref clause)
{
    return clause + CLAUSE_HEAD + clause_size(sat, clause);
}

/* sat.c: a clause of two literals or more, none of them false for good. */
clause_ref clause_new(struct sat *sat, const sat_lit *lits, uint32_t count, bool learned,
                      uint32_t joined);
void clause_watch(struct sat *sat, clause_ref clause);

/* activity.c: which variable to decide next. */
void activity_enter(struct sat *sat, uint32_t variable);
void activity_bump(struct sat *sat, uint32_t variable);
void activity_fade(struct sat *sat); /* of all, compared with what comes */
/* An open variable, or NONE_PLACE when all have a value. */
uint32_t activity_next(struct sat *sat);

/* propagate.c */
void assign(struct sat *sat, sat_lit a, clause_ref reason);
clause_ref propagate(struct sat *sat); /* the clause that became false, or NO_CLAUSE */
void undo(struct sat *sat, uint32_t level);

/* learn.c: fills 'lesson' with a clause that follows and becomes a unit at the level returned; 'joined': how many
 * levels it names. */
uint32_t learn(struct sat *sat, clause_ref conflict, uint32_t *joined);
/* Fills 'core' with the assumptions that make the assumption 'failed' false. */
void blame(struct sat *sat, sat_lit failed);

/* reduce.c, at level 0: leaves out what holds for good and the worse half of what was learned. */
void reduce(struct sat *sat);

#endif
