/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_DUMP_H
#define CLI_ANSWER_DUMP_H

#include "cli/answer/job.h"

/* What --dump shows. Events are called by their numbers in the graph: e0, e1, …, and what a read
 * returns by the read's name, a granule of it e5.1; -1 is none. */

/* Every event with its sets, address, value and guard; the edges that unfolding made; assumptions. */
void dump_graph(const struct job *job, uint32_t graph, GString *out);
/* An execution that Z3 proposed: who executes, who reads from whom, the orders. */
void dump_candidate(const struct execution *candidate, GString *out);
/* The events that break the axiom, and the facts that suffice for it: the clause is that one of them
 * does not hold. */
void dump_violation(const struct job *job, const struct execution *candidate,
                    const struct violation *violation, GString *out);

#endif
