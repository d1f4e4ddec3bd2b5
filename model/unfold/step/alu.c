/* SPDX-License-Identifier: MIT */
#include "model/unfold/builder.h"

#include <stdlib.h>

/* Register instructions (PTX manual 9.7.1, 9.7.8, 9.7.9 mov and cvta): values only, no events. */

static struct value source(struct step *s, unsigned index, enum type type)
{
    return operand_value(s, &s->inst->operands[index], type);
}

static struct value combine(struct step *s, enum expr_op op, struct value a, struct value b)
{
    return (struct value){expr_binary(s->b->exprs, op, a.expr, b.expr),
                          deps_union(&s->b->deps, a.deps, b.deps)};
}

static expr_id negate(struct step *s, expr_id a)
{
    struct expr_pool *exprs = s->b->exprs;
    unsigned width = expr_get(exprs, a)->width;
    return expr_binary(exprs, EXPR_SUB, expr_const(exprs, width, 0), a);
}

static expr_id less(struct step *s, bool is_signed, expr_id a, expr_id b)
{
    return expr_binary(s->b->exprs, is_signed ? EXPR_SLT : EXPR_ULT, a, b);
}

static bool unsigned_compare(enum cmp cmp)
{
    return cmp == CMP_LO || cmp == CMP_LS || cmp == CMP_HI || cmp == CMP_HS;
}

expr_id compare_values(struct step *s, enum cmp cmp, enum type type, expr_id a, expr_id b)
{
    struct expr_pool *exprs = s->b->exprs;
    bool is_signed = type_is_signed(type) && !unsigned_compare(cmp);
    switch (cmp) {
    case CMP_EQ:
        return expr_eq(exprs, a, b);
    case CMP_NE:
        return expr_not(exprs, expr_eq(exprs, a, b));
    case CMP_LT:
    case CMP_LO:
        return less(s, is_signed, a, b);
    case CMP_GE:
    case CMP_HS:
        return expr_not(exprs, less(s, is_signed, a, b));
    case CMP_GT:
    case CMP_HI:
        return less(s, is_signed, b, a);
    case CMP_LE:
    case CMP_LS:
        return expr_not(exprs, less(s, is_signed, b, a));
    default:
        refuse(s, DIAG_unfold_unsupported,
               "floating-point comparison '%s' has no meaning in the axioms", cmp_name(cmp));
        return expr_false(exprs);
    }
}

/* mul, mad: the product of .lo (as wide as the operands), .hi or .wide. */
static struct value product(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    enum type type = s->inst->flags & FLAG_WIDE ? s->inst->source_type : s->inst->type;
    unsigned width = type_bits(type);
    struct value a = source(s, 1, type), b = source(s, 2, type);
    if (!(s->inst->flags & (FLAG_HI | FLAG_WIDE)))
        return combine(s, EXPR_MUL, a, b);
    if (width > 32)
        return (struct value){alu_high_product(s, a.expr, b.expr, type_is_signed(type)),
                              deps_union(&s->b->deps, a.deps, b.deps)};
    a.expr = expr_extend(exprs, a.expr, 2 * width, type_is_signed(type));
    b.expr = expr_extend(exprs, b.expr, 2 * width, type_is_signed(type));
    struct value p = combine(s, EXPR_MUL, a, b);
    if (s->inst->flags & FLAG_HI)
        p.expr = expr_extract(exprs, p.expr, width, width);
    return p;
}

/* add, sub and mad.hi with .sat: of 32 bits, so 64 hold the exact result. */
static struct value saturated(struct step *s, enum expr_op op, struct value a, struct value b)
{
    a.expr = expr_extend(s->b->exprs, a.expr, 64, true);
    b.expr = expr_extend(s->b->exprs, b.expr, 64, true);
    struct value v = combine(s, op, a, b);
    v.expr = alu_clamp(s, v.expr, true, s->inst->type);
    return v;
}

static struct value sum(struct step *s, enum expr_op op, struct value a, struct value b)
{
    return s->inst->flags & FLAG_SAT ? saturated(s, op, a, b) : combine(s, op, a, b);
}

static void multiply(struct step *s)
{
    enum type type = s->inst->type; /* of the result */
    struct value v = product(s);
    if (s->inst->op == OP_MAD)
        v = sum(s, EXPR_ADD, v, source(s, 3, type));
    write_operand(s, &s->inst->operands[0], type, v);
}

static struct value minimum(struct step *s, struct value a, struct value b)
{
    expr_id first = less(s, type_is_signed(s->inst->type), a.expr, b.expr);
    bool keep_less = s->inst->op == OP_MIN;
    return (struct value){
        expr_ite(s->b->exprs, first, keep_less ? a.expr : b.expr, keep_less ? b.expr : a.expr),
        deps_union(&s->b->deps, a.deps, b.deps)};
}

/* shl, shr: the amount is a 32-bit number and counts no further than the width. */
static struct value shift(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    unsigned width = type_bits(s->inst->type);
    struct value a = source(s, 1, s->inst->type), n = source(s, 2, TYPE_U32);
    if (width < 32) {
        expr_id most = expr_const(exprs, 32, width);
        n.expr = expr_ite(exprs, expr_binary(exprs, EXPR_ULT, n.expr, most), n.expr, most);
    }
    n.expr = expr_extend(exprs, n.expr, width, false);
    bool arithmetic = s->inst->op == OP_SHR && type_is_signed(s->inst->type);
    return combine(s, s->inst->op == OP_SHL ? EXPR_SHL : arithmetic ? EXPR_ASHR : EXPR_LSHR, a, n);
}

static struct value unary(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    struct value a = source(s, 1, s->inst->type);
    unsigned width = expr_get(exprs, a.expr)->width;
    switch (s->inst->op) {
    case OP_NEG:
        a.expr = negate(s, a.expr);
        break;
    case OP_ABS:
        a.expr = expr_ite(exprs, less(s, true, a.expr, expr_const(exprs, width, 0)),
                          negate(s, a.expr), a.expr);
        break;
    case OP_NOT:
        a.expr = expr_not(exprs, a.expr);
        break;
    case OP_CNOT:
        a.expr =
            expr_extend(exprs, expr_eq(exprs, a.expr, expr_const(exprs, width, 0)), width, false);
        break;
    default: /* an operation that step_alu sends here and this does not know */
        abort();
    }
    return a;
}

static struct value binary(struct step *s)
{
    bool is_signed = type_is_signed(s->inst->type);
    struct value a = source(s, 1, s->inst->type), b = source(s, 2, s->inst->type);
    switch (s->inst->op) {
    case OP_ADD:
        return sum(s, EXPR_ADD, a, b);
    case OP_SUB:
        return sum(s, EXPR_SUB, a, b);
    case OP_DIV:
        return combine(s, is_signed ? EXPR_SDIV : EXPR_UDIV, a, b);
    case OP_REM:
        return combine(s, is_signed ? EXPR_SREM : EXPR_UREM, a, b);
    case OP_AND:
        return combine(s, EXPR_AND, a, b);
    case OP_OR:
        return combine(s, EXPR_OR, a, b);
    case OP_XOR:
        return combine(s, EXPR_XOR, a, b);
    case OP_MIN:
    case OP_MAX:
        return minimum(s, a, b);
    default: /* a row of isa.def that nobody gave a meaning */
        abort();
    }
}

/* setp, set: the comparison of a and b, and with a third operand its combination with that. */
static struct value compared(struct step *s, enum type type)
{
    struct value a = source(s, 1, type), b = source(s, 2, type);
    return (struct value){compare_values(s, s->inst->cmp, type, a.expr, b.expr),
                          deps_union(&s->b->deps, a.deps, b.deps)};
}

static struct value combined(struct step *s, struct value p)
{
    static const enum expr_op ops[] = {
        [BOOL_AND] = EXPR_AND, [BOOL_OR] = EXPR_OR, [BOOL_XOR] = EXPR_XOR};
    return s->inst->bool_op == BOOL_NONE
               ? p
               : combine(s, ops[s->inst->bool_op], p, source(s, 3, TYPE_PRED));
}

/* setp p|q, a, b, c: p is the comparison combined with c, q its negation combined with c. */
static void set_predicate(struct step *s)
{
    const struct inst *inst = s->inst;
    struct value p = compared(s, inst->type), q = p;
    q.expr = expr_not(s->b->exprs, p.expr);
    p = combined(s, p);
    q = combined(s, q);
    const struct operand *d = &inst->operands[0];
    if (d->kind != OPERAND_PAIR) {
        write_operand(s, d, TYPE_PRED, p);
        return;
    }
    write_operand(s, &d->parts[0], TYPE_PRED, p);
    write_operand(s, &d->parts[1], TYPE_PRED, q);
}

static struct value select_value(struct step *s)
{
    struct value a = source(s, 1, s->inst->type), b = source(s, 2, s->inst->type),
                 p = source(s, 3, TYPE_PRED);
    struct value v = {expr_ite(s->b->exprs, p.expr, a.expr, b.expr),
                      deps_union(&s->b->deps, a.deps, b.deps)};
    v.deps = deps_union(&s->b->deps, v.deps, p.deps);
    return v;
}

/* set: all ones where the comparison holds, else zero. */
static struct value set_ones(struct step *s)
{
    struct value v = combined(s, compared(s, s->inst->source_type));
    v.expr = expr_extend(s->b->exprs, v.expr, type_bits(s->inst->type), true);
    return v;
}

/* slct: a where c is not negative, else b. */
static struct value select_by_sign(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    struct value a = source(s, 1, s->inst->type), b = source(s, 2, s->inst->type),
                 c = source(s, 3, TYPE_S32);
    struct value v = {
        expr_ite(exprs, less(s, true, c.expr, expr_const(exprs, 32, 0)), b.expr, a.expr),
        deps_union(&s->b->deps, a.deps, b.deps)};
    v.deps = deps_union(&s->b->deps, v.deps, c.deps);
    return v;
}

static void convert(struct step *s)
{
    enum type to = s->inst->type, from = s->inst->source_type;
    struct expr_pool *exprs = s->b->exprs;
    bool is_signed = type_is_signed(from);
    if (type_is_float(to) || type_is_float(from)) {
        refuse(s, DIAG_unfold_unsupported, "'cvt' of a float has no meaning in the axioms");
        return;
    }
    struct value v = source(s, 1, from);
    if (s->inst->flags & FLAG_SAT)
        v.expr = alu_clamp(s, expr_extend(exprs, v.expr, 64, is_signed), is_signed, to);
    else
        v.expr = expr_extend(exprs, v.expr, type_bits(to), is_signed);
    write_operand(s, &s->inst->operands[0], to, v);
}

static bool moves_bits(enum op op)
{
    return op == OP_MOV || op == OP_SELP || op == OP_SLCT || op == OP_CVTA || op == OP_NOP ||
           op == OP_NANOSLEEP;
}

/* A floating-point operand matters to the operation. cvt has words of its own for that. */
static bool reads_float(const struct inst *inst)
{
    bool compares = inst->op == OP_SET || inst->op == OP_SLCT;
    return (!moves_bits(inst->op) && type_is_float(inst->type)) ||
           (compares && type_is_float(inst->source_type));
}

void step_alu(struct step *s)
{
    const struct inst *inst = s->inst;
    if (inst->op == OP_CVT) {
        convert(s);
        return;
    }
    if (reads_float(inst)) {
        refuse(s, DIAG_unfold_unsupported, "'%s' of a float has no meaning in the axioms",
               op_mnemonic(inst->op));
        return;
    }
    switch (inst->op) {
    case OP_NOP:
    case OP_NANOSLEEP:
        return;
    case OP_MUL:
    case OP_MAD:
        multiply(s);
        return;
    case OP_SETP:
        set_predicate(s);
        return;
    case OP_MOV:
    case OP_CVTA:
        write_operand(s, &inst->operands[0], inst->type, source(s, 1, inst->type));
        return;
    case OP_SELP:
        write_operand(s, &inst->operands[0], inst->type, select_value(s));
        return;
    case OP_SLCT:
        write_operand(s, &inst->operands[0], inst->type, select_by_sign(s));
        return;
    case OP_SET:
        write_operand(s, &inst->operands[0], inst->type, set_ones(s));
        return;
    case OP_SHL:
    case OP_SHR:
        write_operand(s, &inst->operands[0], inst->type, shift(s));
        return;
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_CNOT:
        write_operand(s, &inst->operands[0], inst->type, unary(s));
        return;
    default:
        if (!step_bits(s))
            write_operand(s, &inst->operands[0], inst->type, binary(s));
        return;
    }
}
