/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_WEAK_ACCESS_H
#define MODEL_MACHINE_MEMORY_WEAK_ACCESS_H

#include "model/machine/memory/weak/state.h"

/* Shared by access.c (accesses performed in order) and outstanding.c (those performed late). A read
 * is cut into runs of bytes that no write of the table cuts; a plan gives each run its source. */

enum { MAX_PLANS = 1024 };
struct read_plan {
    int8_t source[RUNS];
    uint8_t from[RUNS], run_count; /* byte offset where each run starts */
};

static inline uint64_t item_bit(int item)
{
    return item >= 0 ? UINT64_C(1) << item : 0;
}

/* Every way to read, given the writes that are known and those that are excluded, as plans; at most
 * 'limit'. */
uint32_t weak_list_plans(const struct weak_memory *weak, const struct scalar *op, uint64_t known,
                         uint64_t excluded, struct read_plan *plans, uint32_t limit);
struct read_sources weak_sources(const struct read_plan *plan);
void weak_copy_bytes(const struct weak_memory *weak, const struct scalar *op,
                     const struct read_plan *plan, uint64_t value[2]);
/* What was read may never become overwritten by what was known. */
void weak_remember_read(struct weak_memory *weak, const struct scalar *op, uint64_t known,
                        const struct read_plan *plan);
/* Outstanding accesses that 'view' knows of have to agree with this read, or this write. */
void weak_note_read(struct weak_memory *weak, const struct scalar *op, const stage *view,
                    const struct read_plan *plan);
void weak_note_write(struct weak_memory *weak, const struct scalar *op, const stage *view,
                     int written);

void weak_fill_item(struct item *item, const struct scalar *op, uint32_t sequence,
                    const uint64_t value[2]);
void weak_join_chain(struct weak_memory *weak, const struct scalar *op, int written,
                     const struct read_sources *from);

/* Sets of writes between which a new one has its place in coherence order. */
struct write_bounds {
    uint64_t before, after;
};
/* Chooses its place among the others; false when there is none. */
bool weak_place_write(struct weak_memory *weak, struct chooser *chooser, const struct scalar *op,
                      int written, const struct write_bounds *bounds);

#endif
