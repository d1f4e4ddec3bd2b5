/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/flow.h"

#include <stdlib.h>

#include "litmus/test/host.h"
#include "model/value/refute.h"
#include "model/unfold/step/alu.h"
#include "model/unfold/step/call.h"
#include "model/unfold/step/mbarrier.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/thread/liveness.h"
#include "model/unfold/thread/state.h"

/* Loops are the instruction ranges [head, tail]; heads differ and ranges nest. */
struct loop {
    uint32_t head, tail;
    struct state_list back; /* states that jumped back to the head */
};

struct flow {
    struct loop *loops; /* by head, ascending */
    uint32_t loop_count;
    uint32_t *loop_at; /* an instruction: the loop it heads, or NONE */
    struct liveness *liveness;
};

enum { MAX_LOOP_DEPTH = 64, STEPS_AN_EVENT = 64, FREE_STEPS = 1000000 };

/* ---- finding loops -------------------------------------------------------------------------- */

static void find_loops(struct flow *flow, struct arena *arena, const struct body *body)
{
    uint32_t *tail = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1); /* last back jump + 1 */
    flow->loop_at = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1);
    for (uint32_t pc = 0; pc < body->inst_count; pc++) {
        uint32_t target = liveness_target(body, &body->insts[pc]);
        if (target > pc)
            continue;
        flow->loop_count += !tail[target];
        tail[target] = pc + 1;
    }
    flow->loops = ARENA_ARRAY(arena, struct loop, flow->loop_count);
    for (uint32_t pc = 0, n = 0; pc <= body->inst_count; pc++) {
        flow->loop_at[pc] = tail[pc] ? n : NONE;
        if (tail[pc])
            flow->loops[n++] = (struct loop){.head = pc, .tail = tail[pc] - 1};
    }
    /* A loop that starts inside another ends inside it too: widen the outer one. */
    for (uint32_t i = flow->loop_count; i-- > 0;)
        for (uint32_t j = i + 1; j < flow->loop_count && flow->loops[j].head <= flow->loops[i].tail;
             j++)
            if (flow->loops[j].tail > flow->loops[i].tail)
                flow->loops[i].tail = flow->loops[j].tail;
}

/* ---- one instruction ------------------------------------------------------------------------ */

static void go(struct unfold_run *run, const struct state *from, uint32_t pc, uint32_t target,
               expr_id guard, const struct deps *ctrl)
{
    struct builder *b = run->b;
    if (expr_is_false(b->exprs, guard))
        return;
    struct state state = state_copy(b, run->body->reg_count, from);
    state.guard = guard;
    state.ctrl = ctrl;
    struct state_list *list = &run->pending[target];
    if (target <= pc)
        list = &run->flow->loops[run->flow->loop_at[target]].back;
    vec_push(b->arena, list, state);
}

static void branch(struct unfold_step *s, uint32_t pc, uint32_t target,
                   struct unfold_value condition)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct deps *ctrl = deps_union(&s->b->deps, s->ctrl, condition.deps);
    expr_id taken = expr_and(exprs, s->predicate, condition.expr);
    go(s->run, s->state, pc, target, expr_and(exprs, s->state->guard, taken), ctrl);
    expr_id stays = expr_and(exprs, s->state->guard, expr_not(exprs, taken));
    go(s->run, s->state, pc, pc + 1, stays, ctrl);
}

/* What an instruction means, by its group; those of control are execute's, and pauses mean nothing. */
static void (*const steps[GROUP_COUNT])(struct unfold_step *s) = {
    [GROUP_ARITHMETIC] = step_alu,
    [GROUP_LOGIC] = step_alu,
    [GROUP_COMPARISON] = step_alu,
    [GROUP_MOVE] = step_alu,
    [GROUP_ADDRESS] = step_space,
    [GROUP_ACCESS] = step_access,
    [GROUP_FENCE] = step_fence,
    [GROUP_CTA_BARRIER] = step_cta_barrier,
    [GROUP_CLUSTER_BARRIER] = step_cluster_barrier,
    [GROUP_COLLECTIVE] = step_warp_barrier,
    [GROUP_MBARRIER] = step_mbarrier,
    [GROUP_COPY] = step_async,
    [GROUP_GRID] = step_grid,
    [GROUP_HOST] = step_call,
};

static void dispatch(struct unfold_step *s)
{
    if (!strchr(op_row(s->inst->op)->engines, 'x')) {
        step_unsupported(s, "'%s' has no meaning in the axioms", op_mnemonic(s->inst->op));
        return;
    }
    if (steps[op_group(s->inst->op)])
        steps[op_group(s->inst->op)](s);
}

static void execute(struct unfold_step *s, uint32_t pc)
{
    const struct inst *inst = s->inst;
    uint32_t target = liveness_target(s->run->body, inst);
    struct unfold_value taken = {expr_true(s->b->exprs), NULL};
    if (inst->op == OP_TRAP)
        step_undefined(s, "trap", "the kernel is aborted", taken.expr);
    if (inst->op == OP_BRANCH_COMPARE)
        taken = alu_compare(s, inst->type, &inst->operands[0], &inst->operands[1]);
    if (target != NONE) {
        branch(s, pc, target, taken);
        return;
    }
    if (!expr_is_false(s->b->exprs, s->guard))
        dispatch(s);
    vec_push(s->b->arena, &s->run->pending[pc + 1], *s->state);
}

static struct state merged(struct unfold_run *run, struct state_list *list)
{
    struct state state = state_merge(run->b, run->body->reg_count, list->at, list->len);
    list->len = 0;
    return state;
}

static void step_at(struct unfold_run *run, uint32_t pc)
{
    struct builder *b = run->b;
    if (!run->pending[pc].len)
        return;
    struct state state = merged(run, &run->pending[pc]);
    const struct inst *inst = &run->body->insts[pc];
    struct unfold_step s = {.run = run,
                            .b = b,
                            .inst = inst,
                            .state = &state,
                            .predicate = expr_true(b->exprs),
                            .ctrl = state.ctrl};
    if (++b->steps > FREE_STEPS + (uint64_t)STEPS_AN_EVENT * b->options->max_events)
        step_refuse(&s, DIAG_endless_loop,
                    "more than %" G_GUINT64_FORMAT " instructions were followed", b->steps - 1);
    if (inst->guard != NONE) {
        struct operand o = {
            .kind = OPERAND_REG, .reg = inst->guard, .negated = inst->guard_negated};
        struct unfold_value p = operand_value(&s, &o, TYPE_PRED);
        s.predicate = p.expr;
        s.ctrl = deps_union(&b->deps, state.ctrl, p.deps);
    }
    s.guard = expr_and(b->exprs, state.guard, s.predicate);
    execute(&s, pc);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static bool entered_inside(const struct unfold_run *run, const struct loop *loop)
{
    for (uint32_t pc = loop->head + 1; pc <= loop->tail; pc++)
        if (run->pending[pc].len)
            return true;
    return false;
}

static bool is_query(const struct builder *b, const struct event *event)
{
    return event->kind == EVENT_API && event->inst && event->inst->op == OP_HOST_CALL &&
           b->test->host->calls[event->inst->operands[1].value].row->class == HOST_ASKS;
}

/* The thread goes round when 'round' holds, having made the events from 'first_event' on. */
static void add_spin(struct unfold_run *run, struct span span, expr_id round, uint32_t first_event,
                     bool open)
{
    struct builder *b = run->b;
    struct spin s = {.thread = run->thread, .open = open, .condition = round, .span = span};
    s.reads = ARENA_ARRAY(b->arena, event_id, b->events.len - first_event);
    for (event_id e = first_event; e < b->events.len; e++)
        if (b->events.at[e].kind == EVENT_READ)
            s.reads[s.read_count++] = e;
    for (uint32_t i = 0; i < b->waits.len; i++) /* a try_wait does not fail wrongly for ever */
        if (b->waits.at[i].miss >= first_event)
            s.condition = expr_and(b->exprs, s.condition, b->waits.at[i].false_rightly);
    s.condition = expr_and(b->exprs, s.condition, call_queries_rightly(b, first_event));
    vec_push(b->arena, &b->spins, s);
}

/* The loop is assumed not to go round; 'open': after as many iterations as are unrolled. */
static void assume_left(struct unfold_run *run, const struct loop *loop, expr_id round,
                        uint32_t first_event, bool open)
{
    struct span span = run->body->insts[loop->tail].span;
    if (!open || run->b->options->liveness)
        add_spin(run, span, round, first_event, open);
    builder_assume(run->b, open ? ASSUME_BOUND : ASSUME_SPIN_EXIT, expr_not(run->b->exprs, round),
                   span, run->thread);
}

static bool is_exchange_of_equals(const struct builder *b, const struct event *event, expr_id *same)
{
    if (event->kind != EVENT_WRITE || event->rmw == NONE)
        return false;
    *same = expr_eq(b->exprs, event->value, b->events.at[event->rmw].value);
    return true;
}

/* When an iteration leaves everything as it was: the registers that are still read, and memory,
 * where an atomic operation wrote what it had read. Whatever repeats so can repeat for ever. */
static expr_id repeats(struct unfold_run *run, const struct loop *loop, const struct state *before,
                       const struct state *after, uint32_t first_event)
{
    struct builder *b = run->b;
    expr_id same = expr_eq(b->exprs, before->cluster_arrived, after->cluster_arrived);
    for (uint32_t reg = 0; reg < run->body->reg_count; reg++) {
        if (before->regs[reg] == after->regs[reg] ||
            !liveness_at(run->flow->liveness, loop->head, reg))
            continue;
        if (expr_get(b->exprs, before->regs[reg])->width > 64)
            return expr_false(b->exprs);
        same = expr_and(b->exprs, same, expr_eq(b->exprs, before->regs[reg], after->regs[reg]));
    }
    for (event_id e = first_event; e < b->events.len; e++) {
        const struct event *event = &b->events.at[e];
        expr_id equal = expr_false(b->exprs);
        if (event->kind == EVENT_READ || event->kind == EVENT_FENCE || is_query(b, event))
            continue;
        is_exchange_of_equals(b, event, &equal);
        expr_id harmless = expr_implies(b->exprs, event->guard, equal);
        same = expr_and(b->exprs, same, harmless);
    }
    return same;
}

/* An iteration that repeats itself is one of arbitrarily many, none of which changed memory. */
static void unwrite(struct unfold_run *run, expr_id round, uint32_t first_event)
{
    struct builder *b = run->b;
    for (event_id e = first_event; e < b->events.len; e++) {
        struct event *event = &b->events.at[e];
        expr_id equal;
        if (is_exchange_of_equals(b, event, &equal))
            event->guard = expr_and(b->exprs, event->guard, expr_not(b->exprs, round));
    }
}

/* Assumes the loop left where an iteration only repeats itself; what is left to unroll is when it
 * goes round and changed something. */
static expr_id spin(struct unfold_run *run, const struct loop *loop, const struct state *before,
                    const struct state *after, uint32_t first_event)
{
    struct builder *b = run->b;
    expr_id same = repeats(run, loop, before, after, first_event);
    expr_id round = expr_and(b->exprs, after->guard, same);
    if (expr_refuted(b->exprs, round))
        return after->guard;
    expr_id rest = expr_and(b->exprs, after->guard, expr_not(b->exprs, same));
    assume_left(run, loop, round, first_event, false);
    if (b->options->liveness)
        unwrite(run, round, first_event);
    return expr_refuted(b->exprs, rest) ? expr_false(b->exprs) : rest;
}

static void run_range(struct unfold_run *run, uint32_t from, uint32_t to, uint32_t current,
                      unsigned depth);

/* Is there a way out of the loop but by going round? */
static bool may_leave(const struct unfold_run *run, const struct loop *loop)
{
    bool leaves = run->body->insts[loop->tail].guard != NONE ||
                  run->body->insts[loop->tail].op == OP_BRANCH_COMPARE;
    for (uint32_t pc = loop->head; pc <= loop->tail && !leaves; pc++) {
        uint32_t target = liveness_target(run->body, &run->body->insts[pc]);
        leaves = target != NONE && target > loop->tail;
    }
    return leaves;
}

/* Unfolds iterations until none goes round; 'false' conditions were dropped by go(). */
static void run_loop(struct unfold_run *run, uint32_t index, unsigned depth)
{
    struct builder *b = run->b;
    struct loop *loop = &run->flow->loops[index];
    for (uint32_t counted = 0; !b->failed;) {
        bool plain = !entered_inside(run, loop) && run->pending[loop->head].len;
        struct state before = {0};
        if (plain) {
            before = merged(run, &run->pending[loop->head]);
            struct state copy = state_copy(b, run->body->reg_count, &before);
            vec_push(b->arena, &run->pending[loop->head], copy);
        }
        uint32_t first_event = b->events.len;
        run_range(run, loop->head, loop->tail, index, depth);
        if (!loop->back.len || b->failed)
            return;
        struct state after = merged(run, &loop->back);
        bool sure = plain && after.guard == before.guard;
        if (sure && !may_leave(run, loop)) { /* whatever an iteration does, the thread never ends */
            assume_left(run, loop, after.guard, b->events.len, false);
            return;
        }
        if (plain)
            after.guard = spin(run, loop, &before, &after, first_event);
        if (expr_is_false(b->exprs, after.guard))
            return;
        if (!sure && ++counted >= b->options->unroll) {
            assume_left(run, loop, after.guard, first_event, true);
            return;
        }
        vec_push(b->arena, &run->pending[loop->head], after);
    }
}

static void run_range(struct unfold_run *run, uint32_t from, uint32_t to, uint32_t current,
                      unsigned depth)
{
    for (uint32_t pc = from; pc <= to && !run->b->failed;) {
        uint32_t loop = run->flow->loop_at[pc];
        if (loop == NONE || loop == current) {
            step_at(run, pc++);
        } else if (depth >= MAX_LOOP_DEPTH) {
            builder_fail(run->b, DIAG_loops_too_deep, run->body->insts[pc].span, NULL,
                         "loops nest more than %u deep", MAX_LOOP_DEPTH);
        } else {
            run_loop(run, loop, depth + 1);
            pc = run->flow->loops[loop].tail + 1;
        }
    }
}

/* Registers whose final value the test asks for. */
static bool *observed_registers(const struct unfold_run *run)
{
    const struct test *test = run->b->test;
    const struct thread *t = &run->b->threads.at[run->thread];
    bool *needed = ARENA_ARRAY(run->b->arena, bool, run->body->reg_count + 1);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        bool own = t->column != NONE ? term->column == t->column
                   : t->host != NONE ? term->host == t->host
                                     : term->launch == t->launch;
        if (term->kind == TERM_REG && own && term->reg < run->body->reg_count)
            needed[term->reg] = true;
    }
    return needed;
}

struct state *flow_run(struct unfold_run *run, struct state start)
{
    struct builder *b = run->b;
    uint32_t end = run->body->inst_count;
    run->flow = ARENA_NEW(b->arena, struct flow);
    run->pending = ARENA_ARRAY(b->arena, struct state_list, end + 1);
    find_loops(run->flow, b->arena, run->body);
    if (run->flow->loop_count)
        run->flow->liveness = liveness_new(b->arena, run->body, observed_registers(run));
    vec_push(b->arena, &run->pending[0], start);
    if (end)
        run_range(run, 0, end - 1, NONE, 0);
    if (b->failed || !run->pending[end].len)
        return NULL;
    struct state *final = ARENA_NEW(b->arena, struct state);
    *final = merged(run, &run->pending[end]);
    return final;
}
