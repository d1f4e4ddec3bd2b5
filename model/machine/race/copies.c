/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/race/private.h"
#include "model/machine/core/copies.h"
#include "model/machine/core/pieces.h"

/* Asynchronous copies (ptx-model 4.1). A copy is ordered after what its lane did before, and before
 * nothing: its accesses are pending, and race with those of everybody, its own lane included, until the
 * lane waits for them, or an mbarrier that they told has been waited for. cp.async goes through the
 * generic proxy, bulk copies through the async one. */

/* Of reads. */
static uint32_t how_of(const struct micro *micro)
{
    bool async = micro->inst->proxy == PROXY_ASYNC;
    return stamp_how(micro->inst_index, false, 0, SCOPE_NONE) | STAMP_COPY |
           (async ? STAMP_ASYNC : 0);
}

/* Of writes. Elements of a reduction are relaxed atomic operations of the device (ptx-model 1.3). */
static uint32_t how_written(const struct run *run, const struct copy *copy,
                            const struct micro *micro)
{
    uint32_t bytes = type_bytes(pieces_type(run, copy, micro->inst));
    uint32_t strength = micro->inst->atom_op ? stamp_how(0, true, bytes, SCOPE_GPU)
                                             : stamp_how(0, true, 0, SCOPE_NONE);
    return how_of(micro) | strength;
}

static const struct micro *micro_of(const struct race_detector *race, uint32_t lane,
                                    const struct copy *copy)
{
    return &machine_program(race->machine, lane)->micros[copy->micro];
}

/* What it reads is over; the lane knows. */
static void settle_reads(struct race_detector *race, struct run *run, uint32_t lane,
                         const struct copy *copy, bool known)
{
    struct pieces pieces = pieces_of(run, copy);
    struct stretch piece;
    while (pieces_next(&pieces, &piece))
        race_settle(race, lane, piece.from, piece.read_bytes, how_of(micro_of(race, lane, copy)),
                    known);
}

static void start(struct race_detector *race, struct run *run, uint32_t lane,
                  const struct copy *copy)
{
    const struct micro *micro = micro_of(race, lane, copy);
    struct thread_clock *thread = &race->now->threads[lane];
    struct pieces pieces = pieces_of(run, copy);
    struct stretch piece;
    while (pieces_next(&pieces, &piece)) {
        race_touch(race, run, lane, micro, piece.from, piece.read_bytes, how_of(micro));
        race_touch(race, run, lane, micro, piece.to, piece.bytes, how_written(run, copy, micro));
    }
    if (!thread->copies)
        thread->copies = g_array_new(false, false, sizeof *copy);
    g_array_append_vals(thread->copies, copy, 1);
}

static void end(struct race_detector *race, struct run *run, uint32_t lane, uint32_t which,
                bool known)
{
    GArray *copies = race->now->threads[lane].copies;
    const struct copy copy = g_array_index(copies, struct copy, which);
    const struct micro *micro = micro_of(race, lane, &copy);
    struct pieces pieces = pieces_of(run, &copy);
    struct stretch piece;
    g_array_remove_index(copies, which);
    if (!copy.read)
        settle_reads(race, run, lane, &copy, known);
    while (pieces_next(&pieces, &piece))
        race_settle(race, lane, piece.to, piece.bytes, how_written(run, &copy, micro), known);
}

static void commit(GArray *copies, unsigned kind, uint32_t group)
{
    for (uint32_t i = 0; i < copies->len; i++) {
        struct copy *copy = &g_array_index(copies, struct copy, i);
        if (copy_joins(copy, kind))
            copy->group = group;
    }
}

/* What they read may be overwritten; what they write is still on its way (wait_group.read). */
static void end_reads(struct race_detector *race, struct run *run, uint32_t lane, uint32_t last)
{
    GArray *copies = race->now->threads[lane].copies;
    for (uint32_t i = 0; i < copies->len; i++) {
        struct copy *copy = &g_array_index(copies, struct copy, i);
        if (copy->read || !copy_is_awaited(copy, COPY_BULK, last))
            continue;
        settle_reads(race, run, lane, copy, true);
        copy->read = true;
    }
}

/* Ends those of groups up to 'last' ('known': the lane knows). */
static void end_groups(struct race_detector *race, struct run *run, uint32_t lane, unsigned kind,
                       uint32_t last, bool known)
{
    GArray *copies = race->now->threads[lane].copies;
    for (uint32_t i = 0; i < copies->len;) {
        if (copy_is_awaited(&g_array_index(copies, struct copy, i), kind, last))
            end(race, run, lane, i, known);
        else
            i++;
    }
}

void race_copy_step(struct race_detector *race, struct run *run, uint32_t lane, enum copy_step step,
                    const struct copy *copy, uint32_t group)
{
    GArray *copies = race->now->threads[lane].copies;
    const struct inst *inst = run_micro(run, lane)->inst;
    if (step == COPY_STARTS)
        start(race, run, lane, copy);
    else if (!copies)
        return;
    else if (step == COPY_COMMITTED)
        commit(copies, copy_kind(inst->op), group);
    else if (step == COPY_AWAITED && inst->flags & FLAG_READ)
        end_reads(race, run, lane, group);
    else if (step == COPY_AWAITED)
        end_groups(race, run, lane, copy_kind(inst->op), group, true);
    else
        end_groups(race, run, lane, COPY_SMALL, UINT32_MAX, false);
}

/* It is made, and the mbarrier is told next: those who wait for that know that it is over. */
void race_copied(struct race_detector *race, struct run *run, uint32_t lane,
                 const struct copy *copy)
{
    GArray *copies = race->now->threads[lane].copies;
    if (race->past)
        g_hash_table_remove_all(
            race->past); /* of what it overwrites only the newest value is left */
    for (uint32_t i = 0; copies && copy->mbarrier && i < copies->len; i++) {
        const struct copy *one = &g_array_index(copies, struct copy, i);
        if (one->micro == copy->micro && one->to == copy->to && one->from == copy->from &&
            !memcmp(one->at, copy->at, sizeof copy->at)) {
            end(race, run, lane, i, false);
            return;
        }
    }
}
