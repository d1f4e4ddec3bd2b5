// A kernel sets a flag that the host waits for, and the host reads what came before it.
// exists (h = 0)
#include <cstdio>
#include <cuda/atomic>
__global__ void worker(cuda::atomic<int, cuda::thread_scope_system> *flag, int *data)
{
    *data = 1;
    flag->store(1, cuda::memory_order_release);
}
int main()
{
    cuda::atomic<int, cuda::thread_scope_system> *flag;
    int *data, h = 0;
    cudaMallocManaged(&flag, sizeof(*flag));
    cudaMallocManaged(&data, sizeof(*data));
    flag->store(0, cuda::memory_order_relaxed);
    *data = 0;
    worker<<<1, 1>>>(flag, data);
    while (flag->load(cuda::memory_order_acquire) == 0)
        ;
    h = *data;
    printf("%d\n", h);
    cudaDeviceSynchronize();
    cudaFree(flag);
    cudaFree(data);
    return 0;
}
