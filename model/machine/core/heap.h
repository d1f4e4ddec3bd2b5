/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_HEAP_H
#define MODEL_MACHINE_CORE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct inst;
struct test;

/* What device code takes with malloc: the CUDA programming guide, "Dynamic Global Memory Allocation". Blocks lie one
 * behind the other from 'base' on, HEAP_GAP bytes apart, so that an access past the end of one does not hit the next.
 * One that was released is taken again by the thread that released it alone, so that two threads never seem to share
 * what the allocator would have kept apart, and only when HEAP_FRESH bytes have been taken: until then what is used
 * after its release is found. */
struct heap;
enum {
    HEAP_BYTES = 8 << 20, /* cudaLimitMallocHeapSize, unless a program sets it */
    HEAP_FRESH = HEAP_BYTES / 8,
    HEAP_GAP = 64
};

struct heap_block {
    uint64_t at, bytes, room; /* 'bytes' were asked for; 'room' is a multiple of 16 */
    uint32_t next; /* while released: the one that its thread released after it; see heap.c */
    const struct inst *taken_by; /* the calls */
    const struct inst *released_by;
    bool taken;
};

/* Does a kernel that the test launches call malloc? Of others the module may be full. */
bool heap_is_used(const struct test *test);
struct heap *heap_new(struct arena *arena, uint64_t base);
/* The same blocks, to go on from. */
struct heap *heap_copy(struct arena *arena, const struct heap *heap);
/* Its bytes from 'base' on that a block lies in, or lay. */
uint64_t heap_used(const struct heap *heap);
/* The address, a multiple of 16, for the thread; 0: there is no room, or nothing was asked for. */
uint64_t heap_take(struct heap *heap, uint64_t bytes, uint32_t thread, const struct inst *call);
/* False: no block begins there, or it was released before. */
bool heap_release(struct heap *heap, uint64_t address, uint32_t thread, const struct inst *call);
/* The last block that begins at or before the address, or NULL. */
const struct heap_block *heap_before(const struct heap *heap, uint64_t address);
/* Do all bytes lie in one block that is taken? */
bool heap_holds(const struct heap *heap, uint64_t address, uint64_t bytes);

#endif
