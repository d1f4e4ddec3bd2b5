// Buffers in turn: uploads, kernels and downloads in two streams, with an event for each direction.
// forall (out[0] = 2 /\ out[1] = 3 /\ out[2] = 4)
#include <cstdio>
__global__ void inc(const int *in, int *out) { *out = *in + 1; }
int main()
{
    enum { CHUNKS = 3, BUFS = 2 };
    int in[CHUNKS] = {1, 2, 3}, out[CHUNKS] = {0};
    int *pin, *din[BUFS], *dout[BUFS];
    cudaStream_t copy, comp;
    cudaEvent_t up[BUFS], done[BUFS];
    cudaStreamCreate(&copy);
    cudaStreamCreate(&comp);
    cudaHostAlloc((void **)&pin, sizeof in, cudaHostAllocDefault | cudaHostAllocPortable);
    for (int i = 0; i < CHUNKS; i++) pin[i] = in[i];
    for (int b = 0; b < BUFS; b++) {
        cudaMalloc(&din[b], sizeof(int));
        cudaMalloc(&dout[b], sizeof(int));
        cudaEventCreateWithFlags(&up[b], cudaEventDisableTiming | cudaEventBlockingSync);
        cudaEventCreateWithFlags(&done[b], cudaEventDisableTiming);
    }
    int i = 0;
    do {
        int b = i & 1;
        if (i >= BUFS && !(i == 0)) cudaStreamWaitEvent(copy, done[b], 0);
        cudaMemcpyAsync(din[b], &pin[i], sizeof(int), cudaMemcpyHostToDevice, copy);
        cudaEventRecord(up[b], copy);
        cudaStreamWaitEvent(comp, up[b], 0);
        inc<<<1, 1, 0, comp>>>(din[b], dout[b]);
        cudaMemcpyAsync(&out[i], dout[b], sizeof(int), cudaMemcpyDeviceToHost, comp);
        cudaEventRecord(done[b], comp);
    } while (++i < CHUNKS);
    cudaStreamSynchronize(comp);
    printf("%d\n", out[0]);
    return 0;
}
