/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/spin.h"

#include "litmus/test/host.h"
#include "model/unfold/step/call.h"
#include "model/unfold/step/mbarrier.h"
#include "model/unfold/thread/again.h"
#include "model/unfold/thread/mutex.h"
#include "model/value/refute.h"

static bool is_query(const struct builder *b, const struct event *event)
{
    return event->kind == EVENT_API && event->inst && event->inst->op == OP_HOST_CALL &&
           b->test->host->calls[event->inst->operands[1].value].row->class == HOST_ASKS;
}

static bool is_exchange_of_equals(const struct builder *b, const struct event *event, expr_id *same)
{
    if (event->kind != EVENT_WRITE || event->rmw == NONE)
        return false;
    *same = expr_eq(b->exprs, event->value, b->events.at[event->rmw].value);
    return true;
}

/* ---- does it repeat? ------------------------------------------------------------------------ */

static expr_id same_registers(struct unfold_run *run, const struct liveness *liveness,
                              const struct iteration *i)
{
    struct builder *b = run->b;
    expr_id same = expr_eq(b->exprs, i->before->cluster_arrived, i->after->cluster_arrived);
    for (uint32_t reg = 0; reg < run->body->reg_count; reg++) {
        expr_id before = i->before->regs[reg], after = i->after->regs[reg];
        if (before == after || !liveness_at(liveness, i->head, reg))
            continue;
        if (expr_get(b->exprs, before)->width > 64)
            return expr_false(b->exprs);
        same = expr_and(b->exprs, same, expr_eq(b->exprs, before, after));
    }
    return same;
}

/* Where each of the reads that the set holds is in one of two others, too. */
static expr_id is_within(struct builder *b, const struct deps *set, const struct deps *other,
                         const struct deps *another)
{
    const struct deps *both = deps_union(&b->deps, other, another);
    expr_id within = expr_true(b->exprs);
    for (uint32_t i = 0; set && i < set->count; i++) {
        expr_id there = expr_false(b->exprs);
        for (uint32_t k = 0; both && k < both->count; k++)
            if (both->items[k].event == set->items[i].event)
                there = both->items[k].guard;
        within = expr_and(b->exprs, within, expr_implies(b->exprs, set->items[i].guard, there));
    }
    return within;
}

/* Without the iteration what follows depends on what the registers depended on before it: on no more than with it. */
static expr_id depends_on_no_more(struct unfold_run *run, const struct liveness *liveness,
                                  const struct iteration *i)
{
    struct builder *b = run->b;
    expr_id all = expr_true(b->exprs);
    for (uint32_t reg = 0; reg < run->body->reg_count; reg++) {
        const struct deps *before = i->before->deps[reg], *after = i->after->deps[reg];
        if (before != after && liveness_at(liveness, i->head, reg))
            all = expr_and(b->exprs, all, is_within(b, before, after, i->after->ctrl));
    }
    return all;
}

static expr_id keeps_state(struct unfold_run *run, const struct liveness *liveness,
                           const struct iteration *iteration)
{
    return expr_and(run->b->exprs, same_registers(run, liveness, iteration),
                    depends_on_no_more(run, liveness, iteration));
}

bool spin_keeps_registers(struct unfold_run *run, const struct liveness *liveness,
                          const struct iteration *iteration)
{
    return expr_is_true(run->b->exprs, same_registers(run, liveness, iteration));
}

expr_id spin_repeats(struct unfold_run *run, const struct liveness *liveness,
                     const struct iteration *iteration)
{
    struct builder *b = run->b;
    expr_id same = keeps_state(run, liveness, iteration);
    for (event_id e = iteration->first; e < iteration->end; e++) {
        const struct event *event = &b->events.at[e];
        expr_id equal = expr_false(b->exprs);
        if (event->kind == EVENT_READ || event->kind == EVENT_FENCE || is_query(b, event) ||
            mutex_is_harmless(b, iteration, e))
            continue;
        is_exchange_of_equals(b, event, &equal);
        equal = expr_or(b->exprs, equal, again_writes(b, iteration->first, e));
        expr_id harmless = expr_implies(b->exprs, event->guard, equal);
        same = expr_and(b->exprs, same, harmless);
    }
    return same;
}

void spin_unwrite(struct unfold_run *run, const struct iteration *iteration, expr_id round,
                  bool again)
{
    struct builder *b = run->b;
    for (event_id e = iteration->first; e < iteration->end; e++) {
        struct event *event = &b->events.at[e];
        expr_id equal;
        if (!is_exchange_of_equals(b, event, &equal) && !mutex_is_lock(b, event, again))
            continue;
        vec_push(b->arena, &b->unwritten, ((struct unwritten){e, event->guard}));
        event->guard = expr_and(b->exprs, event->guard, expr_not(b->exprs, round));
    }
}

/* The condition, and that the event does not execute where leaving it out would not do. False: never mind. */
static bool may_be_in_vain(struct builder *b, const struct event *event, expr_id *condition)
{
    uint64_t address;
    if (event->kind == EVENT_WRITE && event->rmw != NONE)
        *condition = expr_and(b->exprs, *condition, expr_not(b->exprs, event->guard));
    return (event->kind == EVENT_READ || event->kind == EVENT_WRITE ||
            event->kind == EVENT_FENCE) &&
           (event->kind == EVENT_FENCE || expr_is_const(b->exprs, event->address, &address)) &&
           !(event->tags & TAG(MBARRIER));
}

void spin_add_repeat(struct unfold_run *run, const struct liveness *liveness,
                     const struct iteration *iteration)
{
    struct builder *b = run->b;
    struct repeat repeat = {.thread = run->thread};
    repeat.condition =
        expr_and(b->exprs, iteration->after->guard, keeps_state(run, liveness, iteration));
    if (b->choices.len != iteration->first_choice || b->undefined.len != iteration->first_undefined)
        return;
    repeat.events = ARENA_ARRAY(b->arena, event_id, iteration->end - iteration->first + 1);
    for (event_id e = iteration->first; e < iteration->end; e++) {
        if (!may_be_in_vain(b, &b->events.at[e], &repeat.condition))
            return;
        if (b->events.at[e].kind != EVENT_FENCE)
            repeat.events[repeat.event_count++] = e;
    }
    if (!expr_refuted(b->exprs, repeat.condition))
        vec_push(b->arena, &b->repeats, repeat);
}

static bool is_fence_sc(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->tags & TAG(SC);
}

bool spin_orders_next(const struct unfold_run *run, const struct iteration *iteration)
{
    uint32_t reads = 0, orders = 0;
    for (event_id e = iteration->first; e < iteration->end; e++) {
        const struct event *event = &run->b->events.at[e];
        if (is_fence_sc(event))
            return true;
        reads += event->kind == EVENT_READ;
        orders += event->kind == EVENT_FENCE || event->tags & (TAG(ACQ) | TAG(SC));
    }
    return reads > 1 && orders;
}

/* ---- what goes on for ever ------------------------------------------------------------------ */

/* Does the value rest on a clock that was read when that many choices had been made, or later? 'rests' says so of
 * its parts. */
static bool rests_on_clock(const struct builder *b, const struct expr *e, uint32_t choices,
                           const bool *rests)
{
    expr_id kids[3];
    unsigned count = expr_kids(e, kids);
    if (e->op == EXPR_CHOICE)
        return e->a >= choices && b->choices.at[e->a].anything;
    for (unsigned i = 0; i < count; i++)
        if (rests[kids[i]])
            return true;
    return false;
}

/* Truth values that compare clocks, at most that many in one condition, each of which may be true or false. */
enum { MOST_COMPARISONS = 64 };

struct clocks {
    expr_id round;
    const bool *rests; /* by expression: it rests on a clock */
    const bool
        *is_part; /* by expression: the condition is made of it, and comparisons of no more */
};

static bool is_comparison(const struct builder *b, const struct expr *e)
{
    expr_id kids[3];
    unsigned count = expr_kids(e, kids);
    for (unsigned i = 0; i < count; i++)
        if (expr_get(b->exprs, kids[i])->width != 1)
            return true;
    return !count;
}

/* The condition, where its first comparison of clocks is 'holds'. Parts of an expression have smaller numbers than it. */
static expr_id where_clocks_show(struct builder *b, const struct clocks *clocks, bool holds)
{
    expr_id *now = ARENA_ARRAY(b->arena, expr_id, clocks->round + 1);
    bool met = false;
    for (expr_id id = 0; id <= clocks->round; id++) {
        const struct expr e = *expr_get(b->exprs, id);
        expr_id kids[3] = {0};
        unsigned count = expr_kids(&e, kids);
        now[id] = id;
        if (!clocks->is_part[id] || !clocks->rests[id] || e.width != 1)
            continue;
        if (is_comparison(b, &e)) {
            now[id] = met ? id : holds ? expr_true(b->exprs) : expr_false(b->exprs);
            met = true;
            continue;
        }
        for (unsigned i = 0; i < count; i++)
            kids[i] = now[kids[i]];
        now[id] = expr_build(b->exprs, &e, kids[0], kids[1], kids[2]);
    }
    return now[clocks->round];
}

static struct clocks clocks_of(const struct builder *b, expr_id round, uint32_t choices)
{
    bool *rests = ARENA_ARRAY(b->arena, bool, round + 1);
    bool *is_part = ARENA_ARRAY(b->arena, bool, round + 1);
    for (expr_id id = 0; id <= round; id++)
        rests[id] = rests_on_clock(b, expr_get(b->exprs, id), choices, rests);
    is_part[round] = true;
    for (expr_id id = round + 1; id-- > 0;) {
        const struct expr *e = expr_get(b->exprs, id);
        expr_id kids[3];
        unsigned count = is_part[id] && !is_comparison(b, e) ? expr_kids(e, kids) : 0;
        for (unsigned i = 0; i < count; i++)
            is_part[kids[i]] = true;
    }
    return (struct clocks){round, rests, is_part};
}

/* A clock goes on: for ever goes round only who does so whatever its comparisons show. '*open': there are too many. */
static expr_id whatever_clocks_show(struct builder *b, expr_id round, uint32_t choices, bool *open)
{
    struct clocks clocks = clocks_of(b, round, choices);
    for (uint32_t n = 0; clocks.rests[round] && n < MOST_COMPARISONS; n++) {
        round = expr_and(b->exprs, where_clocks_show(b, &clocks, false),
                         where_clocks_show(b, &clocks, true));
        clocks = clocks_of(b, round, choices);
    }
    *open = clocks.rests[round];
    return round;
}

static struct spin describe(struct unfold_run *run, const struct iteration *iteration,
                            expr_id round)
{
    struct builder *b = run->b;
    bool open = false;
    struct spin s = {.thread = run->thread,
                     .position = run->position,
                     .round = round,
                     .condition = whatever_clocks_show(b, round, iteration->first_choice, &open),
                     .span = iteration->span,
                     .begins = iteration->before ? iteration->before->guard : expr_false(b->exprs),
                     .writes = expr_false(b->exprs)};
    s.open = s.timed = open;
    s.reads = ARENA_ARRAY(b->arena, event_id, iteration->end - iteration->first);
    for (event_id e = iteration->first; e < iteration->end; e++) {
        const struct event *event = &b->events.at[e];
        if (event->kind == EVENT_READ)
            s.reads[s.read_count++] = e;
        s.has_fence_sc |= is_fence_sc(event);
        if (event->kind == EVENT_WRITE)
            s.writes = expr_or(b->exprs, s.writes, event->guard);
    }
    for (uint32_t i = 0; i < b->waits.len; i++) /* a try_wait does not fail wrongly for ever */
        if (b->waits.at[i].miss >= iteration->first)
            s.condition = expr_and(b->exprs, s.condition, b->waits.at[i].false_rightly);
    s.condition = expr_and(b->exprs, s.condition, call_queries_rightly(b, iteration->first));
    return s;
}

void spin_add(struct unfold_run *run, const struct iteration *iteration, expr_id round, bool open)
{
    struct spin s = describe(run, iteration, round);
    s.open |= open;
    vec_push(run->b->arena, &run->b->spins, s);
}

/* Which event of the iteration is that of 'other' in the other one: the instruction made it just as
 * late. NONE: there is none. */
static event_id counterpart(const struct builder *b, const struct iteration *iteration,
                            const struct iteration *other, event_id event)
{
    const struct inst *inst = b->events.at[event].inst;
    enum event_kind kind = b->events.at[event].kind;
    uint32_t turn = 0;
    for (event_id e = other->first; e < event; e++)
        turn += b->events.at[e].inst == inst && b->events.at[e].kind == kind;
    for (event_id e = iteration->first; e < iteration->end; e++)
        if (b->events.at[e].inst == inst && b->events.at[e].kind == kind && turn-- == 0)
            return e;
    return NONE;
}

void spin_add_second(struct unfold_run *run, const struct iteration *first,
                     const struct iteration *second, expr_id round)
{
    struct builder *b = run->b;
    struct spin s = describe(run, second, round);
    s.before = ARENA_ARRAY(b->arena, event_id, s.read_count);
    for (uint32_t i = 0; i < s.read_count; i++) {
        s.before[i] = counterpart(b, first, second, s.reads[i]);
        s.open |= s.before[i] == NONE; /* loops inside it were unrolled otherwise */
    }
    if (s.open)
        s.before = NULL;
    s.fences = ARENA_ARRAY(b->arena, event_id, second->end - second->first);
    for (event_id e = second->first; e < second->end; e++)
        if (is_fence_sc(&b->events.at[e]))
            s.fences[s.fence_count++] = e;
    vec_push(b->arena, &b->spins, s);
}
