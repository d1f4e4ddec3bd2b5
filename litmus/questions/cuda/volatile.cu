/* SPDX-License-Identifier: MIT
 * Data and flag are volatile, and there is no fence. */
__global__ void volatile_only(volatile unsigned *x, volatile unsigned *flag, unsigned *seen)
{
    if (blockIdx.x == 0) {
        *x = 42;
        *flag = 1;
    } else {
        seen[0] = *flag;
        seen[1] = *x;
    }
}
