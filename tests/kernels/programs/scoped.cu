// SPDX-License-Identifier: MIT
//
// Scopes that are too narrow, in the style of the micro-benchmarks of ScoR (Kamath and Basu, ISCA 2020), judged as PTX says: fences, atomics,
// locks, barriers and work queues, right and with one of their parts missing, late, or of the scope of a block.

#include <cuda/atomic>
#define DEVICE __device__ __forceinline__
DEVICE unsigned volatile_load(unsigned *p)
{
    return *(volatile unsigned *)p;
}

// ---- message passing by fences
//! run fence_device --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
__global__ void fence_device(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        atomicExch(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run fence_block_between_blocks --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'x'" "has a scope that does not hold this one: __threadfence()"
__global__ void fence_block_between_blocks(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence_block();
        atomicExch(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run fence_block_reader --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() behind"
__global__ void fence_block_reader(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        atomicExch(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence_block();
        *o = *x;
    }
}

//! run fence_block_in_block --races --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
__global__ void fence_block_in_block(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x == 0) {
        *x = 42;
        __threadfence_block();
        atomicExch_block(f, 1);
    } else if (threadIdx.x == 32) {
        while (!atomicAdd_block(f, 0))
            ;
        __threadfence_block();
        *o = *x;
    }
}

//! run no_fence_writer --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() before"
__global__ void no_fence_writer(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        atomicExch(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run no_fence_reader --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() behind"
__global__ void no_fence_reader(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        atomicExch(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        *o = *x;
    }
}

//! run flag_block_scope --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the write of 'f'" "the scope of one of them does not hold"
__global__ void flag_block_scope(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        atomicExch_block(f, 1);
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run flag_block_scope_reader --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the write of 'f'" "the scope of one of them does not hold"
__global__ void flag_block_scope_reader(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        atomicExch(f, 1);
    } else {
        while (!atomicAdd_block(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run fence_after_flag --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() before"
__global__ void fence_after_flag(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        atomicExch(f, 1);
        __threadfence();
    } else {
        while (!atomicAdd(f, 0))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run plain_flag --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
//! finds data-race "the read of 'f'" "is weak: an atomic access in its place"
__global__ void plain_flag(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        *f = 1;
    } else {
        while (!volatile_load(f))
            ;
        __threadfence();
        *o = *x;
    }
}

//! run volatile_flag --races --grid 2 --block 64 --arg x:u32[1] --arg f:u32[1] --arg o:u32[1]
__global__ void volatile_flag(unsigned *x, unsigned *f, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        *(volatile unsigned *)f = 1;
    } else {
        while (!volatile_load(f))
            ;
        __threadfence();
        *o = *x;
    }
}
// ---- atomics
//! run add_device --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void add_device(unsigned *x)
{
    atomicAdd(x, 1);
}

//! run add_block_between_blocks --races --grid 3 --block 64 --arg a0:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
__global__ void add_block_between_blocks(unsigned *x)
{
    atomicAdd_block(x, 1);
}

//! run add_block_of_block --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void add_block_of_block(unsigned *x)
{
    atomicAdd_block(&x[blockIdx.x], 1);
}

//! run add_block_and_device --races --grid 3 --block 64 --arg a0:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
__global__ void add_block_and_device(unsigned *x)
{
    if (blockIdx.x)
        atomicAdd(x, 1);
    else
        atomicAdd_block(x, 1);
}

//! run add_and_plain_read --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "is weak: an atomic access in its place"
__global__ void add_and_plain_read(unsigned *x, unsigned *o)
{
    atomicAdd(x, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *o = *x;
}

//! run add_and_plain_write --races --grid 3 --block 64 --arg a0:u32[512]
//! finds data-race "the write of 'a0'" "is weak: an atomic access in its place"
__global__ void add_and_plain_write(unsigned *x)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *x = 0;
    atomicAdd(x, 1);
}

//! run add_after_barrier --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void add_after_barrier(unsigned *x)
{
    if (threadIdx.x == 0)
        x[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd_block(&x[blockIdx.x], 1);
}

//! run add_then_barrier_read --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
__global__ void add_then_barrier_read(unsigned *x, unsigned *o)
{
    atomicAdd_block(&x[blockIdx.x], 1);
    __syncthreads();
    o[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x];
}

//! run cas_max_block --races --grid 3 --block 64 --arg a0:u32[512]
//! finds data-race "the read of 'a0'" "the scope of one of them does not hold"
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
__global__ void cas_max_block(unsigned *x)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x, old = volatile_load(x);
    while (old < v)
        old = atomicCAS_block(x, old, v);
}

//! run cas_max --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void cas_max(unsigned *x)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x, old = volatile_load(x);
    while (old < v) {
        unsigned seen = atomicCAS(x, old, v);
        if (seen == old)
            break;
        old = seen;
    }
}
// ---- locks
template <int CAS, int AFTER, int BEFORE, int EXCH> DEVICE void locked(unsigned *l, unsigned *c)
{
    if (CAS == 2)
        while (atomicCAS(l, 0, 1))
            ;
    else
        while (atomicCAS_block(l, 0, 1))
            ;
    if (AFTER == 2)
        __threadfence();
    else if (AFTER == 1)
        __threadfence_block();
    *c = *c + 1;
    if (BEFORE == 2)
        __threadfence();
    else if (BEFORE == 1)
        __threadfence_block();
    if (EXCH == 2)
        atomicExch(l, 0);
    else if (EXCH == 1)
        atomicExch_block(l, 0);
    else if (EXCH == 0)
        *(volatile unsigned *)l = 0;
    else
        *l = 0;
}
#define LOCK(name, ...)                                                                            \
    __global__ void name(unsigned *l, unsigned *c)                                                 \
    {                                                                                              \
        if (threadIdx.x == 0)                                                                      \
            locked<__VA_ARGS__>(l, c);                                                             \
    }

//! run lock_right --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
LOCK(lock_right, 2, 2, 2, 2)

//! run lock_cas_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
LOCK(lock_cas_block, 1, 2, 2, 2)

//! run lock_after_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "__threadfence() behind"
LOCK(lock_after_block, 2, 1, 2, 2)

//! run lock_after_none --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "__threadfence() behind"
LOCK(lock_after_none, 2, 0, 2, 2)

//! run lock_before_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "has a scope that does not hold this one: __threadfence()"
LOCK(lock_before_block, 2, 2, 1, 2)

//! run lock_before_none --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "__threadfence() before"
LOCK(lock_before_none, 2, 2, 0, 2)

//! run lock_exch_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
LOCK(lock_exch_block, 2, 2, 2, 1)

//! run lock_exch_volatile --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
LOCK(lock_exch_volatile, 2, 2, 2, 0)

//! run lock_exch_plain --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "is weak: an atomic access in its place"
LOCK(lock_exch_plain, 2, 2, 2, -1)

//! run lock_all_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
//! finds data-race "the read of 'a1'" "nothing orders them"
LOCK(lock_all_block, 1, 1, 1, 1)

//! run lock_block_in_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
__global__ void lock_block_in_block(unsigned *l, unsigned *c)
{
    if (threadIdx.x % 32 == 0)
        locked<1, 1, 1, 1>(l + blockIdx.x, c + blockIdx.x);
}

//! run lock_per_block_shared_data --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "nothing orders them"
__global__ void lock_per_block_shared_data(unsigned *l, unsigned *c)
{
    if (threadIdx.x % 32 == 0)
        locked<2, 2, 2, 2>(l + blockIdx.x, c);
}

//! run lock_two_locks --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the read of 'a1'" "nothing orders them"
__global__ void lock_two_locks(unsigned *l, unsigned *c)
{
    if (threadIdx.x == 0)
        locked<2, 2, 2, 2>(l + blockIdx.x % 2, c);
}

//! run lock_read_outside --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the write of 'a1'" "nothing orders them"
__global__ void lock_read_outside(unsigned *l, unsigned *c, unsigned *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x)
        locked<2, 2, 2, 2>(l, c);
    else
        *o = *c;
}
// ---- barriers
//! run barrier_missing --races --grid 3 --block 64 --arg a0:u32[512]
//! finds poison-used
//! finds data-race "the write of 's'" "__syncthreads()"
__global__ void barrier_missing(unsigned *o)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    o[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

//! run barrier_there --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void barrier_there(unsigned *o)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    o[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

//! run barrier_global_between_blocks --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a0'" "nothing orders them"
__global__ void barrier_global_between_blocks(unsigned *g, unsigned *o)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    g[i] = i;
    __syncthreads();
    o[i] = g[(i + 1) % (gridDim.x * 64)];
}

//! run barrier_global_in_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
__global__ void barrier_global_in_block(unsigned *g, unsigned *o)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    g[i] = i;
    __syncthreads();
    o[i] = g[blockIdx.x * 64 + (threadIdx.x + 1) % 64];
}
// software grid barrier
template <bool BEFORE, bool AFTER, bool BLOCK> DEVICE void grid_barrier(unsigned *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        if (BEFORE)
            __threadfence();
        if (BLOCK)
            atomicAdd_block(count, 1);
        else
            atomicAdd(count, 1);
        while (volatile_load(count) < gridDim.x)
            ;
        if (AFTER)
            __threadfence();
    }
    __syncthreads();
}
#define GRID(name, ...)                                                                            \
    __global__ void name(unsigned *g, unsigned *o, unsigned *count)                                \
    {                                                                                              \
        unsigned i = blockIdx.x * 64 + threadIdx.x;                                                \
        g[i] = i;                                                                                  \
        grid_barrier<__VA_ARGS__>(count);                                                          \
        o[i] = g[(i + 64) % (gridDim.x * 64)];                                                     \
    }

//! run grid_right --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
GRID(grid_right, true, true, false)

//! run grid_no_before --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the read of 'a0'" "nothing orders them"
GRID(grid_no_before, false, true, false)

//! run grid_no_after --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the read of 'a0'" "__threadfence() behind"
GRID(grid_no_after, true, false, false)

//! run grid_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the write of 'a2'" "the scope of one of them does not hold"
GRID(grid_block, true, true, true)
// ---- work stealing: own end by block, others steal by device
//! run steal_device --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
__global__ void steal_device(unsigned *head, unsigned *task, unsigned *o)
{
    if (threadIdx.x)
        return;
    for (unsigned q = 0; q < gridDim.x; q++) {
        unsigned *h = &head[(blockIdx.x + q) % gridDim.x];
        while (true) {
            unsigned k = atomicAdd(h, 1);
            if (k >= 4)
                break;
            atomicAdd(&o[k], task[k]);
        }
    }
}

//! run steal_block --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the write of 'a0'" "the scope of one of them does not hold"
__global__ void steal_block(unsigned *head, unsigned *task, unsigned *o)
{
    if (threadIdx.x)
        return;
    for (unsigned q = 0; q < gridDim.x; q++) {
        unsigned *h = &head[(blockIdx.x + q) % gridDim.x];
        while (true) {
            unsigned k = q ? atomicAdd(h, 1) : atomicAdd_block(h, 1);
            if (k >= 4)
                break;
            atomicAdd(&o[k], task[k]);
        }
    }
}
