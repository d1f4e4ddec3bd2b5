// Block 0 hands a value over to block 1.
__global__ void handover(int *x, int *flag, int *seen)
{
    if (blockIdx.x == 0) {
        x[0] = 42;
        __threadfence();
        atomicExch(flag, 1);
    } else if (*(volatile int *)flag == 1) {
        __threadfence();
        seen[0] = 1;
        seen[1] = x[0];
    }
}
