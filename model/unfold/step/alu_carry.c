/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/alu.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/step/operand.h"

/* Extended precision (PTX manual 9.7.2): the last operand, which inline.c adds, is the condition code, a carry or a borrow. */

/* What each adds or subtracts, and what it does with the condition code. */
static const struct carry {
    bool subtracts, reads, writes, multiplies, high;
} carries[OP_COUNT] = {
    [OP_ADD_CC] = {.writes = true},
    [OP_ADDC] = {.reads = true},
    [OP_ADDC_CC] = {.reads = true, .writes = true},
    [OP_SUB_CC] = {.subtracts = true, .writes = true},
    [OP_SUBC] = {.subtracts = true, .reads = true},
    [OP_SUBC_CC] = {.subtracts = true, .reads = true, .writes = true},
    [OP_MAD_LO_CC] = {.multiplies = true, .writes = true},
    [OP_MAD_HI_CC] = {.multiplies = true, .high = true, .writes = true},
    [OP_MADC_LO] = {.multiplies = true, .reads = true},
    [OP_MADC_HI] = {.multiplies = true, .high = true, .reads = true},
    [OP_MADC_LO_CC] = {.multiplies = true, .reads = true, .writes = true},
    [OP_MADC_HI_CC] = {.multiplies = true, .high = true, .reads = true, .writes = true},
};

static expr_id high_product(struct unfold_step *s, expr_id a, expr_id b)
{
    struct expr_pool *exprs = s->b->exprs;
    bool is_signed = type_is_signed(s->inst->type);
    if (operand_bits(s->inst->type) > 32)
        return alu_high_product(s, a, b, is_signed);
    return expr_extract(exprs,
                        alu_binary(s, EXPR_MUL, expr_extend(exprs, a, 64, is_signed),
                                   expr_extend(exprs, b, 64, is_signed)),
                        32, 32);
}

/* x + y + in, or x - y - in; 'out': what is carried or borrowed. */
static expr_id sum(struct unfold_step *s, bool subtracts, const expr_id in[3], expr_id *out)
{
    struct expr_pool *exprs = s->b->exprs;
    enum expr_op op = subtracts ? EXPR_SUB : EXPR_ADD;
    expr_id first = alu_binary(s, op, in[0], in[1]), second = alu_binary(s, op, first, in[2]);
    *out = subtracts ? expr_or(exprs, alu_binary(s, EXPR_ULT, in[0], in[1]),
                               alu_binary(s, EXPR_ULT, first, in[2]))
                     : expr_or(exprs, alu_binary(s, EXPR_ULT, first, in[0]),
                               alu_binary(s, EXPR_ULT, second, first));
    return second;
}

void step_carry(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct carry *row = &carries[inst->op];
    const struct operand *code = &inst->operands[inst->operand_count - 1];
    struct unfold_value result = {0}, carried, from[3];
    expr_id in[3];
    for (uint32_t i = 0; i < 2u + row->multiplies; i++) {
        from[i] = operand_value(s, &inst->operands[1 + i], inst->type);
        result.deps = deps_union(&s->b->deps, result.deps, from[i].deps);
    }
    in[0] = !row->multiplies ? from[0].expr
            : row->high      ? high_product(s, from[0].expr, from[1].expr)
                             : alu_binary(s, EXPR_MUL, from[0].expr, from[1].expr);
    in[1] = from[row->multiplies ? 2 : 1].expr;
    in[2] = alu_constant(s, in[0], 0);
    if (row->reads) {
        carried = operand_value(s, code, TYPE_PRED);
        in[2] = expr_extend(s->b->exprs, carried.expr, operand_bits(inst->type), false);
        result.deps = deps_union(&s->b->deps, result.deps, carried.deps);
    }
    result.expr = sum(s, row->subtracts, in, &carried.expr);
    carried.deps = result.deps;
    operand_write(s, &inst->operands[0], inst->type, result);
    if (row->writes)
        operand_write(s, code, TYPE_PRED, carried);
}
