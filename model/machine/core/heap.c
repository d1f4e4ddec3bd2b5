/* SPDX-License-Identifier: MIT */
#include "model/machine/core/heap.h"

#include "litmus/base/arena.h"

struct heap_block {
    uint64_t at, bytes;
    uint32_t thread; /* that released it */
    bool taken;
};

struct heap {
    struct arena *arena;
    uint64_t base, end;            /* taken so far */
    VEC(struct heap_block) blocks; /* by address */
};

struct heap *heap_new(struct arena *arena, uint64_t base)
{
    struct heap *heap = ARENA_NEW(arena, struct heap);
    heap->arena = arena;
    heap->base = heap->end = base;
    return heap;
}

static struct heap_block *released(struct heap *heap, uint64_t bytes, uint32_t thread)
{
    for (uint32_t i = 0; i < heap->blocks.len; i++) {
        struct heap_block *block = &heap->blocks.at[i];
        if (!block->taken && block->thread == thread && block->bytes == bytes)
            return block;
    }
    return NULL;
}

uint64_t heap_take(struct heap *heap, uint64_t bytes, uint32_t thread)
{
    uint64_t room = (bytes + 15) & ~UINT64_C(15);
    if (!bytes || bytes > HEAP_BYTES)
        return 0;
    struct heap_block *old = released(heap, room, thread);
    if (old) {
        old->taken = true;
        return old->at;
    }
    if (heap->base + HEAP_BYTES - heap->end < room)
        return 0;
    struct heap_block block = {heap->end, room, thread, true};
    vec_push(heap->arena, &heap->blocks, block);
    heap->end += room;
    return block.at;
}

static struct heap_block *block_at(struct heap *heap, uint64_t address)
{
    uint32_t low = 0, high = heap->blocks.len;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (heap->blocks.at[middle].at == address)
            return &heap->blocks.at[middle];
        if (heap->blocks.at[middle].at < address)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool heap_release(struct heap *heap, uint64_t address, uint32_t thread)
{
    struct heap_block *block = block_at(heap, address);
    if (!block || !block->taken)
        return false;
    block->taken = false;
    block->thread = thread;
    return true;
}
