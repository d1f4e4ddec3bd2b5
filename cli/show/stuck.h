/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_STUCK_H
#define CLI_SHOW_STUCK_H

#include <glib.h>
#include <jansson.h>

#include "cli/answer/answer.h"

/* An execution that never ends, as the axioms found it, and what becomes of the threads that have not ended: what they
 * read again and again, what they wait for, where they are left standing. */
void stuck_text(const struct job *job, const struct execution *stuck, GString *out);
json_t *stuck_json(const struct job *job, const struct execution *stuck);
/* Where no execution ends, the run that does not belongs to the result: "stuck" with "never_ends", or "lasso". */
void stuck_add_json(json_t *object, const struct answer *answer);

#endif
