/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_SCHEDULES_H
#define CLI_REPAIR_SCHEDULES_H

#include "cli/repair/repair.h"
#include "cli/repair/variant.h"

/* Runs the edited test on the executor: every schedule, as far as a second takes it, or to look for races a hundred
 * random ones. A test in C++ is run as MAPPING_DEFAULT compiles it. False: it reaches what was to
 * go, or what the answer does not allow; of compiled C++ that is only told, as it may be the mapping's doing. 'words', in
 * the job's arena, go on from "The executor". */
bool schedules_agree(const struct repair *repair, const struct variant *variant,
                     const struct answer *answer, const char **words);

#endif
