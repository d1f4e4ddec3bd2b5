// QUESTION
#include <cstdio>
#include <vector>
#include <thread>
#include <atomic>

BEFORE
__global__ void add(int *a, int value)
{
    a[0] += value;
}

static void back(int *to, const int *from)
{
    cudaDeviceSynchronize();
    cudaMemcpy(to, from, sizeof(int), cudaMemcpyDeviceToHost);
}

int main(int argc, char **argv)
{
    int h = 0, other = 0, *d;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaMalloc(&d, sizeof(int));
    cudaMemsetAsync(d, 0, sizeof(int), s);
    cudaStreamSynchronize(s);
STATEMENTS
    return 0;
}
