/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_LASSO_H
#define CLI_SHOW_LASSO_H

#include <glib.h>
#include <jansson.h>

#include "cli/answer/ending.h"

/* A run that never ends, as the executor found it: the stem, the loop that repeats, and the threads
 * that stand still, with where. ending->hang has one. */
void lasso_text(struct ending *ending, GString *out);
json_t *lasso_json(struct ending *ending);

#endif
