// SPDX-License-Identifier: MIT
//
// Does it matter whether SMs share a TPC or a GPC? Message passing, store buffering, and two readers of two writers, by CTAs on chosen SMs,
// at each scope of the fences between their accesses. Clusters, which lie in a GPC, tell which SMs share one.
//
//     nvcc -std=c++17 -arch=native -o gpcs gpcs.cu && ./gpcs
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#define CHECK(call) check(call, #call)
static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

constexpr int MOST_SMS = 256, FULL = 200 << 10, ROUNDS = 1 << 14, LINE = 64; // FULL: shared memory that leaves no room for a second CTA

__device__ uint32_t sm()
{
    uint32_t number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

__global__ void tell_sm(uint32_t *of)
{
    if (threadIdx.x == 0)
        of[blockIdx.x] = sm();
    for (long long from = clock64(); clock64() - from < 100000;)
        ;
}

// Which GPC each SM is in, as the number of its first SM; -1: in none that a cluster was seen in.
static std::vector<int> find_gpcs()
{
    std::vector<int> first(MOST_SMS, -1);
    uint32_t *of;
    CHECK(cudaMallocManaged(&of, 160 * sizeof *of));
    CHECK(cudaFuncSetAttribute(tell_sm, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaFuncSetAttribute(tell_sm, cudaFuncAttributeMaxDynamicSharedMemorySize, FULL));
    for (int i = 0; i < 300; i++) {
        int size = i % 2 ? 16 : 8, ctas = size * (1 + i % 8);
        cudaLaunchAttribute cluster = {};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = size, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = ctas, config.blockDim = 32, config.dynamicSmemBytes = FULL, config.attrs = &cluster, config.numAttrs = 1;
        CHECK(cudaLaunchKernelEx(&config, tell_sm, of));
        CHECK(cudaDeviceSynchronize());
        for (int k = 0; k < ctas; k++) {
            int a = of[k], b = of[k / size * size], to = std::min(first[a] < 0 ? a : first[a], first[b] < 0 ? b : first[b]);
            for (int s : {a, b}) {
                int old = first[s];
                first[s] = to;
                for (int &other : first)
                    other = old >= 0 && other == old ? to : other;
            }
        }
    }
    CHECK(cudaFree(of));
    return first;
}

// ---- the tests -----------------------------------------------------------------------------------

enum scope { NONE, CTA, CLUSTER, GPU, SCOPES };
static const char *const scope_names[] = {"no fence", "fence.acq_rel.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu"};
static const char *const sc_names[] = {"no fence", "fence.sc.cta", "fence.sc.cluster", "fence.sc.gpu"};
enum kind { MP, SB, IRIW, KINDS };
static const char *const kind_names[] = {"message passing", "store buffering", "two readers of two writers"};
static const int threads_of[] = {2, 2, 4};

template <int S, bool sc> __device__ void fence()
{
    if (S == CTA && sc)
        asm volatile("fence.sc.cta;" ::: "memory");
    if (S == CTA && !sc)
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (S == CLUSTER && sc)
        asm volatile("fence.sc.cluster;" ::: "memory");
    if (S == CLUSTER && !sc)
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
    if (S == GPU && sc)
        asm volatile("fence.sc.gpu;" ::: "memory");
    if (S == GPU && !sc)
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
__device__ void store(uint32_t *p) { asm volatile("st.relaxed.gpu.u32 [%0], 1;" ::"l"(p) : "memory"); }
__device__ uint32_t load(uint32_t *p)
{
    uint32_t value;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

struct job {
    const int *role; // of an SM: group * 4 + thread, or -1
    uint32_t *x, *y; // of each group and round
    uint32_t *met;   // of each group
    uint8_t *read;   // of each group, round and thread: bits of the first and the second load
    int threads;
    uint32_t seed;
};

__device__ uint32_t mix(uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

template <int K, int S> __global__ void run(job j)
{
    int role = j.role[sm()], group = role / 4, thread = role % 4;
    if (role < 0 || threadIdx.x != 0)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t *x = j.x + (size_t(group) * ROUNDS + i) * LINE, *y = j.y + (size_t(group) * ROUNDS + i) * LINE, first = 0, second = 0;
        atomicAdd(&j.met[group * LINE], 1u);
        while (*(volatile uint32_t *)&j.met[group * LINE] < uint32_t(j.threads) * (i + 1))
            ;
        uint32_t late = mix(j.seed + (group * 4 + thread) * ROUNDS + i) % 512;
        for (uint32_t from = uint32_t(clock()); uint32_t(clock()) - from < late;)
            ;
        if (K == MP && thread == 0)
            store(x), fence<S, false>(), store(y);
        if (K == MP && thread == 1)
            first = load(y), fence<S, false>(), second = load(x);
        if (K == SB)
            store(thread ? y : x), fence<S, true>(), second = load(thread ? x : y);
        if (K == IRIW && thread < 2)
            store(thread ? y : x);
        if (K == IRIW && thread >= 2)
            first = load(thread == 2 ? x : y), fence<S, false>(), second = load(thread == 2 ? y : x);
        j.read[(size_t(group) * ROUNDS + i) * 4 + thread] = uint8_t(first | second << 1);
    }
}

static bool is_weak(int kind, const uint8_t *read)
{
    return kind == MP ? read[1] == 1 : kind == SB ? read[0] == 0 && read[1] == 0 : read[2] == 1 && read[3] == 1;
}

template <int K, int S> static void launch(const job &j, int sms)
{
    CHECK(cudaFuncSetAttribute(run<K, S>, cudaFuncAttributeMaxDynamicSharedMemorySize, FULL));
    run<K, S><<<sms, 32, FULL>>>(j);
}

using launcher = void (*)(const job &, int);
static const launcher launchers[KINDS][SCOPES] = {
    {launch<MP, NONE>, launch<MP, CTA>, launch<MP, CLUSTER>, launch<MP, GPU>},
    {launch<SB, NONE>, launch<SB, CTA>, launch<SB, CLUSTER>, launch<SB, GPU>},
    {launch<IRIW, NONE>, launch<IRIW, CTA>, launch<IRIW, CLUSTER>, launch<IRIW, GPU>},
};

// ---- places --------------------------------------------------------------------------------------

// Groups of SMs: of one TPC (two neighbours), of one GPC but other TPCs, or each of another GPC.
enum distance { TPC, GPC, FAR, DISTANCES };
static const char *const distance_names[] = {"one TPC", "one GPC", "different GPCs"};

static std::vector<std::vector<int>> groups_at(int distance, int threads, const std::vector<int> &gpc)
{
    std::map<int, std::vector<int>> left; // by GPC, one SM of each TPC, or both
    for (int s = 0; s < MOST_SMS; s++)
        if (gpc[s] >= 0 && (distance == TPC || s % 2 == 0))
            left[gpc[s]].push_back(s);
    std::vector<std::vector<int>> groups;
    while (true) {
        std::vector<int> group;
        std::vector<std::vector<int> *> order;
        for (auto &entry : left)
            order.push_back(&entry.second);
        std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return a->size() > b->size(); });
        for (int i = 0; i < threads; i++) {
            std::vector<int> &from = *order[distance == FAR ? i % order.size() : 0];
            if (from.empty() || int(order.size()) < (distance == FAR ? threads : 1))
                return groups;
            group.push_back(from.back());
            from.pop_back();
        }
        groups.push_back(group);
    }
}

int main()
{
    int sms;
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    std::vector<int> gpc = find_gpcs();
    std::map<int, int> sizes;
    for (int g : gpc)
        sizes[g] += g >= 0;
    std::printf("%s, SMs of GPCs:", device.name);
    for (auto &entry : sizes)
        if (entry.second)
            std::printf(" %d", entry.second);
    std::printf("\n");
    constexpr int GROUPS = MOST_SMS / 2;
    job j = {};
    size_t words = size_t(GROUPS) * ROUNDS * LINE;
    int *role;
    CHECK(cudaMallocManaged(&role, MOST_SMS * sizeof *role));
    CHECK(cudaMalloc(&j.x, words * 4));
    CHECK(cudaMalloc(&j.y, words * 4));
    CHECK(cudaMalloc(&j.met, GROUPS * LINE * 4));
    CHECK(cudaMalloc(&j.read, size_t(GROUPS) * ROUNDS * 4));
    j.role = role;
    std::vector<uint8_t> read(size_t(GROUPS) * ROUNDS * 4);
    for (int kind = 0; kind < KINDS; kind++)
        for (int distance = kind == IRIW ? GPC : TPC; distance < DISTANCES; distance++) {
            j.threads = threads_of[kind];
            auto groups = groups_at(distance, j.threads, gpc);
            std::fill(role, role + MOST_SMS, -1);
            for (size_t g = 0; g < groups.size(); g++)
                for (int i = 0; i < j.threads; i++)
                    role[groups[g][i]] = int(g) * 4 + i;
            for (int scope = 0; scope < SCOPES; scope++) {
                uint64_t weak = 0, runs = 0;
                for (int again = 0; again < 20; again++) {
                    CHECK(cudaMemset(j.x, 0, groups.size() * ROUNDS * LINE * 4));
                    CHECK(cudaMemset(j.y, 0, groups.size() * ROUNDS * LINE * 4));
                    CHECK(cudaMemset(j.met, 0, GROUPS * LINE * 4));
                    j.seed = uint32_t(again * 7919 + 1);
                    launchers[kind][scope](j, sms);
                    CHECK(cudaMemcpy(read.data(), j.read, groups.size() * ROUNDS * 4, cudaMemcpyDeviceToHost));
                    for (size_t i = 0; i < groups.size() * ROUNDS; i++)
                        weak += is_weak(kind, &read[i * 4]);
                    runs += groups.size() * ROUNDS;
                }
                std::printf("%s, %s, %s: %llu of %llu\n", kind_names[kind], distance_names[distance],
                            (kind == SB ? sc_names : scope_names)[scope], (unsigned long long)weak, (unsigned long long)runs);
            }
        }
}
