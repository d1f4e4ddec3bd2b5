// The runtime of the tests below: it starts many copies of a test at once, again and again, with the copies'
// memory laid out and their threads delayed differently each time, and counts final states.
//
//     nvcc -arch=native -o litmus THIS_FILE.cu
//     ./litmus [--json] [--runs N] [--seed N] [TEST...]
//
// With --json it prints what 'ptxlit compare --hardware FILE' and 'ptxlit report --hardware FILE' read.
#include <cuda_runtime.h>

#define LITMUS_CUDA (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__)

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace litmus {

constexpr int MOST_PLACES = 32;

struct arguments {
    uint8_t *memory;
    uint64_t base[MOST_PLACES];
    uint32_t stride[MOST_PLACES];
    uint64_t *states;
    uint32_t *met;
    uint64_t seed;
};
struct place {
    const char *name;
    uint32_t bytes, align;
    bool shared;
    const char *init; // 'bytes' bytes, or nullptr for zeros
};
struct value {
    const char *name;
    int place; // an index, or -1: a register, which the thread has stored
    uint32_t offset, bytes;
    bool is_signed;
};
struct test {
    const char *name;
    void (*kernel)(arguments);
    dim3 ctas, threads;     // of one copy, or of 'lanes' copies that share their warps
    uint32_t lanes, cluster;
    bool alone;             // the code sees numbers of CTAs: one copy a launch
    std::vector<place> places;
    std::vector<value> values;
    const char *file;
};

static std::vector<test> &tests()
{
    static std::vector<test> all;
    return all;
}
struct add {
    add(test t) { tests().push_back(t); }
};

// Tests with forms that this compiler does not have.
struct left_out {
    const char *name, *needs;
};
static std::vector<left_out> &left_out_tests()
{
    static std::vector<left_out> all;
    return all;
}
struct leave_out {
    leave_out(const char *name, const char *needs)
    {
        left_out_tests().push_back({name, needs});
    }
};

// Nothing of a cluster's shared memory is used before it has its contents, or after its CTA has left.
__device__ inline void meet_in_cluster()
{
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

// The address, in the shared memory of another CTA of the cluster, of what has this one here.
__device__ inline uint64_t in_cta(uint64_t address, uint32_t rank)
{
    uint64_t there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
}

// Lets the CTAs of a group start together when they can; never waits long for one that is not there.
__device__ inline void meet(const arguments &a, uint32_t group, uint32_t ctas)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && ctas > 1) {
        atomicAdd(&a.met[group], 1u);
        for (int i = 0; i < 2000 && *(volatile uint32_t *)&a.met[group] < ctas; i++)
            ;
    }
    __syncthreads();
}

// A thread begins up to 255 cycles later, in half of the launches.
__device__ inline void stagger(const arguments &a, uint32_t group, uint32_t thread)
{
    uint64_t hash = (a.seed ^ (uint64_t(thread) << 40) ^ group) * 0x9E3779B97F4A7C15ull;
    uint32_t cycles = (a.seed & 1) ? uint32_t(hash >> 56) : 0;
    for (uint32_t from = clock(); clock() - from < cycles;)
        ;
    __syncwarp();
}

__device__ inline uint64_t address(const arguments &a, int place, uint32_t copy)
{
    return uint64_t(a.memory) + a.base[place] + uint64_t(a.stride[place]) * copy;
}

__global__ void fill(uint8_t *to, uint64_t stride, const uint8_t *from, uint32_t bytes, uint32_t copies)
{
    for (uint32_t copy = blockIdx.x * blockDim.x + threadIdx.x; copy < copies; copy += gridDim.x * blockDim.x)
        for (uint32_t i = 0; i < bytes; i++)
            to[copy * stride + i] = from[i];
}

__global__ void gather(uint64_t *states, uint32_t width, uint32_t slot, const uint8_t *from, uint64_t stride,
                       uint32_t bytes, uint32_t copies)
{
    for (uint32_t copy = blockIdx.x * blockDim.x + threadIdx.x; copy < copies; copy += gridDim.x * blockDim.x) {
        uint64_t value = 0;
        for (uint32_t i = 0; i < bytes; i++)
            value |= uint64_t(from[copy * stride + i]) << 8 * i;
        states[uint64_t(copy) * width + slot] = value;
    }
}

struct options {
    bool json = false;
    uint64_t runs = 1000000, seed = 1;
    std::vector<std::string> names;
};

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::_Exit(2);
}

// A test that hangs takes the GPU with it: nothing after it can run.
static void wait_for_gpu(const test &t)
{
    auto start = std::chrono::steady_clock::now();
    cudaError_t state;
    while ((state = cudaStreamQuery(0)) == cudaErrorNotReady) {
        if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) {
            std::fprintf(stderr, "%s: not done after 20 s: it hangs\n", t.name);
            std::fflush(stdout);
            std::_Exit(3);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    check(state, t.name);
}

static uint64_t round_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

struct running {
    const test &t;
    uint32_t groups, copies, shared_bytes = 0;
    uint64_t memory_bytes = 0;
    std::vector<uint8_t *> inits;
    arguments a = {};
};

constexpr uint32_t strides[] = {0, 128, 256, 4096}; // 0: copies lie side by side

// Other copies' bytes in the same cache line, or none.
static void lay_out(running &r, uint32_t round)
{
    uint64_t at = 0;
    uint32_t shared = 0;
    for (size_t i = 0; i < r.t.places.size(); i++) {
        const place &p = r.t.places[i];
        uint32_t stride = uint32_t(round_up(std::max(p.bytes, p.shared ? 0u : strides[round % 4]), p.align));
        if (p.shared) {
            shared = uint32_t(round_up(shared, p.align));
            r.a.base[i] = shared;
            shared += stride * r.t.lanes;
        } else {
            at = round_up(at, 256);
            r.a.base[i] = at;
            at += uint64_t(stride) * r.copies;
        }
        r.a.stride[i] = stride;
    }
    r.memory_bytes = at;
    r.shared_bytes = shared;
}

static cudaLaunchConfig_t configuration(const running &r, cudaLaunchAttribute *cluster)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = r.t.ctas;
    config.gridDim.x *= r.groups;
    config.blockDim = r.t.threads;
    config.dynamicSmemBytes = r.shared_bytes;
    cluster->id = cudaLaunchAttributeClusterDimension;
    cluster->val.clusterDim.x = r.t.cluster;
    cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
    config.attrs = cluster;
    config.numAttrs = r.t.cluster > 1;
    return config;
}

static uint32_t volume(dim3 d) { return d.x * d.y * d.z; }

// As many groups as run at the same time, so that a thread that waits for another is not alone.
static uint32_t groups_at_once(const running &r)
{
    if (r.t.alone)
        return 1;
    int multiprocessors, ctas;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&ctas, (const void *)r.t.kernel, int(volume(r.t.threads)),
                                                        r.shared_bytes), r.t.name);
    if (r.t.cluster > 1)
        ctas = std::min(ctas, 1);
    return std::max(1u, uint32_t(multiprocessors * ctas) / 2 / volume(r.t.ctas));
}

using histogram = std::map<std::vector<uint64_t>, uint64_t>;

static void count_states(const running &r, const std::vector<uint64_t> &states, histogram &counts)
{
    size_t width = r.t.values.size();
    for (uint32_t copy = 0; copy < r.copies; copy++)
        counts[std::vector<uint64_t>(&states[copy * width], &states[copy * width] + width)]++;
}

static void launch(running &r, uint32_t round, std::vector<uint64_t> &states)
{
    const test &t = r.t;
    lay_out(r, round);
    for (size_t i = 0; i < t.places.size(); i++)
        if (!t.places[i].shared)
            fill<<<256, 256>>>(r.a.memory + r.a.base[i], r.a.stride[i], r.inits[i], t.places[i].bytes, r.copies);
    check(cudaMemset(r.a.met, 0, r.groups * sizeof(uint32_t)), t.name);
    check(cudaMemset(r.a.states, 0, states.size() * sizeof(uint64_t)), t.name);
    cudaLaunchAttribute cluster;
    cudaLaunchConfig_t config = configuration(r, &cluster);
    void *parameters[] = {&r.a};
    check(cudaLaunchKernelExC(&config, (const void *)t.kernel, parameters), t.name);
    for (size_t i = 0; i < t.values.size(); i++) {
        const value &v = t.values[i];
        if (v.place >= 0 && !t.places[v.place].shared)
            gather<<<256, 256>>>(r.a.states, uint32_t(t.values.size()), uint32_t(i),
                                 r.a.memory + r.a.base[v.place] + v.offset, r.a.stride[v.place], v.bytes, r.copies);
    }
    wait_for_gpu(t);
    check(cudaMemcpy(states.data(), r.a.states, states.size() * sizeof(uint64_t), cudaMemcpyDeviceToHost), t.name);
}

static void upload_inits(running &r)
{
    for (const place &p : r.t.places) {
        uint8_t *to;
        check(cudaMalloc(&to, p.bytes), r.t.name);
        check(p.init ? cudaMemcpy(to, p.init, p.bytes, cudaMemcpyHostToDevice) : cudaMemset(to, 0, p.bytes),
              r.t.name);
        r.inits.push_back(to);
    }
}

static histogram run(const test &t, const options &o)
{
    running r = {t, 1, t.lanes};
    lay_out(r, 0);
    check(cudaFuncSetAttribute((const void *)t.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(r.shared_bytes)), t.name);
    r.groups = groups_at_once(r);
    r.copies = r.groups * t.lanes;
    lay_out(r, 3);
    upload_inits(r);
    std::vector<uint64_t> states(size_t(r.copies) * t.values.size());
    check(cudaMalloc(&r.a.memory, r.memory_bytes + 1), t.name);
    check(cudaMalloc(&r.a.states, states.size() * sizeof(uint64_t) + 1), t.name);
    check(cudaMalloc(&r.a.met, r.groups * sizeof(uint32_t)), t.name);
    histogram counts;
    uint64_t most = t.alone ? std::min<uint64_t>(o.runs, 2000) : o.runs;
    for (uint64_t done = 0, round = 0; done < most; done += r.copies, round++) {
        r.a.seed = (o.seed + round) * 0xD1B54A32D192ED03ull >> 3;
        launch(r, uint32_t(round), states);
        count_states(r, states, counts);
    }
    for (uint8_t *init : r.inits)
        cudaFree(init);
    cudaFree(r.a.memory);
    cudaFree(r.a.states);
    cudaFree(r.a.met);
    return counts;
}

// JSON's readers have no integers past 2^63: such a value is text there, as in what 'ptxlit'
// prints.
static std::string shown(const value &v, uint64_t bits, bool quote)
{
    if (!v.is_signed || v.bytes == 0)
        return bits >> 63 && quote ? '"' + std::to_string(bits) + '"' : std::to_string(bits);
    unsigned unused = 64 - 8 * v.bytes;
    return std::to_string(int64_t(bits << unused) >> unused);
}

static void print_json(const test &t, const std::vector<uint64_t> &state, uint64_t count)
{
    std::printf("{\"file\": \"%s\", \"test\": \"%s\", \"state\": {", t.file, t.name);
    for (size_t i = 0; i < state.size(); i++)
        std::printf("%s\"%s\": %s", i ? ", " : "", t.values[i].name,
                    shown(t.values[i], state[i], true).c_str());
    std::printf("}, \"count\": %llu}\n", (unsigned long long)count);
}

static void print_text(const test &t, const std::vector<uint64_t> &state, uint64_t count)
{
    std::printf("%-12llu:>", (unsigned long long)count);
    for (size_t i = 0; i < state.size(); i++)
        std::printf(t.values[i].place < 0 ? "%s%s=%s;" : "%s[%s]=%s;", i ? " " : "",
                    t.values[i].name, shown(t.values[i], state[i], false).c_str());
    std::printf("\n");
}

static void show(const test &t, const histogram &counts, const options &o)
{
    if (!o.json)
        std::printf("Test %s\nHistogram (%zu states)\n", t.name, counts.size());
    for (const auto &entry : counts)
        (o.json ? print_json : print_text)(t, entry.first, entry.second);
    if (!o.json)
        std::printf("\n");
    std::fflush(stdout);
}

// All of the word is a decimal number, and not 0; or false.
static bool number(const char *word, uint64_t &value)
{
    value = 0;
    for (const char *c = word; *c; c++) {
        if (*c < '0' || *c > '9' || value > (UINT64_MAX - (*c - '0')) / 10)
            return false;
        value = value * 10 + (*c - '0');
    }
    return value > 0;
}

static int usage(const char *program)
{
    std::fprintf(stderr, "usage: %s [--json] [--runs N] [--seed N] [TEST...]\n", program);
    return 2;
}

static bool is_asked_for(const char *name, const options &o)
{
    return o.names.empty() || std::find(o.names.begin(), o.names.end(), name) != o.names.end();
}

static int main(int argc, char **argv)
{
    options o;
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        if (word == "--json")
            o.json = true;
        else if (word == "--runs" || word == "--seed") {
            if (i + 1 == argc || !number(argv[++i], word == "--runs" ? o.runs : o.seed))
                return usage(argv[0]);
        } else if (word[0] == '-')
            return usage(argv[0]);
        else
            o.names.push_back(word);
    }
    for (const left_out &t : left_out_tests())
        if (is_asked_for(t.name, o))
            std::fprintf(stderr, "%s: left out: it needs %s\n", t.name, t.needs);
    for (const test &t : tests())
        if (is_asked_for(t.name, o))
            show(t, run(t, o), o);
    return 0;
}

} // namespace litmus

int main(int argc, char **argv) { return litmus::main(argc, argv); }
