/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/alu.h"

#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* Register instructions (PTX manual 9.7.1, 9.7.8, 9.7.9 mov and cvta): values only, no events. */

static struct unfold_value source(struct unfold_step *s, unsigned index, enum type type)
{
    return operand_value(s, &s->inst->operands[index], type);
}

static expr_id negate(struct unfold_step *s, const expr_id *in)
{
    return alu_binary(s, EXPR_SUB, alu_constant(s, in[0], 0), in[0]);
}

static expr_id less(struct unfold_step *s, bool is_signed, expr_id a, expr_id b)
{
    return alu_binary(s, is_signed ? EXPR_SLT : EXPR_ULT, a, b);
}

static bool is_signed(const struct unfold_step *s)
{
    return type_is_signed(s->inst->type);
}

static bool is_one_float(enum type type)
{
    return type == TYPE_F32 || type == TYPE_F64 || type == TYPE_F16 || type == TYPE_BF16;
}

/* lo, ls, hi and hs are unsigned whatever the type says. */
static expr_id compared(struct unfold_step *s, enum type type, expr_id a, expr_id b)
{
    enum cmp cmp = s->inst->cmp;
    struct expr_pool *exprs = s->b->exprs;
    bool number = type_is_signed(type) && cmp_row(cmp)->reads != 'u';
    if (is_one_float(type))
        return alu_compare_floats(s, type, a, b);
    switch (cmp) {
    case CMP_EQ:
        return expr_eq(exprs, a, b);
    case CMP_NE:
        return expr_not(exprs, expr_eq(exprs, a, b));
    case CMP_LT:
    case CMP_LO:
        return less(s, number, a, b);
    case CMP_GE:
    case CMP_HS:
        return expr_not(exprs, less(s, number, a, b));
    case CMP_GT:
    case CMP_HI:
        return less(s, number, b, a);
    case CMP_LE:
    case CMP_LS:
        return expr_not(exprs, less(s, number, b, a));
    default:
        step_unsupported(s, "floating-point comparison '%s' has no meaning in the axioms",
                         cmp_name(cmp));
        return expr_false(exprs);
    }
}

struct unfold_value alu_compare(struct unfold_step *s, enum type type, const struct operand *a,
                                const struct operand *b)
{
    struct unfold_value x = operand_value(s, a, type), y = operand_value(s, b, type);
    return (struct unfold_value){compared(s, type, x.expr, y.expr),
                                 deps_union(&s->b->deps, x.deps, y.deps)};
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static enum type multiplied_type(const struct inst *inst)
{
    return inst->flags & FLAG_WIDE ? inst->source_type : inst->type;
}

/* The product of .lo (as wide as the operands), .hi or .wide. */
static expr_id product(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    enum type type = multiplied_type(s->inst);
    unsigned width = operand_bits(type);
    if (!(s->inst->flags & (FLAG_HI | FLAG_WIDE)))
        return alu_binary(s, EXPR_MUL, in[0], in[1]);
    if (width > 32)
        return alu_high_product(s, in[0], in[1], type_is_signed(type));
    expr_id a = expr_extend(exprs, in[0], 2 * width, type_is_signed(type));
    expr_id b = expr_extend(exprs, in[1], 2 * width, type_is_signed(type));
    expr_id p = alu_binary(s, EXPR_MUL, a, b);
    return s->inst->flags & FLAG_HI ? expr_extract(exprs, p, width, width) : p;
}

/* Of two numbers; with .sat they have 32 bits, so 64 hold the exact result. */
static expr_id sum(struct unfold_step *s, enum expr_op op, expr_id a, expr_id b)
{
    struct expr_pool *exprs = s->b->exprs;
    if (!(s->inst->flags & FLAG_SAT))
        return alu_binary(s, op, a, b);
    a = expr_extend(exprs, a, 64, true);
    b = expr_extend(exprs, b, 64, true);
    return alu_clamp(s, alu_binary(s, op, a, b), true, s->inst->type);
}

static expr_id product_and_sum(struct unfold_step *s, const expr_id *in)
{
    return sum(s, EXPR_ADD, product(s, in), in[2]);
}

/* With .relu 0 in place of what is negative. */
static expr_id extreme(struct unfold_step *s, expr_id value)
{
    expr_id zero = alu_constant(s, value, 0);
    return s->inst->relu ? expr_ite(s->b->exprs, less(s, true, value, zero), zero, value) : value;
}

static expr_id least(struct unfold_step *s, const expr_id *in)
{
    return extreme(s, expr_ite(s->b->exprs, less(s, is_signed(s), in[0], in[1]), in[0], in[1]));
}

static expr_id greatest(struct unfold_step *s, const expr_id *in)
{
    return extreme(s, expr_ite(s->b->exprs, less(s, is_signed(s), in[0], in[1]), in[1], in[0]));
}

static expr_id absolute(struct unfold_step *s, const expr_id *in)
{
    expr_id negative = less(s, true, in[0], alu_constant(s, in[0], 0));
    return expr_ite(s->b->exprs, negative, negate(s, in), in[0]);
}

/* ---- logic and shifts ----------------------------------------------------------------------- */

static expr_id inverted(struct unfold_step *s, const expr_id *in)
{
    return expr_not(s->b->exprs, in[0]);
}

static expr_id is_zero(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    return expr_extend(exprs, expr_eq(exprs, in[0], alu_constant(s, in[0], 0)),
                       operand_bits(s->inst->type), false);
}

/* Of a shift: a 32-bit number, which counts no further than the width. */
static expr_id amount(struct unfold_step *s, expr_id number)
{
    struct expr_pool *exprs = s->b->exprs;
    unsigned width = operand_bits(s->inst->type);
    if (width < 32) {
        expr_id most = expr_const(exprs, 32, width);
        number = expr_ite(exprs, alu_binary(s, EXPR_ULT, number, most), number, most);
    }
    return expr_extend(exprs, number, width, false);
}

/* ---- comparison, selection, moves ----------------------------------------------------------- */

/* With a third operand its combination with that. */
static struct unfold_value combined(struct unfold_step *s, struct unfold_value p)
{
    static const enum expr_op ops[] = {
        [BOOL_AND] = EXPR_AND, [BOOL_OR] = EXPR_OR, [BOOL_XOR] = EXPR_XOR};
    if (s->inst->bool_op == BOOL_NONE)
        return p;
    struct unfold_value third = source(s, 3, TYPE_PRED);
    return (struct unfold_value){alu_binary(s, ops[s->inst->bool_op], p.expr, third.expr),
                                 deps_union(&s->b->deps, p.deps, third.deps)};
}

/* setp p|q, a, b, c: p is the comparison combined with c, q its negation combined with c. */
static void set_predicate(struct unfold_step *s)
{
    const struct operand *d = &s->inst->operands[0];
    struct unfold_value p = alu_compare(s, s->inst->type, d + 1, d + 2), q = p;
    q.expr = expr_not(s->b->exprs, p.expr);
    p = combined(s, p);
    q = combined(s, q);
    bool pair = d->kind == OPERAND_PAIR;
    operand_write(s, pair ? &d->parts[0] : d, TYPE_PRED, p);
    if (pair)
        operand_write(s, &d->parts[1], TYPE_PRED, q);
}

/* set: all ones, or the number 1, where the comparison holds, else zero. */
static void set_ones(struct unfold_step *s)
{
    const struct operand *d = &s->inst->operands[0];
    enum type type = s->inst->type;
    uint64_t one = type == TYPE_F32 ? 0x3f800000 : type == TYPE_F16 ? 0x3c00 : 0x3f80;
    struct unfold_value v = combined(s, alu_compare(s, s->inst->source_type, d + 1, d + 2));
    v.expr = expr_extend(s->b->exprs, v.expr, operand_bits(type), true);
    if (type_is_float(type))
        v.expr = alu_binary(s, EXPR_AND, v.expr, alu_constant(s, v.expr, one));
    operand_write(s, d, s->inst->type, v);
}

static expr_id selected(struct unfold_step *s, const expr_id *in)
{
    return expr_ite(s->b->exprs, in[2], in[0], in[1]);
}

/* slct: a where c is not negative, else b. */
static expr_id selected_by_sign(struct unfold_step *s, const expr_id *in)
{
    return expr_ite(s->b->exprs, less(s, true, in[2], alu_constant(s, in[2], 0)), in[1], in[0]);
}

static expr_id converted(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    enum type to = s->inst->type;
    bool from_signed = type_is_signed(s->inst->source_type);
    if (s->inst->flags & FLAG_SAT)
        return alu_clamp(s, expr_extend(exprs, in[0], 64, from_signed), from_signed, to);
    return expr_extend(exprs, in[0], operand_bits(to), from_signed);
}

/* ---- the table ------------------------------------------------------------------------------ */

static const struct alu_operation operations[OP_COUNT] = {
    [OP_ADD] = {"tt", .op = EXPR_ADD},
    [OP_SUB] = {"tt", .op = EXPR_SUB},
    [OP_MUL] = {"mm", product},
    [OP_MAD] = {"mmt", product_and_sum},
    [OP_DIV] = {"tt", .op = EXPR_UDIV, .of_signed = EXPR_SDIV},
    [OP_REM] = {"tt", .op = EXPR_UREM, .of_signed = EXPR_SREM},
    [OP_NEG] = {"t", negate},
    [OP_ABS] = {"t", absolute},
    [OP_MIN] = {"tt", least},
    [OP_MAX] = {"tt", greatest},
    [OP_AND] = {"tt", .op = EXPR_AND},
    [OP_OR] = {"tt", .op = EXPR_OR},
    [OP_XOR] = {"tt", .op = EXPR_XOR},
    [OP_NOT] = {"t", inverted},
    [OP_CNOT] = {"t", is_zero},
    [OP_SHL] = {"tn", .op = EXPR_SHL},
    [OP_SHR] = {"tn", .op = EXPR_LSHR, .of_signed = EXPR_ASHR},
    [OP_TESTP_FINITE] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_TESTP_INFINITE] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_TESTP_NUMBER] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_TESTP_NAN] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_TESTP_NORMAL] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_TESTP_SUBNORMAL] = {"t", alu_test_float, .result = TYPE_PRED, .moves = true},
    [OP_SELP] = {"ttp", selected, .moves = true},
    [OP_SLCT] = {"tti", selected_by_sign, .moves = true},
    [OP_MOV] = {"t", .moves = true},
    [OP_CVTA] = {"t", .moves = true},
    [OP_CVT] = {"s", converted},
};

/* The type of an operand, by its letter in the list of operations. */
static enum type source_type(const struct inst *inst, char letter)
{
    switch (letter) {
    case 's':
        return inst->source_type;
    case 'm':
        return multiplied_type(inst);
    case 'w':
    case 'n':
        return TYPE_U32;
    case 'i':
        return TYPE_S32;
    case 'p':
        return TYPE_PRED;
    default:
        return inst->type;
    }
}

/* What an operation without a function of its own makes of its sources. */
static expr_id plain(struct unfold_step *s, const struct alu_operation *o, const expr_id *in)
{
    if (!o->op)
        return in[0];
    return sum(s, o->of_signed && is_signed(s) ? o->of_signed : o->op, in[0], in[1]);
}

static void evaluate(struct unfold_step *s, const struct alu_operation *o)
{
    expr_id in[4];
    struct unfold_value result = {0};
    for (uint32_t i = 0; o->sources[i]; i++) {
        struct unfold_value v = source(s, 1 + i, source_type(s->inst, o->sources[i]));
        in[i] = o->sources[i] == 'n' ? amount(s, v.expr) : v.expr;
        result.deps = deps_union(&s->b->deps, result.deps, v.deps);
    }
    result.expr = o->value ? o->value(s, in) : plain(s, o, in);
    operand_write(s, &s->inst->operands[0], o->result ? o->result : s->inst->type, result);
}

void step_alu(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    const struct alu_operation *o = &operations[inst->op];
    if (!o->sources)
        o = alu_bit_operation(inst->op);
    if (!o->sources)
        o = alu_packed_operation(inst->op);
    if (inst->type == TYPE_S16X2 || inst->type == TYPE_U16X2)
        step_unsupported(s, "'%s' of a packed type has no meaning in the axioms",
                         op_mnemonic(inst->op));
    else if (inst->op == OP_SETP && is_one_float(inst->type))
        set_predicate(s);
    else if (inst->op == OP_SET && is_one_float(inst->source_type))
        set_ones(s);
    else if (inst->op == OP_CVT && (type_is_float(inst->type) || type_is_float(inst->source_type)))
        alu_float(s);
    else if (op_row(inst->op)->source_types && type_is_float(inst->source_type))
        step_unsupported(s, "'%s' of a float has no meaning in the axioms", op_mnemonic(inst->op));
    else if ((!o->moves && type_is_float(inst->type)) || inst->op == OP_FMA)
        alu_float(s);
    else if (inst->op == OP_SETP)
        set_predicate(s);
    else if (inst->op == OP_SET)
        set_ones(s);
    else
        evaluate(s, o);
}
