/* SPDX-License-Identifier: MIT */
#include "litmus/check.h"

/* The limits of a launch (CUDA programming guide, compute capabilities) and its arguments. */

enum {
    MAX_BLOCK_THREADS = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_YZ = 65535,
    MAX_CLUSTER_CTAS = 16,
};

static void refuse(struct checker *checker, const struct launch *launch, const char *why)
{
    check_error(checker, bad_launch, launch->span, NULL, "%s", why);
}

static uint64_t volume(struct dim3 dim)
{
    return (uint64_t)dim.x * dim.y * dim.z;
}

static void check_shape(struct checker *checker, const struct launch *launch)
{
    struct dim3 block = launch->block, grid = launch->grid, cluster = launch->cluster;
    if (block.x > MAX_BLOCK_THREADS || block.y > MAX_BLOCK_THREADS || block.z > MAX_BLOCK_Z ||
        volume(block) > MAX_BLOCK_THREADS)
        refuse(checker, launch, "a block has at most 1024 threads, 64 in z");
    else if (grid.y > MAX_GRID_YZ || grid.z > MAX_GRID_YZ)
        refuse(checker, launch, "a grid has at most 65535 blocks in y and in z");
    else if (cluster.x > MAX_CLUSTER_CTAS || cluster.y > MAX_CLUSTER_CTAS ||
             cluster.z > MAX_CLUSTER_CTAS || volume(cluster) > MAX_CLUSTER_CTAS)
        refuse(checker, launch, "a cluster has at most 16 CTAs");
    else if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
        refuse(checker, launch, "the cluster does not divide the grid");
}

static void check_arguments(struct checker *checker, const struct launch *launch)
{
    const struct body *kernel = &checker->test->bodies[launch->kernel];
    if (launch->arg_count != kernel->param_count) {
        check_error(checker, bad_launch, launch->span, NULL,
                    "'%s' has %u parameter%s, the launch gives %u", kernel->name,
                    kernel->param_count, kernel->param_count == 1 ? "" : "s", launch->arg_count);
        return;
    }
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        const struct operand *arg = &launch->args[i];
        uint32_t bytes = kernel->params[i].bytes;
        int64_t value = (int64_t)arg->value;
        uint32_t bits = bytes < 8 ? bytes * 8 : 64;
        if (arg->kind == OPERAND_SYMBOL && bytes != 8)
            check_error(checker, bad_launch, arg->span, NULL,
                        "an address needs a parameter of 64 bits, not %u", bytes * 8);
        else if (arg->kind == OPERAND_IMM && bits < 64 && arg->value >> bits &&
                 (value >= 0 || value < -((int64_t)1 << (bits - 1))))
            check_error(checker, number_out_of_range, arg->span, NULL,
                        "the argument does not fit %u bits", bits);
    }
}

void check_launches(struct checker *checker)
{
    for (uint32_t i = 0; i < checker->test->launch_count; i++) {
        check_shape(checker, &checker->test->launches[i]);
        check_arguments(checker, &checker->test->launches[i]);
    }
}
