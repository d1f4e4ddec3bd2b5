// SPDX-License-Identifier: MIT
//
//! for sm_100a
// Blocks that take over the work of blocks which have not started (cluster launch control), bytes that are stored as the
// columns of a matrix, and floats without numbers that have no exponent.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

enum mistake { NONE, NO_WAIT, NO_LOOK };

// Of the programming guide: each block works, and asks for the next one meanwhile.
template <mistake M>
__device__ void scale_all(int *a, int *rounds)
{
    __shared__ uint4 answer;
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    for (unsigned block = blockIdx.x, phase = 0;; phase ^= 1) {
        if (threadIdx.x == 0) {
            ptx::clusterlaunchcontrol_try_cancel(&answer, &bar);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
            atomicAdd(rounds, 1);
        }
        a[block * blockDim.x + threadIdx.x] *= 3;
        while (M != NO_WAIT && !ptx::mbarrier_try_wait_parity(&bar, phase))
            ;
        bool more = ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer);
        unsigned next = 0;
        if (M == NO_LOOK || more)
            next = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<unsigned>(answer);
        if (!more)
            return;
        block = next;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
    }
}

//! run scale_right --races --grid 8 --block 32 --arg a:s32[256]=iota --arg rounds:s32[1]
//! gives a = [3 * i for i in range(256)]
//! gives rounds = [8]
__global__ void scale_right(int *a, int *rounds)
{
    scale_all<NONE>(a, rounds);
}

//! run scale_early --races --grid 8 --block 32 --arg a:s32[256]=iota --arg rounds:s32[1]
//! finds data-race "clusterlaunchcontrol.try_cancel"
__global__ void scale_early(int *a, int *rounds)
{
    scale_all<NO_WAIT>(a, rounds);
}

//! run scale_blindly --grid 2 --block 32 --arg a:s32[64]=iota --arg rounds:s32[1]
//! finds nothing-canceled "the answer says so"
__global__ void scale_blindly(int *a, int *rounds)
{
    scale_all<NO_LOOK>(a, rounds);
}

// All blocks of a cluster hear the answer, and take the blocks of the other cluster.
//! run pairs --grid 6 --block 1 --cluster 2 --arg a:u32[18] --arg n:u32[1]
//! gives a = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0]
__global__ void pairs(unsigned *a, unsigned *n)
{
    __shared__ uint4 answer;
    __shared__ uint64_t bar;
    unsigned rank, at[4] = {blockIdx.x};
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    for (unsigned phase = 0;; phase ^= 1) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
        ptx::barrier_cluster_arrive();
        ptx::barrier_cluster_wait();
        if (rank == 0)
            ptx::clusterlaunchcontrol_try_cancel_multicast(&answer, &bar);
        for (unsigned i = 0; i < 3; i++)
            a[3 * at[0] + i] = i ? at[i] : at[0];
        while (!ptx::mbarrier_try_wait_parity(&bar, phase))
            ;
        if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer))
            return;
        ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid(at, answer);
        at[0] += rank;
        ptx::fence_proxy_async(ptx::space_shared);
    }
}

// A lane has two columns of the upper and of the lower eight rows.
//! run store_bytes --block 32 --arg out:u8[128]
//! gives out = [16 * column + row for column in range(8) for row in range(16)]
__global__ void store_bytes(unsigned char *out)
{
    __shared__ alignas(16) unsigned char tile[128];
    unsigned lane = threadIdx.x, word = 0;
    for (unsigned k = 0; k < 4; k++)
        word |= (16 * (lane % 4 * 2 + k % 2) + lane / 4 + k / 2 * 8) << 8 * k;
    unsigned to = __cvta_generic_to_shared(tile + 16 * (lane % 8));
    asm volatile("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%1};" ::"r"(to), "r"(word) : "memory");
    __syncwarp();
    for (unsigned i = 0; i < 4; i++)
        out[4 * lane + i] = tile[4 * lane + i];
}

// What is loaded is stored again: two columns a register.
//! run load_bytes --block 32 --arg out:u8[256]
//! gives out = list(range(256))
__global__ void load_bytes(unsigned char *out)
{
    __shared__ alignas(16) unsigned char from[256], to[256];
    unsigned lane = threadIdx.x, low, high;
    for (unsigned i = 0; i < 8; i++)
        from[8 * lane + i] = 8 * lane + i;
    __syncwarp();
    unsigned at = __cvta_generic_to_shared(from + 16 * (lane % 16));
    asm volatile("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%0, %1}, [%2];" : "=r"(low), "=r"(high) : "r"(at));
    for (unsigned k = 0; k < 4; k++) {
        unsigned row = lane / 4 + k / 2 * 8, column = lane % 4 * 4 + k % 2;
        to[16 * column + row] = low >> 8 * k;
        to[16 * (column + 2) + row] = high >> 8 * k;
    }
    __syncwarp();
    for (unsigned i = 0; i < 8; i++)
        out[8 * lane + i] = to[8 * lane + i];
}

#define COMPARED(name, words, a, b)                                                                 \
    asm("{ .reg .pred p; setp." words ".f32 p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(name) : "f"(a), "f"(b))

// With .ftz a number without an exponent is a zero of its sign.
//! run flushes --block 1 --arg in:f32[3]=1e-40,-1e-40,2 --arg out:u32[12]
//! gives out = [1, 0, 0, 0x80000000, 0x80000000, 0, 0xffffffff, 7, 1, 0, 0x80000000, 0]
__global__ void flushes(const float *in, unsigned *out)
{
    float small = in[0], negative = in[1];
    COMPARED(out[0], "eq.ftz", small, negative);
    COMPARED(out[1], "eq", small, negative);
    asm("abs.ftz.f32 %0, %1;" : "=r"(out[2]) : "f"(negative));
    asm("neg.ftz.f32 %0, %1;" : "=r"(out[3]) : "f"(small));
    asm("min.ftz.f32 %0, %1, %2;" : "=r"(out[4]) : "f"(small), "f"(negative));
    asm("max.ftz.f32 %0, %1, %2;" : "=r"(out[5]) : "f"(small), "f"(negative));
    asm("set.eq.ftz.u32.f32 %0, %1, %2;" : "=r"(out[6]) : "f"(small), "f"(negative));
    asm("slct.ftz.u32.f32 %0, 7, 8, %1;" : "=r"(out[7]) : "f"(negative));
    asm("{ .reg .pred p; testp.subnormal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[8]) : "f"(small));
    asm("{ .reg .pred p; testp.normal.f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(out[9]) : "f"(small));
    unsigned long long pair, sum = (unsigned long long)__float_as_uint(negative) << 32 | __float_as_uint(small), zero = 0x80000000ull << 32;
    asm("add.rm.ftz.f32x2 %0, %1, %2;" : "=l"(pair) : "l"(sum), "l"(zero));
    out[10] = pair >> 32;
    out[11] = pair;
}

//! run relus --block 1 --arg a=-5 --arg b=3 --arg out:s32[4]
//! gives out = [0, 3, 0x00030000, 0x7fff0000]
__global__ void relus(int a, int b, int *out)
{
    out[0] = __vimin_s32_relu(a, b);
    out[1] = __vimax_s32_relu(a, b);
    out[2] = __vimin_s16x2_relu(0x0005ffff, 0x00038000);
    out[3] = __vimax_s16x2_relu(0x7fffffff, 0x8000fffe);
}
