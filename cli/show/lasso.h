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

/* Goes along the stem, from the first state, or then along the loop: the tracer sees the steps, but not what
 * lanes compute for themselves, unless the loop has nothing else. Of the stem: how many there were. */
uint32_t lasso_follow_stem(struct ending *ending, const struct tracer *tracer);
void lasso_follow_loop(struct ending *ending, const struct tracer *tracer);
/* What becomes of each thread that stands still, once the loop was followed: "P1 never starts"; in the arena of the
 * reports. */
struct text_list lasso_standing(const struct ending *ending);

#endif
