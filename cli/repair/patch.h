/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_PATCH_H
#define CLI_REPAIR_PATCH_H

#include "cli/repair/repair.h"

/* What the patch that the test names is worth beside the proposals that were found. False after an error, which the
 * job's diagnostics have: it cannot be read. In the job's arena. */
bool patch_find(const struct repair *repair, struct repair_patch *patch);
/* The line about it, without a line end. In 'arena'. */
const char *patch_words(struct arena *arena, const struct repair *repair,
                        const struct repair_patch *patch);

#endif
