// The runtime of the tests below: it starts many copies of a test at once, again and again, with the copies'
// memory laid out and their threads mixed and delayed differently each time, and counts final states on the GPU.
//
//     nvcc -arch=native -o litmus THIS_FILE.cu
//     ./litmus [--json] [--runs N] [--seconds S] [--until [N]] [--seed N] [--journal FILE] [--tune FILE] [--tuned FILE] [--plain] [TEST...]
//
// With --json it prints what 'ptxlit compare --hardware FILE' and 'ptxlit report --hardware FILE' read.
#include <cuda.h>
#include <cuda_runtime.h>

#define LITMUS_CUDA (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__)

// What this code is compiled for: 900 is sm_90, 901 sm_90a. A kernel is empty where that is too old for it; the test is then left out.
#ifndef __CUDA_ARCH__
#define LITMUS_TARGET 1000001
#elif defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_FEAT_SM100_ALL)
#define LITMUS_TARGET (__CUDA_ARCH__ + 1)
#else
#define LITMUS_TARGET __CUDA_ARCH__
#endif
#define LITMUS_HAS(target) (LITMUS_TARGET >= target && LITMUS_TARGET % 10 >= target % 10)

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace litmus {

constexpr int MOST_PLACES = 32, MOST_VALUES = 64, LEADS = 8, MOST_VIEWS = 4;
constexpr uint32_t SCRATCH_WORDS = 1 << 16;

struct arguments {
    uint8_t *memory;
    uint64_t object[MOST_PLACES]; // the texture or surface through which a location is reached
    const uint64_t *rows[2];      // see in_surface
    uint64_t view; // bytes from where the memory is mapped to where it is mapped again, for the further names of a location
    uint64_t base[MOST_PLACES];
    uint32_t stride[MOST_PLACES];
    uint64_t *states;
    uint32_t *met, *scratch;
    uint64_t seed;
    uint32_t first;                 // copies that earlier launches of the same round ran
    uint32_t gpus, first_cta, ctas; // of a test on several GPUs: how many; which of a copy's CTAs this launch has
    uint32_t groups, window, shift; // see group_of
    uint32_t delay, every;          // see stagger, disturbs
    uint32_t lead[LEADS];           // cycles; see stagger
};
enum memory_kind { DEVICE, MAPPED, MANAGED, PINNED, PAGEABLE };
enum path { PLAIN, TEXTURE, SURFACE }; // through which a location is reached
enum lifetime { FIXED, ALLOCATED, FREED }; // by calls of the program; FREED: that does not allocate it
class program;
struct place {
    const char *name;
    uint32_t bytes, align;
    bool shared;
    int target;       // the place whose bytes this one names; itself, if it is no further name
    const char *init; // 'bytes' bytes, or nullptr for zeros
    memory_kind memory = DEVICE; // this and the next two: of host programs
    lifetime life = FIXED;
    int gpu = 0;
    path way = PLAIN;
    uint32_t view = 0, element = 0; // view: see arguments; element: bytes
};
struct value {
    const char *name;
    int place; // an index, or -1: a register, which the thread has stored
    uint32_t offset, bytes;
    bool is_signed;
};
// Eight bytes that at first hold the address of a place, and some bytes more.
struct pointer {
    int place;
    uint32_t offset;
    int to;
    uint64_t more;
};
constexpr size_t MOST_POINTERS = 16;
// 128 bytes that at first are a tensor map, which the program makes: of the tensor that begins 'more' bytes into the place 'of'.
struct tensor_map {
    int place;
    uint32_t offset;
    int of;
    uint64_t more;
    int type; // CUtensorMapDataType
    uint32_t rank;
    uint64_t dims[5], strides[5]; // strides: from the second dimension on
    uint32_t box[5], steps[5];
    int swizzle; // CUtensorMapSwizzle
    int nans;    // CUtensorMapFloatOOBfill
};
// Does a final state show this part of what the test asks?
using part = bool (*)(const uint64_t *v);
struct test {
    const char *name;
    void (*kernel)(arguments);
    dim3 ctas, threads;     // of one copy, or of 'lanes' copies that share their warps
    uint32_t lanes, cluster;
    bool alone;             // the code sees numbers of CTAs: one copy a launch
    std::vector<place> places;
    std::vector<value> values;
    std::vector<part> asked; // all of them make the outcome that the test asks about; none: it is not known here
    std::vector<std::vector<uint64_t>> allowed; // the final states that the model allows; none: they are not known here
    const char *file;
    program *(*make)() = nullptr; // a host program: it has no kernel of copies
    std::vector<uint32_t> gpus = {}; // a test of several GPUs: how many of the CTAs each of them has; 0 in a host program
    uint32_t target = 0;             // see LITMUS_TARGET
    std::vector<pointer> pointers = {};
    std::vector<tensor_map> maps = {};
    bool peers_apart = false;        // a host program that itself says which devices reach each other's memory
    bool concurrent = false;         // a host program whose host touches managed memory while kernels run
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

// ---- what a test's threads call ------------------------------------------------------------------

__host__ __device__ inline uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Nothing of a cluster's shared memory is used before it has its contents, or after its CTA has left.
__device__ inline void meet_in_cluster()
{
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

// What shared memory holds at first was written through the generic proxy; copies read it through another.
__device__ inline void publish_window()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

// A tensor map that the host has written is used through another proxy.
__device__ inline void acquire_map(uint64_t at)
{
#if __CUDA_ARCH__ >= 900 && LITMUS_CUDA >= 1203
    asm volatile("fence.proxy.tensormap::generic.acquire.sys [%0], 128;" ::"l"(at) : "memory");
#endif
}

// A variable of a test in C++, whose last value is kept when its thread ends.
template <typename type> struct keeper {
    const type &from;
    uint64_t &to;
    __device__ ~keeper() { to = (uint64_t)from; }
};

// What a launch passes, as the type of the kernel's parameter.
struct argument {
    uint64_t bits;
    template <typename type> __device__ operator type *() const { return (type *)bits; }
    template <typename type, typename = typename std::enable_if<std::is_integral<type>::value>::type>
    __device__ operator type() const
    {
        return (type)bits;
    }
};

// The address, in the shared memory of another CTA of the cluster, of what has this one here.
__device__ inline uint64_t in_cta(uint64_t address, uint32_t rank)
{
    uint64_t there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
}

// Every 'every'th group of CTAs runs no test: it keeps the memory system busy beside the others.
__device__ inline bool disturbs(const arguments &a, uint32_t raw)
{
    if (a.every == 0 || raw % a.every != a.every - 1)
        return false;
    uint32_t at = uint32_t(mix(a.seed + raw)) + threadIdx.x * 8;
    for (int i = 0; i < 64; i++, at += 1237) {
        volatile uint32_t *word = &a.scratch[at % SCRATCH_WORDS];
        *word = *word + 1;
    }
    return true;
}

// Whose copies a CTA runs. The CTAs of one copy, numbered by 'unit', are not those that lie side by side in the grid, but
// 'shift' groups apart within a window, which is small enough that all of it runs at the same time.
__device__ inline uint32_t group_of(const arguments &a, uint32_t raw, uint32_t unit)
{
    uint32_t group = a.every ? raw - raw / a.every : raw;
    uint32_t start = group - group % a.window;
    uint32_t size = min(a.window, a.groups - start);
    return start + (group - start + unit * a.shift) % size;
}

// A warp's lanes take the copies of their group in an order of their own.
__device__ inline uint32_t lane_of(const arguments &a, uint32_t lane, uint32_t thread)
{
    return lane ^ (a.shift ? uint32_t(mix(a.seed + thread)) % 32 : 0);
}

// Lets the CTAs of a copy start together when they can; never waits long for one that is not there.
__device__ inline void meet(const arguments &a, uint32_t group, uint32_t ctas)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0 && ctas > 1) {
        a.gpus > 1 ? atomicAdd_system(&a.met[group], 1u) : atomicAdd(&a.met[group], 1u);
        for (int i = 0; i < 200 && *(volatile uint32_t *)&a.met[group] < ctas; i++)
            ;
    }
    __syncthreads();
}

// A thread begins some cycles later than others (clock() has 64 bits in some compilers and 32 in others): its lead is the same for all copies of a launch, so that a launch tries one
// order of the threads; up to a quarter of 'delay' comes to it, which each group draws.
__device__ inline void stagger(const arguments &a, uint32_t group, uint32_t thread)
{
    if (a.delay) {
        uint64_t hash = mix(a.seed + (uint64_t(thread) << 32));
        uint32_t cycles = a.lead[thread % LEADS] + uint32_t(mix(hash + group) % (a.delay / 4 + 1));
        for (uint32_t from = uint32_t(clock()); uint32_t(clock()) - from < cycles;)
            ;
    }
    __syncwarp();
}

__device__ inline uint64_t address(const arguments &a, int place, uint32_t copy)
{
    return uint64_t(a.memory) + a.base[place] + uint64_t(a.stride[place]) * copy;
}

// Where it is in a texture of all memory, in texels.
__device__ inline uint64_t in_texture(const arguments &a, int place, uint32_t copy, uint32_t bytes)
{
    return (a.base[place] + uint64_t(a.stride[place]) * copy) / bytes;
}

// Where it is in the arrays of 4- and 8-byte elements over the memory: the byte and the row, 32 bits each. An array has its own order,
// which keeps 16 bytes together.
__device__ inline uint64_t in_surface(const arguments &a, int place, uint32_t copy, uint32_t bytes)
{
    uint64_t offset = a.base[place] + uint64_t(a.stride[place]) * copy;
    return a.rows[bytes == 8][offset / 16] + offset % 16;
}

__global__ void tell_target(uint32_t *target) { *target = LITMUS_TARGET; }

// ---- memory before a launch ----------------------------------------------------------------------

struct filling {
    uint32_t places, copies, groups, width;
    struct {
        uint64_t base;
        uint32_t stride, bytes;
        const uint8_t *init;
    } place[MOST_PLACES];
    uint32_t pointers;
    struct {
        uint64_t base, to; // of the first copy's: its offset in the memory, and the address that it holds
        uint32_t stride, to_stride;
    } pointer[MOST_POINTERS];
};

template <typename word> __device__ inline void put(uint8_t *to, const uint8_t *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes / sizeof(word); i++)
        ((word *)to)[i] = from ? ((const word *)from)[i] : 0;
}

// What the launch reads or writes: the copies' locations, where their registers go, and the counters of 'meet'.
__global__ void fill(arguments a, filling f)
{
    for (uint32_t copy = blockIdx.x * blockDim.x + threadIdx.x; copy < f.copies; copy += gridDim.x * blockDim.x) {
        if (copy < f.groups)
            a.met[copy] = 0;
        for (uint32_t i = 0; i < f.width; i++)
            a.states[uint64_t(copy) * f.width + i] = 0;
        for (uint32_t i = 0; i < f.places; i++) {
            uint8_t *to = a.memory + f.place[i].base + uint64_t(f.place[i].stride) * copy;
            uint32_t bytes = f.place[i].bytes, odd = bytes | f.place[i].stride;
            if (bytes)
                (odd % 8 == 0 ? put<uint64_t> : odd % 4 == 0 ? put<uint32_t> : put<uint8_t>)(to, f.place[i].init, bytes);
        }
        for (uint32_t i = 0; i < f.pointers; i++)
            *(uint64_t *)(a.memory + f.pointer[i].base + uint64_t(f.pointer[i].stride) * copy) = f.pointer[i].to + uint64_t(f.pointer[i].to_stride) * copy;
    }
}

// Each word holds its own number.
__global__ void number_words(uint32_t *memory, uint32_t words)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
        memory[i] = i;
}

__device__ inline uint32_t first_word(uint32_t element) { return element; }
__device__ inline uint32_t first_word(uint2 element) { return element.x; }

// Of memory that number_words has filled: in what order do the rows of the array have it, 'width' bytes each? Counts those of 16 bytes
// that it does not keep together.
template <typename element> __global__ void find_rows(cudaSurfaceObject_t array, uint32_t width, uint32_t chunks, uint64_t *rows, uint32_t *apart)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < chunks; i += gridDim.x * blockDim.x) {
        uint32_t x = i % (width / 16) * 16, y = i / (width / 16);
        uint32_t first = first_word(surf2Dread<element>(array, int(x), int(y)));
        for (uint32_t byte = 0; byte < 16; byte += sizeof(element))
            if (first_word(surf2Dread<element>(array, int(x + byte), int(y))) != first + byte / 4 || first % 4 || first / 4 >= chunks)
                atomicAdd(apart, 1u);
        if (first / 4 < chunks)
            rows[first / 4] = x | uint64_t(y) << 32;
    }
}

// ---- counting final states -----------------------------------------------------------------------

constexpr uint32_t SLOTS = 1 << 17, MOST_STATES = 1 << 16; // a power of two, and half of it

// A hash table of final states: a slot has 0, or 1 while its state is written, or the state's number and 2.
struct tally {
    uint32_t *slots, *used;
    uint64_t *keys; // a state's values, 'width' each
    unsigned long long *counts;
    uint32_t width, copies;
    struct {
        uint64_t base; // of a location
        uint32_t stride, bytes; // 0 bytes: a register
    } value[MOST_VALUES];
};

__device__ inline uint64_t value_of(const arguments &a, const tally &t, uint32_t copy, uint32_t i)
{
    if (t.value[i].bytes == 0)
        return a.states[uint64_t(copy) * t.width + i];
    const uint8_t *from = a.memory + t.value[i].base + uint64_t(t.value[i].stride) * copy;
    uint64_t value = 0;
    for (uint32_t byte = 0; byte < t.value[i].bytes; byte++)
        value |= uint64_t(from[byte]) << 8 * byte;
    return value;
}

__device__ inline bool is_state(const arguments &a, const tally &t, uint32_t copy, uint32_t state)
{
    bool same = true;
    for (uint32_t i = 0; i < t.width; i++)
        same = same && ((volatile uint64_t *)t.keys)[uint64_t(state) * t.width + i] == value_of(a, t, copy, i);
    return same;
}

// The number of the copy's state; MOST_STATES where there is no room for one more.
__device__ uint32_t find_state(const arguments &a, const tally &t, uint32_t copy, uint64_t hash)
{
    for (uint32_t at = uint32_t(hash) % SLOTS, tried = 0; tried < SLOTS; at = (at + 1) % SLOTS, tried++) {
        uint32_t found = atomicCAS(&t.slots[at], 0u, 1u);
        if (found == 0) {
            uint32_t state = atomicAdd(t.used, 1u);
            for (uint32_t i = 0; state < MOST_STATES && i < t.width; i++)
                ((volatile uint64_t *)t.keys)[uint64_t(state) * t.width + i] = value_of(a, t, copy, i);
            __threadfence();
            atomicExch(&t.slots[at], min(state, MOST_STATES) + 2);
            return min(state, MOST_STATES);
        }
        while (found == 1)
            found = *(volatile uint32_t *)&t.slots[at];
        __threadfence();
        if (found - 2 == MOST_STATES || is_state(a, t, copy, found - 2))
            return found - 2;
    }
    return MOST_STATES;
}

// Copies of one warp with equal states are counted together.
__global__ void count_states(arguments a, tally t)
{
    uint32_t all = (t.copies + 31) / 32 * 32;
    for (uint32_t copy = blockIdx.x * blockDim.x + threadIdx.x; copy < all; copy += gridDim.x * blockDim.x) {
        bool is_copy = copy < t.copies;
        uint64_t hash = 0;
        for (uint32_t i = 0; is_copy && i < t.width; i++)
            hash = mix(hash + 0x9E3779B97F4A7C15ull + value_of(a, t, copy, i));
        uint32_t equal = __match_any_sync(~0u, is_copy ? hash | 1 : 0);
        uint32_t leader = __ffs(int(equal)) - 1, lane = threadIdx.x % 32;
        uint32_t state = is_copy && lane == leader ? find_state(a, t, copy, hash) : 0;
        state = __shfl_sync(~0u, state, leader);
        // A hash says too little: each copy compares its values.
        bool agrees = is_copy && (state == MOST_STATES || is_state(a, t, copy, state));
        uint32_t together = __ballot_sync(~0u, agrees) & equal;
        if (is_copy && lane == leader)
            atomicAdd(&t.counts[state], (unsigned long long)__popc(together));
        if (is_copy && !agrees)
            atomicAdd(&t.counts[find_state(a, t, copy, hash)], 1ull);
    }
}

