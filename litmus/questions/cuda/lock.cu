/* SPDX-License-Identifier: MIT
 * Two blocks add to a sum, one after the other, with a lock around it. */
__global__ void no_fences(unsigned *lock, unsigned *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *(volatile unsigned *)sum += 1;
    atomicExch(lock, 0);
}

__global__ void with_fences(unsigned *lock, unsigned *sum)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *(volatile unsigned *)sum += 1;
    __threadfence();
    atomicExch(lock, 0);
}
