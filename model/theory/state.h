/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_STATE_H
#define MODEL_THEORY_STATE_H

#include "model/relation/baserel.h"
#include "model/theory/theory.h"

/* What the files of the theory share. */

/* The value of a node: 'rel' for relations, 'set' for sets, both for CAT_EMPTY. */
struct value {
    struct rel *rel;
    struct set *set;
};

/* Nodes that depend on each other: one node, or those of a let rec. */
struct component {
    uint32_t first, count; /* in theory.order */
    bool recursive;
};

struct theory {
    struct arena *arena;
    const struct graph *graph;
    const struct cat_model *model;
    struct bases *bases;
    uint32_t n, words;
    cat_id *order;                /* every node, kids before parents but for recursion */
    struct component *components; /* in an order in which they can be evaluated */
    uint32_t component_count;
    uint32_t *component; /* a node: its component */
    bool *constant;      /* a node: the same in every execution */
    struct value *now;   /* a node: its value in the execution */
    struct value spare;
    /* the last evaluation */
    struct set *universe; /* the events that execute */
    bool *changed;        /* a node: since the evaluation before */
    uint64_t evaluation;  /* counts them */
    /* what holds in all executions: theory_bound.c */
    struct value *may, *must;
    struct reasons *reasons; /* theory_reason.c */
    struct rounds *rounds;   /* theory_round.c */
};

/* theory_order.c: fills order, components, component. */
void theory_order(struct theory *theory);
/* The operands of a node, the body of a recursive name included; returns how many. */
uint32_t node_kids(const struct cat_node *node, cat_id kids[2]);

/* theory_eval.c */
struct value value_new(struct arena *arena, const struct cat_node *node, uint32_t n);
void value_clear(struct value value);
void value_copy(struct value to, struct value from);
bool value_equal(struct value a, struct value b);
void value_union(struct value to, struct value from);
/* The operation of 'node', which is neither a base name nor recursive, on operands. 'to' is none.
 */
void value_apply(const struct cat_node *node, struct value to, struct value a, struct value b,
                 const struct set *universe);

/* What the next round of an iteration gives a node of a recursive component; valid until the next
 * call. */
struct value theory_step(struct theory *theory, cat_id id);

/* theory_bound.c: fills may and must. */
void theory_bound(struct theory *theory);

#endif
