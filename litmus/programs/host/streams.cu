// Two streams, each with a part of an array: copied to the device, added to, copied back.
// exists (h[0] = 0)
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s\n", cudaGetErrorString(status));                                   \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)
#define STREAMS 2

__global__ void add(int *a, int value)
{
    a[threadIdx.x] += value;
}

int main(int argc, char **argv)
{
    const int n = STREAMS;
    const size_t bytes = n * sizeof(int);
    int *h, *d;
    cudaStream_t streams[STREAMS];

    CHECK(cudaMallocHost((void **)&h, bytes));
    CHECK(cudaMalloc((void **)&d, bytes));
    for (int i = 0; i < n; i++)
        h[i] = 0;
    for (int i = 0; i < STREAMS; i++)
        CHECK(cudaStreamCreate(&streams[i]));

    for (int i = 0; i < STREAMS; i++) {
        CHECK(cudaMemcpyAsync(d + i, h + i, sizeof(int), cudaMemcpyHostToDevice, streams[i]));
        add<<<1, 1, 0, streams[i]>>>(d + i, 26);
        CHECK(cudaMemcpyAsync(h + i, d + i, sizeof(int), cudaMemcpyDeviceToHost, streams[i]));
    }
    CHECK(cudaDeviceSynchronize());

    for (int i = 0; i < STREAMS; i++)
        CHECK(cudaStreamDestroy(streams[i]));
    printf("%s\n", h[0] == 26 ? "passed" : "failed");
    return 0;
}
