// SPDX-License-Identifier: MIT
//
// Kernels on weak memory, where a load may return what was there before.
#include <cuda/atomic>
#include <assert.h>

using device_atomic = cuda::atomic_ref<int, cuda::thread_scope_device>;

template <cuda::memory_order LOAD, cuda::memory_order STORE>
__device__ void peterson(int *flag, int *turn, int *inside)
{
    int me = blockIdx.x;
    device_atomic mine(flag[me]), other(flag[1 - me]), last(*turn);
    for (int k = 0; k < 2; k++) {
        mine.store(1, STORE);
        last.store(1 - me, STORE);
        while (other.load(LOAD) && last.load(LOAD) == 1 - me)
            ;
        assert(atomicAdd(inside, 1) == 0);
        atomicSub(inside, 1);
        mine.store(0, STORE);
    }
}

//! run peterson_acquire --memory ptx --runs 100 --grid 2 --block 1 --arg flag:s32[2] --arg turn:s32[1] --arg inside:s32[1]
//! finds assertion-failed "of seed 1"
__global__ void peterson_acquire(int *flag, int *turn, int *inside)
{
    peterson<cuda::memory_order_acquire, cuda::memory_order_release>(flag, turn, inside);
}

//! run locked --memory ptx --races --runs 100 --grid 2 --block 1 --arg flag:s32[2] --arg turn:s32[1] --arg data:s32[1]
//! finds data-race "'data'+0"
__global__ void locked(int *flag, int *turn, int *data)
{
    int me = blockIdx.x;
    device_atomic mine(flag[me]), other(flag[1 - me]), last(*turn);
    mine.store(1, cuda::memory_order_release);
    last.store(1 - me, cuda::memory_order_release);
    while (other.load(cuda::memory_order_acquire) && last.load(cuda::memory_order_acquire) == 1 - me)
        ;
    *data = *data + 1;
    mine.store(0, cuda::memory_order_release);
}

//! run peterson_sequential --memory ptx --runs 100 --grid 2 --block 1 --arg flag:s32[2] --arg turn:s32[1] --arg inside:s32[1]
//! gives inside = [0]
__global__ void peterson_sequential(int *flag, int *turn, int *inside)
{
    peterson<cuda::memory_order_seq_cst, cuda::memory_order_seq_cst>(flag, turn, inside);
}

//! run publish --memory ptx --runs 100 --grid 2 --block 64 --arg data:s32[64] --arg ready:s32[64] --arg fenced=0
//! finds assertion-failed
//! run publish --memory ptx --runs 100 --grid 2 --block 64 --arg data:s32[64] --arg ready:s32[64] --arg fenced=1
//! gives data = [1] * 64
__global__ void publish(int *data, volatile int *ready, int fenced)
{
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 1;
        if (fenced)
            __threadfence();
        ready[t] = 1;
    } else {
        int seen = ready[t];
        if (fenced)
            __threadfence();
        assert(!seen || data[t]);
    }
}

//! run passed_on --memory ptx --runs 100 --grid 3 --block 1 --arg x:s32[1] --arg y:s32[1]
//! gives x = [1]
__global__ void passed_on(int *x, int *y)
{
    device_atomic data(*x), flag(*y);
    if (blockIdx.x == 0)
        data.store(1, cuda::memory_order_relaxed);
    else if (blockIdx.x == 1)
        flag.store(data.load(cuda::memory_order_relaxed), cuda::memory_order_release);
    else if (flag.load(cuda::memory_order_acquire))
        assert(data.load(cuda::memory_order_relaxed));
}

//! run misses_the_other --memory ptx --runs 100 --grid 2 --block 32 --arg flag:s32[3] --arg out:s32[2]
//! finds spin-forever "nobody writes what it reads any more" "of seed 1"
__global__ void misses_the_other(volatile int *flag, int *out)
{
    int me = blockIdx.x;
    if (threadIdx.x)
        return;
    flag[me] = 1;
    if (flag[1 - me])
        flag[2] = 1;
    while (!flag[2])
        ;
    out[me] = 1;
}
