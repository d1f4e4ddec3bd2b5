/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_DURATIONS_H
#define CLI_WORK_DURATIONS_H

#include "cli/work/walk.h"

/* What the tests of each file took in an earlier run, as 'check --json' printed it. A test of which none is known
 * takes as long as the others on average. */
struct durations;
/* For so many shards. In 'arena'; NULL after an error in 'diags'. */
struct durations *durations_read(struct arena *arena, const char *path, uint32_t shards,
                                 struct diag_list *diags);

/* The inputs' indexes, the longest first: begun in this order, tests keep all cores busy to the end. In 'arena'. */
uint32_t *durations_order(struct arena *arena, const struct durations *durations,
                          const struct input_list *inputs);
/* Which shard each of the inputs belongs to, from 1, so that all shards take equally long: the longest first, each to the one that
 * has least to do so far. In 'arena'. */
uint32_t *durations_share(struct arena *arena, struct durations *durations,
                          const struct input_list *inputs);

#endif
