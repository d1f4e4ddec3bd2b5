/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_THEORY_H
#define MODEL_THEORY_THEORY_H

#include "model/cat/cat.h"
#include "model/execution/execution.h"
#include "model/value/fact.h"

/* Evaluates a cat model over candidate executions and explains what it finds: every violated axiom
 * comes with the facts that suffice for it. The solver turns facts into clauses (the lazy refinement
 * of solver/search/search.h); explain prints them. */

/* One way an axiom is broken. */
struct violation {
    uint32_t axiom;  /* index into cat_model.axioms */
    event_id *cycle; /* irreflexive, acyclic: the events of a shortest cycle; empty: the pair */
    uint32_t cycle_length;
    /* together they imply the violation, whatever else the execution does */
    struct fact_list facts;
};

struct theory;

/* Keeps graph and model; evaluates once what no choice can change. */
struct theory *theory_new(struct arena *arena, const struct graph *graph,
                          const struct cat_model *model);
/* Computes every relation of the model in 'execution', of which it keeps a copy. */
void theory_evaluate(struct theory *theory, const struct execution *execution);
/* After theory_evaluate: up to 'limit' violations of every axiom whose bit is set in 'axioms'
 * (NULL: all that are not flags), in 'arena', small ones first. Returns how many. */
uint32_t theory_violations(struct theory *theory, struct arena *arena, const bool *axioms,
                           uint32_t limit, struct violation **violations);
/* Is axiom (usually a flag) satisfied in the evaluated execution? */
bool theory_holds(struct theory *theory, uint32_t axiom);
/* The value of a node, a relation or a set, in the evaluated execution. */
const struct rel *theory_rel(const struct theory *theory, cat_id node);

/* Facts that together imply a -> b is in 'node' (positive) or is not (negative). */
void theory_why(struct theory *theory, struct arena *arena, cat_id node, event_id a, event_id b,
                bool present, struct fact_list *facts);

/* Pairs that node may relate in some execution, and pairs it relates in every execution in which
 * both events execute, from the static part alone. */
void theory_bounds(struct theory *theory, cat_id node, struct rel *may, struct rel *must);

/* Why a -> b: a path of edges of base or named relations, for people. */
struct step {
    event_id from, to;
    cat_id node;    /* the relation whose rule made the edge */
    uint32_t depth; /* steps of larger depth explain the one before */
    bool absent;    /* the edge is not in the relation; what explains it is the edge back */
};
uint32_t theory_derivation(struct theory *theory, struct arena *arena, cat_id node, event_id a,
                           event_id b, struct step **steps);
/* Why a -> b is in a relation that should be empty: a step of depth 0 for each operand of its
 * intersections and differences, which an axiom says to exclude each other. */
uint32_t theory_conflict(struct theory *theory, struct arena *arena, cat_id node, event_id a,
                         event_id b, struct step **steps);

#endif
