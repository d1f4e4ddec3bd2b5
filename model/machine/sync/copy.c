/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/copy.h"

#include "model/machine/core/copies.h"
#include "model/machine/core/region.h"
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
    if (!bytes || region_find(run->machine, address, bytes))
        return true;
    run_report(run, lane, REPORT_GLOBAL_OOB, "a copy of %u bytes at address 0x%llx", bytes,
               (unsigned long long)address);
    return false;
}

static void start_copy(struct run *run, uint32_t lane, const struct micro *micro)
{
    bool plain = micro->inst->op == OP_CP_ASYNC;
    uint32_t size = (uint32_t)run_value(run, lane, micro->src[0]), read = size;
    if (plain && micro->src_count > 1)
        read = (uint32_t)run_value(run, lane, micro->src[1]);
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
    if (align && (copy.to % align || copy.from % align)) {
        run_report(run, lane, REPORT_MISALIGNED, "a copy of %u bytes", size);
        return;
    }
    if (!in_bounds(run, lane, copy.to, size) || !in_bounds(run, lane, copy.from, copy.read_bytes))
        return;
    tell(run, lane, COPY_STARTS, &copy, 0);
    uint32_t entry = free_entry(run, lane);
    if (entry != NONE)
        run_copies(run, lane)[entry] = copy;
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
        start_copy(run, lane, micro);
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
