/* SPDX-License-Identifier: MIT */
#include "litmus/edit/need.h"

/* ---- columns -------------------------------------------------------------------------------- */

/* The narrowest scope that includes both. */
static enum scope between(const struct column *a, const struct column *b)
{
    if (a->gpu != b->gpu)
        return SCOPE_SYS;
#define PLACE(scope, member)                                                                       \
    if (a->member != NONE && a->member == b->member)                                               \
        return SCOPE_##scope;
#include "litmus/isa/words.def"
    return SCOPE_SYS;
}

static bool share_warp(const struct column *a, const struct column *b)
{
    return a->warp != NONE && a->warp == b->warp && between(a, b) == SCOPE_CTA;
}

static void see_columns(const struct test *test, struct need *need)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        for (uint32_t k = i + 1; k < test->column_count; k++) {
            need->scopes |= 1u << between(&test->columns[i], &test->columns[k]);
            need->warp |= share_warp(&test->columns[i], &test->columns[k]);
        }
}

/* ---- launches ------------------------------------------------------------------------------- */

static uint64_t size(struct dim3 dim)
{
    return (uint64_t)dim.x * dim.y * dim.z;
}

static uint32_t scopes_in(const struct launch *launch)
{
    return (size(launch->block) > 1 ? 1u << SCOPE_CTA : 0) |
           (size(launch->cluster) > 1 ? 1u << SCOPE_CLUSTER : 0) |
           (size(launch->grid) > size(launch->cluster) ? 1u << SCOPE_GPU : 0);
}

static void see_launches(const struct test *test, struct need *need)
{
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct launch *launch = &test->launches[i];
        need->scopes |= scopes_in(launch);
        need->warp |= size(launch->block) > 1;
        for (uint32_t k = i + 1; k < test->launch_count; k++)
            need->scopes |= 1u << (launch->gpu == test->launches[k].gpu ? SCOPE_GPU : SCOPE_SYS);
    }
    if (test->host)
        need->scopes |= 1u << SCOPE_GPU | 1u << SCOPE_SYS;
}

/* ---- both ----------------------------------------------------------------------------------- */

static void see_proxies(const struct test *test, struct need *need)
{
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++)
            if (test->bodies[b].insts[i].op != OP_FENCE)
                need->proxies |= 1u << test->bodies[b].insts[i].proxy;
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *location = &test->locations[i];
        need->shared |= location->space == SPACE_SHARED;
        if (location->alias_of != NONE)
            need->proxies |= 1u << (location->alias_proxy == PROXY_GENERIC ? PROXY_ALIAS
                                                                           : location->alias_proxy);
    }
    need->proxies &= ~(1u << PROXY_GENERIC);
}

struct need need_of(struct arena *arena, const struct test *test)
{
    struct need need = {0};
    (void)arena;
    see_columns(test, &need);
    see_launches(test, &need);
    see_proxies(test, &need);
    return need;
}

static const struct column *column_of(const struct test *test, const struct body *body)
{
    for (uint32_t i = 0; i < test->column_count; i++)
        if (&test->bodies[test->columns[i].body] == body)
            return &test->columns[i];
    return NULL;
}

uint32_t need_lanes(const struct test *test, const struct body *body)
{
    const struct column *self = column_of(test, body);
    uint32_t mask = 0, count = 0;
    for (uint32_t i = 0; self && i < test->column_count; i++)
        if (share_warp(self, &test->columns[i]) && test->columns[i].lane < 32) {
            mask |= 1u << test->columns[i].lane;
            count++;
        }
    return count > 1 ? mask : 0;
}

bool need_meets(const struct test *test, const struct body *body, enum scope scope)
{
    const struct column *self = column_of(test, body);
    for (uint32_t i = 0; self && i < test->column_count; i++)
        if (self != &test->columns[i] && between(self, &test->columns[i]) <= scope)
            return true;
    for (uint32_t i = 0; !self && i < test->launch_count; i++)
        if (&test->bodies[test->launches[i].kernel] == body &&
            scopes_in(&test->launches[i]) & ((2u << scope) - 1))
            return true;
    return false;
}
