// The sum of four numbers, two by two, for every thread: neither the rounds nor the result are apart.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int stride = 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            s[t] += s[t + stride];
        __syncthreads();
    }
    out[t] = s[0];
}
