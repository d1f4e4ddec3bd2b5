// SPDX-License-Identifier: MIT
//
// Memory that device code takes, virtual functions, pointers to functions, addresses of parameters.

#include <cuda_pipeline.h>

struct cell {
    int value;
    cell *next;
};

//! run lists --grid 2 --block 40 --arg o:s32[80]
//! gives o = [sum(range(t % 5)) for t in range(80)]
//! run lists --races --grid 2 --block 40 --arg o:s32[80]
//! gives o = [sum(range(t % 5)) for t in range(80)]
__global__ void lists(int *o)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    cell *first = nullptr;
    for (int i = 0; i < t % 5; i++)
        first = new cell{i, first};
    while (first) {
        cell *next = first->next;
        sum += first->value;
        delete first;
        first = next;
    }
    o[t] = sum;
}

//! run too_much --block 2 --arg o:u32[2]
//! gives o = [1, 0]
__global__ void too_much(unsigned *o)
{
    void *p = malloc(threadIdx.x ? size_t(9) << 20 : 64);
    o[threadIdx.x] = p != nullptr;
    free(p);
}

//! run released_twice --block 1
//! finds bad-system-call "it was released before (objects.cu:45)"
__global__ void released_twice()
{
    void *volatile p = malloc(8);
    free(p);
    free(p);
}

//! run after_free --block 33 --arg o:s32[33]
//! finds global-oob "are used after free (objects.cu:55): byte 4 of 16 that malloc gave (objects.cu:53)"
__global__ void after_free(int *o)
{
    volatile int *p = (volatile int *)malloc(16);
    p[1] = 3;
    free((void *)p);
    o[threadIdx.x] = p[1];
}

//! run behind_block --block 33 --arg o:s32[33]
//! finds global-oob "lie at offset 20 of 20 bytes that malloc gave (objects.cu:63)"
__global__ void behind_block(int *o)
{
    volatile int *p = (volatile int *)malloc(20);
    for (int i = 0; i <= 5; i++)
        p[i] = i;
    o[threadIdx.x] = p[4];
    free((void *)p);
}

//! run before_block --block 1 --arg o:s32[1]
//! finds global-oob "lie in no memory that malloc gave"
__global__ void before_block(int *o)
{
    volatile int *p = (volatile int *)malloc(4096), *q = (volatile int *)malloc(16);
    p[2056] = 1;
    o[0] = q[0];
    free((void *)p);
    free((void *)q);
}

//! run kept_going --keep-going --block 2 --arg o:s32[2]
//! gives o = [0, 0]
//! finds global-oob "are used after free"
__global__ void kept_going(int *o)
{
    volatile int *p = (volatile int *)malloc(16);
    *p = 3;
    free((void *)p);
    o[threadIdx.x] = *p;
}

//! run copied_after_free --block 1 --arg o:s32[1]
//! finds global-oob "are used after free"
__global__ void copied_after_free(int *o)
{
    __shared__ int tile[4];
    int *volatile p = (int *)malloc(16);
    *(volatile int *)p = 3;
    free(p);
    __pipeline_memcpy_async(tile, p, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    o[0] = tile[0];
}

//! run many_times --grid 2 --block 64 --arg o:s32[1]
//! gives o = [16384]
__global__ void many_times(int *o)
{
    for (int i = 0; i < 128; i++) {
        volatile int *p = (volatile int *)malloc(100);
        p[24] = 1;
        atomicAdd(o, p[24]);
        free((void *)p);
    }
}

//! run shares_memory --races --block 33 --arg o:s32[33]
//! finds data-race
__global__ void shares_memory(int *o)
{
    __shared__ int *shared;
    if (threadIdx.x == 0)
        shared = (int *)malloc(4);
    __syncthreads();
    *shared = threadIdx.x;
    o[threadIdx.x] = *shared;
}

struct shape {
    int size;
    __device__ virtual int area(int n) = 0;
};
struct square : shape {
    __device__ int area(int n) override { return n * size * size; }
};
struct strip : shape {
    __device__ int area(int n) override { return n + size; }
};

//! run virtual_functions --block 4 --arg o:s32[4]
//! gives o = [0, 8, 50, 10]
__global__ void virtual_functions(int *o)
{
    square a;
    strip b;
    a.size = 5, b.size = 7;
    shape *s = threadIdx.x & 1 ? (shape *)&b : &a;
    o[threadIdx.x] = s->area(threadIdx.x);
}

typedef int (*function)(int);
__device__ int next(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2; }
__device__ function table[3] = {next, twice, nullptr};

//! run pointers --block 4 --arg o:s32[4]
//! gives o = [1, 2, 3, 6]
__global__ void pointers(int *o)
{
    o[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);
}

//! run to_nowhere --block 1 --arg o:s32[1]=2
//! finds bad-call "address 0x0"
__global__ void to_nowhere(int *o)
{
    o[0] = table[o[0]](1);
}

struct numbers {
    int at[16];
};
__device__ __noinline__ int element(const numbers &n, int i) { return n.at[i]; }

//! run parameter_address --block 16 --arg n:s32[16]=iota --arg o:s32[16]
//! gives o = [15 - i for i in range(16)]
__global__ void parameter_address(const __grid_constant__ numbers n, int *o)
{
    o[threadIdx.x] = element(n, 15 - threadIdx.x);
}

//! run parameter_index --block 16 --arg n:s32[16]=iota --arg o:s32[16]=3
//! gives o = [3] * 16
__global__ void parameter_index(const __grid_constant__ numbers n, int *o)
{
    const int *p = n.at;
    o[threadIdx.x] = p[o[threadIdx.x]];
}
