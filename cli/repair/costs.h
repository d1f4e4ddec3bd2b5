/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_COSTS_H
#define CLI_REPAIR_COSTS_H

#include "litmus/base/diag.h"
#include "litmus/edit/place.h"
#include "solver/repair/minimal.h"

/* What instructions cost: a text of lines "fence.acq_rel.gpu 640", of which the longest that begins an instruction's
 * words counts; what no line begins costs 1. Empty lines and those that begin with '#' say nothing. */
struct costs;

/* The table in the file, or the bundled one when 'path' is NULL. NULL after an error in 'diags'. */
const struct costs *costs_read(struct arena *arena, const char *path, struct diag_list *diags);
/* The places as the search for minimal sets wants them, with the options that include the first: an option costs at
 * least 1 more than any that it includes. The costs of the others stand behind theirs. In 'arena'. */
struct minimal_place *costs_places(struct arena *arena, const struct costs *costs,
                                   const struct edit_places *places);
/* Of an option alone. */
uint32_t costs_option(struct arena *arena, const struct costs *costs,
                      const struct edit_option *option);

/* Of all accesses, fences, barriers and calls of the test's code together. */
uint64_t costs_of_test(struct arena *arena, const struct costs *costs, const struct test *test);

#endif
