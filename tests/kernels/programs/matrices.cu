// SPDX-License-Identifier: MIT
//
// Matrix instructions: through the classes of mma.h, and as kernels of libraries write them.

#include <mma.h>
using namespace nvcuda;

//! for sm_90
//! run wmma_half --block 32 --arg a:u16[256] --arg b:u16[256] --arg c:f32[256]
//! gives c = [sum((i + k) % 7 * ((k * 3 + j) % 5 - 2) for k in range(16)) + 1.5 for i in range(16) for j in range(16)]
//! run wmma_half --races --block 32 --arg a:u16[256] --arg b:u16[256] --arg c:f32[256]
//! gives c = [sum((i + k) % 7 * ((k * 3 + j) % 5 - 2) for k in range(16)) + 1.5 for i in range(16) for j in range(16)]
__global__ void wmma_half(half *a, half *b, float *c)
{
    for (int x = threadIdx.x; x < 256; x += 32) {
        a[x] = (x / 16 + x % 16) % 7;
        b[x] = (x % 16 * 3 + x / 16) % 5 - 2; // a column after the other
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.5f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

//! run wmma_bytes --block 32 --arg c:s32[256]
//! gives c = [sum(((i * 16 + k) % 11 - 5) * ((k * 16 + j) % 13 - 6) for k in range(16)) for i in range(16) for j in range(16)]
__global__ void wmma_bytes(int *c)
{
    __shared__ signed char a[256], b[256];
    for (int x = threadIdx.x; x < 256; x += 32)
        a[x] = x % 11 - 5, b[x] = x % 13 - 6;
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

__device__ unsigned shared_address(const void *p) { return __cvta_generic_to_shared(p); }

//! run tile --block 32 --arg c:f32[128]
//! gives c = [sum(((i * 16 + k) % 9) * ((k + 2 * j) % 4) for k in range(16)) for i in range(16) for j in range(8)]
__global__ void tile(float *c)
{
    __shared__ __align__(16) half a[16][16], b[8][16];
    int t = threadIdx.x;
    for (int x = t; x < 256; x += 32)
        a[x / 16][x % 16] = x % 9;
    for (int x = t; x < 128; x += 32)
        b[x / 16][x % 16] = (x % 16 + 2 * (x / 16)) % 4;
    __syncwarp();
    unsigned a0, a1, a2, a3, b0, b1;
    float d0, d1, d2, d3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3)
                 : "r"(shared_address(&a[t % 16][t / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b0), "=r"(b1)
                 : "r"(shared_address(&b[t % 8][t / 8 % 2 * 8])));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10};"
                 : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(0.f));
    int row = t / 4, column = t % 4 * 2;
    c[row * 8 + column] = d0, c[row * 8 + column + 1] = d1;
    c[(row + 8) * 8 + column] = d2, c[(row + 8) * 8 + column + 1] = d3;
}

//! run turned --block 32 --arg o:u16[128]
//! gives o = [r * 8 + c for c in range(8) for r in range(8)] * 2
__global__ void turned(unsigned short *o)
{
    __shared__ __align__(16) unsigned short a[8][8], b[8][8];
    int t = threadIdx.x;
    for (int x = t; x < 64; x += 32)
        a[x / 8][x % 8] = x;
    __syncwarp();
    unsigned r, s;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(shared_address(a[t % 8])));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared_address(b[t % 8])), "r"(r) : "memory");
    __syncwarp();
    for (int x = t; x < 64; x += 32)
        o[x] = b[x / 8][x % 8];
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(shared_address(a[t % 8])));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(s) : "r"(r));
    *(unsigned *)(o + 64 + t / 4 * 8 + t % 4 * 2) = s;
}

//! run small_numbers --block 32 --arg f:f32[64] --arg o:s32[32]
//! gives f = [float(32 * i * i) for i in range(16) for k in range(4)]
//! gives o = [16 * 3 * -2 + 7] * 32
__global__ void small_numbers(float *f, int *o)
{
    int t = threadIdx.x;
    float row = t / 4, low = row + 8, d0, d1, d2, d3;
    unsigned a0 = __float_as_uint(row), a1 = __float_as_uint(low), b = __float_as_uint(8.f);
    // each row of a has its number, b is 8: 4 products of each, of .tf32
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
                 : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
                 : "r"(a0), "r"(a1), "r"(b), "f"(0.f));
    f[t / 4 * 4 + t % 4] = d0 * row;
    f[32 + t / 4 * 4 + t % 4] = d3 * low;
    int i0, i1;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %4};"
                 : "=r"(i0), "=r"(i1)
                 : "r"(0x03030303), "r"(0xfefefefe), "r"(7));
    o[t] = min(i0, i1);
}

//! run not_all --block 32 --arg o:u32[32]
//! finds matrix-lane-missing "lanes 1-31"
__global__ void not_all(unsigned *o)
{
    if (threadIdx.x == 0)
        return;
    unsigned s;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(s) : "r"(threadIdx.x));
    o[threadIdx.x] = s;
}

//! run wmma_doubles --block 32 --arg a:f64[32]=iota --arg b:f64[32]=iota --arg c:f64[64]
//! gives c = [sum((4 * i + k) * (4 * j + k) for k in range(4)) for i in range(8) for j in range(8)]
__global__ void wmma_doubles(double *a, double *b, double *c)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::fill_fragment(fc, 0.0);
    wmma::load_matrix_sync(fa, a, 4);
    wmma::load_matrix_sync(fb, b, 4);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
