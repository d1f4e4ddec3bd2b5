/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/copy.h"

#include "model/machine/core/copies.h"
#include "model/machine/core/pieces.h"
#include "model/machine/core/region.h"
#include "model/machine/core/taken.h"
#include "model/machine/sync/mbarrier.h"

/* Asynchronous copies: an agent a copy, which moves the bytes at any time between its issue and the
 * wait that names it (PTX 8.9.1.1, lane-semantics section 12). The queue of a lane has room
 * for every copy that straight code issues; when a loop fills it, one is done first, which is one
 * of the times it may happen, and a search of all of them has not finished. */

static void tell(struct run *run, uint32_t lane, enum copy_step step, const struct copy *copy,
                 uint32_t group)
{
    if (run->memory->ops->copy_step)
        run->memory->ops->copy_step(run, lane, step, copy, group);
}

static uint32_t free_entry(struct run *run, uint32_t lane)
{
    uint32_t count = run->machine->copies;
    struct copy *copies = run_copies(run, lane);
    for (uint32_t i = 0; i < count; i++)
        if (copies[i].status == COPY_FREE)
            return i;
    run->full = true;
    copy_perform(run, lane, 0);
    return copies[0].status == COPY_FREE ? 0 : NONE;
}

static bool in_bounds(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes)
{
    const struct region *region = bytes ? region_find(run->machine, address, bytes) : NULL;
    if (!bytes || region)
        return !bytes || taken_check(run, lane, region, address, bytes);
    run_report(run, lane, REPORT_GLOBAL_OOB, "a copy of %u bytes at address 0x%llx", bytes,
               (unsigned long long)address);
    return false;
}

static bool is_aligned(struct run *run, uint32_t lane, uint64_t address, uint32_t align,
                       uint32_t bytes)
{
    if (!align || address % align == 0)
        return true;
    run_report(run, lane, REPORT_MISALIGNED, "a copy of %u bytes", bytes);
    return false;
}

/* It is on its way from now on, if all that it touches exists. */
static void start(struct run *run, uint32_t lane, const struct copy *copy)
{
    struct pieces pieces = pieces_of(run, copy);
    struct stretch piece;
    while (pieces_next(&pieces, &piece))
        if (!in_bounds(run, lane, piece.to, piece.bytes) ||
            !in_bounds(run, lane, piece.from, piece.read_bytes))
            return;
    tell(run, lane, COPY_STARTS, copy, 0);
    uint32_t entry = free_entry(run, lane);
    if (entry != NONE)
        run_copies(run, lane)[entry] = *copy;
}

/* To each CTA of the cluster that the mask names: the copy and its mbarrier are at the same place there. */
static void start_in_ctas(struct run *run, uint32_t lane, const struct copy *copy, uint32_t mask)
{
    const struct machine *machine = run->machine;
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[lane].cluster];
    for (uint32_t rank = 0; rank < 16; rank++) {
        struct copy one = *copy;
        if (!(mask >> rank & 1))
            continue;
        bool there = rank < cluster->ctas;
        one.to = there ? region_in_cta(machine, copy->to, cluster->first_cta + rank) : 0;
        one.mbarrier =
            there ? region_in_cta(machine, copy->mbarrier, cluster->first_cta + rank) : 0;
        if (one.to && one.mbarrier) {
            start(run, lane, &one);
            continue;
        }
        run_report(run, lane, REPORT_SHARED_OOB, "a copy to CTA %u of a cluster of %u", rank,
                   cluster->ctas);
        return;
    }
}

static void start_bytes(struct run *run, uint32_t lane, const struct micro *micro)
{
    bool plain = micro->inst->op == OP_CP_ASYNC;
    uint32_t size = (uint32_t)run_value(run, lane, micro->src[0]), read = size;
    if (plain && micro->src_count > 1)
        read = (uint32_t)run_value(run, lane, micro->src[1]);
    if (micro->inst->may_ignore_source)
        read = read ? 0 : size;
    struct copy copy = {.to = run_address(run, lane, micro),
                        .from = run_value(run, lane, micro->base2) + (uint64_t)micro->offset2,
                        .bytes = size,
                        .read_bytes = read < size ? read : size,
                        .micro = run_lane(run, lane)->pc,
                        .status = COPY_PENDING,
                        .kind = plain ? COPY_SMALL : COPY_BULK};
    if (!plain && micro->src_count > 1)
        copy.mbarrier = run_value(run, lane, micro->src[1]);
    uint32_t align = plain ? size : 16;
    if (!is_aligned(run, lane, copy.to, align, size) ||
        !is_aligned(run, lane, copy.from, align, size))
        return;
    if (!plain && micro->src_count > 2)
        start_in_ctas(run, lane, &copy, (uint32_t)run_value(run, lane, micro->src[2]));
    else
        start(run, lane, &copy);
}

/* The lane reads the tensor map now, word by word: one that the test gives, or a copy of it. 1 + its number; 0, and
 * reported: there is none of that rank. */
static uint32_t read_map(struct run *run, uint32_t lane, uint64_t address, uint32_t rank)
{
    const struct machine *machine = run->machine;
    uint64_t words[TENSOR_WORDS] = {0};
    struct tensor_map read;
    struct memory_access access = {.lane = lane,
                                   .micro = run_micro(run, lane),
                                   .region = region_find(machine, address, TENSOR_BYTES),
                                   .bytes = 8,
                                   .count = 1,
                                   .reads = true};
    for (uint32_t i = 0; access.region && i < TENSOR_WORDS; i++) {
        access.address = address + 8 * i;
        access.memory = region_memory(access.region, access.address);
        run->memory->ops->access(run, &access);
        words[i] = access.value[0];
    }
    bool found = tensor_map_unpack(words, &read);
    for (uint32_t i = 0; found && i < machine->map_count; i++)
        if (machine->maps[i].base == words[0] && read.rank == rank &&
            tensor_map_same(&machine->maps[i].map, &read))
            return 1 + i;
    run_report(run, lane, REPORT_BAD_TENSOR_MAP,
               found && read.rank != rank ? "at address 0x%llx is one of %u dimensions, not %u"
               : found                    ? "that at address 0x%llx was changed"
                                          : "there is none at address 0x%llx",
               (unsigned long long)address, read.rank, rank);
    return 0;
}

/* Sources: the coordinates, then of a load the mbarrier and the CTAs that it goes to. */
static void start_box(struct run *run, uint32_t lane, const struct micro *micro)
{
    enum { ALIGNMENT = 128 };
    bool loads = micro->inst->space != SPACE_GLOBAL;
    uint32_t rank = micro->inst->operands[2].part_count;
    uint64_t first = run_address(run, lane, micro),
             second = run_value(run, lane, micro->base2) + (uint64_t)micro->offset2;
    struct copy copy = {.to = loads ? first : 0,
                        .from = loads ? 0 : second,
                        .micro = run_lane(run, lane)->pc,
                        .status = COPY_PENDING,
                        .kind = COPY_BULK};
    copy.map = read_map(run, lane, loads ? second : first, rank);
    if (!copy.map)
        return;
    const struct tensor_map *map = &run->machine->maps[copy.map - 1].map;
    if (micro->inst->atom_op && !tensor_map_reduces(map, micro->inst->atom_op)) {
        run_report(run, lane, REPORT_BAD_TENSOR_MAP, "there is no reduction .%s of elements .%s",
                   atom_op_name(micro->inst->atom_op), type_name(map->type));
        return;
    }
    copy.bytes = tensor_map_bytes(map);
    for (uint32_t d = 0; d < rank; d++)
        copy.at[d] = (int32_t)run_value(run, lane, micro->src[d]);
    if (!is_aligned(run, lane, loads ? first : second, ALIGNMENT, copy.bytes))
        return;
    if (loads)
        copy.mbarrier = run_value(run, lane, micro->src[rank]);
    if (micro->src_count > rank + 1)
        start_in_ctas(run, lane, &copy, (uint32_t)run_value(run, lane, micro->src[rank + 1]));
    else
        start(run, lane, &copy);
}

static void commit(struct run *run, uint32_t lane, unsigned kind)
{
    struct copy *copies = run_copies(run, lane);
    uint32_t group = ++run_lane(run, lane)->groups[kind];
    EACH_COPY(i, run, lane) {
        if (copy_joins(&copies[i], kind))
            copies[i].group = group;
    }
    tell(run, lane, COPY_COMMITTED, NULL, group);
}

bool copy_execute(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    if (micro->kind == MICRO_COPY)
        (op_accepts(micro->inst->op, 'D') ? start_box : start_bytes)(run, lane, micro);
    else
        commit(run, lane, copy_kind(micro->inst->op));
    run_advance(run, lane);
    return true;
}

uint32_t copy_next(const struct run *run, uint32_t lane, uint32_t from)
{
    if (run->machine->lanes[lane].program == NONE)
        return NONE;
    const struct copy *copies = run_copies(run, lane);
    for (uint32_t i = from; i < run->machine->copies; i++)
        if (copies[i].status == COPY_PENDING)
            return i;
    return NONE;
}

bool copy_perform(struct run *run, uint32_t lane, uint32_t which)
{
    struct copy *copy = &run_copies(run, lane)[which];
    run->memory->ops->copy(run, lane, copy);
    if (copy->mbarrier &&
        !mbarrier_of_copy(run, lane, OP_MBARRIER_COMPLETE_TX, copy->bytes, copy->mbarrier))
        return false;
    *copy = (struct copy){0};
    return true;
}

/* Waits until at most N groups of its kind are on their way: wait_all also for cp.async of no group. */
bool copy_wait(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    unsigned kind = copy_kind(micro->inst->op);
    uint32_t newest = micro->src_count ? (uint32_t)run_value(run, lane, micro->src[0]) : 0;
    uint32_t groups = run_lane(run, lane)->groups[kind];
    uint32_t last = groups > newest ? groups - newest : 0;
    if (micro->inst->op == OP_CP_ASYNC_WAIT_ALL)
        last = UINT32_MAX;
    EACH_COPY(i, run, lane) {
        const struct copy *copy = &run_copies(run, lane)[i];
        if (copy_is_awaited(copy, kind, last) && !copy_perform(run, lane, i))
            return false;
    }
    if (last)
        tell(run, lane, COPY_AWAITED, NULL, last);
    run_advance(run, lane);
    return true;
}

/* cp.async.mbarrier.arrive: the lane's cp.async are done now, and those who wait for the phase know that.
 * .noinc counts as an arrival; without it the count grows by one first, which the arrival takes back. */
bool copy_arrive(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    EACH_COPY(i, run, lane) {
        if (run_copies(run, lane)[i].kind == COPY_SMALL && !copy_perform(run, lane, i))
            return false;
    }
    tell(run, lane, COPY_ARRIVES, NULL, 0);
    uint64_t address = run_address(run, lane, micro);
    bool counts = micro->inst->flags & FLAG_NOINC;
    enum op op = counts ? OP_MBARRIER_ARRIVE : OP_MBARRIER_COMPLETE_TX;
    if (!mbarrier_of_copy(run, lane, op, counts, address))
        return false;
    run_advance(run, lane);
    return true;
}
