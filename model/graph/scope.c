/* SPDX-License-Identifier: MIT */
#include "model/graph/scope.h"

#include <glib.h>
#include <string.h>

#include "litmus/test/launch.h"

/* The number a column gives to a place: columns of one gpu that give the same are in the same place. One that a
 * column does not name (NONE) goes by the narrower place that it holds: 'within'. */
struct key {
    enum scope scope; /* of the place; SCOPE_NONE: a warp */
    uint32_t gpu, number, within;
};

struct numbering {
    struct arena *arena;
    VEC(struct key) keys;
    VEC(uint32_t) numbers;
    uint32_t next[PLACE_COUNT + 1]; /* a scope (SCOPE_NONE: warps): the first number not taken */
};

/* The number given to the place before, or the next one. */
static uint32_t number_of(struct numbering *n, struct key key)
{
    for (uint32_t i = 0; i < n->keys.len; i++) {
        const struct key *k = &n->keys.at[i];
        if (k->scope == key.scope && k->gpu == key.gpu && k->number == key.number &&
            k->within == key.within)
            return n->numbers.at[i];
    }
    vec_push(n->arena, &n->keys, key);
    vec_push(n->arena, &n->numbers, n->next[key.scope]);
    return n->next[key.scope]++;
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
    t.column = t.launch = t.linear_cta = t.linear_tid = t.host = t.issuer = t.warp = NONE;
#define PLACE(scope, member) t.member = NONE;
#include "litmus/isa/words.def"
    return t;
}

/* Places are numbered from the narrowest, so that one without a name can go by the one within
 * it. */
static struct thread column_thread(struct numbering *n, const struct column *column, uint32_t index)
{
    struct thread t = scope_thread(arena_printf(n->arena, "P%u", index));
    uint32_t within = 0;
    t.column = index;
#define PLACE(scope, member)                                                                       \
    t.member = number_of(n, (struct key){SCOPE_##scope, column->gpu, column->member,               \
                                         column->member == NONE ? within : 0});                    \
    within = t.member;
#include "litmus/isa/words.def"
    t.gpu = column->gpu;
    t.warp = column->warp == NONE
                 ? n->next[SCOPE_NONE]++
                 : number_of(n, (struct key){SCOPE_NONE, column->gpu, column->warp, t.cta});
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
    uint32_t taken[PLACE_COUNT + 1];
    memcpy(taken, n->next, sizeof taken);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        uint32_t cluster = cluster_in_grid(l, cta);
        for (uint32_t tid = 0; tid < block; tid++) {
            struct thread t = scope_thread(arena_printf(n->arena, "%s[%u,%u]", l->label, cta, tid));
            t.launch = index;
            t.domain = l->domain;
            t.linear_cta = cta;
            t.linear_tid = tid;
/* a cluster is alone in wider places */
#define PLACE(scope, member)                                                                       \
    t.member = taken[SCOPE_##scope] + (SCOPE_##scope == SCOPE_CTA ? cta : cluster);                \
    n->next[SCOPE_##scope] = MAX(n->next[SCOPE_##scope], t.member + 1);
#include "litmus/isa/words.def"
            t.gpu = gpu;
            t.warp = taken[SCOPE_NONE] + cta * ((block + 31) / 32) + tid / 32;
            n->next[SCOPE_NONE] = MAX(n->next[SCOPE_NONE], t.warp + 1);
            threads[(*count)++] = t;
        }
    }
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
