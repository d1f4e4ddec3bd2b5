/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_PLAIN_H
#define CLI_REPAIR_PLAIN_H

#include "cli/repair/repair.h"

/* The edited test by brute force: every execution, one after the other. False: what was to go is there in one of them,
 * or a final state that 'answer' does not have. '*words' is what it found, or that the test is too large; in the
 * variant's arena. */
bool plain_agrees(const struct repair *repair, const struct variant *variant,
                  const struct answer *answer, const char **words);

#endif
