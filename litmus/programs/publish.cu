/* SPDX-License-Identifier: MIT
 * Message passing without what the reader needs: the reader has no fence. */
__global__ void publish(unsigned *x, unsigned *f, unsigned *o)
{
    if (blockIdx.x == 0) {
        *x = 42;
        __threadfence();
        *(volatile unsigned *)f = 1;
    } else {
        o[0] = *(volatile unsigned *)f;
        o[1] = *x;
    }
}
