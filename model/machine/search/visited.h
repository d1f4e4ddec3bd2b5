/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_VISITED_H
#define MODEL_MACHINE_SEARCH_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The states a search has met, by 128-bit hash. Two different states are taken for one with a
 * probability of about n^2 / 2^65 for n states: the lanes' half fills 128 bits, the weak memory's 64
 * (weak.h). */
struct visited;

struct visited *visited_new(void);
void visited_free(struct visited *visited);
/* The number of the state, counting from 0 in the order they were added. */
uint32_t visited_add(struct visited *visited, const uint64_t hash[2], bool *is_new);
/* While one more is added: a table that grows exists twice for a moment. */
size_t visited_bytes(const struct visited *visited);

#endif
