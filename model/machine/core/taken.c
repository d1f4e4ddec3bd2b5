/* SPDX-License-Identifier: MIT */
#include "model/machine/core/taken.h"

#include "litmus/test/code_line.h"
#include "litmus/test/test.h"

static const char *place_of(const struct run *run, const struct inst *call)
{
    return test_line_words(run->reports->arena, run->machine->test, call->span.offset);
}

/* Which block it was meant for: the one that it begins in, or else the one before, as far away as that is long at
 * most. */
static const char *missed_block(const struct run *run, const struct heap_block *block,
                                uint64_t address)
{
    struct arena *arena = run->reports->arena;
    if (!block || address - block->at >= 2 * block->room + HEAP_GAP)
        return "lie in no memory that malloc gave";
    unsigned long long offset = address - block->at, bytes = block->bytes;
    if (!block->taken && offset < bytes)
        return arena_printf(
            arena, "are used after free (%s): byte %llu of %llu that malloc gave (%s)",
            place_of(run, block->released_by), offset, bytes, place_of(run, block->taken_by));
    return arena_printf(arena, "lie at offset %llu of %llu bytes that malloc gave (%s)", offset,
                        bytes, place_of(run, block->taken_by));
}

bool taken_check(struct run *run, uint32_t lane, const struct region *region, uint64_t address,
                 uint64_t bytes)
{
    if (taken_is(run, region, address, bytes))
        return true;
    run_report(run, lane, REPORT_GLOBAL_OOB, "%llu bytes at address 0x%llx %s",
               (unsigned long long)bytes, (unsigned long long)address,
               missed_block(run, heap_before(run->heap, address), address));
    return false;
}

const char *taken_released(const struct run *run, uint64_t address)
{
    const struct heap_block *block = run->heap ? heap_before(run->heap, address) : NULL;
    if (!block || block->at != address || block->taken)
        return "";
    return arena_printf(run->reports->arena, ": it was released before (%s)",
                        place_of(run, block->released_by));
}
