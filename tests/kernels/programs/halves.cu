// SPDX-License-Identifier: MIT
//
// Half precision: arithmetic, comparisons, conversions and a reduction.
//! for sm_80 sm_90
#include <cuda_bf16.h>
#include <cuda_fp16.h>

//! run scalars --block 32 --arg a:f32[32]=iota --arg o:f32[224]
//! gives o = [y for t in range(32) for y in (t / 4 + 0.375, t / 4 * 1.5, t / 4 * 1.5 - 2, -t / 4, max(t / 4, 3.5), 3 * t, int(t / 4))]
__global__ void scalars(const float *a, float *o)
{
    __half x = __float2half(a[threadIdx.x] / 4), y = __float2half(1.5f);
    float *to = o + 7 * threadIdx.x;
    to[0] = __half2float(__hadd(x, __float2half(0.375f)));
    to[1] = __half2float(__hmul(x, y));
    to[2] = __half2float(__hfma(x, y, __float2half(-2.0f)));
    to[3] = __half2float(__hneg(x));
    to[4] = __hlt(x, __float2half(3.5f)) ? 3.5f : __half2float(__hmax(x, y));
    to[5] = __half2float(__int2half_rn(3 * threadIdx.x));
    to[6] = __half2int_rz(x);
}

//! run edges --block 8 --arg a:f32[8]=65504,65519,65520,5.9604645e-8,2.9802322e-8,2.9802326e-8,2049,2051 --arg o:u32[8]
//! gives o = [0x7bff, 0x7bff, 0x7c00, 1, 0, 1, 0x6800, 0x6802]
__global__ void edges(const float *a, unsigned *o)
{
    o[threadIdx.x] = __half_as_ushort(__float2half(a[threadIdx.x]));
}

//! run brains --block 8 --arg a:f32[8]=1,1.00390625,1.01171875,3e38,-0.5,256,257,1e-40 --arg o:u32[16]
//! gives o = [0x3f80, 0x4000, 0x3f80, 0x4000, 0x3f82, 0x4002, 0x7f62, 0x7f80, 0xbf00, 0xbf80, 0x4380, 0x4400, 0x4380, 0x4400, 1, 2]
__global__ void brains(const float *a, unsigned *o)
{
    __nv_bfloat16 x = __float2bfloat16(a[threadIdx.x]);
    o[2 * threadIdx.x] = __bfloat16_as_ushort(x);
    o[2 * threadIdx.x + 1] = __bfloat16_as_ushort(__hadd(x, x));
}

//! run sum --block 64 --arg in:f32[128]=iota --arg out:f32[2]
//! gives out = [sum(range(0, 128, 2)) / 8, sum(range(1, 128, 2)) / 8]
__global__ void sum(const float *in, float *out)
{
    __shared__ __half2 part[64];
    int t = threadIdx.x;
    part[t] = __hmul2(__floats2half2_rn(in[2 * t], in[2 * t + 1]), __float2half2_rn(0.125f));
    __syncthreads();
    for (int s = 32; s; s /= 2) {
        if (t < s)
            part[t] = __hadd2(part[t], part[t + s]);
        __syncthreads();
    }
    if (t == 0) {
        out[0] = __low2float(part[0]);
        out[1] = __high2float(part[0]);
    }
}

//! run variants --block 4 --arg a:f32[4]=0.5,1,-3,2 --arg o:f32[32]
//! gives o = [0.75, 0, 0.5, 1, 1, 0, 0, 1.4140625] + [1, 0, 1, 1, 0, 2**32, 1, 2] + [0, 7, 0, 1, 1, 0, 0, 0.125] + [1, 2, 1, 1, 10, 0, 1, 4]
__global__ void variants(const float *a, float *o)
{
    __half x = __float2half(a[threadIdx.x]), one = __float2half(1.0f), nan = __ushort_as_half(0x7fff);
    float *to = o + 8 * threadIdx.x;
    to[0] = __half2float(__hadd_sat(x, __float2half(0.25f)));
    to[1] = __half2float(__hfma_relu(x, x, __float2half(-2.0f)));
    to[2] = __half2float(__hmul_sat(x, one));
    to[3] = __half_as_ushort(__hmax_nan(x, nan)) == 0x7fff;
    __half2 pair = __halves2half2(x, one), other = __halves2half2(one, x);
    __half2 less = __hlt2(pair, other);
    to[4] = __low2float(less) + 10 * __high2float(less);
    to[5] = __heq2_mask(pair, other);
    __nv_bfloat162 more = __hgt2(__float2bfloat162_rn(a[threadIdx.x]), __float2bfloat162_rn(0.5f));
    to[6] = __low2float(more);
    to[7] = __half2float(hexp2(x));
}
