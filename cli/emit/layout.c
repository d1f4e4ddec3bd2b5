/* SPDX-License-Identifier: MIT
 *
 * Which CTA, warp and lane of the CUDA kernel each thread of a test becomes. */
#include "cli/emit/emit.h"

typedef bool relation(const struct column *, const struct column *);

static bool one_cta(const struct column *a, const struct column *b)
{
    return a->gpu == b->gpu && a->cta == b->cta;
}

static bool one_cluster(const struct column *a, const struct column *b)
{
    return one_cta(a, b) || (a->gpu == b->gpu && a->cluster != NONE && a->cluster == b->cluster);
}

static bool one_gpu(const struct column *a, const struct column *b)
{
    return a->gpu == b->gpu;
}

static bool one_warp(const struct column *a, const struct column *b)
{
    return one_cta(a, b) && a->warp != NONE && a->warp == b->warp;
}

/* The first column before i that is in one group with it. */
static bool earlier(const struct test *test, uint32_t i, relation *same, uint32_t *index)
{
    for (*index = 0; *index < i; ++*index)
        if (same(&test->columns[*index], &test->columns[i]))
            return true;
    return false;
}

static bool lanes_matter(const struct test *test)
{
    for (uint32_t i = 0; i < test->column_count; i++) {
        const struct body *body = &test->bodies[test->columns[i].body];
        if (test->columns[i].warp != NONE)
            return true;
        for (uint32_t k = 0; k < body->inst_count; k++)
            if (op_group(body->insts[k].op) == GROUP_COLLECTIVE)
                return true;
    }
    return false;
}

/* A barrier takes whole warps: it counts the predicates of every lane, and lets a warp pass when
 * the lanes of one copy come and those of another, which branch, do not. */
static bool barriers_mix_copies(const struct body *body)
{
    bool waits = false, branches = false;
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct inst *inst = &body->insts[i];
        bool barrier = op_group(inst->op) == GROUP_CTA_BARRIER;
        if (inst->op == OP_BAR_RED)
            return true;
        waits |= barrier;
        branches |= inst->op == OP_BRA || inst->op == OP_BRANCH_COMPARE || inst->op == OP_BRX ||
                    (inst->guard != NONE && (barrier || inst->op == OP_RET || inst->op == OP_EXIT));
    }
    return waits && branches;
}

static bool copies_mix(const struct test *test)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (barriers_mix_copies(&test->bodies[test->columns[i].body]))
            return true;
    return false;
}

struct column_placing {
    const struct test *test;
    struct emit_layout *at;
    uint32_t clusters;               /* so far */
    uint32_t *cluster;               /* a column's */
    uint32_t *ctas, *warps;          /* of a cluster; of each CTA of a cluster */
    uint32_t of_gpu[EMIT_MOST_GPUS]; /* clusters */
};

static void place_column(struct column_placing *p, uint32_t i)
{
    struct emit_layout *at = p->at;
    uint32_t k, n = p->test->column_count;
    p->cluster[i] = earlier(p->test, i, one_cluster, &k) ? p->cluster[k] : p->clusters++;
    at->cta[i] = earlier(p->test, i, one_cta, &k) ? at->cta[k] : p->ctas[p->cluster[i]]++;
    uint32_t *used = &p->warps[p->cluster[i] * n + at->cta[i]];
    at->warp[i] = earlier(p->test, i, one_warp, &k) ? at->warp[k] : (*used)++;
    at->lane[i] = p->test->columns[i].lane == NONE ? 0 : p->test->columns[i].lane;
    at->cluster = MAX(at->cluster, p->ctas[p->cluster[i]]);
    at->warps = MAX(at->warps, *used);
}

/* Those of the GPU that the column is on, the first that is. */
static void place_gpu(struct column_placing *p, uint32_t first)
{
    uint32_t before = p->clusters;
    for (uint32_t i = first; i < p->test->column_count; i++)
        if (one_gpu(&p->test->columns[i], &p->test->columns[first]))
            place_column(p, i);
    p->of_gpu[p->at->gpus++] = p->clusters - before;
}

/* Numbers clusters, CTAs in their cluster, warps in their CTA, as the columns name them. */
static void place_columns(struct arena *arena, const struct test *test, struct emit_layout *at)
{
    uint32_t n = test->column_count, k;
    struct column_placing p = {.test = test, .at = at};
    p.cluster = ARENA_ARRAY(arena, uint32_t, n);
    p.ctas = ARENA_ARRAY(arena, uint32_t, n);
    p.warps = ARENA_ARRAY(arena, uint32_t, n * n);
    for (uint32_t i = 0; i < n && at->gpus < EMIT_MOST_GPUS; i++)
        if (!earlier(test, i, one_gpu, &k))
            place_gpu(&p, i);
    for (uint32_t i = 0; i < n; i++)
        at->cta[i] += p.cluster[i] * at->cluster;
    for (uint32_t i = 0; i < at->gpus; i++)
        at->ctas_of[i] = p.of_gpu[i] * at->cluster;
    at->ctas = p.clusters * at->cluster;
}

static uint32_t volume(struct dim3 dim)
{
    return dim.x * dim.y * dim.z;
}

struct emit_layout *emit_layout(struct arena *arena, const struct test *test)
{
    struct emit_layout *at = ARENA_NEW(arena, struct emit_layout);
    bool apart = lanes_matter(test);
    at->lone = !apart && copies_mix(test);
    at->lanes = apart || at->lone ? 1 : EMIT_WARP;
    at->cta = ARENA_ARRAY(arena, uint32_t, test->column_count + 1);
    at->warp = ARENA_ARRAY(arena, uint32_t, test->column_count + 1);
    at->lane = ARENA_ARRAY(arena, uint32_t, test->column_count + 1);
    if (test->column_count) {
        place_columns(arena, test, at);
    } else if (test->launch_count) {
        const struct launch *launch = &test->launches[0];
        at->ctas = volume(launch->grid);
        at->warps = (volume(launch->block) + EMIT_WARP - 1) / EMIT_WARP;
        at->cluster = volume(launch->cluster);
        at->lanes = 1;
        at->whole = true;
    }
    return at;
}

bool emit_cta(const struct test *test, const struct emit_layout *at, const struct location *shared,
              uint32_t *index)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (test->columns[i].cta == shared->cta &&
            (shared->gpu == NONE || test->columns[i].gpu == shared->gpu)) {
            *index = at->cta[i];
            return true;
        }
    return false;
}

enum proxy emit_path(const struct test *test, uint32_t location)
{
    const struct location *l = &test->locations[location];
    return l->alias_of == NONE ? PROXY_GENERIC : l->alias_proxy;
}

uint32_t emit_view(const struct test *test, uint32_t location)
{
    uint32_t root = test_root_location(test, location), view = 0;
    while (emit_path(test, location) != PROXY_GENERIC)
        location = test->locations[location].alias_of;
    for (uint32_t i = 0; location != root && i <= location; i++)
        view +=
            i != root && test_root_location(test, i) == root && emit_path(test, i) == PROXY_GENERIC;
    return view;
}
