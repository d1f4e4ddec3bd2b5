/* SPDX-License-Identifier: MIT
 *
 * The CUDA sources of sm_90.ptx and sm_100.ptx, which are what nvcc 13.0 makes of them:
 *     nvcc -arch=compute_90 -ptx kernels.cu -o sm_90.ptx
 * One kernel for each kind of thing a compiler emits; run.py computes what each must give. */

struct point {
    double x, y, z;
};
struct settings {
    int factor;
    float bias;
    long long offset;
    signed char steps[3];
};

__device__ __noinline__ int collatz(unsigned n)
{
    int steps = 0;
    for (; n != 1; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}
__device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ point cross(point a, point b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ __noinline__ void sort_three(int *a)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (a[k] > a[k + 1]) {
                int t = a[k];
                a[k] = a[k + 1];
                a[k + 1] = t;
            }
}
__device__ unsigned tickets;
__constant__ int table[4] = {3, 1, 4, 1};

extern "C" {
__global__ void block_sum(const unsigned *in, unsigned *out)
{
    __shared__ unsigned part[32];
    unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int o = 16; o; o /= 2)
        v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int o = 16; o; o /= 2)
        v += __shfl_xor_sync(~0u, v, o);
    if (threadIdx.x == 0)
        out[blockIdx.x] = v;
}
__global__ void prefix_sum(const int *in, int *out)
{
    extern __shared__ int s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[i];
    for (int d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
    }
    out[i] = s[t];
}
__global__ void transpose(const float *in, float *out, int w, int h)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h)
        tile[threadIdx.y][threadIdx.x] = in[y * w + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < h && y < w)
        out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&bins[i], s[i]);
}
__global__ void votes(const int *in, int *out)
{
    int v = in[threadIdx.x], c = __syncthreads_count(v & 1), a = __syncthreads_and(v >= 0),
        o = __syncthreads_or(v == 77);
    if (threadIdx.x == 0) {
        out[0] = c;
        out[1] = a != 0;
        out[2] = o != 0;
    }
    out[3 + threadIdx.x] = __popc(__ballot_sync(~0u, v & 4)) + 1000 * __popc(__match_any_sync(~0u, v % 5));
}
__global__ void structure(settings s, long long *out)
{
    out[threadIdx.x] = (long long)threadIdx.x * s.factor + (long long)s.bias + s.offset + s.steps[threadIdx.x % 3];
}
__global__ void choices(const int *in, int *out)
{
    int v = in[threadIdx.x], r;
    switch (v) {
    case 0: r = out[threadIdx.x] + 9; break;
    case 1: r = v << 7; break;
    case 2: r = __clz(v); break;
    case 3: r = ~v; break;
    case 4: r = v * v * v; break;
    case 5: r = __brev(v); break;
    case 6: r = v / 4; break;
    default: r = -1;
    }
    out[threadIdx.x] = r;
}
__global__ void loops_in_calls(int *out)
{
    out[threadIdx.x] = collatz(threadIdx.x + 1) + (threadIdx.x & 1 ? collatz(27) : 0);
}
__global__ void recursion(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}
__global__ void products(const point *a, const point *b, point *out)
{
    out[threadIdx.x] = cross(a[threadIdx.x], b[threadIdx.x]);
}
__global__ void middle(const int *in, int *out)
{
    int a[3] = {in[threadIdx.x], in[threadIdx.x + 1], in[threadIdx.x + 2]};
    sort_three(a);
    out[threadIdx.x] = a[1];
}
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], t[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += s[threadIdx.y][j] * t[j][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void bitonic(unsigned *data)
{
    extern __shared__ unsigned d[];
    unsigned t = threadIdx.x;
    d[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            unsigned other = t ^ j;
            if (other > t && (d[t] > d[other]) == !(t & k)) {
                unsigned swap = d[other];
                d[other] = d[t];
                d[t] = swap;
            }
            __syncthreads();
        }
    data[t] = d[t];
}
__global__ void wide(const unsigned long long *in, unsigned long long *out, long long m)
{
    unsigned long long v = in[threadIdx.x];
    out[threadIdx.x] = __umul64hi(v, 0x123456789abcdefull) ^ (v / (m + 1)) ^ (v % (m + 7)) ^ __popcll(v) ^
                       __brevll(v) ^ ((unsigned long long)__clzll(v) << 40) ^
                       ((unsigned long long)__ffsll(v) << 50);
}
__global__ void floats(const float *in, float *out, double *wider)
{
    float x = in[threadIdx.x], *to = out + 6 * threadIdx.x;
    to[0] = sqrtf(x);
    to[1] = x / 3.f;
    to[2] = floorf(x);
    to[3] = rintf(x);
    to[4] = fminf(x, 2.f);
    to[5] = (float)(int)x;
    wider[threadIdx.x] = sqrt((double)x) * 2.0 / 3.0 + floor((double)x);
}
__global__ void last_block(unsigned *out)
{
    __shared__ bool last;
    out[blockIdx.x] = table[blockIdx.x & 3];
    __threadfence();
    if (threadIdx.x == 0)
        last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (!last || threadIdx.x)
        return;
    unsigned sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
        sum += ((volatile unsigned *)out)[i];
    out[gridDim.x] = sum;
}
}
