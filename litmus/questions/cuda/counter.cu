/* SPDX-License-Identifier: MIT
 * Threads of two blocks count. */
#include <cuda/atomic>

extern "C" __global__ void count(unsigned *total)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*total).fetch_add(1, cuda::memory_order_relaxed);
}

extern "C" __global__ void count_plain(unsigned *total)
{
    *total += 1;
}
