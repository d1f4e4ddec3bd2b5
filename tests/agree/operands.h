/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_OPERANDS_H
#define TESTS_AGREE_OPERANDS_H

#include <stdint.h>

/* Operands on which two readings of an operation are compared: the same ones everywhere. */

/* A number from xorshift64*; the state begins as anything but 0. */
uint64_t operands_next(uint64_t *state);
/* Fills sources[0..source_count) with 'count' numbers each: every pair of edge values for the first
 * two, then numbers of every length, sometimes an edge among them. */
void operands_fill(uint64_t **sources, uint32_t source_count, uint32_t count);

#endif
