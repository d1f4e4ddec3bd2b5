/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_RACE_H
#define MODEL_BOUNDED_RACE_H

#include "model/bounded/consistent.h"

/* Races of programs whose guards expect what the reads of an execution read. */

/* Pairs of operations that conflict and are not both atomic in each other's scope: they must be ordered. */
bool race_possible(const struct bounded_program *program, uint32_t a, uint32_t b);
/* Are there such pairs? */
bool races_possible(const struct bounded_program *program);
/* Could anything order the two? False: the program races, whatever the orders are. Operations from 'placed' on
 * may yet become atomic of any scope. */
bool race_avoidable(const struct bounded_program *program, uint32_t a, uint32_t b, uint32_t placed);
/* Does the program race when its threads run one after another, in some order? Operations from 'decided' on count as
 * seq_cst. */
bool races_in_turn(const struct bounded_program *program, const struct bounded_execution *expected,
                   uint32_t decided, bool split);
/* Does any execution race that C++ allows? */
bool races_somehow(const struct bounded_program *program, const struct bounded_execution *expected,
                   bool split);

#endif
