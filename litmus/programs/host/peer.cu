// A kernel of device 0, a copy to device 1 behind an event, and a kernel of device 1 that reads the copy.
// exists (out = 0)
#include <stdio.h>

__global__ void produce(int *x)
{
    *x = 1;
}

__global__ void consume(const int *x, int *out)
{
    *out = *x;
}

int main()
{
    int devices, can = 0;
    int *x[2], *out;
    cudaStream_t stream[2];
    cudaEvent_t ready;

    cudaGetDeviceCount(&devices);
    if (devices < 2)
        return 0;
    cudaDeviceCanAccessPeer(&can, 0, 1);
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaMalloc(&x[i], sizeof(int));
        cudaStreamCreate(&stream[i]);
    }
    cudaHostAlloc(&out, sizeof(int), cudaHostAllocMapped);
    *out = 0;

    cudaSetDevice(0);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    produce<<<1, 1, 0, stream[0]>>>(x[0]);
    cudaMemcpyPeerAsync(x[1], 1, x[0], 0, sizeof(int), stream[0]);
    cudaEventRecord(ready, stream[0]);

    cudaSetDevice(1);
    cudaStreamWaitEvent(stream[1], ready, 0);
    consume<<<1, 1, 0, stream[1]>>>(x[1], out);
    cudaStreamSynchronize(stream[1]);
    printf("%d\n", *out);
    return 0;
}
