// SPDX-License-Identifier: MIT
//
// How many cycles one fence or access takes on a GPU: medians of one thread's time for it, behind nothing ('alone')
// and behind a store to a line that other SMs read too ('after a store'), which a fence has to wait for.
// docs/hardware.md has what an H200 printed.
//
//     nvcc -arch=sm_90a -o latency latency.cu && ./latency
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
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

// The code has a global address in %1, the address of an mbarrier of all threads in %2, and a register r.
#define MEASURED(NAME, TEXT, CODE)                                                                                             \
    __global__ void NAME(memory m, bool store)                                                                                 \
    {                                                                                                                          \
        __shared__ uint64_t object;                                                                                            \
        uint32_t place = (uint32_t)__cvta_generic_to_shared(&object), sum = 0;                                                 \
        if (threadIdx.x == 0)                                                                                                  \
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place), "r"(blockDim.x) : "memory");                  \
        __syncthreads();                                                                                                       \
        for (int i = 0; i < SAMPLES; i++) {                                                                                    \
            uint32_t *line = m.words + i % LINES * 32;                                                                         \
            if (store && threadIdx.x == 0)                                                                                     \
                asm volatile("st.weak.global.u32 [%0], 1;" ::"l"(line + 16) : "memory");                                       \
            uint64_t from = now();                                                                                             \
            uint32_t result = 0;                                                                                               \
            asm volatile("{ .reg .b32 r; mov.b32 r, 0;\n" CODE "\nmov.b32 %0, r; }"                                            \
                         : "=r"(result)                                                                                        \
                         : "l"(line), "r"(place)                                                                               \
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

__global__ void nothing() {}

// Nanoseconds of the host for one call behind a kernel that does nothing.
template <typename CALL> static void host_call(const char *name, cudaStream_t stream, CALL call)
{
    std::vector<double> times(SAMPLES);
    for (double &time : times) {
        cudaDeviceSynchronize();
        nothing<<<1, 1, 0, stream>>>();
        auto from = std::chrono::steady_clock::now();
        call();
        time = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - from).count();
    }
    std::nth_element(times.begin(), times.begin() + SAMPLES / 2, times.end());
    std::printf("%-44s %8.0f ns\n", name, times[SAMPLES / 2]);
}

static void host_calls()
{
    cudaEvent_t event;
    cudaStream_t one, other;
    if (cudaStreamCreate(&one) != cudaSuccess || cudaStreamCreate(&other) != cudaSuccess ||
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess)
        return;
    host_call("cudaEventRecord", one, [&] { cudaEventRecord(event, one); });
    host_call("cudaStreamWaitEvent", one, [&] { cudaStreamWaitEvent(other, event, 0); });
    host_call("cudaEventRecord, cudaEventSynchronize", one, [&] { cudaEventRecord(event, one), cudaEventSynchronize(event); });
    host_call("cudaStreamSynchronize", one, [&] { cudaStreamSynchronize(one); });
    host_call("cudaDeviceSynchronize", one, [&] { cudaDeviceSynchronize(); });
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
    host_calls();
    return 0;
}
