// The sum of four numbers, two by two: the rounds are not apart.
__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[4];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int stride = 2; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride];
    }
    if (t == 0)
        *out = s[0];
}
