/* SPDX-License-Identifier: MIT
 * Block 0 writes a value and raises a flag; block 1 waits for nobody, but looks at both. */
__global__ void writer_only(unsigned *x, unsigned *flag, unsigned *seen)
{
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        *(volatile unsigned *)flag = 1;
    } else {
        seen[0] = *(volatile unsigned *)flag;
        seen[1] = *x;
    }
}

__global__ void both(unsigned *x, unsigned *flag, unsigned *seen)
{
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        *(volatile unsigned *)flag = 1;
    } else {
        seen[0] = *(volatile unsigned *)flag;
        __threadfence();
        seen[1] = *x;
    }
}
