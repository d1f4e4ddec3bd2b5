// exists (h = 0)
#include <cublas_v2.h>

int main()
{
    int h = 0, *d;
    cudaMalloc(&d, sizeof(int));
    cudaMemset(d, 0, sizeof(int));
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSscal(handle, 1, &alpha, d, 1);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    return 0;
}
