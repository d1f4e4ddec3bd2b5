// A wait that has two ways out.
__device__ __forceinline__ void await(volatile int *flag, volatile int *other)
{
    if (*flag == 0)
        while (*flag == 0 && *other == 0)
            ;
}
