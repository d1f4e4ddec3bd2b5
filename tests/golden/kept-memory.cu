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

// Far behind the end of one block, but not yet in the next.
__global__ void behind(int *out)
{
    volatile int *p = (int *)malloc(16);
    volatile int *q = (int *)malloc(64);
    q[0] = 1;
    out[0] = p[19];
}

// Half a megabyte was taken: what was released is not given again.
__global__ void again(int *out)
{
    volatile int *most = (int *)malloc(512 << 10);
    volatile int *p = (int *)malloc(16);
    most[0] = p[0] = 1;
    free((void *)p);
    volatile int *q = (int *)malloc(16);
    q[0] = 2;
    out[0] = p[0];
}
