/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WITNESS_H
#define CLI_ANSWER_WITNESS_H

#include <glib.h>

#include "cli/answer/job.h"

/* An execution for people: the events that execute, thread by thread, each with a letter; what each
 * read takes from whom; the orders of the execution; the relations that the model's text shows. */
void witness_text(const struct job *job, const struct execution *execution, GString *out);

/* The model evaluated in the execution, for the relations that its text shows. */
struct theory *witness_theory(const struct job *job, const struct execution *execution);
/* Is a -> b in the relation and not by way of a third event? Transitive orders read better so. */
bool witness_is_direct(const struct rel *rel, uint32_t a, uint32_t b);
/* The relation's pairs, of a transitive one the direct ones, as people read them: the initial writes
 * of one location, which have one name, are one event. In 'arena'. */
struct rel *witness_pairs(struct arena *arena, const struct execution *execution,
                          const struct rel *rel, bool transitive);
/* What the event that such a pair begins with is called. */
const char *witness_source(struct arena *arena, const struct execution *execution, event_id from,
                           event_id to);

#endif
