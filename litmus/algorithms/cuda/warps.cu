/* SPDX-License-Identifier: MIT
 * A lock that the lanes of one warp take. Before sm_70 the lanes of a side run on until the sides meet again, so that who
 * has the lock must give it back before they do. The orders of each form are its arguments: the first ones make it
 * right, the others do not. */
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
#define relaxed cuda::std::memory_order_relaxed
#define acquire cuda::std::memory_order_acquire
#define release cuda::std::memory_order_release

/* Right with either scheduling: the lock is given back in the round that took it. */
#define IN_ROUND(name, take, give)                                                                 \
    __global__ void name(unsigned *lock, unsigned *sum)                                            \
    {                                                                                              \
        for (bool done = false; !done;)                                                            \
            if (!word(*lock).exchange(1, take)) {                                                  \
                ++*sum;                                                                            \
                word(*lock).store(0, give);                                                        \
                done = true;                                                                       \
            }                                                                                      \
    }
IN_ROUND(warp_lock, acquire, release)
IN_ROUND(warp_lock_take_relaxed, relaxed, release)
IN_ROUND(warp_lock_give_relaxed, acquire, relaxed)

/* Right since sm_70 only: in lockstep the lane that has the lock waits behind the loop for the other one. */
__global__ void warp_lock_wait(unsigned *lock, unsigned *sum)
{
    while (word(*lock).exchange(1, acquire))
        ;
    ++*sum;
    word(*lock).store(0, release);
}
