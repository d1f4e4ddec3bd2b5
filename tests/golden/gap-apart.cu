// exists (h = 1 /\ other = 0)
#include <cstdio>
__global__ void wave(float *to, const float *from)
{
    *to = __sinf(*from);
}

__global__ void add(int *to, int value)
{
    *to += value;
}

int main()
{
    int h = 0, other = 0, *d, *e;
    float *from;
    float *to, result = 0;
    cudaMalloc(&d, sizeof(int));
    cudaMalloc(&e, sizeof(int));
    cudaMalloc(&from, sizeof(float));
    cudaMalloc(&to, sizeof(float));
    cudaMemset(d, 0, sizeof(int));
    cudaMemset(e, 0, sizeof(int));
    cudaMemset(from, 0, sizeof(float));
    add<<<1, 1>>>(d, 1);
    wave<<<1, 1>>>(to, from);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&other, e, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&result, to, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", result);
    return 0;
}
