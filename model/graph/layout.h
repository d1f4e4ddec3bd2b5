/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_LAYOUT_H
#define MODEL_GRAPH_LAYOUT_H

#include "model/graph/graph.h"

/* Where the locations of a test lie. Depends on the test alone, so every engine and every printed
 * address agrees. All addresses are below 2^32: a 32-bit register holds any of them, and a shared
 * address equals the generic one (1.5). Locations are far apart and aligned to LAYOUT_ALIGNMENT
 * bytes, not more, so that masking an address does not reach another location by chance. */

enum { LAYOUT_ALIGNMENT = 256 };

/* Virtual address of an element of the first copy of a location: what a symbol is worth in a
 * condition. UINT64_MAX when the locations do not fit. */
uint64_t layout_address(const struct test *test, uint32_t location, uint32_t element);
/* Of the address of its first byte. Shared memory that is aligned as tensor copies want it lies at multiples of 1024, after
 * which the patterns of swizzled rows repeat. */
uint64_t layout_alignment(const struct location *location);
/* The location that holds the byte at this address, and which of its bytes it is; false when none. */
bool layout_find(const struct test *test, uint64_t address, uint32_t *location, uint64_t *offset);

/* All mappings, sorted by virtual base; NULL when they do not fit. */
struct mapping *layout_mappings(struct arena *arena, const struct test *test,
                                const struct thread *threads, uint32_t thread_count,
                                uint32_t *count);
/* What 'bytes' (at most 8) of a location hold before anything runs, from byte 'offset' up (1.6). */
uint64_t layout_initial(const struct test *test, uint32_t location, uint64_t offset,
                        uint32_t bytes);
/* It may hold anything before something is written to it. */
bool layout_unset(const struct test *test, uint32_t location);
/* The location whose virtual addresses a name uses. */
uint32_t layout_virtual(const struct test *test, uint32_t location);

#endif
