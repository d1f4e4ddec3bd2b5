/* SPDX-License-Identifier: MIT */
#ifndef MODEL_DIRECT_DIRECT_H
#define MODEL_DIRECT_DIRECT_H

#include "litmus/generate/bounds.h"
#include "litmus/generate/outcome.h"
#include "model/cat/cat.h"

/* What a model says of a generated program, computed from its text over words of bits. */

/* A model made ready, with room for one program at a time; in 'arena'. */
struct direct_model;
struct direct_model *direct_model_new(struct arena *arena, const struct cat_model *model);

/* Can it be asked here? The program has loads, stores, atom.exch, atom.add, red and memory fences,
 * no dependencies, and few enough events. */
bool direct_can_ask(const struct generated_program *program);
/* The same of every program within the bounds, as far as instructions go. */
bool direct_can_ask_all(const struct generate_bounds *bounds);

/* May the program end with these values ('values': as generated_observe has them, or OUTCOME_ANY)? The
 * Fence-SC order is taken to be an order that agrees with program order, as the models for PTX demand;
 * accesses are whole. */
bool direct_allows(struct direct_model *model, const struct generated_program *program,
                   const uint32_t *values);

/* Is the test forbidden, and allowed as soon as generated_weaken weakens it? */
bool direct_is_minimal(struct direct_model *model, const struct generated_program *program,
                       const uint32_t *values);

/* The tests with the accesses and the outcome of 'shape' that are minimal, provided that
 * weaker tests never allow less. 'shape' has no fences; its accesses' strengths
 * do not count. What stands in their place, and which fences come between them, is as 'bounds' says, at most one fence in a place.
 * Of tests that only renaming threads tells apart one is visited. */
typedef void direct_visit(void *context, const struct generated_program *program,
                          const uint32_t *values);
void direct_minimal(struct direct_model *model, const struct generate_bounds *bounds,
                    const struct generated_program *shape, const uint32_t *values,
                    direct_visit *visit, void *context);

#endif
