/* SPDX-License-Identifier: MIT
 * Data that comes with a flag, as NCCL's protocols LL and LL128 send it, and the semaphore and the latch of CUDA's
 * library, which are asked until they say yes. The arguments of each form make it right or not. */
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using pair = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
constexpr auto relaxed = cuda::std::memory_order_relaxed;
constexpr auto acquire = cuda::std::memory_order_acquire;
constexpr auto release = cuda::std::memory_order_release;

/* LL: a word and its flag in one store of 8 bytes. */
__global__ void ll(unsigned long long *line, unsigned *got)
{
    unsigned long long both = 1;
    if (blockIdx.x == 0)
        pair(*line).store(7ull << 32 | 1, relaxed);
    else {
        while (!(unsigned)(both = pair(*line).load(relaxed)))
            ;
        *got = both >> 32;
    }
}

/* Two stores, or a vector of two words, which is two accesses as well. */
__global__ void ll_two_words(unsigned *line, unsigned *got)
{
    if (blockIdx.x == 0) {
        word(line[1]).store(7, relaxed);
        word(line[0]).store(1, relaxed);
    } else {
        while (!word(line[0]).load(relaxed))
            ;
        *got = word(line[1]).load(relaxed);
    }
}

__global__ void ll_vector(unsigned *line, unsigned *got)
{
    unsigned flag, data;
    if (blockIdx.x == 0)
        asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(line), "r"(1), "r"(7) : "memory");
    else {
        do
            asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(flag), "=r"(data) : "l"(line) : "memory");
        while (!flag);
        *got = data;
    }
}

/* LL128 in two lanes: both write a part of the line, and the last one the flag at its end. */
#define LL128(name, meet, put, look)                                                               \
    __global__ void name(unsigned *line, unsigned *missed)                                         \
    {                                                                                              \
        if (blockIdx.x == 0) {                                                                     \
            line[threadIdx.x] = 1;                                                                 \
            meet;                                                                                  \
            if (threadIdx.x == 1)                                                                  \
                word(line[2]).store(1, put);                                                       \
        } else {                                                                                   \
            while (!word(line[2]).load(look))                                                      \
                ;                                                                                  \
            if (!line[threadIdx.x])                                                                \
                missed[threadIdx.x] = 1;                                                           \
        }                                                                                          \
    }
LL128(ll128, __syncwarp(), release, acquire)
LL128(ll128_no_syncwarp, , release, acquire)
LL128(ll128_put_relaxed, __syncwarp(), relaxed, acquire)
LL128(ll128_look_relaxed, __syncwarp(), release, relaxed)

#define SEMAPHORE(name, scope, take)                                                               \
    __global__ void name(cuda::counting_semaphore<scope> *count, unsigned *sum)                    \
    {                                                                                              \
        take(!count->try_acquire())                                                                \
            ;                                                                                      \
        ++*sum;                                                                                    \
        count->release();                                                                          \
    }
SEMAPHORE(library_semaphore, cuda::thread_scope_device, while)
SEMAPHORE(library_semaphore_of_block, cuda::thread_scope_block, while)
SEMAPHORE(library_semaphore_once, cuda::thread_scope_device, if)

#define LATCH(name, scope, first, second)                                                            \
    __global__ void name(cuda::latch<scope> *left, unsigned *value, unsigned *missed)              \
    {                                                                                              \
        first;                                                                                     \
        second;                                                                                    \
        while (!left->try_wait())                                                                  \
            ;                                                                                      \
        if (!value[(blockIdx.x + 1) % gridDim.x])                                                  \
            *missed = 1;                                                                           \
    }
#define LEAVE value[blockIdx.x] = 1
LATCH(library_latch, cuda::thread_scope_device, LEAVE, left->count_down())
LATCH(library_latch_of_block, cuda::thread_scope_block, LEAVE, left->count_down())
LATCH(library_latch_early, cuda::thread_scope_device, left->count_down(), LEAVE)
