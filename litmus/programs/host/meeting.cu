// A cooperative grid whose first thread sums what each CTA wrote before grid.sync.
// exists (sum != 2)
#include <stdio.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void meet(int *part, int *sum)
{
    cg::grid_group grid = cg::this_grid();
    part[blockIdx.x] = 1;
    grid.sync();
    if (grid.thread_rank() == 0)
        *sum = part[0] + part[1];
}

int main()
{
    int supported = 0, sum = 0, *d_part, *d_sum;
    cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
    if (!supported) {
        printf("no cooperative launches\n");
        return 0;
    }
    cudaMalloc(&d_part, 2 * sizeof(int));
    cudaMalloc(&d_sum, sizeof(int));
    void *arguments[] = {&d_part, &d_sum};
    cudaLaunchCooperativeKernel((void *)meet, dim3(2), dim3(1), arguments, 0, 0);
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    cudaFree(d_part);
    cudaFree(d_sum);
    return 0;
}
