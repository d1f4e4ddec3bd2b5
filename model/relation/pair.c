/* SPDX-License-Identifier: MIT */
#include "model/relation/pair.h"

#include <stdlib.h>

static const uint32_t tag_of[BASE_COUNT] = {
    [BASE_WEAK] = TAG_WEAK,
    [BASE_RLX] = TAG_RLX,
    [BASE_ACQ] = TAG_ACQ,
    [BASE_REL] = TAG_REL,
    [BASE_ACQ_REL] = TAG_ACQ_REL,
    [BASE_SC] = TAG_SC,
    [BASE_GEN] = TAG_GEN,
    [BASE_TEX] = TAG_TEX,
    [BASE_SUR] = TAG_SUR,
    [BASE_CON] = TAG_CON,
    [BASE_ASYNC] = TAG_ASYNC,
    [BASE_TENSORMAP] = TAG_TENSORMAP,
    [BASE_ALIAS] = TAG_ALIAS,
    [BASE_RMW] = TAG_RMW,
    [BASE_RED] = TAG_RED,
    [BASE_PROXY_FENCE] = TAG_PROXY_FENCE,
    [BASE_ONE_WAY] = TAG_ONE_WAY,
    [BASE_RELEASE_FENCE] = TAG_RELEASE_FENCE,
    [BASE_ACQUIRE_FENCE] = TAG_ACQUIRE_FENCE,
    [BASE_MBARRIER] = TAG_MBARRIER,
    [BASE_COMPLETE_TX] = TAG_COMPLETE_TX,
    [BASE_ARRIVE] = TAG_ARRIVE,
    [BASE_SYNC] = TAG_SYNC,
    [BASE_HOST] = TAG_HOST,
    [BASE_KERNEL_START] = TAG_KERNEL_START,
    [BASE_VOLATILE] = TAG_VOLATILE,
    [BASE_MMIO] = TAG_MMIO,
    [BASE_READ_ONLY] = TAG_READ_ONLY,
};

static bool is_restricted(const struct event *event)
{
    if (event->kind != EVENT_FENCE || !event->inst)
        return false;
    switch (event->inst->fence_kind) {
    case FENCE_MBARRIER_INIT:
    case FENCE_RESTRICT_RELEASE:
    case FENCE_RESTRICT_ACQUIRE:
        return true;
    case FENCE_PROXY_RELEASE:
    case FENCE_PROXY_ACQUIRE:
        return event->inst->space != SPACE_GENERIC;
    case FENCE_MEMORY:
    case FENCE_PROXY:
        break;
    }
    return false;
}

bool pair_in_set(const struct event *event, enum base base)
{
    switch (base) {
    case BASE__:
        return true;
    case BASE_R:
        return event->kind == EVENT_READ;
    case BASE_W:
        return event_is_write(event);
    case BASE_M:
        return event_is_memory(event);
    case BASE_F:
        return event->kind == EVENT_FENCE;
    case BASE_B:
        return event->kind == EVENT_BARRIER;
    case BASE_IW:
    case BASE_I:
        return event->kind == EVENT_INIT;
    case BASE_API:
        return event->kind == EVENT_API;
    case BASE_RESTRICT:
        return is_restricted(event);
    case BASE_COPY:
        return event->copied;
    case BASE_CTA:
        return event->scope == SCOPE_CTA;
    case BASE_CLUSTER:
        return event->scope == SCOPE_CLUSTER;
    case BASE_GPU:
        return event->scope == SCOPE_GPU;
    case BASE_SYS:
        return event->scope == SCOPE_SYS;
    default:
        if (!tag_of[base]) /* a row of baserel.def that nobody gave a meaning */
            abort();
        return event->tags & tag_of[base];
    }
}

bool pair_is_fixed(enum base base, enum fixed_relation *fixed)
{
    switch (base) {
    case BASE_addr:
        *fixed = FIXED_ADDR;
        return true;
    case BASE_data:
        *fixed = FIXED_DATA;
        return true;
    case BASE_ctrl:
        *fixed = FIXED_CTRL;
        return true;
    case BASE_semantic_dep:
        *fixed = FIXED_SEMANTIC;
        return true;
    case BASE_async:
        *fixed = FIXED_ASYNC;
        return true;
    case BASE_enqueue:
        *fixed = FIXED_ENQUEUE;
        return true;
    case BASE_api_sync:
        *fixed = FIXED_API;
        return true;
    case BASE_sync_quorum:
        *fixed = FIXED_QUORUM;
        return true;
    case BASE_allocated:
        *fixed = FIXED_ALLOCATED;
        return true;
    case BASE_freed:
        *fixed = FIXED_FREED;
        return true;
    case BASE_event_use:
        *fixed = FIXED_EVENT_USE;
        return true;
    case BASE_orphaned_event:
        *fixed = FIXED_ORPHANED_EVENT;
        return true;
    case BASE_managed:
        *fixed = FIXED_MANAGED;
        return true;
    case BASE_task:
        *fixed = FIXED_TASK;
        return true;
    case BASE_restrict_from:
        *fixed = FIXED_RESTRICT_FROM;
        return true;
    case BASE_restrict_to:
        *fixed = FIXED_RESTRICT_TO;
        return true;
    default:
        return false;
    }
}

static bool same_thread(const struct event *a, const struct event *b)
{
    return a->thread != NONE && a->thread == b->thread;
}

static bool may_share_bytes(const struct bases *bases, event_id a, event_id b)
{
    if (bases->address_open[a] || bases->address_open[b])
        return true;
    return pair_of_runs(bases->first[a], bases->count[a], bases->first[b], bases->count[b]);
}

static bool may_relate_ranges(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (x->address == y->address)
        return pair_of_ranges(base, 0, x->bytes, 0, y->bytes);
    if (bases->address_open[a] || bases->address_open[b])
        return base != BASE_vloc || x->bytes == y->bytes;
    uint64_t left = 0, right = 0;
    expr_is_const(bases->graph->exprs, x->address, &left);
    expr_is_const(bases->graph->exprs, y->address, &right);
    return pair_of_ranges(base, left, x->bytes, right, y->bytes);
}

static bool may_have_one_resource(const struct bases *bases, const struct barrier_op *a,
                                  const struct barrier_op *b)
{
    uint64_t left, right;
    return !expr_is_const(bases->graph->exprs, a->resource, &left) ||
           !expr_is_const(bases->graph->exprs, b->resource, &right) || left == right;
}

/* Uncounted operations whose numbers are known complete together only when the numbers are equal.
 */
static bool may_complete_together(const struct bases *bases, const struct barrier_op *a,
                                  const struct barrier_op *b)
{
    uint64_t left, right;
    if (a->counted || b->counted)
        return a->counted == b->counted;
    return !expr_is_const(bases->graph->exprs, a->number, &left) ||
           !expr_is_const(bases->graph->exprs, b->number, &right) || left == right;
}

static bool may_barrier(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (x->kind != EVENT_BARRIER || y->kind != EVENT_BARRIER || same_thread(x, y))
        return false;
    const struct barrier_op *left = pair_barrier(bases->graph, a);
    const struct barrier_op *right = pair_barrier(bases->graph, b);
    uint32_t both = x->tags & y->tags;
    if (!(y->tags & TAG_SYNC) || !may_have_one_resource(bases, left, right))
        return false;
    if (base != BASE_syncbar && !may_complete_together(bases, left, right))
        return false;
    switch (base) {
    case BASE_syncbar:
        return both & TAG_CTA_BARRIER;
    case BASE_sync_barrier:
        return both & TAG_CTA_BARRIER && left->owner == right->owner;
    case BASE_sync_cluster:
        return both & TAG_CLUSTER_BARRIER && x->tags & TAG_ARRIVE && left->owner == right->owner;
    case BASE_sync_warp:
        return both & TAG_WARP_BARRIER && left->owner == right->owner;
    default: /* may_relate sends no other */
        abort();
    }
}

static bool is_proxy_fence(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->tags & (TAG_PROXY_FENCE | TAG_ONE_WAY);
}

bool pair_in_space(const struct graph *graph, const struct event *fence, const struct event *access,
                   uint64_t address)
{
    enum space named = fence->inst ? fence->inst->space : SPACE_GENERIC;
    uint32_t first, count;
    if (named == SPACE_GENERIC)
        return true;
    if (!graph_granules(graph, address, access->bytes, &first, &count))
        return false;
    enum space space = graph->test->locations[graph->granules[first].location].space;
    if (named == SPACE_SHARED_CLUSTER)
        return space == SPACE_SHARED;
    bool far = access->inst && access->inst->space == SPACE_SHARED_CLUSTER;
    return space == named && !(named == SPACE_SHARED && far);
}

static bool may_name_space(const struct bases *bases, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    const struct event *fence = is_proxy_fence(x) ? x : y, *access = is_proxy_fence(x) ? y : x;
    uint64_t address;
    if (!is_proxy_fence(fence) || !event_is_memory(access))
        return false;
    return !expr_is_const(bases->graph->exprs, access->address, &address) ||
           pair_in_space(bases->graph, fence, access, address);
}

static bool may_choose(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (base == BASE_sync_fence)
        return a != b && x->kind == EVENT_FENCE && y->kind == EVENT_FENCE &&
               x->tags & y->tags & TAG_SC && graph_scope_contains(bases->graph, a, b) &&
               graph_scope_contains(bases->graph, b, a);
    if (!event_is_memory(x) || !event_is_memory(y) || a == b || !may_share_bytes(bases, a, b))
        return false;
    switch (base) {
    case BASE_rf:
        return event_is_write(x) && y->kind == EVENT_READ;
    case BASE_co:
        return event_is_write(x) && y->kind == EVENT_WRITE;
    case BASE_torn: /* an initial write wrote one granule */
        return x->kind == EVENT_WRITE && y->kind == EVENT_WRITE && x->pieces > 1 && y->pieces > 1;
    case BASE_fr:
        return x->kind == EVENT_READ && y->kind == EVENT_WRITE;
    default: /* may_relate sends no other */
        abort();
    }
}

/* Relations that only placement decides. */
static bool is_placed(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct graph *graph = bases->graph;
    const struct event *x = &graph->events[a], *y = &graph->events[b];
    const struct thread *s = x->thread == NONE ? NULL : &graph->threads[x->thread];
    const struct thread *t = y->thread == NONE ? NULL : &graph->threads[y->thread];
    switch (base) {
    case BASE_id:
        return a == b;
    case BASE_po:
        return same_thread(x, y) && x->position < y->position;
    case BASE_int:
        return a == b || same_thread(x, y);
    case BASE_ext:
        return a != b && !same_thread(x, y);
    case BASE_rmw:
        return x->kind == EVENT_READ && x->rmw == b;
    case BASE_sr:
        return graph_scope_contains(graph, a, b) && graph_scope_contains(graph, b, a);
    case BASE_scta:
        return s && t && s->cta != NONE && s->cta == t->cta;
    case BASE_single_copy:
        return graph->tearing == TEARING_WHOLE && event_is_memory(x) && event_is_memory(y) &&
               !x->copied && !y->copied;
    case BASE_scluster:
        return s && t && s->cluster != NONE && s->cluster == t->cluster;
    default: /* may_relate sends no other */
        abort();
    }
}

static bool may_relate(const struct bases *bases, enum base base, event_id a, event_id b)
{
    bool memory =
        event_is_memory(&bases->graph->events[a]) && event_is_memory(&bases->graph->events[b]);
    switch (base) {
    case BASE_loc:
        return memory && (a == b || may_share_bytes(bases, a, b));
    case BASE_vloc:
    case BASE_overlap:
    case BASE_partial_overlap:
        return memory && may_relate_ranges(bases, base, a, b);
    case BASE_syncbar:
    case BASE_sync_barrier:
    case BASE_sync_cluster:
    case BASE_sync_warp:
        return may_barrier(bases, base, a, b);
    case BASE_proxy_space:
        return may_name_space(bases, a, b);
    case BASE_rf:
    case BASE_co:
    case BASE_fr:
    case BASE_torn:
    case BASE_sync_fence:
        return may_choose(bases, base, a, b);
    case BASE_id:
    case BASE_po:
    case BASE_int:
    case BASE_ext:
    case BASE_rmw:
    case BASE_sr:
    case BASE_scta:
    case BASE_scluster:
    case BASE_single_copy:
        return is_placed(bases, base, a, b);
    default: /* a row of baserel.def that nobody placed */
        abort();
    }
}

static void fill_fixed(const struct bases *bases, enum fixed_relation fixed, struct rel *to)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        uint64_t value;
        bool never = expr_is_const(bases->graph->exprs, edge->guard, &value) && !value;
        if (!never && set_has(bases->live, edge->from) && set_has(bases->live, edge->to))
            rel_add(to, edge->from, edge->to);
    }
}

void pair_fill_may(const struct bases *bases, enum base base, struct rel *to)
{
    enum fixed_relation fixed;
    if (pair_is_fixed(base, &fixed)) {
        fill_fixed(bases, fixed, to);
        return;
    }
    for (event_id a = 0; a < bases->n; a++)
        for (event_id b = 0; set_has(bases->live, a) && b < bases->n; b++)
            if (set_has(bases->live, b) && may_relate(bases, base, a, b))
                rel_add(to, a, b);
}
