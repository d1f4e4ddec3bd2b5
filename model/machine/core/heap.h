/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_HEAP_H
#define MODEL_MACHINE_CORE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* What device code takes with malloc: the CUDA programming guide, "Dynamic Global Memory Allocation". Blocks lie one
 * behind the other from 'base' on. One that was released is taken again by the thread that released it alone, so that two
 * threads never seem to share what the allocator would have kept apart. */
struct heap;
enum { HEAP_BYTES = 8 << 20 }; /* cudaLimitMallocHeapSize, unless a program sets it */

struct heap *heap_new(struct arena *arena, uint64_t base);
/* The address, a multiple of 16, for the thread; 0: there is no room, or nothing was asked for. */
uint64_t heap_take(struct heap *heap, uint64_t bytes, uint32_t thread);
/* False: no block begins there, or it was released before. */
bool heap_release(struct heap *heap, uint64_t address, uint32_t thread);

#endif
