/* SPDX-License-Identifier: MIT */
#ifndef MODEL_DIRECT_EVALUATE_H
#define MODEL_DIRECT_EVALUATE_H

#include "model/cat/cat.h"
#include "model/direct/events.h"

/* A model's definitions over one program's events, in the order in which executions are chosen: each
 * level is evaluated anew when something of it, or of a level below, is chosen. */
enum direct_level { LEVEL_PROGRAM, LEVEL_READS, LEVEL_FENCES, LEVEL_COHERENCE, LEVELS };

struct direct_model {
    const struct cat_model *text;
    struct direct_events events;
    struct direct_rel *values; /* of a node */
    cat_id *same;              /* of a node: the one that always has its value, or itself */
    bool *empty;               /* of a node: nothing that a generated program has is in it */
    struct direct_axioms {
        VEC(cat_id) nodes; /* of this level, that some axiom needs */
        VEC(uint32_t) axioms;
    } levels[LEVELS];
    uint8_t *level; /* of a node */
    /* Where 'least' holds, axioms demand coherence by "empty r \\ co" and "empty r \\ (co | co^-1)" only, and more of
     * it never allows more: then these are the nodes r. */
    bool least;
    VEC(cat_id) ordered, total;
};

/* Finds out which nodes are always empty, and which have the value of another one because of that. */
void direct_reduce(struct arena *arena, struct direct_model *model);
/* The operands of a node as they are then; what is empty stays all zero and is not evaluated. */
uint32_t direct_kids(const struct direct_model *model, cat_id id, cat_id kids[2]);
/* Evaluates the level from events.base and the levels below; false when an axiom of it is broken. */
bool direct_evaluate(struct direct_model *model, enum direct_level level);

#endif
