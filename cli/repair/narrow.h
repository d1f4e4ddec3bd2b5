/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_NARROW_H
#define CLI_REPAIR_NARROW_H

#include "cli/repair/repair.h"

/* A choice that does what was asked in narrower scopes. */
struct narrow {
    const uint8_t *choice; /* an option a place; NULL: there is none */
    int64_t cost;          /* of the choice */
};

/* Narrows what a set makes stronger: an access or a fence that becomes stronger anyway needs no wider scope than its
 * threads are apart, whatever scope stood there. Only edited instructions are narrowed, and only where that costs
 * less. In the job's arena. */
struct narrow narrow_find(const struct repair *repair, const struct minimal_set *set);

#endif
