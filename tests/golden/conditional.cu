// What is compiled: names that the file defines, and nvcc's own.
// exists (h[0] = 1)
#define FAST
#define SLOW
#undef SLOW
#ifndef COUNT
#define COUNT 4
#else
#error COUNT is given
#endif

int main()
{
    int *h, *d;
    cudaMallocHost(&h, COUNT);
    cudaMalloc(&d, COUNT);
#ifdef FAST
    h[0] = 1;
#else
    h[0] = 2;
#endif
#ifdef SLOW
    h[0] = 3;
#endif
#ifndef __CUDACC__
    h[0] = 5;
#endif
    cudaMemcpy(d, h, COUNT, cudaMemcpyHostToDevice);
    return 0;
}
