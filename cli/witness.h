/* SPDX-License-Identifier: MIT */
#ifndef CLI_WITNESS_H
#define CLI_WITNESS_H

#include <jansson.h>

#include "cli/batch.h"
#include "model/execution.h"

/* An execution for people: the events that execute, thread by thread, each with a letter; what each
 * read takes from whom; the orders of the execution; the relations that the model's text shows. */
void witness_text(const struct job *job, const struct execution *execution, GString *out);
json_t *witness_json(const struct job *job, const struct execution *execution);

/* What the pictures call an event: "a", "b" … "z", "a1" …; initial writes are called after what
 * they initialize: "init [x]". In 'arena'. */
const char *witness_name(struct arena *arena, const struct execution *execution, event_id event);

#endif
