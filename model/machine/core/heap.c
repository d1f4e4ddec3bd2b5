/* SPDX-License-Identifier: MIT */
#include "model/machine/core/heap.h"

#include <glib.h>

#include "litmus/base/arena.h"
#include "litmus/test/test.h"

struct heap {
    struct arena *arena;
    uint64_t base, end;            /* taken so far */
    VEC(struct heap_block) blocks; /* by address */
    VEC(uint32_t)
    last; /* by thread: the block that it released last, whose 'next' is the one that it released first; or NONE */
};

/* ---- who takes memory ----------------------------------------------------------------------- */

static bool takes_memory(const struct inst *inst)
{
    return inst->op == OP_CALL && inst->operands[1].target == NONE &&
           inst->operands[1].value == SYSTEM_MALLOC;
}

static bool may_enter(const struct test *test, const struct body *caller, const struct inst *inst,
                      uint32_t body)
{
    if (inst->op != OP_CALL)
        return false;
    return inst->operands[1].kind == OPERAND_REG ? test_may_enter(caller, inst, &test->bodies[body])
                                                 : inst->operands[1].target == body;
}

/* The body, or what it calls; 'seen': the bodies that were looked at. */
static bool body_takes_memory(const struct test *test, uint32_t index, bool *seen)
{
    const struct body *body = &test->bodies[index];
    if (seen[index])
        return false;
    seen[index] = true;
    for (uint32_t i = 0; i < body->inst_count; i++) {
        if (takes_memory(&body->insts[i]))
            return true;
        for (uint32_t k = 0; body->insts[i].op == OP_CALL && k < test->body_count; k++)
            if (may_enter(test, body, &body->insts[i], k) && body_takes_memory(test, k, seen))
                return true;
    }
    return false;
}

/* A kernel of a module that no launch names does not run. */
static bool runs(const struct test *test, uint32_t body)
{
    for (uint32_t i = 0; i < test->launch_count; i++)
        if (test->launches[i].kernel == body)
            return true;
    return !test->launch_count;
}

bool heap_is_used(const struct test *test)
{
    g_autofree bool *seen = g_new0(bool, test->body_count + 1);
    for (uint32_t i = 0; i < test->body_count; i++)
        if (runs(test, i) && body_takes_memory(test, i, seen))
            return true;
    return false;
}

/* ---- blocks --------------------------------------------------------------------------------- */

struct heap *heap_new(struct arena *arena, uint64_t base)
{
    struct heap *heap = ARENA_NEW(arena, struct heap);
    heap->arena = arena;
    heap->base = heap->end = base;
    return heap;
}

struct heap *heap_copy(struct arena *arena, const struct heap *heap)
{
    struct heap *copy = heap_new(arena, heap->base);
    copy->end = heap->end;
    for (uint32_t i = 0; i < heap->blocks.len; i++)
        vec_push(arena, &copy->blocks, heap->blocks.at[i]);
    for (uint32_t i = 0; i < heap->last.len; i++)
        vec_push(arena, &copy->last, heap->last.at[i]);
    return copy;
}

uint64_t heap_used(const struct heap *heap)
{
    return heap->end - heap->base;
}

/* The block of that size that the thread released first, or NULL. It is no longer among those released. */
static struct heap_block *released(struct heap *heap, uint64_t room, uint32_t thread)
{
    uint32_t last = thread < heap->last.len ? heap->last.at[thread] : NONE;
    if (last == NONE)
        return NULL;
    uint32_t before = last, at;
    do {
        at = heap->blocks.at[before].next;
        if (heap->blocks.at[at].room == room) {
            heap->blocks.at[before].next = heap->blocks.at[at].next;
            if (at == last)
                heap->last.at[thread] = at == before ? NONE : before;
            return &heap->blocks.at[at];
        }
        before = at;
    } while (at != last);
    return NULL;
}

static void add_released(struct heap *heap, uint32_t index, uint32_t thread)
{
    while (heap->last.len <= thread)
        vec_push(heap->arena, &heap->last, NONE);
    uint32_t last = heap->last.at[thread];
    struct heap_block *block = &heap->blocks.at[index];
    block->next = last == NONE ? index : heap->blocks.at[last].next;
    if (last != NONE)
        heap->blocks.at[last].next = index;
    heap->last.at[thread] = index;
}

/* A new block behind the others; NULL: there is no room. */
static struct heap_block *append(struct heap *heap, uint64_t room)
{
    uint64_t left = HEAP_BYTES - heap_used(heap);
    if (left < room)
        return NULL;
    struct heap_block block = {.at = heap->end, .room = room};
    vec_push(heap->arena, &heap->blocks, block);
    heap->end += left - room < HEAP_GAP ? left : room + HEAP_GAP;
    return &heap->blocks.at[heap->blocks.len - 1];
}

uint64_t heap_take(struct heap *heap, uint64_t bytes, uint32_t thread, const struct inst *call)
{
    uint64_t room = (bytes + 15) & ~UINT64_C(15);
    if (!bytes || bytes > HEAP_BYTES)
        return 0;
    struct heap_block *block = heap_used(heap) < HEAP_FRESH ? NULL : released(heap, room, thread);
    if (!block)
        block = append(heap, room);
    if (!block)
        block = released(heap, room, thread);
    if (!block)
        return 0;
    block->bytes = bytes;
    block->taken = true;
    block->taken_by = call;
    return block->at;
}

static uint32_t index_before(const struct heap *heap, uint64_t address)
{
    uint32_t low = 0, high = heap->blocks.len;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (heap->blocks.at[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct heap_block *heap_before(const struct heap *heap, uint64_t address)
{
    uint32_t behind = index_before(heap, address);
    return behind ? &heap->blocks.at[behind - 1] : NULL;
}

bool heap_holds(const struct heap *heap, uint64_t address, uint64_t bytes)
{
    const struct heap_block *block = heap_before(heap, address);
    uint64_t offset = block ? address - block->at : 0;
    return block && block->taken && offset < block->bytes && bytes <= block->bytes - offset;
}

bool heap_release(struct heap *heap, uint64_t address, uint32_t thread, const struct inst *call)
{
    uint32_t behind = index_before(heap, address);
    struct heap_block *block = behind ? &heap->blocks.at[behind - 1] : NULL;
    if (!block || block->at != address || !block->taken)
        return false;
    block->taken = false;
    add_released(heap, behind - 1, thread);
    block->released_by = call;
    return true;
}
