/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_PROPOSAL_H
#define CLI_REPAIR_PROPOSAL_H

#include "cli/repair/repair.h"

/* Judges the choice that a minimal set makes once more: all that a result says, the executor, and that the edits
 * bring neither a hang nor undefined behaviour. False: it is no proposal, or one that is there already. What is
 * found goes to the job's arena. */
bool proposal_judge(struct repair *repair, const struct minimal_set *set,
                    struct repair_proposal *proposal);
/* Why even the strongest edits at every place do not help, a sentence; NULL when it is not known. */
const char *proposal_none(const struct repair *repair, const uint8_t *strongest);

#endif
