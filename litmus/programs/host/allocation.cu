// Memory that is allocated and freed in stream order.
// forall (h = 3)
#include <cstdio>

__global__ void sum(const int *a, const int *b, int *c)
{
    *c = *a + *b;
}

int main()
{
    int a = 1, b = 2, h = 0;
    int *da, *db, *dc;
    cudaStream_t stream;
    cudaMemPool_t pool;

    cudaSetDevice(0);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMallocAsync(&da, sizeof(int), stream);
    cudaMallocAsync(&db, sizeof(int), stream);
    cudaMallocAsync(&dc, sizeof(int), stream);
    cudaMemcpyAsync(da, &a, sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(db, &b, sizeof(int), cudaMemcpyHostToDevice, stream);
    sum<<<1, 1, 0, stream>>>(da, db, dc);
    cudaFreeAsync(da, stream);
    cudaFreeAsync(db, stream);
    cudaMemcpyAsync(&h, dc, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(dc, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", h);
    return 0;
}
