/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_SHARD_H
#define CLI_WORK_SHARD_H

#include <stdbool.h>
#include <stdint.h>

/* A part of the tests, for a run that is spread over machines: "2/8" is every eighth test from the
 * second on, so that neighbours, which are alike, go to different machines. */
struct shard {
    uint32_t number, count; /* 1 <= number <= count */
};

/* NULL is all: 1/1. False when the text is no shard. */
bool shard_parse(const char *text, struct shard *shard);

#endif
