/* SPDX-License-Identifier: MIT */
#include "model/graph/scope.h"

#include "litmus/test/launch.h"

/* Columns that name the same numbers share a CTA, cluster or warp; unnamed ones are a column's own.
 */
struct key {
    enum { KEY_CTA, KEY_CLUSTER, KEY_CTA_CLUSTER, KEY_WARP } kind;
    uint32_t gpu, number, within;
};

struct numbering {
    struct arena *arena;
    VEC(struct key) keys;
    VEC(uint32_t) numbers;
    uint32_t ctas, clusters, warps;
};

static uint32_t number_of(struct numbering *n, struct key key, uint32_t *next)
{
    for (uint32_t i = 0; i < n->keys.len; i++) {
        const struct key *k = &n->keys.at[i];
        if (k->kind == key.kind && k->gpu == key.gpu && k->number == key.number &&
            k->within == key.within)
            return n->numbers.at[i];
    }
    vec_push(n->arena, &n->keys, key);
    vec_push(n->arena, &n->numbers, *next);
    return (*next)++;
}

uint64_t scope_thread_count(const struct test *test)
{
    uint64_t ctas = 0, warps = 0, count = test->column_count;
    for (uint32_t i = 0; i < test->launch_count; i++)
        launch_add_room(&test->launches[i], &ctas, &warps, &count);
    return count;
}

struct thread scope_thread(const char *name)
{
    struct thread t = {.name = name};
    t.column = t.launch = t.linear_cta = t.linear_tid = t.host = t.issuer = NONE;
    t.cta = t.cluster = t.gpu = t.warp = NONE;
    return t;
}

static struct thread column_thread(struct numbering *n, const struct column *column, uint32_t index)
{
    struct thread t = scope_thread(arena_printf(n->arena, "P%u", index));
    t.column = index;
    t.gpu = column->gpu;
    t.cta = number_of(n, (struct key){KEY_CTA, column->gpu, column->cta, 0}, &n->ctas);
    struct key cluster = {KEY_CLUSTER, column->gpu, column->cluster, 0};
    if (column->cluster == NONE)
        cluster = (struct key){KEY_CTA_CLUSTER, column->gpu, column->cta, 0};
    t.cluster = number_of(n, cluster, &n->clusters);
    t.warp =
        column->warp == NONE
            ? n->warps++
            : number_of(n, (struct key){KEY_WARP, column->gpu, column->warp, t.cta}, &n->warps);
    return t;
}

/* The cluster of a CTA within its grid: clusters tile the grid. */
static uint32_t cluster_in_grid(const struct launch *l, uint32_t cta)
{
    uint32_t x = cta % l->grid.x, y = cta / l->grid.x % l->grid.y, z = cta / l->grid.x / l->grid.y;
    uint32_t across = (l->grid.x + l->cluster.x - 1) / l->cluster.x;
    uint32_t down = (l->grid.y + l->cluster.y - 1) / l->cluster.y;
    return x / l->cluster.x + across * (y / l->cluster.y + down * (z / l->cluster.z));
}

static void launch_threads(struct numbering *n, const struct launch *l, uint32_t index,
                           uint32_t gpu, struct thread *threads, uint32_t *count)
{
    uint32_t ctas = (uint32_t)dim3_size(l->grid), block = (uint32_t)dim3_size(l->block);
    uint32_t most = 0;
    for (uint32_t cta = 0; cta < ctas; cta++) {
        uint32_t cluster = cluster_in_grid(l, cta);
        most = cluster > most ? cluster : most;
        for (uint32_t tid = 0; tid < block; tid++) {
            struct thread t = scope_thread(arena_printf(n->arena, "%s[%u,%u]", l->label, cta, tid));
            t.launch = index;
            t.linear_cta = cta;
            t.linear_tid = tid;
            t.cta = n->ctas + cta;
            t.cluster = n->clusters + cluster;
            t.gpu = gpu;
            t.warp = n->warps + cta * ((block + 31) / 32) + tid / 32;
            threads[(*count)++] = t;
        }
    }
    n->ctas += ctas;
    n->clusters += most + 1;
    n->warps += ctas * ((block + 31) / 32);
}

struct thread *scope_threads(struct arena *arena, const struct test *test, uint32_t *count)
{
    struct numbering n = {.arena = arena};
    struct thread *threads = ARENA_ARRAY(arena, struct thread, scope_thread_count(test));
    *count = 0;
    for (uint32_t i = 0; i < test->column_count; i++)
        threads[(*count)++] = column_thread(&n, &test->columns[i], i);
    for (uint32_t i = 0; i < test->launch_count; i++)
        launch_threads(&n, &test->launches[i], i, test->launches[i].gpu, threads, count);
    return threads;
}

struct numbering *scope_numbering(struct arena *arena)
{
    struct numbering *n = ARENA_NEW(arena, struct numbering);
    n->arena = arena;
    return n;
}

struct thread *scope_launch_threads(struct numbering *n, const struct test *test, uint32_t launch,
                                    uint32_t gpu, uint32_t *count)
{
    const struct launch *l = &test->launches[launch];
    struct thread *threads =
        ARENA_ARRAY(n->arena, struct thread, dim3_size(l->grid) * dim3_size(l->block));
    *count = 0;
    launch_threads(n, l, launch, gpu, threads, count);
    return threads;
}

uint32_t scope_cta_count(const struct thread *threads, uint32_t count)
{
    uint32_t ctas = 0;
    for (uint32_t i = 0; i < count; i++)
        if (threads[i].cta != NONE && threads[i].cta >= ctas)
            ctas = threads[i].cta + 1;
    return ctas;
}
