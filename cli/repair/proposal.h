/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_PROPOSAL_H
#define CLI_REPAIR_PROPOSAL_H

#include "cli/repair/repair.h"
#include "cli/repair/variant.h"

/* Judges a choice, an option a place, once more: all that a result says, the executor, and that the edits
 * bring neither a hang nor undefined behaviour. False: it is no proposal, or one that is there already. What is
 * found goes to the job's arena. */
bool proposal_judge(struct repair *repair, const uint8_t *choice, int64_t cost,
                    struct repair_proposal *proposal);
/* The same of a variant that was compiled. */
bool proposal_judge_compiled(struct repair *repair, struct variant *variant,
                             struct repair_proposal *proposal);
/* Why even the strongest edits at every place do not help, a sentence; NULL when it is not known. */
const char *proposal_none(const struct repair *repair, const uint8_t *strongest);

#endif
