/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_CLAUSES_H
#define CLI_REPORT_CLAUSES_H

#include <jansson.h>

#include "cli/answer/answer.h"

/* The model once for each of its clauses, without that clause. Some of these models are stronger than it: they forbid a final
 * state that it allows. */
struct clauses;

/* Of a bundled model without variants, or a .cat file. NULL after an error in 'diags'. Lives in 'arena'. */
struct clauses *clauses_read(struct arena *arena, const char *model, struct diag_list *diags);

/* The clauses without which the model would forbid a state that it allows of the test: {"exercised": {clause: state}, those of
 * which the GPU showed such a state, "questioned": {clause: state}, those of which it showed none}. NULL where the model does
 * not say which states the test has, or the GPU did not run it. 'answer' has an execution for each state. The caller owns it. */
json_t *clauses_judge(const struct clauses *clauses, const struct answer *answer,
                      const struct hardware_seen *seen);

/* What the tests of a report say together. */
struct exercise {
    json_t *
        clauses; /* clause: {"exercised", "questioned": {"test", "link", "state": of the first; "tests", "runs"}} */
};
struct exercise exercise_new(void);
void exercise_free(struct exercise *exercise);
/* Adds what clauses_judge says of a test, or nothing. */
void exercise_add(struct exercise *exercise, const json_t *test, const char *link);
/* {"exercised": […], "questioned": […]}, sorted by clause; NULL where no test was judged. The caller owns it. */
json_t *exercise_view(const struct exercise *exercise);

#endif
