/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/addresses.h"

#include "model/unfold/step/private.h"

/* Which addresses an access can have. Anywhere else its behaviour is undefined: then it touches
 * nothing, what it would have read is 0, and only the question whether that can happen looks at
 * such an execution. */

enum { MAX_ADDRESSES = 4096 };

const uint64_t *addresses_values(struct builder *b, const struct graph *graph, expr_id expr,
                                 uint32_t *count)
{
    b->values = b->values ? b->values : values_new(b->arena, graph);
    return values_of(b->values, expr, count);
}

struct finding {
    struct builder *b;
    const struct graph *g;
    struct addresses *found;
    expr_id *wild; /* a thread: an earlier access of it went astray */
};

/* Local memory is its thread's, shared memory its cluster's (1.5). */
static bool reaches(const struct finding *f, const struct event *event, const struct mapping *m)
{
    const struct thread *threads = f->b->threads.at, *t = &threads[event->thread];
    if (m->thread != NONE)
        return m->thread == (t->issuer == NONE ? event->thread : t->issuer);
    for (uint32_t i = 0; m->cta != NONE && i < f->b->threads.len; i++)
        if (threads[i].cta == m->cta)
            return threads[i].cluster == t->cluster;
    return true;
}

static bool is_usable(const struct finding *f, const struct event *event, uint64_t address)
{
    const struct mapping *m = graph_mapping(f->g, address, event->bytes);
    return m && address % event->bytes == 0 && reaches(f, event, m);
}

/* Anything is possible: every aligned place of every mapping. */
static void take_all(struct finding *f, event_id e)
{
    const struct event *event = &f->b->events.at[e];
    VEC(uint64_t) list = {0};
    for (uint32_t i = 0; i < f->g->mapping_count; i++) {
        const struct mapping *m = &f->g->mappings[i];
        for (uint64_t at = 0; at + event->bytes <= m->bytes && reaches(f, event, m);
             at += event->bytes) {
            if (list.len == MAX_ADDRESSES) {
                builder_fail(f->b, DIAG_address_unknown, event->span, NULL,
                             "the address can have too many values");
                return;
            }
            vec_push(f->b->arena, &list, m->virtual_base + at);
        }
    }
    f->found[e].at = list.at;
    f->found[e].count = list.len;
}

static void take_known(struct finding *f, event_id e, const uint64_t *values, uint32_t count)
{
    struct addresses *found = &f->found[e];
    found->at = ARENA_ARRAY(f->b->arena, uint64_t, count);
    for (uint32_t i = 0; i < count; i++)
        if (is_usable(f, &f->b->events.at[e], values[i]))
            found->at[found->count++] = values[i];
    if (found->count == count)
        found->inside = expr_true(f->b->exprs);
}

static void find(struct finding *f, event_id e)
{
    const struct event *event = &f->b->events.at[e];
    uint64_t address;
    uint32_t count;
    if (expr_is_const(f->b->exprs, event->address, &address)) {
        take_known(f, e, &address, 1);
        return;
    }
    const uint64_t *values = addresses_values(f->b, f->g, event->address, &count);
    if (values)
        take_known(f, e, values, count);
    else
        take_all(f, e);
}

static void set_inside(struct finding *f, event_id e)
{
    struct expr_pool *exprs = f->b->exprs;
    struct addresses *found = &f->found[e];
    for (uint32_t i = 0; i < found->count; i++) {
        expr_id here = expr_const(exprs, 64, found->at[i]);
        expr_id is_here = expr_eq(exprs, f->b->events.at[e].address, here);
        found->inside = expr_or(exprs, found->inside, is_here);
    }
}

/* Of accesses that go astray one after the other the first one of a thread is told. */
static void keep_inside(struct finding *f, event_id e)
{
    struct expr_pool *exprs = f->b->exprs;
    struct event *event = &f->b->events.at[e];
    expr_id *wild = &f->wild[event->thread];
    expr_id outside = expr_and(exprs, event->guard, expr_not(exprs, f->found[e].inside));
    expr_id first = expr_and(exprs, outside, expr_not(exprs, *wild));
    event->guard = expr_and(exprs, event->guard, f->found[e].inside);
    if (expr_is_false(exprs, first))
        return;
    builder_undefined(f->b, "wild-address",
                      "an access outside every location it can reach, or misaligned", first,
                      event->span, event->thread);
    builder_assume(f->b, ASSUME_DEFINED, expr_not(exprs, first), event->span, event->thread);
    *wild = expr_or(exprs, *wild, outside);
}

/* Local memory that is in registers, and which one of these may reach. */
static void find_escaping(const struct finding *f)
{
    for (event_id e = 0; e < f->b->events.len; e++)
        for (uint32_t i = 0; i < f->found[e].count; i++)
            private_escape(f->b, graph_mapping(f->g, f->found[e].at[i], f->b->events.at[e].bytes));
    f->b->failed |= f->b->private_memory->again;
}

struct addresses *addresses_find(struct builder *b, const struct graph *graph)
{
    struct finding f = {b, graph, ARENA_ARRAY(b->arena, struct addresses, b->events.len),
                        ARENA_ARRAY(b->arena, expr_id, b->threads.len)};
    for (uint32_t t = 0; t < b->threads.len; t++)
        f.wild[t] = expr_false(b->exprs);
    for (event_id e = 0; e < b->events.len && !b->failed; e++) {
        f.found[e].inside = expr_false(b->exprs);
        if (event_is_memory(&b->events.at[e]))
            find(&f, e);
    }
    find_escaping(&f);
    for (event_id e = 0; e < b->events.len && !b->failed; e++) {
        if (!event_is_memory(&b->events.at[e]) || expr_is_true(b->exprs, f.found[e].inside))
            continue;
        set_inside(&f, e);
        keep_inside(&f, e);
    }
    return f.found;
}
