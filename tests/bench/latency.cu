// SPDX-License-Identifier: MIT
//
// How many cycles one fence or access takes on a GPU: medians of one thread's time for it, behind nothing ('alone')
// and behind a store to a line that other SMs read too ('after a store'), which a fence has to wait for.
// docs/hardware.md has what an H200 printed.
//
//     nvcc -arch=sm_90a -o latency latency.cu && ./latency
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int SAMPLES = 513, LINES = 64;

struct memory {
    uint32_t *words;      // LINES lines of 32 words
    uint64_t *cycles;     // SAMPLES of each kind
};

__device__ inline uint64_t now()
{
    uint64_t time;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
    return time;
}

// The code has a global address in %1 and a register r.
#define MEASURED(NAME, TEXT, CODE)                                                                                             \
    __global__ void NAME(memory m, bool store)                                                                                 \
    {                                                                                                                          \
        uint32_t sum = 0;                                                                                                      \
        for (int i = 0; i < SAMPLES; i++) {                                                                                    \
            uint32_t *line = m.words + i % LINES * 32;                                                                         \
            if (store && threadIdx.x == 0)                                                                                     \
                asm volatile("st.weak.global.u32 [%0], 1;" ::"l"(line + 16) : "memory");                                       \
            uint64_t from = now();                                                                                             \
            uint32_t result = 0;                                                                                               \
            asm volatile("{ .reg .b32 r; mov.b32 r, 0;\n" CODE "\nmov.b32 %0, r; }"                                            \
                         : "=r"(result)                                                                                        \
                         : "l"(line)                                                                                           \
                         : "memory");                                                                                          \
            sum += result;                                                                                                     \
            asm volatile("" ::"r"(sum) : "memory");                                                                            \
            uint64_t to = now();                                                                                               \
            if (threadIdx.x == 0 && blockIdx.x == 0)                                                                           \
                m.cycles[i] = to - from;                                                                                       \
        }                                                                                                                      \
        if (sum == 0xffffffff)                                                                                                 \
            m.words[0] = sum;                                                                                                  \
    }
#include "latency.def"
#undef MEASURED

struct measured {
    const char *text;
    void (*kernel)(memory, bool);
};
static const measured kinds[] = {
#define MEASURED(NAME, TEXT, CODE) {TEXT, NAME},
#include "latency.def"
#undef MEASURED
};

static uint64_t median(const measured &one, memory m, bool store, int threads)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 2, config.blockDim = threads, config.attrs = &cluster, config.numAttrs = 1;
    void *parameters[] = {&m, &store};
    std::vector<uint64_t> cycles(SAMPLES);
    if (cudaLaunchKernelExC(&config, (const void *)one.kernel, parameters) != cudaSuccess ||
        cudaDeviceSynchronize() != cudaSuccess ||
        cudaMemcpy(cycles.data(), m.cycles, SAMPLES * 8, cudaMemcpyDeviceToHost) != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", one.text, cudaGetErrorString(cudaGetLastError()));
        std::exit(1);
    }
    std::nth_element(cycles.begin(), cycles.begin() + SAMPLES / 2, cycles.end());
    return cycles[SAMPLES / 2];
}

int main()
{
    memory m;
    if (cudaMalloc(&m.words, LINES * 128) != cudaSuccess || cudaMalloc(&m.cycles, SAMPLES * 8) != cudaSuccess)
        return 1;
    uint64_t empty = median(kinds[0], m, false, 32);
    std::printf("%-44s %8s %14s\n", "operation", "alone", "after a store");
    for (const measured &one : kinds) {
        uint64_t alone = median(one, m, false, 32), busy = median(one, m, true, 32);
        std::printf("%-44s %8lld %14lld\n", one.text, (long long)(alone - empty), (long long)(busy - empty));
    }
    return 0;
}
