/* SPDX-License-Identifier: MIT */
#include "litmus/test/launch.h"

enum {
    MAX_BLOCK_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    MAX_CLUSTER_CTAS = 16,
};

uint64_t launch_volume(struct dim3 dim)
{
    return (uint64_t)dim.x * dim.y * dim.z;
}

/* Each size alone before their product, which may not fit. */
static bool is_within(struct dim3 dim, uint32_t xy, uint32_t z, uint32_t all)
{
    return dim.x <= xy && dim.y <= xy && dim.z <= z && launch_volume(dim) <= all;
}

const char *launch_shape_fault(const struct launch *launch)
{
    struct dim3 grid = launch->grid, cluster = launch->cluster;
    if (!is_within(launch->block, MAX_BLOCK_THREADS, MAX_BLOCK_Z, MAX_BLOCK_THREADS))
        return "a block has at most 1024 threads, 64 in z";
    if (grid.x > LAUNCH_LARGEST_SIZE || grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
        return "a grid has at most 65535 blocks in y and in z";
    if (!is_within(cluster, MAX_CLUSTER_CTAS, MAX_CLUSTER_CTAS, MAX_CLUSTER_CTAS))
        return "a cluster has at most 16 CTAs";
    if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
        return "the cluster does not divide the grid";
    return NULL;
}

uint64_t launch_ctas(const struct launch *launch)
{
    return launch_volume(launch->grid);
}

uint64_t launch_cluster_ctas(const struct launch *launch)
{
    return launch_volume(launch->cluster);
}

static void add_product(uint64_t *sum, uint64_t a, uint64_t b)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, sum) ||
        *sum > UINT64_C(1) << 63)
        *sum = UINT64_C(1) << 63;
}

void launch_add_room(const struct launch *launch, uint64_t *ctas, uint64_t *warps, uint64_t *lanes)
{
    uint64_t blocks = launch_ctas(launch), threads = launch_volume(launch->block);
    add_product(ctas, blocks, 1);
    add_product(warps, blocks, (threads + 31) / 32);
    add_product(lanes, blocks, threads);
}
