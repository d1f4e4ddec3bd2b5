/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_STATES_H
#define SOLVER_ANSWER_STATES_H

#include "solver/answer/answer.h"
#include "solver/search/search.h"
#include "solver/answer/unattainable.h"

/* What 'solve' knows while it goes through the graphs of a test. */
struct solving {
    struct arena *arena;
    const struct solver_options *options;
    int64_t deadline; /* session_deadline */
    struct solver_result *result;
    VEC(struct execution *) witnesses; /* parallel to the outcomes */
    VEC(struct race) races;
    VEC(const struct undefined *) undefined;
    VEC(const struct execution *) undefined_runs; /* parallel to it */
    struct conjuncts *conjuncts;                  /* of the condition */
};

/* The assumptions under which executions count: complete, within the loop bounds, filter passed. */
struct premises {
    lit at[8];
    uint32_t count;
};

struct premises solving_premises(struct search *search);
static inline void premises_add(struct premises *premises, lit more)
{
    premises->at[premises->count++] = more;
}

/* What a search that ended so means for the question. */
enum solver_status solving_status(enum search_answer answer);
/* A search that did not end with an answer becomes the status of the result. True when it did. */
bool solving_decided(struct solving *solving, const struct search *search,
                     enum search_answer answer);
/* An execution that was accepted: its state, the races in it. */
void solving_note(struct solving *solving, struct search *search, struct execution *x);

/* Decides the condition and its negation, then enumerates states when asked to. */
void states_decide(struct solving *solving, struct search *search);
/* bound.c: can some loop go on past its bound? Fills bound_reached and bound_span of the result. */
void bound_decide(struct solving *solving, struct search *search);
/* races.c: asks for each pair that a flag may relate whether some execution does. */
void races_decide(struct solving *solving, struct search *search);
/* Takes down the pairs that an accepted execution relates; true when one is a race. */
bool races_note(struct solving *solving, struct search *search, const struct execution *x);
/* Is the axiom a flag whose pairs are races? */
bool races_is_race(const struct cat_model *model, uint32_t axiom);
/* state_races.c: decides race and race_free of every state found, as far as this graph goes. */
void state_races_decide(struct solving *solving, struct search *search);

#endif
