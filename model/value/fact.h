/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_FACT_H
#define MODEL_VALUE_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/base/hash.h"

/* A statement about an execution that the solver has a literal for. What a negated fact says is
 * that the statement does not hold, for whatever reason. */
enum fact_kind {
    FACT_EXPR, /* expression a has value 'value' (guards: value 1) */
    FACT_RF,   /* read b takes granule 'value' of the graph from write a; implies that both execute
                  and   touch it */
    FACT_CO,   /* write a is coherence-before write b; implies that both execute and overlap. Never
                  about   initial writes, which are before all others */
    FACT_SC,   /* fence a is Fence-SC-before fence b; implies that both execute */
    FACT_COMPLETION, /* graph.barriers[a], which is counted, belongs to completion 'value' (NONE: it
                        waits for ever); implies that it executes. For uncounted ones FACT_EXPR says
                        what their 'number' is */
};
struct fact {
    enum fact_kind kind;
    bool negated;
    uint32_t a, b;
    uint64_t value;
};

struct fact_list {
    VEC(struct fact) items;
};

/* Collects facts without repeats; with 'counting' it only counts them, repeats included. */
struct fact_sink {
    struct arena *arena;
    struct fact_list list;
    bool counting;
    uint32_t count;
    struct hash_table table; /* of the list */
};

void fact_add(struct fact_sink *sink, struct fact fact);
/* By kind, then events, then value: an order that does not depend on how the facts were found. */
int fact_compare(const struct fact *a, const struct fact *b);
void fact_sort(struct fact_list *list);
/* Is every fact of 'few' among 'many'? Both sorted. */
bool fact_subset(const struct fact_list *few, const struct fact_list *many);

static inline void fact_expr(struct fact_sink *sink, uint32_t expr, uint64_t value)
{
    fact_add(sink, (struct fact){.kind = FACT_EXPR, .a = expr, .value = value});
}

#endif
