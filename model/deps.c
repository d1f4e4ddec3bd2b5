/* SPDX-License-Identifier: MIT */
#include "model/deps.h"

#include <assert.h>

static struct deps *deps_new(struct deps_context *c, uint32_t room)
{
    return arena_alloc(c->arena, sizeof(struct deps) + room * sizeof(struct dep));
}

const struct deps *deps_of(struct deps_context *c, event_id event)
{
    assert(c->arena && c->exprs);
    struct deps *d = deps_new(c, 1);
    d->count = 1;
    d->items[0] = (struct dep){event, expr_true(c->exprs)};
    return d;
}

/* Merges two sorted sets; an item of a side gets that side's condition too, true being no
 * condition. */
static const struct deps *merge(struct deps_context *c, const struct deps *a, expr_id when_a,
                                const struct deps *b, expr_id when_b)
{
    uint32_t m = a ? a->count : 0, n = b ? b->count : 0, i = 0, j = 0;
    struct deps *d = deps_new(c, m + n);
    while (i < m || j < n) {
        bool from_a = i < m && (j >= n || a->items[i].event <= b->items[j].event);
        bool from_b = j < n && (i >= m || b->items[j].event <= a->items[i].event);
        struct dep item = {from_a ? a->items[i].event : b->items[j].event, expr_false(c->exprs)};
        if (from_a && from_b && a->items[i].guard == b->items[j].guard && when_a != when_b) {
            item.guard = a->items[i].guard; /* the same on both sides of a branch */
        } else {
            if (from_a)
                item.guard = expr_and(c->exprs, a->items[i].guard, when_a);
            if (from_b)
                item.guard =
                    expr_or(c->exprs, item.guard, expr_and(c->exprs, b->items[j].guard, when_b));
        }
        i += from_a;
        j += from_b;
        if (!expr_is_false(c->exprs, item.guard))
            d->items[d->count++] = item;
    }
    return d->count ? d : NULL;
}

const struct deps *deps_union(struct deps_context *c, const struct deps *a, const struct deps *b)
{
    if (!a || a == b)
        return b;
    if (!b)
        return a;
    return merge(c, a, expr_true(c->exprs), b, expr_true(c->exprs));
}

const struct deps *deps_select(struct deps_context *c, expr_id condition, const struct deps *a,
                               const struct deps *b)
{
    if (a == b)
        return a;
    return merge(c, a, condition, b, expr_not(c->exprs, condition));
}
