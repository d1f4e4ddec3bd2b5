/* SPDX-License-Identifier: MIT
 * A barrier across blocks by hand: each block waits until all have arrived; and a wait for what comes behind a barrier. */
__global__ void wait_for_all(unsigned *arrived, unsigned blocks)
{
    atomicAdd(arrived, 1);
    while (*(volatile unsigned *)arrived < blocks)
        ;
}

__global__ void wait_before_barrier(unsigned *flag)
{
    if (threadIdx.x == 0)
        while (*(volatile unsigned *)flag == 0)
            ;
    __syncthreads();
    if (threadIdx.x == 1)
        *(volatile unsigned *)flag = 1;
}
