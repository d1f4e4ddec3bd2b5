/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_STATE_H
#define MODEL_THEORY_STATE_H

#include "model/relation/base.h"
#include "model/theory/theory.h"

/* What the files of the theory share. */

/* The value of a node: 'rel' for relations, 'set' for sets, both for CAT_EMPTY. */
struct theory_value {
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
    uint32_t *component;      /* a node: its component */
    bool *constant;           /* a node: the same in every execution */
    struct theory_value *now; /* a node: its value in the execution */
    struct theory_value spare;
    /* the last evaluation */
    struct set *universe; /* the events that execute */
    bool *changed;        /* a node: since the evaluation before */
    uint64_t evaluation;  /* counts them */
    /* what holds in all executions: bound.c */
    struct theory_value *may, *must;
    struct reasons *reasons; /* reason.c */
    struct rounds *rounds;   /* round.c */
};

/* order.c: fills order, components, component. */
void theory_order(struct theory *theory);

/* eval.c */
struct theory_value theory_value_new(struct arena *arena, const struct cat_node *node, uint32_t n);
bool theory_value_is_empty(struct theory_value value);
void theory_value_clear(struct theory_value value);
void theory_value_copy(struct theory_value to, struct theory_value from);
bool theory_value_equal(struct theory_value a, struct theory_value b);
void theory_value_union(struct theory_value to, struct theory_value from);
/* The operation of 'node', which is neither a base name nor recursive, on operands. 'to' is none.
 */
void theory_value_apply(const struct cat_node *node, struct theory_value to, struct theory_value a,
                        struct theory_value b, const struct set *universe);

/* Iterates a recursive component from nothing until nothing is added; tells each time a node grows
 * what it will have, and in which round. */
typedef void theory_growth(struct theory *theory, cat_id id, struct theory_value next,
                           uint32_t round);
void theory_iterate(struct theory *theory, const struct component *component, theory_growth *note);

/* bound.c: fills may and must. */
void theory_bound(struct theory *theory);

#endif
