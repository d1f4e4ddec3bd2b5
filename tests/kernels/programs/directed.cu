// SPDX-License-Identifier: MIT
//
// Races that the usual schedule orders by accident and random ones hardly ever show: predicted, and confirmed by a schedule that
// holds back one of the two accesses.

__device__ void lock(int *l)
{
    while (atomicCAS(l, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void unlock(int *l)
{
    __threadfence();
    atomicExch(l, 0);
}

//! run ordered_by_fences --races --grid 16 --block 1 --arg x:s32[1] --arg y:s32[16] --arg rounds=1000
//! finds data-race "directed.cu:27" "'x'+0" "at directed.cu:29" "nothing orders them" "which holds thread 0 of CTA 5"
__global__ void ordered_by_fences(int *x, int *y, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        y[blockIdx.x] = i;
        __threadfence();
        if (blockIdx.x == 5 && i == rounds / 2)
            *x = 1;
        if (blockIdx.x == 9 && i == 2 * rounds / 3)
            *x = 2;
    }
}

//! run ordered_by_a_lock --races --grid 6 --block 1 --arg l:s32[1] --arg x:s32[1] --arg y:s32[1] --arg rounds=60
//! finds data-race "'x'+0" "directed.cu:39" "directed.cu:42"
__global__ void ordered_by_a_lock(int *l, int *x, int *y, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (blockIdx.x == 4 && i == rounds / 2)
            *x = 2;
        lock(l);
        if (blockIdx.x == 1 && i == rounds / 3)
            *x = 1;
        *y += 1;
        unlock(l);
    }
}

//! run under_the_lock --races --grid 6 --block 1 --arg l:s32[1] --arg x:s32[1] --arg y:s32[1] --arg rounds=20
//! gives y = [120]
__global__ void under_the_lock(int *l, int *x, int *y, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        lock(l);
        if (blockIdx.x == 1 && i == rounds / 3)
            *x = 1;
        if (blockIdx.x == 4 && i == rounds / 2)
            *x = 2;
        *y += 1;
        unlock(l);
    }
}

//! run one_forgets --races --grid 2 --block 1 --arg l:s32[1] --arg x:s32[1] --arg who=0
//! finds data-race "'x'+0" "__threadfence() before 'atom'"
//! run one_forgets --races --grid 2 --block 1 --arg l:s32[1] --arg x:s32[1] --arg who=1
//! finds data-race "'x'+0" "__threadfence() before 'atom'"
__global__ void one_forgets(int *l, int *x, int who)
{
    lock(l);
    *x += 1;
    if (blockIdx.x != who)
        __threadfence();
    atomicExch(l, 0);
}

//! run too_long --races --grid 6 --block 32 --arg x:s32[5] --arg y:s32[192] --arg rounds=30 --arg work=25000
//! finds data-race "which holds thread"
//! warns possible-race "they race if that thread is late"
__global__ void too_long(int *x, int *y, int rounds, int work)
{
    int b = blockIdx.x, i = b * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; b == 0 && k < work; k++)
        sum = sum * 5 + k;
    for (int k = 0; k < rounds; k++) {
        y[i] = k + sum;
        __threadfence();
        if (threadIdx.x || k != rounds / 2)
            continue;
        if (b == 0 || b == 1)
            x[0] = b;
        if (b == 0 || b == 2)
            x[1] = b;
        if (b == 0 || b == 3)
            x[2] = b;
        if (b == 0 || b == 4)
            x[3] = b;
        if (b == 0 || b == 5)
            x[4] = b;
    }
}

// Only if the block in the middle looks before all others do anything.
//! run middle_looks_first --races --grid 3 --block 1 --arg x:s32[1] --arg count:u32[1] --arg out:s32[1]
//! finds data-race "'x'+0" "confirmed by schedule"
__global__ void middle_looks_first(int *x, unsigned *count, int *out)
{
    if (blockIdx.x == 1) {
        if (atomicAdd(count, 0) == 0)
            *x = 3;
    } else {
        atomicAdd(count, 1);
        if (blockIdx.x == 0)
            *out = *x;
    }
}
