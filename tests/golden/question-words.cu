// exists (good != true \/ error != cudaSuccess \/ h = INT_MAX)
#include <limits.h>

int main()
{
    int h = 0, *d;
    cudaMalloc(&d, sizeof(int));
    cudaMemset(d, 0, sizeof(int));
    cudaError_t error = cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    bool good = h == 0;
    return 0;
}
