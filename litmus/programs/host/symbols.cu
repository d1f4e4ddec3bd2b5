// Variables of the device and of the host with initial values, read by a kernel and copied from their symbols.
// forall (h = 23 /\ r = 5 /\ table[1] = 7 /\ offset = -2)
#include <cstdio>

__device__ int counter = 5;
__device__ short parts[2] = {1, -2};
__constant__ int table[2] = {6, 7};
__managed__ int managed[2] = {3, 4};
static __device__ int *where = &counter;

int offset = -2;
static int scale(2);

__global__ void sum(int *out, int add)
{
    *out = *where + parts[1] + table[1] + managed[1] + add;
}

int main()
{
    int h = 0, r = 0, *d;

    cudaMalloc(&d, sizeof(int));
    cudaMemcpyFromSymbol(&r, counter, sizeof(int));
    sum<<<1, 1>>>(d, offset + scale + 9);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h, r);
    return 0;
}
