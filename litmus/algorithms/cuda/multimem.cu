/* SPDX-License-Identifier: MIT
 * All-reduce by the switch: each device has its part behind one multicast address. Block 0 of each device comes to a
 * counter that all devices have, waits until it has the count of all, and reads the sum of the parts. The orders of each form
 * are its arguments: the first ones make it right, the others do not. */
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;
#define relaxed cuda::std::memory_order_relaxed
#define acquire cuda::std::memory_order_acquire

#define ALL_REDUCE(name, come, wait)                                                               \
    __global__ void name(float *mine, const float *parts, unsigned *come_all, unsigned *come_mine, \
                         unsigned devices, float *sum)                                             \
    {                                                                                              \
        float all;                                                                                 \
        *mine = 1;                                                                                 \
        asm volatile("multimem.red." come ".sys.global.add.u32 [%0], 1;" ::"l"(come_all)           \
                     : "memory");                                                                  \
        while (word(*come_mine).load(wait) < devices)                                              \
            ;                                                                                      \
        asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];"                     \
                     : "=f"(all)                                                                   \
                     : "l"(parts)                                                                  \
                     : "memory");                                                                  \
        *sum = all;                                                                                \
    }
ALL_REDUCE(all_reduce, "release", acquire)
ALL_REDUCE(all_reduce_come_relaxed, "relaxed", acquire)
ALL_REDUCE(all_reduce_wait_relaxed, "release", relaxed)
