/* SPDX-License-Identifier: MIT */
#ifndef CLI_EXPECT_H
#define CLI_EXPECT_H

#include "cli/answer.h"

/* A test's own expectations for the model in use, held against what was found. */
struct expect_result {
    enum expect_status status;
    const struct expectation *expectation; /* the one that decided the status; NULL for NONE */
};

struct expect_result expect_compare(struct job *job, const struct answer *answer);

/* The name under which tests expect something of a model: "ptx" for "ptx" and for "dir/ptx.cat". */
const char *expect_model_name(struct arena *arena, const char *model);

#endif
