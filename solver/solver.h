/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SOLVER_H
#define SOLVER_SOLVER_H

#include "solver/answer/answer.h"

/* Executions of a test that a model allows, by Z3. The only room that includes z3.h; one Z3 context
 * a solver, so solvers of different tests may run in different threads. */

/* Final states, the condition, races, undefined behaviour, hangs: all that the options ask for. */
struct solver_result *solve(struct arena *arena, const struct solver_options *options);

#endif
