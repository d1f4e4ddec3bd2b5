// exists (h = 0)
__global__ void widen(double *to, const float *from)
{
    *to = *from;
}

__global__ void never_launched(float *to, const double *from)
{
    *to = (float)*from;
}

int main()
{
    int h = 0, *d;
    float *from;
    double *to;
    cudaMalloc(&d, sizeof(int));
    cudaMalloc(&from, sizeof(float));
    cudaMalloc(&to, sizeof(double));
    cudaMemset(d, 0, sizeof(int));
    cudaMemset(from, 0, sizeof(float));
    widen<<<1, 1>>>(to, from);
    cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
    return 0;
}
