/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_BOUND_H
#define MODEL_THEORY_BOUND_H

#include "model/theory/state.h"

/* A model over intervals: for each node a lower and an upper bound of its value in all executions
 * that agree with what is known. What is subtracted swaps them. */
struct bounds {
    const struct theory *theory;
    const struct rel *possible, *certain; /* the events that may execute; those that do */
    struct rel **lower, **upper;          /* a node */
    struct rel *spare[2];                 /* scratch: a relation, a set */
    struct rel *inner; /* scratch: a relation whose targets are certain to execute */
};

/* All of it empty; the caller says which events are possible and certain, and fills in the bounds of
 * the base names. */
struct bounds bounds_new(struct arena *arena, const struct theory *theory);
/* The bounds of every other node from those of the base names. */
void bounds_derive(struct bounds *bounds);

#endif
