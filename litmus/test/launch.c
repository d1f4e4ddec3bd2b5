/* SPDX-License-Identifier: MIT */
#include "litmus/test/launch.h"

#include <inttypes.h>

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

static bool is_one(struct dim3 dim)
{
    return launch_volume(dim) == 1;
}

/* More than any grid has, where it would not fit. */
static uint32_t times(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    return product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
}

void launch_obey(struct launch *launch, const struct launch_rules *rules)
{
    if (rules->cluster.x && is_one(launch->cluster))
        launch->cluster = rules->cluster;
    if (rules->blocks_are_clusters && rules->cluster.x) {
        launch->grid.x = times(launch->grid.x, rules->cluster.x);
        launch->grid.y = times(launch->grid.y, rules->cluster.y);
        launch->grid.z = times(launch->grid.z, rules->cluster.z);
    }
}

static bool differ(struct dim3 a, struct dim3 b)
{
    return a.x != b.x || a.y != b.y || a.z != b.z;
}

static const char *size_text(struct arena *arena, struct dim3 dim)
{
    return arena_printf(arena, "(%u,%u,%u)", dim.x, dim.y, dim.z);
}

const char *launch_rule_fault(struct arena *arena, const struct launch *launch,
                              const struct launch_rules *rules)
{
    uint64_t threads = launch_volume(launch->block), most = launch_volume(rules->most_threads);
    if (most && threads > most)
        return arena_printf(arena,
                            "the kernel has .maxntid %" PRIu64 ", the block %" PRIu64 " threads",
                            most, threads);
    if (rules->threads.x && differ(rules->threads, launch->block))
        return arena_printf(arena, "the kernel has .reqntid %s, the block is %s",
                            size_text(arena, rules->threads), size_text(arena, launch->block));
    if (rules->cluster.x && differ(rules->cluster, launch->cluster))
        return arena_printf(arena, "the kernel has .reqnctapercluster %s, the cluster is %s",
                            size_text(arena, rules->cluster), size_text(arena, launch->cluster));
    if (rules->most_ctas && launch_cluster_ctas(launch) > rules->most_ctas)
        return arena_printf(arena,
                            "the kernel has .maxclusterrank %u, the cluster %" PRIu64 " CTAs",
                            rules->most_ctas, launch_cluster_ctas(launch));
    if (rules->explicit_cluster && !rules->cluster.x && is_one(launch->cluster))
        return "the kernel has .explicitcluster, and the launch gives no cluster";
    if (rules->blocks_are_clusters && !(rules->cluster.x && rules->threads.x))
        return "the kernel has .blocksareclusters without .reqnctapercluster and .reqntid";
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

/* Eight bytes of the location's initial contents. */
static struct location_init contents(const struct location *location, uint32_t word)
{
    uint32_t size = location->element_bytes, first = word * 8 / size;
    struct location_init value = {0, NONE};
    if (!location->init || first >= location->elements)
        return value;
    if (size == 8)
        return location->init[first];
    for (uint32_t i = 0; i * size < 8 && first + i < location->elements; i++)
        value.value |= location->init[first + i].value << 8 * size * i;
    return value;
}

struct location_init launch_argument_word(const struct test *test, const struct body *kernel,
                                          const struct operand *args, uint32_t index, uint32_t word)
{
    const struct operand *arg = &args[index];
    if (arg->kind == OPERAND_SYMBOL && kernel->params[index].bytes > 8)
        return contents(&test->locations[arg->location], word);
    if (arg->kind == OPERAND_SYMBOL)
        return (struct location_init){arg->value, arg->location};
    if (arg->kind == OPERAND_VECTOR)
        return (struct location_init){word < arg->part_count ? arg->parts[word].value : 0, NONE};
    return (struct location_init){word ? 0 : arg->value, NONE};
}

bool launch_give_parameters(const struct test *test, const struct launch *launch)
{
    const struct body *kernel = &test->bodies[launch->kernel];
    bool first = true, same = true;
    for (const struct launch *l = test->launches; l < launch && test->launches; l++)
        first = first && l->kernel != launch->kernel;
    for (uint32_t i = 0; i < kernel->param_count && i < launch->arg_count; i++) {
        struct location *to =
            kernel->params[i].location ? &test->locations[kernel->params[i].location - 1] : NULL;
        for (uint32_t k = 0; to && k < to->elements; k++) {
            struct location_init word = launch_argument_word(test, kernel, launch->args, i, k),
                                 *at = &to->init[k];
            same =
                same && (first || (word.value == at->value && word.address_of == at->address_of));
            *at = word;
        }
    }
    return same;
}

bool launch_is_clustered(const struct test *test, const struct launch *launch)
{
    const struct launch_rules *rules = &test->bodies[launch->kernel].rules;
    return !is_one(launch->cluster) || rules->explicit_cluster || rules->cluster.x;
}
