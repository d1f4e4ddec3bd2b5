/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/lack_words.h"

#include "cli/answer/names.h"
#include "litmus/isa/isa.h"
#include "litmus/rewrite/words.h"
#include "litmus/test/code_line.h"

static const char *const kind_words[] = {
    [LACK_SCOPE] = "scope",
    [LACK_FENCE_PLACE] = "fence-place",
    [LACK_FENCE_KIND] = "fence-kind",
    [LACK_WEAK] = "weak",
    [LACK_RELEASE] = "release",
    [LACK_ACQUIRE] = "acquire",
    [LACK_FENCE_CTA] = "fence-cta",
    [LACK_FENCE_SPACE] = "fence-space",
    [LACK_FENCE_PROXY] = "fence-proxy",
    [LACK_PROXY] = "proxy",
    [LACK_RANGE] = "range",
    [LACK_NAME] = "name",
};

/* What sentences are made from. */
struct telling {
    struct arena *arena;
    const struct execution *execution;
    const struct graph *graph;
    const struct near_miss *miss;
    struct missing_order *order;
};

const char *lack_event(struct arena *arena, const struct execution *execution, event_id id)
{
    const struct graph *graph = execution->graph;
    const struct event *event = &graph->events[id];
    const char *name = name_event(arena, execution, id);
    if (event->kind == EVENT_INIT)
        return name;
    return arena_printf(arena, "%s (%s)", name,
                        test_line_mark(arena, graph->test, event->span.offset));
}

static const char *name_of(const struct telling *telling, event_id id)
{
    return lack_event(telling->arena, telling->execution, id);
}

static bool is_cpp(const struct telling *telling)
{
    return telling->graph->test->language == LANGUAGE_CPP;
}

static const char *role(const struct event *event)
{
    if (event_is_memory(event) && event->tags & TAG(SC))
        return event_is_write(event) ? "the release " : "the acquire ";
    return event->kind == EVENT_FENCE     ? "the fence "
           : event->tags & TAG(REL)       ? "the release "
           : event->tags & TAG(ACQ)       ? "the acquire "
           : event->kind == EVENT_BARRIER ? "the barrier "
                                          : "";
}

static const char *named(const struct telling *telling, event_id id)
{
    return arena_printf(telling->arena, "%s%s", role(&telling->graph->events[id]),
                        name_of(telling, id));
}

static void tell(struct telling *telling, enum lack_kind kind, event_id a, event_id b,
                 const char *text)
{
    struct shortcoming shortcoming = {kind_words[kind], a, b, text};
    vec_push(telling->arena, &telling->order->lacks, shortcoming);
}

/* "P1 (CTA 1)": a thread, and where it is as far as the scope asks. */
static const char *whereabouts(const struct telling *telling, uint32_t id, enum scope scope)
{
    const struct thread *thread = &telling->graph->threads[id];
    uint32_t number = scope == SCOPE_CTA       ? thread->cta
                      : scope == SCOPE_CLUSTER ? thread->cluster
                                               : thread->gpu;
    const char *place = scope == SCOPE_CTA       ? (is_cpp(telling) ? "block" : "CTA")
                        : scope == SCOPE_CLUSTER ? "cluster"
                                                 : "GPU";
    return number == NONE ? thread->name
                          : arena_printf(telling->arena, "%s (%s %u)", thread->name, place, number);
}

/* ".cta", "thread_scope_block" */
static const char *scope_text(const struct telling *telling, enum scope scope)
{
    return is_cpp(telling) ? words_scope(telling->arena, "", scope)
                           : arena_printf(telling->arena, ".%s", scope_name(scope));
}

/* "scope .cta of b (:6) does not include P1 (CTA 1)", or "" when it does. */
static const char *exclusion(const struct telling *telling, event_id a, event_id b)
{
    const struct event *x = &telling->graph->events[a], *y = &telling->graph->events[b];
    if (graph_scope_contains(telling->graph, a, b))
        return "";
    return arena_printf(telling->arena, "scope %s of %s does not include %s",
                        scope_text(telling, x->scope), name_of(telling, a),
                        whereabouts(telling, y->thread, x->scope));
}

static void tell_scope(struct telling *telling, event_id a, event_id b)
{
    const char *first = exclusion(telling, a, b), *second = exclusion(telling, b, a);
    const struct event *events = telling->graph->events;
    bool meet = *role(&events[a]) && *role(&events[b]);
    tell(telling, LACK_SCOPE, a, b,
         arena_printf(telling->arena, "%s and %s %s: %s%s%s", named(telling, a), named(telling, b),
                      meet              ? "do not synchronize"
                      : is_cpp(telling) ? "do not observe each other"
                                        : "are not morally strong",
                      first, *first && *second ? ", and " : "", second));
}

static bool lacks(const struct telling *telling, enum lack_kind kind, event_id a)
{
    for (uint32_t i = 0; i < telling->miss->lack_count; i++)
        if (telling->miss->lacks[i].kind == kind && telling->miss->lacks[i].a == a)
            return true;
    return false;
}

static void tell_weak(struct telling *telling, event_id a)
{
    bool read = telling->graph->events[a].kind == EVENT_READ;
    bool releases = lacks(telling, LACK_RELEASE, a);
    tell(telling, LACK_WEAK, a, NONE,
         arena_printf(telling->arena, "%s is weak, so %s", name_of(telling, a),
                      read       ? "it observes nothing"
                      : releases ? "it releases nothing"
                                 : "to read it is to observe nothing"));
}

/* Where a fence would do it instead: "between a (:5) and it", "after it". */
static const char *fence_places(const struct telling *telling, event_id a, bool release)
{
    event_id end = release ? telling->miss->from : telling->miss->to;
    const struct event *events = telling->graph->events;
    if (end == NONE || end == a || events[end].thread != events[a].thread)
        return release ? "before it" : "after it";
    return release ? arena_printf(telling->arena, "between %s and it", name_of(telling, end))
                   : arena_printf(telling->arena, "between it and %s", name_of(telling, end));
}

/* A weak access was told to be weak. */
static void tell_order(struct telling *telling, enum lack_kind kind, event_id a)
{
    bool release = kind == LACK_RELEASE;
    if (!lacks(telling, LACK_WEAK, a))
        tell(telling, kind, a, NONE,
             arena_printf(telling->arena, "%s does not %s, nor does a fence %s",
                          name_of(telling, a), release ? "release" : "acquire",
                          fence_places(telling, a, release)));
}

static void tell_place(struct telling *telling, event_id a, event_id b)
{
    bool fence = telling->graph->events[a].kind == EVENT_FENCE; /* it should come first */
    tell(telling, LACK_FENCE_PLACE, a, b,
         arena_printf(telling->arena, "the fence %s is %s %s, and would have to be %s it",
                      name_of(telling, fence ? a : b), fence ? "after" : "before",
                      name_of(telling, fence ? b : a), fence ? "before" : "after"));
}

static void tell_kind(struct telling *telling, event_id a)
{
    bool release = telling->graph->events[a].tags & TAG(RELEASE_FENCE);
    tell(telling, LACK_FENCE_KIND, a, NONE,
         arena_printf(telling->arena, "the fence %s only %s", name_of(telling, a),
                      release ? "releases" : "acquires"));
}

static const char *proxy_of(const struct event *event)
{
    static const struct {
        event_tags tag;
        const char *word;
    } rows[] = {{TAG(TEX), "texture"},
                {TAG(SUR), "surface"},
                {TAG(CON), "constant"},
                {TAG(ASYNC), "async"},
                {TAG(TENSORMAP), "tensormap"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (event->tags & rows[i].tag)
            return rows[i].word;
    return "alias";
}

/* A fence is missing between the two accesses that the order is about. */
static void tell_missing_fence(struct telling *telling, enum lack_kind kind, event_id a,
                               const char *proxy)
{
    event_id from = telling->miss->from, to = telling->miss->to;
    const char *text =
        arena_printf(telling->arena, "no fence of proxy %s before %s", proxy, name_of(telling, a));
    if (from != NONE)
        text = arena_printf(telling->arena, "no fence of proxy %s between %s and %s", proxy,
                            name_of(telling, from), name_of(telling, to));
    tell(telling, kind, a, NONE, text);
}

static void tell_proxy_fence(struct telling *telling, const struct lack *lack)
{
    bool first = telling->graph->events[lack->a].kind == EVENT_FENCE;
    event_id fence = first ? lack->a : lack->b, access = first ? lack->b : lack->a;
    const char *name = name_of(telling, fence), *other = name_of(telling, access), *text;
    if (lack->kind == LACK_FENCE_PROXY)
        text = arena_printf(telling->arena, "the fence %s names the proxy %s", name,
                            proxy_of(&telling->graph->events[fence]));
    else if (lack->kind == LACK_FENCE_SPACE)
        text = arena_printf(telling->arena,
                            "the fence %s names another state space than that of %s", name, other);
    else
        text = arena_printf(telling->arena,
                            "the fence %s acts on accesses of its own CTA, and %s is in another",
                            name, other);
    tell(telling, lack->kind, fence, lack->kind == LACK_FENCE_PROXY ? NONE : access, text);
}

static void tell_range(struct telling *telling, event_id a, event_id b)
{
    const uint64_t *address = telling->execution->address;
    tell(telling, LACK_RANGE, a, b,
         arena_printf(telling->arena,
                      "%s and %s do not observe each other: the same bytes by another %s",
                      named(telling, a), named(telling, b),
                      address[a] == address[b] ? "size" : "name or place"));
}

static void tell_lack(struct telling *telling, const struct lack *lack)
{
    switch (lack->kind) {
    case LACK_SCOPE:
        tell_scope(telling, lack->a, lack->b);
        break;
    case LACK_FENCE_PLACE:
        tell_place(telling, lack->a, lack->b);
        break;
    case LACK_FENCE_KIND:
        tell_kind(telling, lack->a);
        break;
    case LACK_WEAK:
        tell_weak(telling, lack->a);
        break;
    case LACK_RELEASE:
    case LACK_ACQUIRE:
        tell_order(telling, lack->kind, lack->a);
        break;
    case LACK_FENCE_CTA:
    case LACK_FENCE_SPACE:
    case LACK_FENCE_PROXY:
        tell_proxy_fence(telling, lack);
        break;
    case LACK_PROXY:
        tell_missing_fence(telling, lack->kind, lack->a,
                           proxy_of(&telling->graph->events[lack->a]));
        break;
    case LACK_RANGE:
        tell_range(telling, lack->a, lack->b);
        break;
    case LACK_NAME:
        tell_missing_fence(telling, lack->kind, lack->a, "alias");
        break;
    }
}

void lack_words(struct arena *arena, const struct execution *execution,
                const struct near_miss *miss, struct missing_order *order)
{
    struct telling telling = {arena, execution, execution->graph, miss, order};
    for (uint32_t i = 0; i < miss->lack_count; i++)
        tell_lack(&telling, &miss->lacks[i]);
}

const char *lack_barrier(const struct execution *execution, const event_id *circle, uint32_t count)
{
    const struct graph *graph = execution->graph;
    const struct thread *first = NULL;
    bool cta = true, cluster = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = graph->events[circle[i]].thread;
        const struct thread *thread = id == NONE ? NULL : &graph->threads[id];
        first = first ? first : thread;
        cta &= !thread || (thread->cta != NONE && thread->cta == first->cta);
        cluster &= !thread || (thread->cluster != NONE && thread->cluster == first->cluster);
    }
    return !first ? NULL : cta ? "barrier" : cluster ? "barrier of the cluster" : NULL;
}

/* The strongest memory fence between two events of a thread, or NONE. */
static event_id fence_between(const struct execution *execution, event_id a, event_id b)
{
    const struct graph *graph = execution->graph;
    const struct event *first = &graph->events[a], *last = &graph->events[b];
    event_id best = NONE;
    for (event_id f = 0; f < graph->event_count; f++) {
        const struct event *fence = &graph->events[f];
        bool between = fence->thread == first->thread && fence->position > first->position &&
                       fence->position < last->position;
        if (execution->executed[f] && fence->kind == EVENT_FENCE && between &&
            !(fence->tags & TAG(PROXY_FENCE)) && (best == NONE || fence->tags & TAG(SC)))
            best = f;
    }
    return best;
}

static bool is_seq_cst(const struct event *event)
{
    return event_is_memory(event) && event->tags & TAG(SC);
}

/* Of two accesses one is seq_cst, and 'weaker' is not. */
static void tell_not_seq_cst(struct telling *telling, event_id weaker, event_id a, event_id b)
{
    tell(telling, LACK_FENCE_PLACE, a, b,
         arena_printf(telling->arena,
                      "%s is not seq_cst, and no seq_cst fence is between %s and %s",
                      name_of(telling, weaker), name_of(telling, a), name_of(telling, b)));
}

/* What lacks between two neighbours of the circle in one thread; 'before' is the fence.sc found last. */
static event_id tell_between(struct telling *telling, event_id a, event_id b, event_id before,
                             const char *barrier)
{
    const struct graph *graph = telling->graph;
    event_id fence = fence_between(telling->execution, a, b);
    const char *strongest = is_cpp(telling) ? "seq_cst fence" : "fence.sc";
    if (fence == NONE && is_seq_cst(&graph->events[a]) && is_seq_cst(&graph->events[b])) {
        fence = b; /* orders as a fence between them does */
    } else if (fence == NONE && (is_seq_cst(&graph->events[a]) || is_seq_cst(&graph->events[b]))) {
        tell_not_seq_cst(telling, is_seq_cst(&graph->events[a]) ? b : a, a, b);
        return before;
    } else if (fence == NONE) {
        tell(telling, LACK_FENCE_PLACE, a, b,
             arena_printf(telling->arena, "no %s%s%s between %s and %s", barrier ? barrier : "",
                          barrier ? " and no " : "", strongest, name_of(telling, a),
                          name_of(telling, b)));
        return before;
    }
    if (!(graph->events[fence].tags & TAG(SC))) {
        tell(telling, LACK_FENCE_KIND, fence, NONE,
             arena_printf(telling->arena, "the fence %s is no %s", name_of(telling, fence),
                          strongest));
        return before;
    }
    if (before != NONE &&
        !(graph_scope_contains(graph, before, fence) && graph_scope_contains(graph, fence, before)))
        tell_scope(telling, before, fence);
    return fence;
}

void lack_fences(struct arena *arena, const struct execution *execution, const event_id *circle,
                 uint32_t count, struct missing_order *order)
{
    const struct graph *graph = execution->graph;
    struct telling telling = {arena, execution, graph, NULL, order};
    const char *barrier = order->lacks.len ? NULL : lack_barrier(execution, circle, count);
    event_id before = NONE;
    for (uint32_t i = 0; i < count; i++) {
        const struct event *a = &graph->events[circle[i]];
        const struct event *b = &graph->events[circle[(i + 1) % count]];
        if (a->thread == b->thread && a->thread != NONE && a->inst && b->inst)
            before = tell_between(&telling, circle[i], circle[(i + 1) % count], before, barrier);
    }
}
