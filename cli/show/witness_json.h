/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_WITNESS_JSON_H
#define CLI_SHOW_WITNESS_JSON_H

#include <jansson.h>

#include "cli/answer/job.h"
#include "model/execution/execution.h"

/* What witness_text says, as 'witness' of docs/json.schema.json. */
json_t *witness_json(const struct job *job, const struct execution *execution);

#endif
