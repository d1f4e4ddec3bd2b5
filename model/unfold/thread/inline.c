/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/inline.h"

#include <string.h>

enum { MOST_INSTRUCTIONS = 50000, DEEPEST_CALL = 64 };

struct inliner {
    struct builder *b;
    VEC(struct inst) insts;
    VEC(struct reg) regs;
    uint32_t depth;
};

/* One copy of a body. */
struct inlined_body {
    const struct body *body;
    uint32_t first_reg;
    uint32_t *variables; /* a .param variable: the register of its first byte */
    uint32_t *at;        /* an instruction, and the end: where it lies now */
    VEC(uint32_t) jumps; /* instructions whose labels are still those of the body */
};

static void expand(struct inliner *n, struct inlined_body *copy);

static bool refuse(struct inliner *n, const struct inst *inst, const char *why)
{
    builder_fail(n->b, DIAG_unfold_unsupported, inst->span, NULL, "%s", why);
    return false;
}

/* ---- registers ------------------------------------------------------------------------------- */

static void add_registers(struct inliner *n, const struct body *body)
{
    for (uint32_t i = 0; i < body->reg_count; i++)
        vec_push(n->b->arena, &n->regs, body->regs[i]);
}

static uint32_t add_variable(struct inliner *n, const struct param *variable)
{
    const struct reg byte = {.name = "", .type = TYPE_U8, .span = variable->span};
    uint32_t first = n->regs.len;
    for (uint32_t i = 0; i < variable->bytes; i++)
        vec_push(n->b->arena, &n->regs, byte);
    return first;
}

static struct inlined_body expansion_of(struct inliner *n, const struct body *body)
{
    struct inlined_body copy = {.body = body, .first_reg = n->regs.len};
    add_registers(n, body);
    copy.variables = ARENA_ARRAY(n->b->arena, uint32_t, body->frame_count);
    copy.at = ARENA_ARRAY(n->b->arena, uint32_t, body->inst_count + 1);
    for (uint32_t i = body->return_count + body->formal_count; i < body->frame_count; i++)
        copy.variables[i] = add_variable(n, &body->frame[i]);
    return copy;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static struct operand renamed(struct inliner *n, const struct inlined_body *copy,
                              struct operand operand)
{
    const struct operand *parts = operand.parts;
    if (operand.kind == OPERAND_FRAME) {
        operand.reg = copy->variables[operand.param] + (uint32_t)operand.value;
    } else if (operand.reg != NONE &&
               (operand.kind == OPERAND_REG || operand.kind == OPERAND_MEMORY)) {
        operand.reg += copy->first_reg;
    }
    operand.parts = ARENA_ARRAY(n->b->arena, struct operand, operand.part_count);
    for (uint32_t i = 0; i < operand.part_count; i++)
        operand.parts[i] = renamed(n, copy, parts[i]);
    return operand;
}

static void emit(struct inliner *n, struct inlined_body *copy, const struct inst *from)
{
    struct inst inst = *from;
    if (inst.guard != NONE)
        inst.guard += copy->first_reg;
    for (uint32_t i = 0; i < inst.operand_count; i++)
        inst.operands[i] = renamed(n, copy, inst.operands[i]);
    vec_push(n->b->arena, &copy->jumps, n->insts.len);
    vec_push(n->b->arena, &n->insts, inst);
}

/* A jump to a place that is filled in later, with the guard of 'from', or where that is false; its number. */
static uint32_t emit_jump(struct inliner *n, const struct inlined_body *copy,
                          const struct inst *from, bool negated)
{
    struct inst jump = {.op = OP_BRA, .guard = from->guard, .span = from->span, .operand_count = 1};
    if (jump.guard != NONE)
        jump.guard += copy->first_reg;
    jump.guard_negated = from->guard_negated != negated;
    jump.operands[0] = (struct operand){.kind = OPERAND_LABEL,
                                        .reg = NONE,
                                        .location = NONE,
                                        .target = NONE,
                                        .param = NONE,
                                        .span = from->span};
    vec_push(n->b->arena, &n->insts, jump);
    return n->insts.len - 1;
}

static void lands(struct inliner *n, uint32_t jump)
{
    n->insts.at[jump].operands[0].target = n->insts.len;
}

static void lands_all(struct operand *operand, const struct inlined_body *copy)
{
    if (operand->kind == OPERAND_LABEL)
        operand->target = copy->at[operand->target];
    for (uint32_t i = 0; i < operand->part_count; i++)
        lands_all(&operand->parts[i], copy);
}

/* ---- calls ------------------------------------------------------------------------------------- */

static void enter(struct inliner *n, const struct inlined_body *caller, const struct inst *call,
                  const struct body *body)
{
    if (++n->depth > DEEPEST_CALL) {
        refuse(n, call, "a recursive call has no meaning in the axioms");
        return;
    }
    struct inlined_body copy = expansion_of(n, body);
    for (uint32_t i = 0; i < body->return_count; i++)
        copy.variables[i] = caller->variables[call->operands[0].parts[i].param];
    for (uint32_t i = 0; i < body->formal_count; i++)
        copy.variables[body->return_count + i] =
            caller->variables[call->operands[2].parts[i].param];
    expand(n, &copy);
    n->depth--;
}

/* The function whose address the register has; any other address is an error. */
static void enter_any(struct inliner *n, struct inlined_body *caller, const struct inst *call)
{
    const struct test *test = n->b->test;
    VEC(uint32_t) out = {0};
    struct inst plain = *call;
    plain.guard = NONE;
    for (uint32_t i = 0; i < test->body_count; i++) {
        const struct body *body = &test->bodies[i];
        if (!test_may_enter(caller->body, call, body))
            continue;
        struct operand address = {.kind = OPERAND_IMM,
                                  .reg = NONE,
                                  .location = NONE,
                                  .param = NONE,
                                  .value = test_function_address(body->name, strlen(body->name)),
                                  .span = call->span};
        uint32_t other = emit_jump(n, caller, &plain, false);
        struct inst *jump = &n->insts.at[other];
        jump->operands[2] = jump->operands[0];
        jump->op = OP_BRANCH_COMPARE;
        jump->cmp = CMP_NE;
        jump->type = TYPE_U64;
        jump->operands[0] = renamed(n, caller, call->operands[1]);
        jump->operands[1] = address;
        jump->operand_count = 3;
        enter(n, caller, call, body);
        vec_push(n->b->arena, &out, emit_jump(n, caller, &plain, false));
        n->insts.at[other].operands[2].target = n->insts.len;
    }
    vec_push(n->b->arena, &n->insts,
             ((struct inst){.op = OP_TRAP, .guard = NONE, .span = call->span}));
    for (uint32_t i = 0; i < out.len; i++)
        lands(n, out.at[i]);
}

static void call(struct inliner *n, struct inlined_body *copy, const struct inst *inst)
{
    const struct operand *to = &inst->operands[1];
    bool of_runtime = to->kind == OPERAND_FUNCTION && to->target == NONE;
    if (of_runtime) {
        emit(n, copy, inst);
        return;
    }
    uint32_t around = inst->guard == NONE ? NONE : emit_jump(n, copy, inst, true);
    if (to->kind == OPERAND_REG)
        enter_any(n, copy, inst);
    else
        enter(n, copy, inst, &n->b->test->bodies[to->target]);
    if (around != NONE)
        lands(n, around);
}

/* A return is a jump behind the function. */
static void leave(struct inliner *n, struct inlined_body *copy, const struct inst *inst)
{
    uint32_t jump = emit_jump(n, copy, inst, false);
    n->insts.at[jump].operands[0].target = copy->body->inst_count;
    vec_push(n->b->arena, &copy->jumps, jump);
}

static void expand(struct inliner *n, struct inlined_body *copy)
{
    const struct body *body = copy->body;
    for (uint32_t i = 0; i < body->inst_count && !n->b->failed; i++) {
        const struct inst *inst = &body->insts[i];
        copy->at[i] = n->insts.len;
        if (n->insts.len > MOST_INSTRUCTIONS)
            refuse(n, inst, "its functions have too many instructions for the axioms");
        else if (inst->op == OP_CALL)
            call(n, copy, inst);
        else if (inst->op == OP_RET && body->function)
            leave(n, copy, inst);
        else
            emit(n, copy, inst);
    }
    copy->at[body->inst_count] = n->insts.len;
    for (uint32_t i = 0; i < copy->jumps.len && !n->b->failed; i++) {
        struct inst *inst = &n->insts.at[copy->jumps.at[i]];
        for (uint32_t k = 0; k < inst->operand_count; k++)
            lands_all(&inst->operands[k], copy);
    }
}

static bool calls(const struct body *body)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (body->insts[i].op == OP_CALL)
            return true;
    return false;
}

static bool carries(const struct body *body)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (op_group(body->insts[i].op) == GROUP_CARRY)
            return true;
    return false;
}

/* The condition code, which no instruction names, as a register and an operand. */
static const struct body *with_condition_code(struct builder *b, const struct body *body)
{
    struct body *result = ARENA_NEW(b->arena, struct body);
    if (!carries(body))
        return body;
    *result = *body;
    result->insts = ARENA_ARRAY(b->arena, struct inst, body->inst_count);
    result->regs = ARENA_ARRAY(b->arena, struct reg, body->reg_count + 1);
    memcpy(result->insts, body->insts, body->inst_count * sizeof *body->insts);
    memcpy(result->regs, body->regs, body->reg_count * sizeof *body->regs);
    result->regs[result->reg_count++] =
        (struct reg){.name = "", .type = TYPE_PRED, .span = body->span};
    for (uint32_t i = 0; i < body->inst_count; i++) {
        struct inst *inst = &result->insts[i];
        if (op_group(inst->op) == GROUP_CARRY)
            inst->operands[inst->operand_count++] = (struct operand){
                .kind = OPERAND_REG, .reg = body->reg_count, .location = NONE, .span = inst->span};
    }
    return result;
}

static const struct body *with_functions(struct builder *b, const struct body *body)
{
    if (!calls(body))
        return body;
    struct inliner n = {.b = b};
    struct inlined_body copy = expansion_of(&n, body);
    expand(&n, &copy);
    struct body *result = ARENA_NEW(b->arena, struct body);
    *result = *body;
    result->insts = n.insts.at;
    result->inst_count = n.insts.len;
    result->regs = n.regs.at;
    result->reg_count = n.regs.len;
    return result;
}

const struct body *inline_body(struct builder *b, const struct body *body)
{
    return with_condition_code(b, with_functions(b, body));
}
