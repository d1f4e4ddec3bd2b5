/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SEARCH_SEARCH_H
#define SOLVER_SEARCH_SEARCH_H

#include "model/theory/theory.h"
#include "solver/encode/encode.h"
#include "solver/session/options.h"

/* The search for one graph: Z3 proposes executions, the theory answers with what is wrong with
 * them, and that becomes clauses, until an execution is found that breaks no axiom, or none is
 * left. What was learned stays for later questions. */

struct search {
    const struct solver_options *options;
    struct arena *arena;
    struct session *session;
    struct encoding *encoding;
    struct theory *theory;
    const struct graph *graph;
    uint32_t graph_index;
    lit *tag;         /* an axiom: assumed to enforce it; 'yes' when every search enforces it */
    bool *enforced;   /* an axiom: asked of the theory */
    bool whole_model; /* every axiom is enforced: executions found are judged */
    bool stuck;       /* spin loops may go round for ever */
    struct arena *scratch;     /* holds the execution that the theory evaluated last */
    GHashTable *memo;          /* fact -> literal, for facts that need a definition */
    struct tie tie;            /* of the memo */
    const char *question;      /* what is being decided, for the trace */
    uint32_t iterations;       /* executions proposed */
    uint32_t iteration_limit;  /* of one question; 0: none */
    const char *internal;      /* what went wrong in us, or NULL */
    struct solver_times times; /* all but z3 */
};

enum search_answer {
    SEARCH_FOUND,
    SEARCH_NONE,
    SEARCH_TIMEOUT,
    SEARCH_MEMORY,
    SEARCH_UNKNOWN,
    SEARCH_LIMIT,    /* iteration_limit was reached */
    SEARCH_INTERNAL, /* search->internal says what */
};

/* 'tagged': each axiom gets a literal that searches must assume to enforce it. */
struct search *search_new(struct arena *arena, struct session *session,
                          const struct solver_options *options, uint32_t graph, bool tagged);
void search_free(struct search *search); /* accepts NULL */

/* An execution that breaks no enforced axiom and satisfies 'goals', in 'arena'. The theory has
 * evaluated it and can be asked about it until the next search. */
enum search_answer search_find(struct search *search, struct arena *arena, const lit *goals,
                               uint32_t count, struct execution **found);
/* Learns: not when, or one of the facts does not hold. False when that does not exclude the model
 * of the last check, although it was to. */
bool search_learn(struct search *search, lit when, const struct fact_list *facts);

#endif
