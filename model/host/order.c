/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/host/host.h"

/* In what order calls of different host threads happen. Of calls that only enqueue, wait or ask the order is a choice
 * of the graph: which of two comes first decides which edges between their tasks are there. The other calls change
 * what later calls mean, so each of their orders is a graph of its own: all interleavings, but calls that touch
 * nothing in common are swapped for free, so of those only one is taken. */

enum {
    MAX_ORDERS = 64,
    MAX_STEPS = 200000,
    MAX_CALLS = 2000,   /* several threads: the search recurses once a call */
    MAX_CHOOSING = 512, /* calls, of which any two may have a choice */
};

struct ordering {
    struct builder *b;
    uint32_t *sequence, length, steps;
    bool *used;
    bool chooses;
    VEC(uint32_t *) orders;
    bool too_many;
};

/* ---- what calls have in common -------------------------------------------------------------- */

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
           ((subject == HOST_SUBJECT_ALLOCATION || subject == HOST_SUBJECT_RELEASE) &&
            call->row->class != HOST_ADDS) ||
           subject == HOST_SUBJECT_EXECUTABLE;
}

/* The one may free what a launch of the other, an executable graph, allocates: whether a launch may follow depends
 * on which came first. */
static bool frees_of_graph(const struct builder *b, const struct host_call *launch,
                           const struct host_call *frees)
{
    bool allocates = false;
    for (uint32_t i = 0; i < b->test->host->call_count; i++) {
        const struct host_call *call = &b->test->host->calls[i];
        allocates = allocates || (host_call_is_ordered_allocation(call) &&
                                  call->to.location == frees->to.location);
    }
    return allocates && host_call_is(launch, HOST_ENQUEUES, HOST_SUBJECT_GRAPH) &&
           frees->row->subject == HOST_SUBJECT_RELEASE && frees->row->class != HOST_ADDS;
}

/* The capture that the call begins or ends prohibits calls of other threads. */
static bool prohibits(const struct builder *b, const struct host_call *call)
{
    for (uint32_t i = 0; captures(call) && i < b->test->host->call_count; i++) {
        const struct host_call *begin = &b->test->host->calls[i];
        if (begin->row->subject == HOST_SUBJECT_BEGIN_CAPTURE && begin->stream == call->stream &&
            begin->constant != HOST_CAPTURE_THREAD_LOCAL && begin->constant != HOST_CAPTURE_RELAXED)
            return true;
    }
    return false;
}

/* The call finds out about work and changes nothing. */
static bool only_looks(const struct host_call *call)
{
    return call->row->class == HOST_WAITS || call->row->class == HOST_ASKS;
}

static bool looks_at_event(const struct host_call *call)
{
    return only_looks(call) || host_call_is(call, HOST_ENQUEUES, HOST_SUBJECT_EVENT_WAIT);
}

/* No call makes the stream anything but non-blocking. */
static bool is_non_blocking(const struct builder *b, uint32_t stream)
{
    bool made = false;
    for (uint32_t i = 0; i < b->test->host->call_count; i++) {
        const struct host_call *call = &b->test->host->calls[i];
        if (!host_call_is(call, HOST_CREATES, HOST_SUBJECT_STREAM) || call->stream != stream)
            continue;
        if (call->constant != HOST_STREAM_NON_BLOCKING)
            return false;
        made = true;
    }
    return made;
}

/* Work of the legacy stream, and a call on a stream that it takes part in. */
static bool share_legacy(const struct builder *b, const struct host_call *legacy,
                         const struct host_call *other)
{
    return legacy->stream == HOST_STREAM_LEGACY && other->stream != NONE &&
           !(only_looks(legacy) && only_looks(other)) && !is_non_blocking(b, other->stream);
}

static bool waits_for_all(const struct host_call *call)
{
    return host_call_is(call, HOST_WAITS, HOST_SUBJECT_DEVICE);
}

static bool share_event(const struct host_call *p, const struct host_call *q)
{
    return same(p->event, q->event) || same(p->event, q->other_event) ||
           same(p->other_event, q->event) || same(p->other_event, q->other_event);
}

static bool runs_kernels(const struct host_call *call)
{
    return call->row->class == HOST_ENQUEUES && (call->launch != NONE || call->exec != NONE);
}

static bool changes_peers(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_PEER_ACCESS ||
           call->row->subject == HOST_SUBJECT_PEER_NO_ACCESS;
}

static bool conflict(const struct builder *b, const struct call_instance *x,
                     const struct call_instance *y)
{
    const struct host_call *p = &b->test->host->calls[x->call], *q = &b->test->host->calls[y->call];
    uint32_t s = p->stream, t = q->stream;
    bool look = only_looks(p) && only_looks(q);
    if (share_legacy(b, p, q) || share_legacy(b, q, p))
        return true;
    if (p->row->subject == HOST_SUBJECT_RESET || q->row->subject == HOST_SUBJECT_RESET)
        return true;
    if ((waits_for_all(p) && (q->row->class == HOST_ENQUEUES || captures(q))) ||
        (waits_for_all(q) && (p->row->class == HOST_ENQUEUES || captures(p))))
        return true;
    if (s == HOST_STREAM_PER_THREAD && x->host != y->host)
        s = NONE;
    if ((prohibits(b, p) && may_be_prohibited(q)) || (prohibits(b, q) && may_be_prohibited(p)))
        return true;
    if (frees_of_graph(b, p, q) || frees_of_graph(b, q, p))
        return true;
    return (same(s, t) && !look) ||
           (share_event(p, q) && !(looks_at_event(p) && looks_at_event(q))) ||
           (!b->test->host->platform.peer_access &&
            ((changes_peers(p) && runs_kernels(q)) || (changes_peers(q) && runs_kernels(p)))) ||
           same(p->exec, q->exec) || same(p->graph, q->graph) || same(p->child, q->graph) ||
           same(p->graph, q->child);
}

/* ---- whose order is a choice ---------------------------------------------------------------- */

/* Another thread uses a stream or an event of the thread's. */
static bool is_shared(const struct host_program *host, uint32_t thread)
{
    for (uint32_t i = 0; i < host->call_count; i++)
        for (uint32_t k = 0; k < host->call_count; k++) {
            const struct host_call *x = &host->calls[i], *y = &host->calls[k];
            if (x->host == thread && y->host != thread &&
                (same(x->stream, y->stream) || share_event(x, y)))
                return true;
        }
    return false;
}

/* What a capture takes of several threads, what a programmatic kernel is behind and what nodes record changes with
 * the order. */
static bool may_choose(const struct builder *b)
{
    const struct host_program *host = b->test->host;
    bool several = false;
    for (uint32_t i = 0; i < b->test->launch_count; i++)
        if (b->test->launches[i].programmatic)
            return false;
    for (uint32_t i = 0; i < host->call_count; i++)
        if ((captures(&host->calls[i]) && is_shared(host, host->calls[i].host)) ||
            ((host->calls[i].row->class == HOST_ADDS || host->calls[i].row->class == HOST_SETS) &&
             host->calls[i].event != NONE))
            return false;
    for (uint32_t i = 1; i < b->instances.len; i++)
        several = several || b->instances.at[i].host != b->instances.at[0].host;
    return several && b->instances.len <= MAX_CHOOSING;
}

static bool is_plain(const struct host_call *call)
{
    return call->row->class == HOST_ENQUEUES || only_looks(call);
}

uint32_t host_made_object(const struct host_call *call)
{
    bool creates = call->row->class == HOST_CREATES;
    enum host_subject subject = call->row->subject;
    return !creates                             ? NONE
           : subject == HOST_SUBJECT_STREAM     ? call->stream
           : subject == HOST_SUBJECT_EVENT      ? call->event
           : subject == HOST_SUBJECT_EXECUTABLE ? call->exec
                                                : NONE;
}

/* The only call that makes its object: whoever uses it before fails. */
static bool makes_for_good(const struct builder *b, const struct call_instance *at)
{
    uint32_t made = host_made_object(&b->test->host->calls[at->call]);
    for (uint32_t i = 0; made != NONE && i < b->instances.len; i++) {
        const struct call_instance *other = &b->instances.at[i];
        if (other != at && host_made_object(&b->test->host->calls[other->call]) == made)
            return false;
    }
    return made != NONE;
}

/* A stream is made or destroyed while work is put into the legacy one: what that means is asked when all is planned. */
static bool only_joins(const struct host_call *makes, const struct host_call *other)
{
    return (host_call_is(makes, HOST_CREATES, HOST_SUBJECT_STREAM) ||
            host_call_is(makes, HOST_DESTROYS, HOST_SUBJECT_STREAM)) &&
           is_plain(other) && other->stream == HOST_STREAM_LEGACY;
}

static bool is_choice(const struct builder *b, const struct call_instance *x,
                      const struct call_instance *y)
{
    const struct host_call *p = &b->test->host->calls[x->call], *q = &b->test->host->calls[y->call];
    if (x->host == y->host || !conflict(b, x, y) || frees_of_graph(b, p, q) ||
        frees_of_graph(b, q, p))
        return false;
    return (is_plain(p) && is_plain(q)) || only_joins(p, q) || only_joins(q, p) ||
           (x->host < y->host && is_plain(q) && makes_for_good(b, x)) ||
           (y->host < x->host && is_plain(p) && makes_for_good(b, y));
}

/* Each order of the two is a graph of its own. */
static bool splits(const struct ordering *o, const struct call_instance *x,
                   const struct call_instance *y)
{
    return conflict(o->b, x, y) && !(o->chooses && is_choice(o->b, x, y));
}

/* ---- orders, each a graph ------------------------------------------------------------------- */

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
        if (next->host == last->host || splits(o, last, next))
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
        if (!o->used[k] && other->host != at->host && splits(o, at, other))
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
    struct ordering o = {.b = b, .length = b->instances.len, .chooses = may_choose(b)};
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

/* ---- one of them ---------------------------------------------------------------------------- */

void host_order_set(struct host_plan *plan, const uint32_t *order)
{
    struct builder *b = plan->b;
    uint32_t count = b->instances.len;
    uint32_t *position = ARENA_ARRAY(b->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        position[order[i]] = i;
    plan->order.position = position;
    if (may_choose(b))
        plan->order.choice = ARENA_ARRAY(b->arena, expr_id, count * count + 1);
}

/* The choice is false where the calls come in the order of the threads. */
expr_id host_before(struct host_plan *plan, uint32_t instance, uint32_t other)
{
    struct builder *b = plan->b;
    const struct call_instance *all = b->instances.at;
    struct call_order *order = &plan->order;
    uint32_t first = order->position[instance] < order->position[other] ? instance : other;
    uint32_t last = first == instance ? other : instance;
    if (!order->choice || !is_choice(b, &all[first], &all[last]))
        return instance != other && first == instance ? expr_true(b->exprs) : expr_false(b->exprs);
    expr_id *swapped = &order->choice[first * b->instances.len + last];
    if (!*swapped) {
        *swapped = 1 + builder_choice(b, "order", 1);
        vec_push(b->arena, &order->pairs, first);
        vec_push(b->arena, &order->pairs, last);
    }
    return first == instance ? expr_not(b->exprs, *swapped - 1) : *swapped - 1;
}

static void enqueue_edge(struct builder *b, uint32_t first, uint32_t last, expr_id guard)
{
    builder_edge(b, FIXED_enqueue, b->instances.at[first].start, b->instances.at[last].start, guard,
                 "the one call was made before the other");
}

void host_order_edges(struct host_plan *plan, const uint32_t *order)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->instances.len; i++)
        for (uint32_t k = i + 1; k < b->instances.len; k++) {
            const struct call_instance *x = &b->instances.at[order[i]],
                                       *y = &b->instances.at[order[k]];
            if (x->host != y->host && conflict(b, x, y) &&
                !(plan->order.choice && is_choice(b, x, y)))
                enqueue_edge(b, order[i], order[k], expr_true(b->exprs));
        }
    for (uint32_t i = 0; i < plan->order.pairs.len; i += 2) {
        uint32_t first = plan->order.pairs.at[i], last = plan->order.pairs.at[i + 1];
        enqueue_edge(b, first, last, host_before(plan, first, last));
        enqueue_edge(b, last, first, host_before(plan, last, first));
    }
}
