/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/instruction.h"

#include <string.h>

#include "model/value/refute.h"
#include "model/unfold/step/alu.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/thread/state.h"

enum { STEPS_AN_EVENT = 64, FREE_STEPS = 1000000 };

static void go(struct unfold_run *run, const struct state *from, uint32_t pc, uint32_t target,
               expr_id guard, const struct deps *ctrl)
{
    struct builder *b = run->b;
    if (expr_is_false(b->exprs, guard) || expr_conjuncts_refuted(b->exprs, guard))
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

/* Each way is that of its number where none before it is taken, the last one that of all others: they
 * come together again as those of branches do. */
static void branch_index(struct unfold_step *s, uint32_t pc)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct operand *list = &s->inst->operands[1];
    struct unfold_value index = operand_value(s, &s->inst->operands[0], TYPE_U32);
    const struct deps *ctrl = deps_union(&s->b->deps, s->ctrl, index.deps);
    expr_id inside =
        expr_binary(exprs, EXPR_ULT, index.expr, expr_const(exprs, 32, list->part_count));
    step_undefined(s, "branch-out-of-range", "the index lies past the list of labels",
                   expr_not(exprs, inside));
    expr_id rest = expr_and(exprs, s->state->guard, s->predicate);
    for (uint32_t i = 0; i < list->part_count; i++) {
        expr_id here = i + 1 == list->part_count
                           ? expr_true(exprs)
                           : expr_eq(exprs, index.expr, expr_const(exprs, 32, i));
        go(s->run, s->state, pc, list->parts[i].target, expr_and(exprs, rest, here), ctrl);
        rest = expr_and(exprs, rest, expr_not(exprs, here));
    }
    go(s->run, s->state, pc, pc + 1,
       expr_and(exprs, s->state->guard, expr_not(exprs, s->predicate)), ctrl);
}

/* What an instruction means, by its group; those of control are execute's, and pauses mean nothing. */
static void (*const steps[GROUP_COUNT])(struct unfold_step *s) = {
    [GROUP_ARITHMETIC] = step_alu,
    [GROUP_CARRY] = step_carry,
    [GROUP_LOGIC] = step_alu,
    [GROUP_COMPARISON] = step_alu,
    [GROUP_MOVE] = step_alu,
    [GROUP_ADDRESS] = step_space,
    [GROUP_ACCESS] = step_access,
    [GROUP_FENCE] = step_fence,
    [GROUP_CTA_BARRIER] = step_cta_barrier,
    [GROUP_CLUSTER_BARRIER] = step_cluster_barrier,
    [GROUP_COLLECTIVE] = step_collective,
    [GROUP_MBARRIER] = step_mbarrier,
    [GROUP_COPY] = step_async,
    [GROUP_MULTIMEM] = step_multimem,
    [GROUP_GRID] = step_grid,
    [GROUP_HOST] = step_call,
};

/* What printf prints is no part of a state, and what it returns, 0 here, is hardly ever looked at. */
static void call_runtime(struct unfold_step *s)
{
    enum system system = (enum system)s->inst->operands[1].value;
    if (system == SYSTEM_ASSERT_FAIL)
        step_undefined(s, "assertion-failed", "an assertion of device code does not hold",
                       expr_true(s->b->exprs));
    else if (system != SYSTEM_PRINTF)
        step_unsupported(s, "'%s' has no meaning in the axioms", system_row(system)->name);
}

static void dispatch(struct unfold_step *s)
{
    if (!strchr(op_row(s->inst->op)->engines, 'x')) {
        step_unsupported(s, "'%s' has no meaning in the axioms", op_mnemonic(s->inst->op));
        return;
    }
    if (steps[op_group(s->inst->op)])
        steps[op_group(s->inst->op)](s);
}

/* cooperative_groups aborts in grid.sync() where there is no workspace, which only cooperative launches have. */
static const char *trap_detail(const struct unfold_step *s)
{
    uint32_t launch = s->b->threads.at[s->run->thread].launch;
    bool lacks = launch != NONE && !s->b->test->launches[launch].cooperative &&
                 body_reads_special(s->run->body, SPECIAL_ENVREG2);
    return lacks ? "the kernel is aborted: grid.sync needs a cooperative launch"
                 : "the kernel is aborted";
}

/* Host code says so where no defined run comes; what happens behind it nobody asks. */
static void trap(struct unfold_step *s)
{
    bool host = s->b->threads.at[s->run->thread].host != NONE;
    if (!host) {
        step_undefined(s, "trap", trap_detail(s), expr_true(s->b->exprs));
        return;
    }
    step_undefined(s, "out-of-range",
                   "an index is outside of its array, or __builtin_unreachable() is called",
                   expr_true(s->b->exprs));
    builder_assume(s->b, ASSUME_DEFINED, expr_not(s->b->exprs, s->guard), s->inst->span,
                   s->run->thread);
}

static void execute(struct unfold_step *s, uint32_t pc)
{
    const struct inst *inst = s->inst;
    uint32_t target = liveness_jump(s->run->body, inst, 0);
    struct unfold_value taken = {expr_true(s->b->exprs), NULL};
    if (inst->op == OP_TRAP)
        trap(s);
    if (inst->op == OP_CALL)
        call_runtime(s);
    if (inst->op == OP_BRANCH_COMPARE)
        taken = alu_compare(s, inst->type, &inst->operands[0], &inst->operands[1]);
    if (inst->op == OP_BRX) {
        branch_index(s, pc);
        return;
    }
    if (target != NONE) {
        branch(s, pc, target, taken);
        return;
    }
    if (!expr_is_false(s->b->exprs, s->guard))
        dispatch(s);
    vec_push(s->b->arena, &s->run->pending[pc + 1], *s->state);
}

struct state instruction_meet(struct unfold_run *run, struct state_list *list)
{
    struct state state = state_merge(run->b, run->body->reg_count, list->at, list->len);
    list->len = 0;
    return state;
}

/* C++ assumes that a loop like that ends: what it says of the program otherwise is a hint. */
static void count_step(struct builder *b, struct span span)
{
    static const char undefined[] =
        "if it never ends the program is undefined: C++ assumes that every loop without accesses "
        "and synchronization ends ([intro.progress] 1)";
    if (++b->steps > FREE_STEPS + (uint64_t)STEPS_AN_EVENT * b->options->max_events)
        builder_fail(b, DIAG_endless_loop, span,
                     b->test->language == LANGUAGE_CPP ? undefined : NULL,
                     "more than %" G_GUINT64_FORMAT " instructions were followed", b->steps - 1);
}

void instruction_at(struct unfold_run *run, uint32_t pc)
{
    struct builder *b = run->b;
    if (!run->pending[pc].len)
        return;
    struct state state = instruction_meet(run, &run->pending[pc]);
    const struct inst *inst = &run->body->insts[pc];
    struct unfold_step s = {.run = run,
                            .b = b,
                            .inst = inst,
                            .state = &state,
                            .predicate = expr_true(b->exprs),
                            .ctrl = state.ctrl};
    count_step(b, inst->span);
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
