/* SPDX-License-Identifier: MIT
 *
 * Which CTA, warp and lane of the CUDA kernel each thread of a test becomes. */
#include "cli/emit/emit.h"

/* Where the threads of a test's copies run on the GPU: which CTAs, which warps, which lanes. */

typedef bool relation(const struct column *, const struct column *);

static bool one_cta(const struct column *a, const struct column *b)
{
    return a->cta == b->cta;
}

static bool one_cluster(const struct column *a, const struct column *b)
{
    return one_cta(a, b) || (a->cluster != NONE && a->cluster == b->cluster);
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

static bool branches(const struct body *body)
{
    for (uint32_t i = 0; i < body->inst_count; i++) {
        const struct inst *inst = &body->insts[i];
        bool jumps = inst->op == OP_BRA || inst->op == OP_BRANCH_COMPARE || inst->op == OP_BRX;
        if (jumps || (inst->guard != NONE && (op_group(inst->op) == GROUP_CTA_BARRIER ||
                                              inst->op == OP_RET || inst->op == OP_EXIT)))
            return true;
    }
    return false;
}

/* A barrier takes whole warps: it counts the predicates of every lane, and lets a warp pass when
 * the lanes of one copy come and those of another do not. */
static bool barriers_mix_copies(const struct test *test)
{
    for (uint32_t i = 0; i < test->column_count; i++) {
        const struct body *body = &test->bodies[test->columns[i].body];
        for (uint32_t k = 0; k < body->inst_count; k++)
            if (body->insts[k].op == OP_BAR_RED ||
                (op_group(body->insts[k].op) == GROUP_CTA_BARRIER && branches(body)))
                return true;
    }
    return false;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Numbers clusters, CTAs in their cluster, warps in their CTA, as the columns name them. */
static void place_columns(struct arena *arena, const struct test *test, struct emit_layout *at)
{
    uint32_t n = test->column_count, clusters = 0, k;
    uint32_t *cluster = ARENA_ARRAY(arena, uint32_t, n), *ctas = ARENA_ARRAY(arena, uint32_t, n);
    uint32_t *warps = ARENA_ARRAY(arena, uint32_t, n * n);
    for (uint32_t i = 0; i < n; i++) {
        cluster[i] = earlier(test, i, one_cluster, &k) ? cluster[k] : clusters++;
        at->cta[i] = earlier(test, i, one_cta, &k) ? at->cta[k] : ctas[cluster[i]]++;
        uint32_t *used = &warps[cluster[i] * n + at->cta[i]];
        at->warp[i] = earlier(test, i, one_warp, &k) ? at->warp[k] : (*used)++;
        at->lane[i] = test->columns[i].lane == NONE ? 0 : test->columns[i].lane;
        at->cluster = larger(at->cluster, ctas[cluster[i]]);
        at->warps = larger(at->warps, *used);
    }
    for (uint32_t i = 0; i < n; i++)
        at->cta[i] += cluster[i] * at->cluster;
    at->ctas = clusters * at->cluster;
}

static uint32_t volume(struct dim3 dim)
{
    return dim.x * dim.y * dim.z;
}

struct emit_layout *emit_layout(struct arena *arena, const struct test *test)
{
    struct emit_layout *at = ARENA_NEW(arena, struct emit_layout);
    at->lone = !lanes_matter(test) && barriers_mix_copies(test);
    at->lanes = lanes_matter(test) || at->lone ? 1 : EMIT_WARP;
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

bool emit_cta(const struct test *test, const struct emit_layout *at, uint32_t cta, uint32_t *index)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (test->columns[i].cta == cta) {
            *index = at->cta[i];
            return true;
        }
    return false;
}
