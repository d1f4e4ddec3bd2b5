/* SPDX-License-Identifier: MIT
 * Two lanes of a warp exchange a value through shared memory. */
__global__ void no_sync(unsigned *seen)
{
    __shared__ unsigned s[2];
    s[threadIdx.x] = threadIdx.x + 1;
    seen[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void with_sync(unsigned *seen)
{
    __shared__ unsigned s[2];
    s[threadIdx.x] = threadIdx.x + 1;
    __syncwarp(3);
    seen[threadIdx.x] = s[threadIdx.x ^ 1];
}
