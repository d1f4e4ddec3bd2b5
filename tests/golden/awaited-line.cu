// As awaited.cu, on one line, which leaves no place for a fence.
#include "awaited.h"

__global__ void awaited(int *x, int *flag, int *seen)
{
    if (blockIdx.x == 0) {
        x[0] = 42;
        __threadfence();
        *(volatile int *)flag = 1;
    } else {
        await(flag, flag); seen[0] = x[0];
    }
}
