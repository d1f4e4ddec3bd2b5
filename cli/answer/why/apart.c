/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/apart.h"

#include "cli/answer/why/lack_words.h"
#include "cli/answer/why/streams.h"
#include "litmus/isa/isa.h"
#include "model/models/flags.h"

/* An order that is missing: of 'from' before 'to', in different threads. */
struct apart {
    struct arena *arena;
    const struct execution *execution;
    const struct graph *graph;
    const struct rel *races;
    struct missing_order order;
};

static const struct event *event_of(const struct apart *apart, event_id id)
{
    return &apart->graph->events[id];
}

static const char *name_of(const struct apart *apart, event_id id)
{
    return lack_event(apart->arena, apart->execution, id);
}

static void tell(struct apart *apart, const char *kind, event_id a, event_id b, const char *text)
{
    struct shortcoming shortcoming = {kind, a, b, text};
    vec_push(apart->arena, &apart->order.lacks, shortcoming);
}

/* What stands on the wrong side of an access, which it is to come 'before' or after. */
static void tell_place(struct apart *apart, const char *kind, event_id a, event_id access,
                       bool before)
{
    tell(apart, kind, a, access,
         arena_printf(apart->arena, "the %s %s is %s %s, and would have to be %s it", kind,
                      name_of(apart, a), before ? "after" : "before", name_of(apart, access),
                      before ? "before" : "after"));
}

/* ---- barriers --------------------------------------------------------------------------------- */

static bool is_barrier(const struct apart *apart, event_id id)
{
    const struct event *event = event_of(apart, id);
    return event->kind == EVENT_BARRIER && !(event->tags & TAG(COLLECTIVE)) &&
           apart->execution->executed[id];
}

static const struct barrier_op *op_of(const struct apart *apart, event_id barrier)
{
    return &apart->graph->barriers[event_of(apart, barrier)->barrier];
}

static uint64_t resource_of(const struct apart *apart, event_id barrier)
{
    uint64_t value = 0;
    execution_eval(apart->execution, op_of(apart, barrier)->resource, &value);
    return value;
}

static uint32_t completion_of(const struct apart *apart, event_id barrier)
{
    return apart->execution->completion[event_of(apart, barrier)->barrier];
}

static bool is_one_barrier(const struct apart *apart, event_id a, event_id b)
{
    return event_barrier_class(event_of(apart, a)) == event_barrier_class(event_of(apart, b)) &&
           op_of(apart, a)->owner == op_of(apart, b)->owner &&
           resource_of(apart, a) == resource_of(apart, b);
}

/* Does what is before 'a' come before what is after 'b'? */
static bool meets(const struct apart *apart, event_id a, event_id b)
{
    return is_one_barrier(apart, a, b) && completion_of(apart, a) == completion_of(apart, b) &&
           completion_of(apart, a) != NONE && event_of(apart, b)->tags & TAG(SYNC);
}

/* Is it a barrier of the access's thread, 'after' or before it? */
static bool is_beside(const struct apart *apart, event_id barrier, event_id access, bool after)
{
    const struct event *at = event_of(apart, access), *event = event_of(apart, barrier);
    return is_barrier(apart, barrier) && event->thread == at->thread &&
           (after ? event->position > at->position : event->position < at->position);
}

/* Does a barrier order the access 'first' before 'second'? */
static bool is_ordered(const struct apart *apart, event_id first, event_id second)
{
    uint32_t count = apart->graph->event_count;
    for (event_id a = 0; a < count; a++)
        for (event_id b = 0; is_beside(apart, a, first, true) && b < count; b++)
            if (is_beside(apart, b, second, false) && meets(apart, a, b))
                return true;
    return false;
}

/* The barrier of the access's thread that is next to it, 'after' or before it; NONE: there is none. */
static event_id next_barrier(const struct apart *apart, event_id access, bool after)
{
    event_id found = NONE;
    for (event_id e = 0; e < apart->graph->event_count; e++)
        if (is_beside(apart, e, access, after) && (found == NONE || !after))
            found = e;
    return found;
}

static const char *owners(event_tags class)
{
    return class & TAG(CLUSTER_BARRIER) ? "clusters" : class & TAG(WARP_BARRIER) ? "warps" : "CTAs";
}

/* Why two barriers do not meet, each named 'x' and 'y'. */
static const char *difference(const struct apart *apart, event_id a, event_id b, const char *x,
                              const char *y)
{
    event_tags class = event_barrier_class(event_of(apart, a));
    uint64_t first = resource_of(apart, a), second = resource_of(apart, b);
    if (class != event_barrier_class(event_of(apart, b)))
        return "they are of different kinds";
    if (op_of(apart, a)->owner != op_of(apart, b)->owner)
        return arena_printf(apart->arena, "they are of different %s", owners(class));
    if (first != second)
        return class & TAG(WARP_BARRIER)
                   ? arena_printf(apart->arena, "the mask of %s is 0x%x, that of %s 0x%x", x,
                                  (unsigned)first, y, (unsigned)second)
                   : arena_printf(apart->arena, "%s is at barrier %u, %s at barrier %u", x,
                                  (unsigned)first, y, (unsigned)second);
    if (completion_of(apart, a) == completion_of(apart, b))
        return arena_printf(apart->arena, "%s only arrives, and waits for nothing", y);
    return arena_printf(apart->arena, "%s is in completion %u of the barrier, %s in completion %u",
                        x, completion_of(apart, a), y, completion_of(apart, b));
}

static void tell_difference(struct apart *apart, event_id a, event_id b)
{
    const char *x = name_of(apart, a), *y = name_of(apart, b);
    tell(apart, "barrier", a, b,
         arena_printf(apart->arena, "the barriers %s and %s do not meet: %s", x, y,
                      difference(apart, a, b, x, y)));
}

static void tell_alone(struct apart *apart, event_id barrier, event_id access, bool before)
{
    tell(apart, "barrier", barrier, access,
         arena_printf(apart->arena, "no barrier %s %s meets the barrier %s",
                      before ? "before" : "after", name_of(apart, access),
                      name_of(apart, barrier)));
}

static void tell_barriers(struct apart *apart)
{
    event_id from = apart->order.from, to = apart->order.to;
    event_id before_from = next_barrier(apart, from, false);
    event_id after_from = next_barrier(apart, from, true);
    event_id before_to = next_barrier(apart, to, false), after_to = next_barrier(apart, to, true);
    if (after_from != NONE && before_to != NONE)
        tell_difference(apart, after_from, before_to);
    else if (before_from != NONE && before_to != NONE && meets(apart, before_from, before_to))
        tell_place(apart, "barrier", before_from, from, false);
    else if (after_from != NONE && after_to != NONE && meets(apart, after_from, after_to))
        tell_place(apart, "barrier", after_to, to, true);
    else if (after_from != NONE)
        tell_alone(apart, after_from, to, true);
    else if (before_to != NONE)
        tell_alone(apart, before_to, from, false);
}

/* The barrier of their thread between two accesses, the last one; NONE: there is none. */
static event_id barrier_between(const struct apart *apart, event_id a, event_id b)
{
    bool neighbours = event_of(apart, a)->thread == event_of(apart, b)->thread &&
                      event_of(apart, a)->thread != NONE;
    event_id found = neighbours ? next_barrier(apart, b, false) : NONE;
    return found != NONE && is_beside(apart, found, a, true) ? found : NONE;
}

void apart_in_circle(struct arena *arena, const struct execution *execution, const event_id *circle,
                     uint32_t count, struct missing_order *order)
{
    struct apart apart = {.arena = arena, .execution = execution, .graph = execution->graph};
    event_id last = NONE;
    for (uint32_t i = 0; i < count; i++) {
        event_id barrier = barrier_between(&apart, circle[i], circle[(i + 1) % count]);
        if (barrier != NONE && last != NONE && !meets(&apart, last, barrier))
            tell_difference(&apart, last, barrier);
        last = barrier != NONE ? barrier : last;
    }
    for (uint32_t i = 0; i < apart.order.lacks.len; i++)
        vec_push(arena, &order->lacks, apart.order.lacks.at[i]);
}

/* ---- waits ------------------------------------------------------------------------------------ */

/* Waits for copies, or at an mbarrier. */
static bool is_wait(const struct apart *apart, event_id id)
{
    const struct event *event = event_of(apart, id);
    return apart->execution->executed[id] && event->inst && event->kind != EVENT_BARRIER &&
           event->kind != EVENT_WRITE && op_row(event->inst->op)->role & ROLE_WAITS;
}

/* The wait of the access's thread that is next to it, of one kind; NONE: there is none. */
static event_id next_wait(const struct apart *apart, event_id access, bool mbarrier, bool after)
{
    const struct event *at = event_of(apart, access);
    event_id found = NONE;
    for (event_id e = 0; e < apart->graph->event_count; e++) {
        const struct event *event = event_of(apart, e);
        bool beyond = after ? event->position > at->position : event->position < at->position;
        if (is_wait(apart, e) && event->thread == at->thread && beyond &&
            (event->kind == EVENT_READ) == mbarrier && (found == NONE || !after))
            found = e;
    }
    return found;
}

/* The arrival at an mbarrier that the thread makes after the access. */
static event_id arrival_after(const struct apart *apart, event_id access)
{
    const struct event *at = event_of(apart, access);
    for (event_id e = 0; e < apart->graph->event_count; e++) {
        const struct event *event = event_of(apart, e);
        if (apart->execution->executed[e] && event->thread == at->thread && event->inst &&
            event->position > at->position && event->kind == EVENT_WRITE &&
            event->tags & TAG(MBARRIER) && op_row(event->inst->op)->role & ROLE_ARRIVES)
            return e;
    }
    return NONE;
}

/* Of a copy that no wait stands beside. */
static void tell_unawaited(struct apart *apart)
{
    event_id from = apart->order.from, to = apart->order.to;
    tell(apart, "wait", from, to,
         arena_printf(apart->arena, "nothing waits for the copy %s before %s", name_of(apart, from),
                      name_of(apart, to)));
}

/* 'what': what is waited for. */
static void tell_wait(struct apart *apart, event_id what, bool mbarrier)
{
    event_id to = apart->order.to;
    event_id before = next_wait(apart, to, mbarrier, false);
    event_id after = next_wait(apart, to, mbarrier, true);
    if (before != NONE)
        tell(apart, "wait", before, what,
             arena_printf(apart->arena, "the wait %s does not wait for %s", name_of(apart, before),
                          name_of(apart, what)));
    else if (after != NONE)
        tell_place(apart, "wait", after, to, true);
}

static void tell_waits(struct apart *apart)
{
    event_id from = apart->order.from, arrival = arrival_after(apart, from);
    bool copied = apart->graph->threads[event_of(apart, from)->thread].issuer != NONE;
    if (copied) {
        tell_wait(apart, from, false);
        tell_wait(apart, from, true);
        if (!apart->order.lacks.len)
            tell_unawaited(apart);
    } else if (arrival != NONE) {
        tell_wait(apart, arrival, true);
    }
}

/* ---- updates ---------------------------------------------------------------------------------- */

/* The write that gives the memory what its thread computed from the read, and that the other write comes before; NONE:
 * there is none, or both are one atomic operation. */
static event_id update_of(const struct apart *apart, event_id read, event_id other)
{
    const struct execution *execution = apart->execution;
    for (uint32_t i = 0; i < apart->graph->fixed_count[FIXED_data]; i++) {
        const struct fixed_edge *edge = &apart->graph->fixed[FIXED_data][i];
        if (edge->from == read && execution->executed[edge->to] &&
            execution->first_granule[edge->to] == execution->first_granule[read] &&
            rel_has(execution->co, other, edge->to) && event_of(apart, read)->rmw != edge->to)
            return edge->to;
    }
    return NONE;
}

static void tell_update(struct apart *apart)
{
    event_id other = apart->order.from, read = apart->order.to;
    event_id write = update_of(apart, read, other);
    if (write != NONE)
        tell(apart, "atomic", read, write,
             arena_printf(apart->arena,
                          "%s and %s are not one atomic operation, so %s may come between them",
                          name_of(apart, read), name_of(apart, write), name_of(apart, other)));
}

/* ---- pairs ------------------------------------------------------------------------------------ */

/* Does the read take a value that the write replaces? */
static bool is_stale(const struct execution *execution, event_id read, event_id write)
{
    uint32_t first = execution->first_granule[write], count = execution->granules[write];
    for (uint32_t i = 0; i < execution->granules[read]; i++) {
        event_id source = execution->rf[execution->rf_base[read] + i];
        if (execution->first_granule[read] + i - first < count && source != NONE &&
            source != write && rel_has(execution->co, source, write))
            return true;
    }
    return false;
}

static bool is_candidate(const struct apart *apart, event_id write, event_id read)
{
    const struct event *w = event_of(apart, write), *r = event_of(apart, read);
    return apart->execution->executed[write] && apart->execution->executed[read] &&
           w->kind == EVENT_WRITE && r->kind == EVENT_READ && w->thread != NONE &&
           r->thread != NONE && w->thread != r->thread && !(w->tags & TAG(HOST)) &&
           !((w->tags | r->tags) & TAG(MBARRIER)) && is_stale(apart->execution, read, write) &&
           !is_ordered(apart, read, write);
}

static bool is_same_place(const struct apart *apart, event_id a, event_id b)
{
    const struct event *x = event_of(apart, a), *y = event_of(apart, b);
    return x->inst == y->inst && x->span.offset == y->span.offset;
}

/* One pair of instructions is told once, whatever threads execute them. */
static bool is_told(const struct apart *apart, const struct allowed *allowed, event_id from,
                    event_id to)
{
    for (uint32_t i = 0; i < allowed->missing.len; i++) {
        const struct missing_order *order = &allowed->missing.at[i];
        if (is_same_place(apart, order->from, from) && is_same_place(apart, order->to, to))
            return true;
    }
    return false;
}

static bool reads_from(const struct execution *execution, event_id read, event_id write)
{
    const event_id *rf = &execution->rf[execution->rf_base[read]];
    for (uint32_t i = 0; execution->executed[read] && i < execution->granules[read]; i++)
        if (rf[i] == write)
            return true;
    return false;
}

static bool races(const struct apart *apart, event_id a, event_id b)
{
    return rel_has(apart->races, a, b) || rel_has(apart->races, b, a);
}

/* Does a copy read what the thread that issued it writes only later? */
static bool is_overtaken(const struct apart *apart, event_id read, event_id write)
{
    const struct event *w = event_of(apart, write), *r = event_of(apart, read);
    if (!apart->execution->executed[read] || !apart->execution->executed[write] ||
        r->kind != EVENT_READ || w->kind != EVENT_WRITE || r->thread == NONE || !r->inst ||
        apart->graph->threads[r->thread].issuer != w->thread || w->thread == NONE)
        return false;
    for (event_id e = 0; e < apart->graph->event_count; e++)
        if (event_of(apart, e)->thread == w->thread && event_of(apart, e)->inst == r->inst &&
            event_of(apart, e)->position > w->position)
            return false;
    return reads_from(apart->execution, read, write);
}

/* Does a read see what the other thread was meant to write only afterwards? */
static bool is_early(const struct apart *apart, event_id read, event_id write)
{
    const struct event *w = event_of(apart, write), *r = event_of(apart, read);
    return r->kind == EVENT_READ && w->kind == EVENT_WRITE && w->thread != r->thread &&
           !((w->tags | r->tags) & TAG(MBARRIER)) && races(apart, read, write) &&
           reads_from(apart->execution, read, write);
}

static bool is_worth_telling(const struct apart *apart, const struct allowed *allowed)
{
    return allowed->missing.len < APART_MOST &&
           !is_told(apart, allowed, apart->order.from, apart->order.to);
}

static void add_order(struct apart *apart, struct allowed *allowed)
{
    if (!is_worth_telling(apart, allowed))
        return;
    tell_waits(apart);
    if (!apart->order.lacks.len)
        tell_barriers(apart);
    if (!apart->order.lacks.len)
        streams_lack(apart->arena, apart->execution, &apart->order);
    if (!apart->order.lacks.len)
        tell_update(apart);
    if (apart->order.lacks.len)
        vec_push(apart->arena, &allowed->missing, apart->order);
}

static void add_nothing(struct apart *apart, struct allowed *allowed)
{
    event_id from = apart->order.from, to = apart->order.to;
    if (!is_worth_telling(apart, allowed))
        return;
    tell(apart, "wait", to, from,
         arena_printf(apart->arena, "nothing makes %s wait for %s", name_of(apart, to),
                      name_of(apart, from)));
    vec_push(apart->arena, &allowed->missing, apart->order);
}

/* All pairs that race in the execution. */
static struct rel *find_races(const struct job *job, const struct theory *theory, uint32_t count)
{
    struct rel *races = rel_new(job->arena, count);
    for (uint32_t i = 0; i < job->model->axiom_count; i++) {
        const struct cat_axiom *flag = &job->model->axioms[i];
        if (flag->flag && flag_kind(flag->name) == FLAG_RACE)
            rel_union(races, races, theory_rel(theory, flag->node));
    }
    return races;
}

/* What stands beside the two accesses and does not order them. */
static void find_near(struct apart *apart, struct allowed *allowed)
{
    for (event_id read = 0; read < apart->graph->event_count; read++)
        for (event_id write = 0; write < apart->graph->event_count; write++) {
            bool stale = is_candidate(apart, write, read);
            apart->order =
                (struct missing_order){.from = stale ? write : read, .to = stale ? read : write};
            if (stale || is_overtaken(apart, read, write) || is_early(apart, read, write))
                add_order(apart, allowed);
        }
}

/* Where nothing does, that is what is missing between accesses that race. */
static void find_nothing(struct apart *apart, struct allowed *allowed)
{
    for (event_id read = 0; read < apart->graph->event_count; read++)
        for (event_id write = 0; write < apart->graph->event_count; write++) {
            bool stale = is_candidate(apart, write, read) && races(apart, read, write);
            apart->order =
                (struct missing_order){.from = stale ? write : read, .to = stale ? read : write};
            if (stale || is_early(apart, read, write))
                add_nothing(apart, allowed);
        }
}

void apart_find(const struct job *job, const struct execution *execution,
                const struct theory *theory, struct allowed *allowed)
{
    struct apart apart = {.arena = job->arena,
                          .execution = execution,
                          .graph = execution->graph,
                          .races = find_races(job, theory, execution->graph->event_count)};
    find_near(&apart, allowed);
    if (!allowed->missing.len)
        find_nothing(&apart, allowed);
}
