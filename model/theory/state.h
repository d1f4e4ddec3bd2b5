/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_STATE_H
#define MODEL_THEORY_STATE_H

#include "model/relation/base.h"
#include "model/theory/theory.h"

/* What the files of the theory share. */

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
    /* a node: its value in the execution; of CAT_EMPTY a relation, which stands for a set as well */
    struct rel **now;
    struct rel *spare[2]; /* scratch: a relation, a set */
    /* the last evaluation */
    struct rel *universe; /* the events that execute */
    bool *changed;        /* a node: since the evaluation before */
    uint64_t evaluation;  /* counts them */
    /* what holds in all executions: bound.c */
    struct rel **may, **must;
    struct reasons *reasons; /* reason.c */
    struct rounds *rounds;   /* round.c */
};

/* order.c: fills order, components, component. */
void theory_order(struct theory *theory);

/* eval.c */
struct rel *theory_value_new(struct arena *arena, const struct cat_node *node, uint32_t n);
/* The operation of 'node', which is no base name, on operands. 'to' is none of them; one of CAT_REC is its body. */
void theory_apply(const struct cat_node *node, struct rel *to, const struct rel *a,
                  const struct rel *b, const struct rel *universe);

/* Iterates a recursive component from nothing until nothing is added; tells each time a node grows
 * what it will have, and in which round. */
typedef void theory_growth(struct theory *theory, cat_id id, const struct rel *next,
                           uint32_t round);
void theory_iterate(struct theory *theory, const struct component *component, theory_growth *note);

/* bound.c: fills may and must. */
void theory_bound(struct theory *theory);

#endif
