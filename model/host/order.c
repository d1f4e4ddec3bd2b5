/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/host/host.h"

/* In what order calls of different host threads happen: all interleavings, but calls that touch
 * nothing in common are swapped for free, so of those only one is taken. */

enum {
    MAX_ORDERS = 64,
    MAX_STEPS = 200000,
    MAX_CALLS = 2000, /* several threads: the search recurses once a call */
};

struct ordering {
    struct builder *b;
    uint32_t *sequence, length, steps;
    bool *used;
    VEC(uint32_t *) orders;
    bool too_many;
};

static bool same(uint32_t a, uint32_t b)
{
    return a != NONE && a == b;
}

static bool captures(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE ||
           call->row->subject == HOST_SUBJECT_END_CAPTURE;
}

/* Whether a capture of another thread is in progress may make the call fail. */
static bool may_be_prohibited(const struct host_call *call)
{
    enum host_subject subject = call->row->subject;
    return call->row->class == HOST_WAITS || call->row->class == HOST_ASKS ||
           subject == HOST_SUBJECT_ALLOCATION || subject == HOST_SUBJECT_RELEASE ||
           subject == HOST_SUBJECT_EXECUTABLE;
}

bool host_conflict(const struct builder *b, const struct call_instance *x,
                   const struct call_instance *y)
{
    const struct host_call *p = &b->test->host->calls[x->call], *q = &b->test->host->calls[y->call];
    uint32_t s = p->stream, t = q->stream;
    bool all = host_call_is(p, HOST_WAITS, HOST_SUBJECT_DEVICE) ||
               host_call_is(q, HOST_WAITS, HOST_SUBJECT_DEVICE);
    bool capture = captures(p) || captures(q);
    bool legacy = s == HOST_STREAM_LEGACY || t == HOST_STREAM_LEGACY;
    if ((all || legacy) && (s != NONE || t != NONE))
        return true;
    if (s == HOST_STREAM_PER_THREAD && x->host != y->host)
        s = NONE;
    if (capture && (may_be_prohibited(p) || may_be_prohibited(q)))
        return true;
    return same(s, t) || same(p->event, q->event) || same(p->exec, q->exec) ||
           same(p->graph, q->graph);
}

static bool ready(const struct ordering *o, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (!o->used[k] && o->b->instances.at[k].host == o->b->instances.at[i].host)
            return false;
    return !o->used[i];
}

/* The call could as well stand before one that precedes it and has a later thread: of the interleavings that
 * differ only so, this leaves the first in the order of threads. */
static bool swaps(const struct ordering *o, uint32_t depth, uint32_t i)
{
    const struct call_instance *next = &o->b->instances.at[i];
    while (depth-- > 0) {
        const struct call_instance *last = &o->b->instances.at[o->sequence[depth]];
        if (next->host == last->host || host_conflict(o->b, last, next))
            return false;
        if (next->host < last->host)
            return true;
    }
    return false;
}

/* Can some call still come that the i-th must follow? */
static bool may_follow(const struct ordering *o, uint32_t i)
{
    const struct call_instance *at = &o->b->instances.at[i];
    for (uint32_t k = 0; k < o->length; k++) {
        const struct call_instance *other = &o->b->instances.at[k];
        if (!o->used[k] && other->host != at->host && host_conflict(o->b, at, other))
            return true;
    }
    return false;
}

/* A call that now stands too late, and that nothing to come lets stand there. */
static bool is_dead_end(const struct ordering *o, uint32_t depth)
{
    for (uint32_t i = 0; i < o->length; i++)
        if (ready(o, i) && swaps(o, depth, i) && !may_follow(o, i))
            return true;
    return false;
}

static void add_order(struct ordering *o)
{
    uint32_t *copy = ARENA_ARRAY(o->b->arena, uint32_t, o->length + 1);
    memcpy(copy, o->sequence, o->length * sizeof *copy);
    o->too_many = o->too_many || o->orders.len == MAX_ORDERS;
    vec_push(o->b->arena, &o->orders, copy);
}

static void extend(struct ordering *o, uint32_t depth)
{
    o->too_many = o->too_many || ++o->steps > MAX_STEPS;
    if (is_dead_end(o, depth))
        return;
    if (depth == o->length)
        add_order(o);
    for (uint32_t i = 0; i < o->length && depth < o->length && !o->too_many; i++) {
        if (!ready(o, i) || swaps(o, depth, i))
            continue;
        o->used[i] = true;
        o->sequence[depth] = i;
        extend(o, depth + 1);
        o->used[i] = false;
    }
}

static bool one_thread(const struct ordering *o)
{
    for (uint32_t i = 1; i < o->length; i++)
        if (o->b->instances.at[i].host != o->b->instances.at[0].host)
            return false;
    return true;
}

uint32_t **host_orders(struct builder *b, uint32_t *count)
{
    struct ordering o = {.b = b, .length = b->instances.len};
    o.sequence = ARENA_ARRAY(b->arena, uint32_t, o.length + 1);
    o.used = ARENA_ARRAY(b->arena, bool, o.length + 1);
    for (uint32_t i = 0; i < o.length; i++)
        o.sequence[i] = i;
    if (one_thread(&o))
        add_order(&o);
    else if (o.length <= MAX_CALLS)
        extend(&o, 0);
    else
        o.too_many = true;
    if (o.too_many)
        builder_fail(b, DIAG_host_orders, b->test->host->threads[0].span,
                     "fewer calls, or more of them in one thread",
                     "the calls of the host threads can follow each other in more than %d ways",
                     MAX_ORDERS);
    *count = o.orders.len;
    return b->failed ? NULL : o.orders.at;
}
