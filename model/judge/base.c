/* SPDX-License-Identifier: MIT */
#include "model/judge/base.h"

/* One function a row of base.def that is no list of edges: set_NAME(execution, e) says whether e is in
 * the set, rel_NAME(execution, a, b) whether the pair is in the relation, of events that execute. A row
 * without one does not compile. */

typedef const struct execution *in;

static const struct event *event_of(in x, event_id e)
{
    return &x->graph->events[e];
}

static const struct thread *thread_of(in x, event_id e)
{
    uint32_t thread = event_of(x, e)->thread;
    return thread == NONE ? NULL : &x->graph->threads[thread];
}

/* ---- sets ----------------------------------------------------------------------------------- */

static bool tagged(in x, event_id e, event_tags tag)
{
    return event_of(x, e)->tags & tag;
}

static bool is_kind(in x, event_id e, enum event_kind kind)
{
    return event_of(x, e)->kind == kind;
}

static bool is_fence_kind(in x, event_id e, enum fence_kind kind)
{
    return is_kind(x, e, EVENT_FENCE) && event_of(x, e)->inst &&
           event_of(x, e)->inst->fence_kind == kind;
}

#define SET(name, condition)                                                                       \
    static bool set_##name(in x, event_id e)                                                       \
    {                                                                                              \
        return condition;                                                                          \
    }
SET(_, x->executed[e])
SET(R, is_kind(x, e, EVENT_READ))
SET(IW, is_kind(x, e, EVENT_INIT))
SET(I, set_IW(x, e))
SET(W, is_kind(x, e, EVENT_WRITE) || set_IW(x, e))
SET(M, set_R(x, e) || set_W(x, e))
SET(F, is_kind(x, e, EVENT_FENCE))
SET(B, is_kind(x, e, EVENT_BARRIER))
SET(API, is_kind(x, e, EVENT_API))
SET(COPY, set_M(x, e) && event_of(x, e)->copied)

static bool set_RESTRICT(in x, event_id e)
{
    bool one_way =
        is_fence_kind(x, e, FENCE_PROXY_RELEASE) || is_fence_kind(x, e, FENCE_PROXY_ACQUIRE);
    return is_fence_kind(x, e, FENCE_MBARRIER_INIT) ||
           is_fence_kind(x, e, FENCE_RESTRICT_RELEASE) ||
           is_fence_kind(x, e, FENCE_RESTRICT_ACQUIRE) ||
           (one_way && event_of(x, e)->inst->space != SPACE_GENERIC);
}

#define TAGGED(name) SET(name, tagged(x, e, TAG(name)))
TAGGED(WEAK)
TAGGED(RLX)
TAGGED(ACQ)
TAGGED(REL)
TAGGED(ACQ_REL)
TAGGED(SC)
#define PROXY(id, word, set, ...) TAGGED(set)
#include "litmus/isa/words.def"
TAGGED(RMW)
TAGGED(RED)
TAGGED(PROXY_FENCE)
TAGGED(ONE_WAY)
TAGGED(RELEASE_FENCE)
TAGGED(ACQUIRE_FENCE)
TAGGED(MBARRIER)
TAGGED(COMPLETE_TX)
TAGGED(ARRIVE)
TAGGED(SYNC)
TAGGED(HOST)
TAGGED(KERNEL_START)
TAGGED(VOLATILE)
TAGGED(MMIO)
TAGGED(READ_ONLY)
#undef TAGGED

#define SCOPE(name, word, ptx) SET(name, event_of(x, e)->scope == SCOPE_##name)
#include "litmus/isa/words.def"
#undef SET

/* ---- relations ------------------------------------------------------------------------------ */

static bool same_thread(in x, event_id a, event_id b)
{
    return thread_of(x, a) && thread_of(x, a) == thread_of(x, b);
}

#define RELATION(name, condition)                                                                  \
    static bool rel_##name(in x, event_id a, event_id b)                                           \
    {                                                                                              \
        (void)x;                                                                                   \
        return condition;                                                                          \
    }
RELATION(id, a == b)
RELATION(po, same_thread(x, a, b) && event_of(x, a)->position < event_of(x, b)->position)
RELATION(sb, rel_po(x, a, b))
RELATION(int, a == b || same_thread(x, a, b))
RELATION(ext, !rel_int(x, a, b))
RELATION(rmw, set_R(x, a) && event_of(x, a)->rmw == b)

/* ---- places --------------------------------------------------------------------------------- */

static bool same_number(uint32_t a, uint32_t b)
{
    return a != NONE && a == b;
}

RELATION(scta, thread_of(x, a) && thread_of(x, b) &&
                   same_number(thread_of(x, a)->cta, thread_of(x, b)->cta))
RELATION(scluster, thread_of(x, a) && thread_of(x, b) &&
                       same_number(thread_of(x, a)->cluster, thread_of(x, b)->cluster))

/* Kernels of two memory synchronization domains share no place. */
static bool share_domain(in x, const struct thread *s, const struct thread *t)
{
    const struct launch *launches = x->graph->test->launches;
    uint32_t a = s->launch == NONE ? 0 : launches[s->launch].domain;
    uint32_t b = t->launch == NONE ? 0 : launches[t->launch].domain;
    return a == b;
}

/* Does the scope of 'a' contain the thread of 'b'? */
static bool reaches(in x, event_id a, event_id b)
{
    const struct thread *s = thread_of(x, a), *t = thread_of(x, b);
    if (!s || !t)
        return false;
    switch (event_of(x, a)->scope) {
    case SCOPE_NONE:
        return false;
#define PLACE(scope, member)                                                                       \
    case SCOPE_##scope:                                                                            \
        return s == t || (same_number(s->member, t->member) && share_domain(x, s, t));
#include "litmus/isa/words.def"
    case SCOPE_SYS:
        return true;
    }
    return false;
}

RELATION(sr, reaches(x, a, b) && reaches(x, b, a))
RELATION(incl, rel_int(x, a, b) || set_IW(x, a) || set_IW(x, b) || rel_sr(x, a, b))

/* ---- addresses ------------------------------------------------------------------------------ */

static bool both_memory(in x, event_id a, event_id b)
{
    return set_M(x, a) && set_M(x, b);
}

static bool touches(in x, event_id e, uint32_t granule)
{
    return granule >= x->first_granule[e] && granule - x->first_granule[e] < x->granules[e];
}

RELATION(loc, both_memory(x, a, b) &&
                  (touches(x, a, x->first_granule[b]) || touches(x, b, x->first_granule[a])))
RELATION(vloc, both_memory(x, a, b) && x->address[a] == x->address[b] &&
                   event_of(x, a)->bytes == event_of(x, b)->bytes)

static bool rel_overlap(in x, event_id a, event_id b)
{
    for (uint64_t i = 0; both_memory(x, a, b) && i < event_of(x, a)->bytes; i++)
        if (x->address[a] + i - x->address[b] < event_of(x, b)->bytes)
            return true;
    return false;
}

RELATION(partial_overlap, rel_overlap(x, a, b) && !rel_vloc(x, a, b))

static bool names_space(in x, event_id fence, event_id access)
{
    if (!set_F(x, fence) || !(set_PROXY_FENCE(x, fence) || set_ONE_WAY(x, fence)) ||
        !set_M(x, access))
        return false;
    const struct inst *inst = event_of(x, fence)->inst, *by = event_of(x, access)->inst;
    if (!inst || inst->space == SPACE_GENERIC)
        return true;
    uint32_t location = x->graph->granules[x->first_granule[access]].location;
    enum space space = x->graph->test->locations[location].space;
    if (inst->space == SPACE_SHARED)
        return space == SPACE_SHARED && !(by && by->space == SPACE_SHARED_CLUSTER);
    return space == (inst->space == SPACE_SHARED_CLUSTER ? SPACE_SHARED : inst->space);
}

RELATION(proxy_space, names_space(x, a, b) || names_space(x, b, a))

/* ---- choices -------------------------------------------------------------------------------- */

static event_id source_of(in x, event_id read, uint32_t granule)
{
    return x->rf[x->rf_base[read] + granule];
}

static bool rel_rf(in x, event_id a, event_id b)
{
    for (uint32_t i = 0; set_R(x, b) && i < x->granules[b]; i++)
        if (source_of(x, b, i) == a)
            return true;
    return false;
}

RELATION(co, set_W(x, a) && set_W(x, b) &&
                 (rel_has(x->co, a, b) || (set_IW(x, a) && !set_IW(x, b) && rel_loc(x, a, b))))

static bool rel_fr(in x, event_id a, event_id b)
{
    for (uint32_t i = 0; set_R(x, a) && i < x->granules[a]; i++) {
        event_id source = source_of(x, a, i);
        if (source != NONE && rel_co(x, source, b) && touches(x, b, x->first_granule[a] + i))
            return true;
    }
    return false;
}

/* 'a' and 'b' both wrote two granules of the read, which takes one of each. */
static bool is_torn_between(in x, event_id read, event_id a, event_id b)
{
    uint32_t first = x->first_granule[read];
    for (uint32_t i = 0; i < x->granules[read]; i++)
        for (uint32_t j = 0; j < x->granules[read]; j++)
            if (source_of(x, read, i) == a && source_of(x, read, j) == b &&
                touches(x, a, first + j) && touches(x, b, first + i))
                return true;
    return false;
}

static bool rel_torn(in x, event_id a, event_id b)
{
    bool overlaps = set_W(x, a) && set_W(x, b) && a != b && rel_loc(x, a, b);
    for (event_id read = 0; overlaps && read < x->graph->event_count; read++)
        if (x->executed[read] && set_R(x, read) && !set_COPY(x, read) &&
            is_torn_between(x, read, a, b))
            return true;
    return false;
}

RELATION(single_copy, x->graph->tearing == TEARING_WHOLE && both_memory(x, a, b) &&
                          !set_COPY(x, a) && !set_COPY(x, b))
RELATION(sync_fence, rel_has(x->sc, a, b))

/* ---- barriers ------------------------------------------------------------------------------- */

static const struct barrier_op *barrier_of(in x, event_id e)
{
    return set_B(x, e) ? &x->graph->barriers[event_of(x, e)->barrier] : NULL;
}

/* 'a' to 'b', which waits, of another thread, at barriers of one class with one resource */
static bool barrier_pair(in x, event_id a, event_id b, event_tags class)
{
    uint64_t left, right;
    return set_B(x, a) && set_B(x, b) && !same_thread(x, a, b) && tagged(x, a, class) &&
           tagged(x, b, class) && set_SYNC(x, b) &&
           execution_eval(x, barrier_of(x, a)->resource, &left) &&
           execution_eval(x, barrier_of(x, b)->resource, &right) && left == right;
}

/* The same within one completion. */
static bool completed_pair(in x, event_id a, event_id b, event_tags class)
{
    return barrier_pair(x, a, b, class) && barrier_of(x, a)->owner == barrier_of(x, b)->owner &&
           same_number(x->completion[event_of(x, a)->barrier],
                       x->completion[event_of(x, b)->barrier]);
}

/* 'b' came late to a quorum that had been met, by 'a' among others. */
static bool late_pair(in x, event_id a, event_id b)
{
    const struct graph *graph = x->graph;
    uint64_t holds;
    for (uint32_t i = 0; i < graph->fixed_count[FIXED_sync_quorum]; i++) {
        const struct fixed_edge *edge = &graph->fixed[FIXED_sync_quorum][i];
        if (edge->from == a && edge->to == b && execution_eval(x, edge->guard, &holds) && holds)
            return true;
    }
    return false;
}

/* Who counts meets in groups; who does not, whenever the resource is the same. */
static bool rel_syncbar(in x, event_id a, event_id b)
{
    if (!barrier_pair(x, a, b, TAG(CTA_BARRIER)))
        return false;
    const struct barrier_op *left = barrier_of(x, a), *right = barrier_of(x, b);
    return !left->counted || !right->counted || left->owner != right->owner ||
           completed_pair(x, a, b, TAG(CTA_BARRIER)) || late_pair(x, a, b);
}

RELATION(sync_barrier, completed_pair(x, a, b, TAG(CTA_BARRIER)) || late_pair(x, a, b))
RELATION(sync_cluster, set_ARRIVE(x, a) && completed_pair(x, a, b, TAG(CLUSTER_BARRIER)))
RELATION(sync_warp, completed_pair(x, a, b, TAG(WARP_BARRIER)))
RELATION(sync_lanes, completed_pair(x, a, b, TAG(COLLECTIVE)))

/* ---- the table ------------------------------------------------------------------------------ */

static const struct {
    bool (*has)(in x, event_id e);
    bool (*relates)(in x, event_id a, event_id b);
    enum fixed_relation edges; /* of a row with neither */
} rows[] = {
#define BASESET(name, test, meaning)      {.has = set_##name},
#define BASEEDGES(name, meaning)          {.edges = FIXED_##name},
#define BASEREL(name, kind, may, meaning) {.relates = rel_##name},
#include "model/graph/base.def"
};

static void fill_set(in x, uint32_t base, unsigned char *to)
{
    for (event_id e = 0; e < x->graph->event_count; e++)
        to[e] = x->executed[e] && rows[base].has(x, e);
}

static void fill_pairs(in x, uint32_t base, unsigned char *to)
{
    uint32_t n = x->graph->event_count;
    for (event_id a = 0; a < n; a++)
        for (event_id b = 0; x->executed[a] && b < n; b++)
            to[(size_t)a * n + b] = x->executed[b] && rows[base].relates(x, a, b);
}

/* The edges that unfolding found, where their condition holds. */
static void fill_edges(in x, uint32_t base, unsigned char *to)
{
    const struct graph *graph = x->graph;
    for (uint32_t i = 0; i < graph->fixed_count[rows[base].edges]; i++) {
        const struct fixed_edge *edge = &graph->fixed[rows[base].edges][i];
        uint64_t holds;
        if (x->executed[edge->from] && x->executed[edge->to] &&
            execution_eval(x, edge->guard, &holds) && holds)
            to[(size_t)edge->from * graph->event_count + edge->to] = 1;
    }
}

void judge_base_fill(const struct execution *execution, uint32_t base, unsigned char *to)
{
    (rows[base].has ? fill_set : rows[base].relates ? fill_pairs : fill_edges)(execution, base, to);
}
