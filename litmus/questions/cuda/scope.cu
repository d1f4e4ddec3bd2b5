/* SPDX-License-Identifier: MIT
 * A flag between two blocks, by scope. */
#include <cuda/atomic>

template <cuda::thread_scope scope>
__device__ void pass(unsigned *x, unsigned *flag, unsigned *seen)
{
    cuda::atomic_ref<unsigned, scope> ready(*flag);
    if (blockIdx.x == 0) {
        *x = 42;
        ready.store(1, cuda::memory_order_release);
    } else if (ready.load(cuda::memory_order_acquire)) {
        seen[0] = 1;
        seen[1] = *x;
    }
}

extern "C" __global__ void block_scope(unsigned *x, unsigned *flag, unsigned *seen)
{
    pass<cuda::thread_scope_block>(x, flag, seen);
}

extern "C" __global__ void device_scope(unsigned *x, unsigned *flag, unsigned *seen)
{
    pass<cuda::thread_scope_device>(x, flag, seen);
}
