/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/flow.h"

#include "model/value/refute.h"
#include "model/unfold/thread/instruction.h"
#include "model/unfold/thread/spin.h"
#include "model/unfold/thread/state.h"

enum { MAX_LOOP_DEPTH = 64 };

/* ---- finding loops -------------------------------------------------------------------------- */

static void find_loops(struct flow *flow, struct arena *arena, const struct body *body)
{
    uint32_t *tail = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1); /* last back jump + 1 */
    flow->loop_at = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        for (uint32_t i = 0, target; (target = liveness_jump(body, &body->insts[pc], i)) != NONE;
             i++) {
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

/* ---- loops ---------------------------------------------------------------------------------- */

static bool entered_inside(const struct unfold_run *run, const struct loop *loop)
{
    for (uint32_t pc = loop->head + 1; pc <= loop->tail; pc++)
        if (run->pending[pc].len)
            return true;
    return false;
}

/* The loop is assumed not to go round. */
static void assume_left(struct unfold_run *run, const struct iteration *iteration, expr_id round,
                        enum assumption_kind kind)
{
    builder_assume(run->b, kind, expr_not(run->b->exprs, round), iteration->span, run->thread);
}

static void run_range(struct unfold_run *run, uint32_t from, uint32_t to, uint32_t current,
                      unsigned depth);

/* Unfolds the instructions of the loop once from 'before', or, when that is NULL, from the states that
 * wait. False: nothing goes round. */
static bool run_iteration(struct unfold_run *run, struct loop *loop, unsigned depth,
                          const struct state *before, struct iteration *iteration)
{
    struct builder *b = run->b;
    struct state *after = ARENA_NEW(b->arena, struct state);
    if (before)
        vec_push(b->arena, &run->pending[loop->head], state_copy(b, run->body->reg_count, before));
    *iteration = (struct iteration){.before = before,
                                    .after = after,
                                    .first = b->events.len,
                                    .first_choice = b->choices.len,
                                    .first_undefined = b->undefined.len,
                                    .head = loop->head,
                                    .span = run->body->insts[loop->tail].span};
    run_range(run, loop->head, loop->tail, run->flow->loop_at[loop->head], depth);
    iteration->end = b->events.len;
    if (!loop->back.len || b->failed)
        return false;
    *after = instruction_meet(run, &loop->back);
    return true;
}

/* How many states wait behind each instruction of the body, and at the heads of loops. */
static uint32_t *count_pending(const struct unfold_run *run)
{
    uint32_t count = run->body->inst_count + 1;
    uint32_t *waiting = ARENA_ARRAY(run->b->arena, uint32_t, count + run->flow->loop_count);
    for (uint32_t pc = 0; pc < count; pc++)
        waiting[pc] = run->pending[pc].len;
    for (uint32_t i = 0; i < run->flow->loop_count; i++)
        waiting[count + i] = run->flow->loops[i].back.len;
    return waiting;
}

static void drop_pending(struct unfold_run *run, const uint32_t *waiting)
{
    uint32_t count = run->body->inst_count + 1;
    for (uint32_t pc = 0; pc < count; pc++)
        run->pending[pc].len = waiting[pc];
    for (uint32_t i = 0; i < run->flow->loop_count; i++)
        run->flow->loops[i].back.len = waiting[count + i];
}

/* Follows an iteration that repeats itself by another one, which does the same: whatever else it could
 * do, the thread could have done without the first. */
static void spin_twice(struct unfold_run *run, struct loop *loop, unsigned depth,
                       const struct iteration *first, expr_id round)
{
    struct builder *b = run->b;
    struct state again = state_copy(b, run->body->reg_count, first->after);
    struct iteration second;
    uint32_t *waiting = count_pending(run);
    again.guard = round;
    bool goes_round = run_iteration(run, loop, depth, &again, &second);
    drop_pending(run, waiting);
    if (!goes_round)
        return;
    expr_id same = spin_repeats(run, run->flow->liveness, &second);
    expr_id twice = expr_and(b->exprs, second.after->guard, same);
    builder_assume(b, ASSUME_PLAIN, expr_implies(b->exprs, round, twice), first->span, run->thread);
    spin_add_second(run, first, &second, twice);
    spin_unwrite(run, &second, twice, true);
}

/* Assumes the loop left where an iteration only repeats itself; what is left to unroll is when it
 * goes round and changed something. */
static expr_id spin(struct unfold_run *run, struct loop *loop, unsigned depth,
                    const struct iteration *iteration)
{
    struct builder *b = run->b;
    expr_id guard = iteration->after->guard;
    expr_id same = spin_repeats(run, run->flow->liveness, iteration);
    expr_id round = expr_and(b->exprs, guard, same);
    if (expr_refuted(b->exprs, round))
        return guard;
    expr_id rest = expr_and(b->exprs, guard, expr_not(b->exprs, same));
    assume_left(run, iteration, round, ASSUME_SPIN_EXIT);
    bool twice = b->options->liveness && spin_orders_next(run, iteration);
    if (!twice)
        spin_add(run, iteration, round, false);
    if (b->options->liveness)
        spin_unwrite(run, iteration, round, false);
    if (twice)
        spin_twice(run, loop, depth, iteration, round);
    return expr_refuted(b->exprs, rest) ? expr_false(b->exprs) : rest;
}

/* What an iteration read and did not look at may race all the same: one that only repeats itself is made, and one more
 * behind it, which is assumed to leave. More would do what one does. */
static struct state race_once(struct unfold_run *run, struct loop *loop, unsigned depth,
                              const struct iteration *iteration)
{
    struct builder *b = run->b;
    struct state after = *iteration->after, again = state_copy(b, run->body->reg_count, &after);
    struct state_list left = {0};
    struct iteration second;
    expr_id same = spin_repeats(run, run->flow->liveness, iteration);
    again.guard = expr_and(b->exprs, after.guard, same);
    after.guard = expr_and(b->exprs, after.guard, expr_not(b->exprs, same));
    if (expr_refuted(b->exprs, again.guard) || !run_iteration(run, loop, depth, &again, &second))
        return after;
    struct state behind = *second.after;
    behind.guard = spin(run, loop, depth, &second);
    vec_push(b->arena, &left, after);
    vec_push(b->arena, &left, behind);
    return instruction_meet(run, &left);
}

/* What is left to unroll of an iteration that goes round: its guard says when. */
static struct state go_round(struct unfold_run *run, struct loop *loop, unsigned depth,
                             const struct iteration *iteration)
{
    struct builder *b = run->b;
    struct state after = *iteration->after;
    if (!b->options->liveness && builder_may_race(b, iteration->span))
        return race_once(run, loop, depth, iteration);
    after.guard = spin(run, loop, depth, iteration);
    return after;
}

/* Is there a way out of the loop but by going round? */
static bool may_leave(const struct unfold_run *run, const struct loop *loop)
{
    bool leaves = run->body->insts[loop->tail].guard != NONE ||
                  run->body->insts[loop->tail].op == OP_BRANCH_COMPARE;
    for (uint32_t pc = loop->head; pc <= loop->tail && !leaves; pc++)
        for (uint32_t i = 0, to; (to = liveness_jump(run->body, &run->body->insts[pc], i)) != NONE;
             i++)
            leaves |= to > loop->tail;
    return leaves;
}

/* The loop has been unrolled as often as it may. */
static void stop_unrolling(struct unfold_run *run, const struct iteration *iteration, expr_id round)
{
    if (run->b->options->liveness)
        spin_add(run, iteration, round, true);
    assume_left(run, iteration, round, ASSUME_BOUND);
}

/* Whatever an iteration does, the thread never ends. */
static void never_leave(struct unfold_run *run, struct iteration iteration)
{
    iteration.first = iteration.end;
    iteration.first_choice = run->b->choices.len;
    spin_add(run, &iteration, iteration.after->guard, false);
    assume_left(run, &iteration, iteration.after->guard, ASSUME_SPIN_EXIT);
}

/* How many states wait outside of the loop. */
static uint32_t count_left(const struct unfold_run *run, uint32_t index)
{
    const struct loop *loop = &run->flow->loops[index];
    uint32_t left = 0;
    for (uint32_t pc = 0; pc <= run->body->inst_count; pc++)
        left += pc < loop->head || pc > loop->tail ? run->pending[pc].len : 0;
    for (uint32_t i = 0; i < run->flow->loop_count; i++)
        left += i == index ? 0 : run->flow->loops[i].back.len;
    return left;
}

/* Iterations that are sure to be repeated, and a state that one of them began with: every time their number doubles, a
 * new one, so that a number of iterations which repeat is found whatever it is (Brent). */
struct sure_rounds {
    struct state from;
    uint32_t count, next;
};

/* Does the loop go round for ever, as registers are again what they were and no read decided it? A barrier in it may stop
 * the thread, which does not end then either. */
static bool comes_back(struct unfold_run *run, struct sure_rounds *rounds,
                       const struct iteration *iteration)
{
    if (rounds->count++ == rounds->next) {
        rounds->from = *iteration->before;
        rounds->next = 2 * rounds->next + 1;
    }
    struct iteration all = *iteration;
    all.before = &rounds->from;
    return spin_keeps_registers(run, run->flow->liveness, &all);
}

struct loop_count {
    uint32_t rounds;       /* behind the first */
    event_id behind_first; /* the first event of these */
};

static void note_rounds(struct builder *b, struct span loop, uint32_t rounds, uint32_t events)
{
    uint32_t i = 0;
    while (i < b->unrolled.len && b->unrolled.at[i].span.offset != loop.offset)
        i++;
    if (i == b->unrolled.len)
        vec_push(b->arena, &b->unrolled, (struct unrolled_loop){.span = loop});
    b->unrolled.at[i].rounds = MAX(b->unrolled.at[i].rounds, rounds);
    b->unrolled.at[i].events += events;
}

/* Unfolds iterations until none goes round; 'false' conditions were dropped by go(). */
static void run_rounds(struct unfold_run *run, uint32_t index, unsigned depth,
                       struct loop_count *made)
{
    struct builder *b = run->b;
    struct loop *loop = &run->flow->loops[index];
    struct sure_rounds rounds = {0};
    for (uint32_t counted = 0; !b->failed; made->rounds++) {
        bool plain = !entered_inside(run, loop) && run->pending[loop->head].len;
        struct state before =
            plain ? instruction_meet(run, &run->pending[loop->head]) : (struct state){0};
        struct iteration iteration;
        uint32_t left = count_left(run, index);
        bool round = run_iteration(run, loop, depth, plain ? &before : NULL, &iteration);
        made->behind_first = made->rounds ? made->behind_first : iteration.end;
        if (!round)
            return;
        struct state after = *iteration.after;
        bool sure = plain && count_left(run, index) == left;
        if (!sure)
            rounds = (struct sure_rounds){0};
        if (sure && (!may_leave(run, loop) || comes_back(run, &rounds, &iteration))) {
            never_leave(run, iteration);
            return;
        }
        if (plain)
            after = go_round(run, loop, depth, &iteration);
        if (expr_is_false(b->exprs, after.guard))
            return;
        if (!sure && ++counted >= b->options->unroll) {
            stop_unrolling(run, &iteration, after.guard);
            return;
        }
        if (plain && !b->options->liveness)
            spin_add_repeat(run, run->flow->liveness, &iteration);
        vec_push(b->arena, &run->pending[loop->head], after);
    }
}

static void run_loop(struct unfold_run *run, uint32_t index, unsigned depth)
{
    struct loop_count made = {0};
    run_rounds(run, index, depth, &made);
    if (made.rounds)
        note_rounds(run->b, run->body->insts[run->flow->loops[index].tail].span, made.rounds + 1,
                    run->b->events.len - made.behind_first);
}

static void run_range(struct unfold_run *run, uint32_t from, uint32_t to, uint32_t current,
                      unsigned depth)
{
    for (uint32_t pc = from; pc <= to && !run->b->failed;) {
        uint32_t loop = run->flow->loop_at[pc];
        if (loop == NONE || loop == current) {
            instruction_at(run, pc++);
        } else if (depth >= MAX_LOOP_DEPTH) {
            builder_fail(run->b, DIAG_loops_too_deep, run->body->insts[pc].span, NULL,
                         "loops nest more than %u deep", MAX_LOOP_DEPTH);
        } else {
            run_loop(run, loop, depth + 1);
            pc = run->flow->loops[loop].tail + 1;
        }
    }
}

/* Registers whose final value the test asks for, and those of local memory, of which no instruction says that it reads them. */
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
    for (uint32_t i = 0; run->private_bytes && i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        for (uint32_t k = 0; run->private_bytes[i] != NONE && k < l->elements * l->element_bytes;
             k++)
            needed[run->private_bytes[i] + k] = true;
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
    *final = instruction_meet(run, &run->pending[end]);
    return final;
}
