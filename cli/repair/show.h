/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_SHOW_H
#define CLI_REPAIR_SHOW_H

#include <glib.h>

#include "cli/repair/repair.h"

/* Proposals for people, with what was found before them; and as JSON Lines, an object a proposal. */
void show_text(const struct repair *repair, GString *out);
void show_json(const struct repair *repair, GString *out);

#endif
