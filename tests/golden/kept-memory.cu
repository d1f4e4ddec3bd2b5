// Memory of malloc stays from launch to launch, until it is released.
__global__ void take(int **place)
{
    int *p = (int *)malloc(16);
    p[0] = 5;
    *place = p;
}

__global__ void read(int *volatile *place, int *out)
{
    int *own = (int *)malloc(16);
    *(volatile int *)own = 9;
    out[0] = *(volatile int *)*place;
    free(own);
}

__global__ void release(int **place)
{
    free(*place);
}
