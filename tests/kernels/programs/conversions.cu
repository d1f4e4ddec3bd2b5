// SPDX-License-Identifier: MIT
//
// Conversions of halves and integers in every rounding, and what clamps them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

//! run whole --block 4 --arg a:f16[4]=2.5,-1.75,0.25,-0.5 --arg o:f32[16]
//! gives o = [2, 2, 3, 2] + [-2, -2, -1, -1] + [0, 0, 1, 0] + [-0.0, -1, -0.0, -0.0]
__global__ void whole(const __half *a, float *o)
{
    float *to = o + 4 * threadIdx.x;
    to[0] = __half2float(hrint(a[threadIdx.x]));
    to[1] = __half2float(hfloor(a[threadIdx.x]));
    to[2] = __half2float(hceil(a[threadIdx.x]));
    to[3] = __half2float(htrunc(a[threadIdx.x]));
}

//! run directed --block 2 --arg a:f32[2]=1.0001,-1.0001 --arg o:f32[16]
//! gives o = [1, 1.0009765625, 1, 1, 1.0078125, 1, 2050, 256] + [-1.0009765625, -1, -1, -1.0078125, -1, -1, 2050, 258]
__global__ void directed(const float *a, float *o)
{
    float *to = o + 8 * threadIdx.x, x = a[threadIdx.x];
    to[0] = __half2float(__float2half_rd(x));
    to[1] = __half2float(__float2half_ru(x));
    to[2] = __half2float(__float2half_rz(x));
    to[3] = __bfloat162float(__float2bfloat16_rd(x));
    to[4] = __bfloat162float(__float2bfloat16_ru(x));
    to[5] = __bfloat162float(__float2bfloat16_rz(x));
    to[6] = __half2float(__uint2half_ru(2049));
    to[7] = __bfloat162float(threadIdx.x ? __ll2bfloat16_ru(257) : __ull2bfloat16_rd(257));
}

//! run integers --block 2 --arg o:f32[12]
//! gives o = [16777216, 16777216, 16777218, -16777216, -16777218, 2**63 - 2**39] + [16777216, 16777216, 16777220, -16777216, -16777220, 2**63]
__global__ void integers(float *o)
{
    float *to = o + 6 * threadIdx.x;
    int n = 16777217 + 2 * threadIdx.x;
    to[0] = __int2float_rz(16777217);
    to[1] = __uint2float_rd(16777217);
    to[2] = __int2float_ru(n);
    to[3] = __int2float_ru(-16777217);
    to[4] = __int2float_rd(-n);
    to[5] = threadIdx.x ? __ll2float_rn(0x7fffffffffffffff) : __ll2float_rz(0x7fffffffffffffff);
}

//! run approximate --block 4 --arg a:f16[4]=0,1,-1,3 --arg b:bf16[4]=0,1,-1,3 --arg o:f16[4] --arg p:bf16[4] --arg q:f16[4]
//! gives o = [1, 2, 0.5, 8]
//! gives p = [1, 2, 0.5, 8]
//! gives q = [0, 0.76171875, -0.76171875, 0.9951171875]
__global__ void approximate(const __half *a, const __nv_bfloat16 *b, __half *o, __nv_bfloat16 *p, __half *q)
{
    o[threadIdx.x] = hexp2(a[threadIdx.x]);
    asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(*(short *)&p[threadIdx.x]) : "h"(*(short *)&b[threadIdx.x]));
    asm("tanh.approx.f16 %0, %1;" : "=h"(*(short *)&q[threadIdx.x]) : "h"(*(short *)&a[threadIdx.x]));
}

//! run clamped --block 1 --arg a:f32[6]=-2,0.5,3,1e9,-1e9,70000 --arg o:f16[24]
//! gives o = [0, 0.5, 3, 'inf', 0, 'inf'] + [0, 0.5, 1, 1, 0, 1] + [-2, 0.5, 3, 65504, -65504, 65504] + [0, 0, 1, 0, 0, 1]
__global__ void clamped(const float *a, __half *o)
{
    for (int i = 0; i < 6; i++) {
        unsigned pair;
        asm("cvt.rn.relu.f16.f32 %0, %1;" : "=h"(*(short *)&o[i]) : "f"(a[i]));
        asm("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(*(short *)&o[i + 6]) : "f"(a[i]));
        asm("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(0.0f), "f"(a[i]));
        o[i + 12] = __ushort_as_half(pair);
        asm("{.reg .pred p, q; setp.gt.f16x2 p|q, %1, %2; selp.b16 %0, %3, %4, q; }"
            : "=h"(*(short *)&o[i + 18])
            : "r"(i % 3 == 2 ? 0x3c000000 : 0x00003c00), "r"(0), "h"((short)0x3c00), "h"((short)0));
    }
}
