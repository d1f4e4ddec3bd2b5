// What block 0 hands over is there once block 1 sees the flag, or so the assertion says.
#include <cassert>
__global__ void take(int *x, int *flag)
{
    if (blockIdx.x == 0) {
        *x = 1;
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        assert(*x == 1);
    }
}
