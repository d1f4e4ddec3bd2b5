// SPDX-License-Identifier: MIT
//
// Data races, and what is none.
#include <cuda_pipeline.h>

//! run copied_all --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! gives out = [t ^ 1 for t in range(64)]
__global__ void copied_all(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}

//! run copied_without_barrier --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! finds data-race "the write of" "'s'+0" "races with the read" "at races.cu:28"
__global__ void copied_without_barrier(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x ^ 32];
}

//! run same_value --races --grid 2 --block 1 --arg found:u32[1]
//! finds data-race "both store the same value"
__global__ void same_value(unsigned *found)
{
    *found = 1;
}

//! run other_value --races --grid 2 --block 1 --arg found:u32[1]
//! finds data-race "the write of 'found'+0 races with the write by thread 0 of CTA 0"
__global__ void other_value(unsigned *found)
{
    *found = 1 + blockIdx.x;
}

//! run out_of_bounds --races --keep-going --outside 7 --grid 2 --block 32 --arg in:u32[60]=1 --arg out:u32[64] --arg sum:u32[1]
//! gives out = [1] * 60 + [7] * 4
//! finds global-oob "outside every object"
//! finds data-race "'sum'+0"
__global__ void out_of_bounds(const unsigned *in, unsigned *out, unsigned *sum)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[i];
    if (threadIdx.x == 0)
        *sum = *sum + out[i];
}
