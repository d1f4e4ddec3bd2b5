/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_WEAK_ACCESS_H
#define MODEL_MACHINE_MEMORY_WEAK_ACCESS_H

#include "model/machine/memory/weak/state.h"

/* Accesses of one scalar. False: the rules leave no choice (the run is pruned), or a table is full. */

/* Those that take effect at once; 'sources' may be NULL. */
bool weak_load(struct weak_memory *weak, const struct scalar *op, uint64_t value[2],
               struct read_sources *sources);
bool weak_store(struct weak_memory *weak, const struct scalar *op, const uint64_t value[2]);
bool weak_atomic(struct weak_memory *weak, const struct scalar *op, const struct atomic *atomic,
                 uint64_t old[2]);

/* What outstanding accesses (outstanding.c) have in common with them. */

/* A read is cut into runs of bytes that no write of the table cuts; a plan gives each run its
 * source. */
struct read_plan {
    int8_t source[RUNS];
    uint8_t from[RUNS], run_count; /* byte offset where each run starts */
    struct read_sources sources;
};
/* Chooses what a lane reads that knows 'view', but for the writes in 'excluded'. */
bool weak_read(struct weak_memory *weak, const struct scalar *op, const stage *view,
               uint64_t excluded, struct read_plan *plan, uint64_t value[2]);
/* Chooses where a write falls in coherence order and returns it, or NO_ITEM. 'from': what its atomic
 * read, or NULL; 'late': the outstanding atomic, or NULL. */
int weak_write(struct weak_memory *weak, const struct scalar *op, const uint64_t value[2],
               const struct read_sources *from, const struct item *late);
/* What the atomic writes where it read 'old'; false: nothing, as a cas that fails. */
bool weak_result(const struct atomic *atomic, const uint64_t old[2], uint64_t value[2]);
struct item weak_item(const struct scalar *op, enum item_kind kind, uint32_t sequence);

static inline uint64_t item_bit(int item)
{
    return item >= 0 ? UINT64_C(1) << item : 0;
}

#endif
