/* SPDX-License-Identifier: MIT */
#include "model/machine/race/heads.h"

#include <glib.h>
#include <stdlib.h>

#include "litmus/test/test.h"

static bool same(uint32_t a, uint32_t b)
{
    return a == b || a == PLACE_MANY || b == PLACE_MANY;
}

bool race_holds(uint32_t scope, const struct race_place *from, const struct race_place *to)
{
    switch ((enum scope)scope) {
    case SCOPE_CTA:
        return same(from->cta, to->cta);
    case SCOPE_CLUSTER:
        return same(from->cluster, to->cluster);
    case SCOPE_GPU:
        return same(from->gpu, to->gpu);
    case SCOPE_SYS:
        return true;
    case SCOPE_NONE: /* of a weak access, a barrier */
        return false;
    }
    abort();
}

bool race_inclusive(const struct race_place *a, uint32_t scope_a, const struct race_place *b,
                    uint32_t scope_b)
{
    return race_holds(scope_a, a, b) && race_holds(scope_b, b, a);
}

static uint32_t common(uint32_t a, uint32_t b)
{
    return a == b ? a : PLACE_MANY;
}

void heads_add(struct heads *heads, const struct head *head)
{
    for (uint32_t i = 0; i < heads->count; i++) {
        struct head *old = &heads->at[i];
        if (old->scope != head->scope || old->memory != head->memory ||
            !race_holds(head->scope, &head->place, &old->place))
            continue;
        struct clock *joined = clock_join(head->clock, old->clock);
        clock_unref(old->clock);
        old->clock = joined;
        old->place.cta = common(old->place.cta, head->place.cta);
        old->place.cluster = common(old->place.cluster, head->place.cluster);
        old->place.gpu = common(old->place.gpu, head->place.gpu);
        return;
    }
    heads->at = g_renew(struct head, heads->at, heads->count + 1);
    heads->at[heads->count] = *head;
    clock_ref(head->clock);
    heads->count++;
}

void heads_clear(struct heads *heads)
{
    for (uint32_t i = 0; i < heads->count; i++)
        clock_unref(heads->at[i].clock);
    g_free(heads->at);
    *heads = (struct heads){0};
}
