// A copy back in another stream than the kernel's, behind an event; the host polls for its end.
// ~exists (sum = 0)
#include <stdio.h>

__global__ void fill(unsigned *x)
{
    *x = 26;
}

int main()
{
    unsigned *x, *sum;
    cudaStream_t compute, transfer;
    cudaEvent_t filled, copied;
    float ms = 0.0f;

    cudaMalloc(&x, sizeof(unsigned));
    cudaHostAlloc(&sum, sizeof(unsigned), cudaHostAllocDefault);
    *sum = 0;
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&transfer, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    cudaEventCreate(&copied);

    fill<<<1, 1, 0, compute>>>(x);
    cudaEventRecord(filled, compute);
    cudaStreamWaitEvent(transfer, filled, 0);
    cudaMemcpyAsync(sum, x, sizeof(unsigned), cudaMemcpyDeviceToHost, transfer);
    cudaEventRecord(copied, transfer);

    unsigned long counter = 0;
    while (cudaEventQuery(copied) == cudaErrorNotReady)
        counter++;
    printf("%u after %lu rounds\n", *sum, counter);

    cudaEventDestroy(filled);
    cudaEventDestroy(copied);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(transfer);
    return 0;
}
