__device__ __forceinline__ void put(int *p, int v) {
    *p = v;
}
__device__ __forceinline__ void twice(int *p, int v) {
    put(p, v);
    put(p + 1, v);
}
__global__ void racy(int *x, int *f, int *o) {
    if (threadIdx.x == 0) {
        twice(x, 1);
        *(volatile int *)f = 1;
    } else {
        o[0] = *(volatile int *)f;
        o[1] = *x;
    }
}
