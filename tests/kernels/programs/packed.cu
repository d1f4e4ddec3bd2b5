// SPDX-License-Identifier: MIT
//
// Several numbers in a register, numbers of eight bits, memory of the stack.

#include <cuda_fp8.h>

//! run bytes_and_halves --block 1 --arg o:u32[6] --arg a:u32[2]=0x01ff8003,0x10203040
//! gives o = [0x0fdf503d, 379, 0x121fb043, 0x10203040, 0x0fdf503d, 0x01ff3040]
__global__ void bytes_and_halves(unsigned *o, const unsigned *a)
{
    unsigned x = a[0], y = a[1];
    o[0] = __vabsdiffu4(x, y);
    o[1] = __vsadu4(x, y);
    o[2] = __vadd2(x, y);
    o[3] = __vmaxs2(x, y);
    o[4] = __vabsdiffu4(y, x);
    o[5] = __vminu2(x, y);
}

//! run eighths --block 6 --arg a:f32[6]=3.3,500,-0.01,0.001,-70000,1 --arg o:s32[12]
//! gives o = [int(1024 * x) for x in (3.25, 3.5, 448, 512, -0.009765625, -0.009765625, 0.001953125, 0.0009765625, -448, -57344, 1, 1)]
__global__ void eighths(const float *a, int *o)
{
    __nv_fp8_e4m3 x(a[threadIdx.x]);
    __nv_fp8_e5m2 y(a[threadIdx.x]);
    o[2 * threadIdx.x] = float(x) * 1024;
    o[2 * threadIdx.x + 1] = float(y) * 1024;
}

//! run on_the_stack --block 3 --arg o:s32[3] --arg n=5
//! gives o = [0, 10, 20]
__global__ void on_the_stack(int *o, int n)
{
    int *p = (int *)alloca(n * sizeof(int)), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = i * threadIdx.x;
    for (int i = 0; i < n; i++)
        sum += p[n - 1 - i];
    o[threadIdx.x] = sum;
}

//! run past_the_stack --block 1 --arg o:s32[1] --arg n=1000000
//! finds global-oob "local memory"
__global__ void past_the_stack(int *o, int n)
{
    volatile int *p = (volatile int *)alloca(n * sizeof(int));
    p[n - 1] = 1;
    o[0] = p[n - 1];
}
