/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_SHARD_H
#define CLI_WORK_SHARD_H

#include "cli/work/walk.h"

/* A part of the tests, for a run that is spread over machines: "2/8" is every eighth test from the
 * second on, so that neighbours, which are alike, go to different machines. */
struct shard {
    uint32_t number, count; /* 1 <= number <= count */
};

/* NULL is all: 1/1. False when the text is no shard. */
bool shard_parse(const char *text, struct shard *shard);

/* What the tests of each file took in an earlier run, as 'check --json' printed it: the shards are then of one cost. */
struct shard_costs;
/* In 'arena'; NULL after an error in 'diags'. */
struct shard_costs *shard_costs_read(struct arena *arena, const char *path, uint32_t shards,
                                     struct diag_list *diags);
/* Which shard each of the inputs belongs to, from 1: the dearest first, each to the one that has least so far. One that no
 * cost is known of costs as much as the others on average. In 'arena'. */
uint32_t *shard_costs_share(struct arena *arena, struct shard_costs *costs,
                            const struct input_list *inputs);

#endif
