// SPDX-License-Identifier: MIT
//
// Does who waits for a blocking stream also wait for what was put into the legacy stream behind its last task? Prints how often that
// was not over, and how often a kernel of a non-blocking stream then read old memory. Needs two GPUs.
//
//     nvcc -std=c++17 -arch=native -o waits waits.cu && ./waits
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static void check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess || error == cudaErrorNotReady)
        return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}
#define CHECK(call) check(call, #call)

constexpr size_t BYTES = 512 << 20, LAST = BYTES / sizeof(unsigned) - 1;
constexpr int TIMES = 10;

__global__ void store_late(unsigned *x, long long cycles)
{
    for (long long from = clock64(); clock64() - from < cycles;)
        ;
    *x = 1;
}
__global__ void load(const volatile unsigned *x, unsigned *to) { *to = *x; }

struct devices {
    unsigned *memory[2], *seen;
    cudaStream_t blocking[2], apart; // of each device; of device 0
    cudaEvent_t event[2];
};

using waiting = void (*)(const devices &, int device);

static const struct {
    const char *name;
    waiting wait;
} ways[] = {
    {"cudaStreamSynchronize(b)", [](const devices &d, int i) { CHECK(cudaStreamSynchronize(d.blocking[i])); }},
    {"cudaStreamQuery(b)",
     [](const devices &d, int i) {
         while (cudaStreamQuery(d.blocking[i]) == cudaErrorNotReady)
             ;
     }},
    {"an event of b",
     [](const devices &d, int i) {
         CHECK(cudaEventRecord(d.event[i], d.blocking[i]));
         CHECK(cudaEventSynchronize(d.event[i]));
     }},
    {"a kernel in b, and cudaStreamSynchronize(b)",
     [](const devices &d, int i) {
         store_late<<<1, 1, 0, d.blocking[i]>>>(d.memory[i], 0);
         CHECK(cudaStreamSynchronize(d.blocking[i]));
     }},
    {"cudaStreamSynchronize(cudaStreamLegacy)", [](const devices &, int) { CHECK(cudaStreamSynchronize(cudaStreamLegacy)); }},
    {"cudaDeviceSynchronize()", [](const devices &, int) { CHECK(cudaDeviceSynchronize()); }},
};

static void settle(const devices &d)
{
    for (int i = 1; i >= 0; i--) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMemset(d.memory[i], 0, BYTES));
        CHECK(cudaDeviceSynchronize());
    }
}

// A copy to device 0 behind a kernel of device 1, or sets behind a kernel of device 0, while 'current' is the current device.
static void act(const devices &d, int device, int current)
{
    CHECK(cudaSetDevice(device));
    store_late<<<1, 1, 0, d.blocking[device]>>>(d.memory[device] + LAST, 2000000);
    CHECK(cudaSetDevice(current));
    if (device == 1)
        CHECK(cudaMemcpyPeer(d.memory[0], 0, d.memory[1], 1, BYTES));
    for (int i = 0; device == 0 && i < 8; i++)
        CHECK(cudaMemsetAsync(d.memory[0], 2, BYTES, cudaStreamLegacy));
}

// What the last word of device 0's memory may not be when all is over.
static unsigned old(int device) { return device == 1 ? 0 : 1; }

static void measure(const devices &d, int device, int current)
{
    for (const auto &way : ways) {
        int busy = 0, stale = 0;
        for (int i = 0; i < TIMES; i++) {
            settle(d);
            act(d, device, current);
            CHECK(cudaSetDevice(device));
            way.wait(d, device);
            CHECK(cudaSetDevice(current));
            busy += cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady;
            CHECK(cudaSetDevice(0));
            load<<<1, 1, 0, d.apart>>>(d.memory[0] + LAST, d.seen);
            CHECK(cudaStreamSynchronize(d.apart));
            stale += *d.seen == old(device);
        }
        std::printf("%s, device %d current, then %s: not over %d, old memory %d of %d\n",
                    device ? "copy from device 1 to device 0" : "sets on device 0", current, way.name, busy, stale, TIMES);
    }
}

int main()
{
    devices d;
    for (int i = 1; i >= 0; i--) {
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&d.memory[i], BYTES));
        CHECK(cudaStreamCreate(&d.blocking[i]));
        CHECK(cudaEventCreate(&d.event[i]));
    }
    CHECK(cudaStreamCreateWithFlags(&d.apart, cudaStreamNonBlocking));
    CHECK(cudaHostAlloc((void **)&d.seen, sizeof *d.seen, 0));
    measure(d, 0, 0);
    for (int current = 0; current < 2; current++)
        measure(d, 1, current);
}
