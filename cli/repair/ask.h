/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_ASK_H
#define CLI_REPAIR_ASK_H

#include "cli/repair/repair.h"

/* Does the choice, an option a place, do what was asked? */
enum minimal_answer repair_ask(const struct repair *repair, const uint8_t *choice);

#endif
