// SPDX-License-Identifier: MIT
//
// Blocks that share memory: what the first chapters of CUDA teach, each right and with one thing missing.

template <bool GUARDED>
__device__ void transpose_tile(const float *in, float *out, int n)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    if (GUARDED)
        __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

//! run transpose_right --races --grid 2,2 --block 16,16 --arg in:f32[1024]=iota --arg out:f32[1024] --arg n=32
//! gives out = [float(i % 32 * 32 + i // 32) for i in range(1024)]
__global__ void transpose_right(const float *in, float *out, int n)
{
    transpose_tile<true>(in, out, n);
}

//! run transpose_bare --races --grid 2,2 --block 16,16 --arg in:f32[1024]=iota --arg out:f32[1024] --arg n=32
//! finds data-race "the write of 'tile'+" "__syncthreads() between"
//! finds poison-used
__global__ void transpose_bare(const float *in, float *out, int n)
{
    transpose_tile<false>(in, out, n);
}

template <bool GUARDED>
__device__ void multiply_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][8], bs[8][8];
    int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; t += 8) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        if (GUARDED)
            __syncthreads();
    }
    c[row * n + column] = sum;
}

//! run multiply_right --races --grid 2,2 --block 8,8 --arg a:f32[256]=iota --arg b:f32[256]=2 --arg c:f32[256] --arg n=16
//! gives c = [2.0 * sum(range(i // 16 * 16, i // 16 * 16 + 16)) for i in range(256)]
__global__ void multiply_right(const float *a, const float *b, float *c, int n)
{
    multiply_tiles<true>(a, b, c, n);
}

//! run multiply_overwritten --races --grid 2,2 --block 8,8 --arg a:f32[256]=iota --arg b:f32[256]=2 --arg c:f32[256] --arg n=16
//! finds data-race "the read of 'bs'+" "at samples.cu:42" "__syncthreads() between"
//! finds implicit-warp-sync "'as'+"
__global__ void multiply_overwritten(const float *a, const float *b, float *c, int n)
{
    multiply_tiles<false>(a, b, c, n);
}

template <bool ATOMIC>
__device__ void count_bytes(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned mine[16];
    if (threadIdx.x < 16)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (ATOMIC)
            atomicAdd(&mine[in[i] % 16], 1);
        else
            mine[in[i] % 16]++;
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

//! run histogram_right --races --grid 3 --block 64 --arg in:u8[500]=iota --arg bins:u32[16] --arg n=500
//! gives bins = [sum(i % 256 % 16 == k for i in range(500)) for k in range(16)]
__global__ void histogram_right(const unsigned char *in, unsigned *bins, int n)
{
    count_bytes<true>(in, bins, n);
}

//! run histogram_plain --races --grid 3 --block 64 --arg in:u8[500]=iota --arg bins:u32[16] --arg n=500
//! finds data-race "'mine'+" "one atomic operation in place of load and store"
__global__ void histogram_plain(const unsigned char *in, unsigned *bins, int n)
{
    count_bytes<false>(in, bins, n);
}

template <bool DOUBLE>
__device__ void scan_block(const int *in, int *out)
{
    __shared__ int s[2][128];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int to = DOUBLE ? 1 - from : from;
        s[to][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = to;
        __syncthreads();
    }
    out[t] = s[from][t];
}

//! run scan_right --races --block 128 --arg in:s32[128]=iota --arg out:s32[128]
//! gives out = [i * (i + 1) // 2 for i in range(128)]
__global__ void scan_right(const int *in, int *out)
{
    scan_block<true>(in, out);
}

//! run scan_in_place --races --block 128 --arg in:s32[128]=iota --arg out:s32[128]
//! finds data-race "'s'+" "__syncthreads() between"
__global__ void scan_in_place(const int *in, int *out)
{
    scan_block<false>(in, out);
}

template <bool HALO>
__device__ void blur(const int *in, int *out, int n)
{
    __shared__ int s[66];
    int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 1;
    s[t] = in[i];
    if (HALO && threadIdx.x == 0)
        s[0] = i ? in[i - 1] : 0;
    if (HALO && threadIdx.x == 63)
        s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t - 1] + s[t] + s[t + 1];
}

//! run blur_right --races --grid 2 --block 64 --arg in:s32[128]=iota --arg out:s32[128] --arg n=128
//! gives out = [1] + [3 * i for i in range(1, 127)] + [253]
__global__ void blur_right(const int *in, int *out, int n)
{
    blur<true>(in, out, n);
}

//! run blur_no_halo --grid 2 --block 64 --arg in:s32[128]=iota --arg out:s32[128] --arg n=128
//! warns uninit-shared-read "'s'+0 was never written"
//! warns uninit-shared-read "'s'+260 was never written"
//! finds poison-used "an undefined value is stored"
__global__ void blur_no_halo(const int *in, int *out, int n)
{
    blur<false>(in, out, n);
}

template <bool SYNCED>
__device__ void sum_warp(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32)
        for (int k = 32; k; k /= 2) {
            float other = s[t + k];
            if (SYNCED)
                __syncwarp();
            s[t] += other;
            if (SYNCED)
                __syncwarp();
        }
    if (t == 0)
        *out = s[0];
}

//! run sum_warp_right --races --block 64 --arg in:f32[64]=iota --arg out:f32[1]
//! gives out = [2016.0]
__global__ void sum_warp_right(const float *in, float *out)
{
    sum_warp<true>(in, out);
}

//! run sum_warp_lockstep --races --block 64 --arg in:f32[64]=iota --arg out:f32[1]
//! finds implicit-warp-sync "the write of 's'+4 races with the read" "__syncwarp() between"
__global__ void sum_warp_lockstep(const float *in, float *out)
{
    sum_warp<false>(in, out);
}

//! run early_return --block 64 --arg in:s32[64]=1 --arg out:s32[1] --arg n=40
//! finds aligned-barrier-divergent "samples.cu:"
__global__ void early_return(const int *in, int *out, int n)
{
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    if (threadIdx.x < n) {
        __syncthreads();
        atomicAdd(&sum, in[threadIdx.x]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = sum;
}

//! run one_too_many --grid 2 --block 32 --arg in:f32[63]=1 --arg out:f32[63] --arg n=63
//! finds global-oob "outside every object: 'in'+252, which has 252 bytes"
__global__ void one_too_many(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 2 * in[i];
}

//! run vector_unaligned --block 8 --arg in:f32[33]=iota --arg out:f32[32]
//! finds misaligned "of an access of 16 bytes"
__global__ void vector_unaligned(const float *in, float *out)
{
    reinterpret_cast<float4 *>(out)[threadIdx.x] = reinterpret_cast<const float4 *>(in + 1)[threadIdx.x];
}
