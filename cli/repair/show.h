/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_SHOW_H
#define CLI_REPAIR_SHOW_H

#include "cli/repair/repair.h"
#include "cli/work/batch.h"

/* Prints what was found: for people each proposal as a diff, with what was found before it; with --json an object a
 * proposal. With --apply the cheapest is written into the file. The verdict is HOLDS when there is a proposal. */
enum verdict show_result(struct batch_job *one, const struct repair *repair);

#endif
