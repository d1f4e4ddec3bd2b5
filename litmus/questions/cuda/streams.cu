/* SPDX-License-Identifier: MIT
 * One kernel writes, another one reads. */
__global__ void produce(unsigned *x)
{
    *x = 42;
}

__global__ void consume(unsigned *x, unsigned *seen)
{
    *seen = *x;
}
