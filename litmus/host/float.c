/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* Floating-point numbers: of constants, and sums, differences, products and comparisons of what the program reads. The bits
 * in a register may be those of a narrower type than the value has in C++, until more than a comparison needs the wider one. */

static enum type bits_type(const struct code_value *value)
{
    return type_is_float(value->holds) ? value->holds : value->type;
}

bool eval_is_float(const struct code_value *value)
{
    return value->kind == VALUE_FLOAT ||
           (value->kind == VALUE_REGISTER && type_is_float(bits_type(value)));
}

enum type eval_float_type(const struct code_value *value)
{
    return eval_is_float(value) ? bits_type(value) : TYPE_NONE;
}

bool eval_float_fits(const struct code_value *value, enum type type)
{
    bool is_float = type_is_float(type);
    return value->kind != VALUE_REGISTER || value->type == TYPE_NONE || type == TYPE_NONE ||
           (!is_float && !eval_is_float(value)) || (is_float && bits_type(value) == type);
}

static struct code_value not_known(struct span span)
{
    return (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
}

/* What is known has the bits of a double. */
static bool operand(struct eval *e, const struct code_value *value, struct span span,
                    struct raw_operand *to)
{
    if (value->kind != VALUE_FLOAT)
        return eval_operand(e, value, span, to);
    *to = (struct raw_operand){.kind = RAW_FLOAT64, .value = value->number, .span = span};
    return true;
}

/* ---- computation ---------------------------------------------------------------------------- */

/* double, if one of the two is: as C++ converts them. */
static enum type common_type(const struct code_value *left, const struct code_value *right)
{
    bool is_double = (eval_is_float(left) && left->type == TYPE_F64) ||
                     (eval_is_float(right) && right->type == TYPE_F64);
    return is_double ? TYPE_F64 : TYPE_F32;
}

static bool fold(struct eval *e, enum cpp_mark mark, struct code_value *left,
                 const struct code_value *right, struct span span)
{
    double a = eval_double(left), b = eval_double(right);
    enum type type = common_type(left, right);
    switch (mark) {
    case CPP_MARK_ADD:
        *left = eval_float(a + b, type);
        return true;
    case CPP_MARK_SUB:
        *left = eval_float(a - b, type);
        return true;
    case CPP_MARK_MUL:
        *left = eval_float(a * b, type);
        return true;
    case CPP_MARK_DIV:
        *left = eval_float(a / b, type);
        return true;
    default:
        eval_error(e, cpp_type, span, NULL, "floating-point numbers have no such operation");
        return false;
    }
}

/* The value as an operand of the type; false: it is in a register, of another one. */
static bool convert(struct code_value *value, enum type type)
{
    if (value->kind == VALUE_REGISTER)
        return eval_is_float(value) && bits_type(value) == type;
    *value = eval_float(eval_double(value), type);
    return true;
}

/* What the axioms and the executor both compute. */
static bool is_computed(enum op op, enum type type)
{
    return op == OP_ADD || op == OP_SUB || (op == OP_MUL && type == TYPE_F32);
}

bool eval_float_operation(struct eval *e, enum cpp_mark mark, struct code_value *left,
                          const struct code_value *right, struct span span)
{
    struct code_value a = *left, b = *right;
    enum op op = eval_operation_of(mark);
    enum type type = common_type(left, right);
    struct raw_operand operands[3];
    if (a.kind != VALUE_REGISTER && b.kind != VALUE_REGISTER)
        return fold(e, mark, left, right, span);
    if (!is_computed(op, type) || !convert(&a, type) || !convert(&b, type)) {
        *left = not_known(span);
        return true;
    }
    if (!operand(e, &a, span, &operands[1]) || !operand(e, &b, span, &operands[2]))
        return false;
    operands[0] = eval_temporary(e, span);
    eval_emit(e, (struct raw_inst){.op = op, .type = type}, operands, 3, span);
    *left = eval_in_register(operands[0], type);
    return true;
}

bool eval_float_sign(struct eval *e, enum op op, struct code_value *value, struct span span)
{
    struct raw_operand operands[2];
    struct raw_inst inst = {.op = op, .type = bits_type(value)};
    double number = value->kind == VALUE_FLOAT ? eval_double(value) : 0;
    if (value->kind == VALUE_FLOAT) {
        *value = eval_float(op == OP_NEG || number < 0 ? -number : number, value->type);
        return true;
    }
    if (!eval_operand(e, value, span, &operands[1]))
        return false;
    operands[0] = eval_temporary(e, span);
    eval_emit(e, inst, operands, 2, span);
    value->operand = operands[0];
    return true;
}

void eval_float_move(struct eval *e, struct raw_operand to, const struct code_value *value,
                     struct span span)
{
    struct raw_operand operands[2] = {to};
    if (operand(e, value, span, &operands[1]))
        eval_emit(e, (struct raw_inst){.op = OP_MOV, .type = value->type}, operands, 2, span);
}

void eval_float_cast(struct code_value *value, enum type type, struct span span)
{
    bool narrows = type == TYPE_F32 && bits_type(value) != type;
    if (value->kind == VALUE_FLOAT) {
        *value = eval_float(eval_double(value), type);
    } else if (value->kind == VALUE_REGISTER && (narrows || !eval_is_float(value))) {
        *value = not_known(span);
    } else if (value->kind == VALUE_REGISTER) {
        value->holds = bits_type(value);
        value->type = type;
    }
}

/* ---- comparisons ---------------------------------------------------------------------------- */

/* "x < c" of a float x and a double c that no float is, when 'near' is the nearest one. */
static enum cmp beside(enum cmp cmp, double c, double near)
{
    if (cmp == CMP_LT || cmp == CMP_LE)
        return near < c ? CMP_LE : CMP_LT;
    return near < c ? CMP_GT : CMP_GE;
}

/* The constant as a float, for which the comparison may have to be another one. */
static void fit_constant(enum cmp *cmp, struct code_value *known, enum type type)
{
    double c = eval_double(known);
    struct code_value near = eval_float(c, type);
    if (eval_double(&near) != c)
        *cmp = beside(*cmp, c, eval_double(&near));
    *known = near;
}

/* Is the known number none of the type? */
static bool is_between(const struct code_value *known, enum type type)
{
    struct code_value near = eval_float(eval_double(known), type);
    return eval_double(&near) != eval_double(known);
}

enum eval_truth eval_float_comparison(struct eval *e, enum cmp cmp, const struct code_value *left,
                                      const struct code_value *right, bool when, uint32_t aim,
                                      struct span span)
{
    bool turns = left->kind != VALUE_REGISTER || !eval_is_float(left);
    struct code_value a = turns ? *right : *left, b = turns ? *left : *right;
    struct raw_operand operands[2];
    enum type type = bits_type(&a);
    bool known = b.kind != VALUE_REGISTER, equality = cmp == CMP_EQ || cmp == CMP_NE;
    cmp = turns ? cmp_mirrored(cmp) : cmp;
    if (known && equality && is_between(&b, type))
        return cmp == CMP_NE ? EVAL_TRUE : EVAL_FALSE;
    if (known)
        fit_constant(&cmp, &b, type);
    else if (!eval_is_float(&b) || bits_type(&b) != type)
        b = not_known(span);
    if (!operand(e, &a, span, &operands[0]) || !operand(e, &b, span, &operands[1]))
        return EVAL_FAILED;
    cmp = cmp == CMP_NE ? CMP_NEU : cmp; /* in C++ true of what is no number */
    eval_jump_if_floats(e, when ? cmp : cmp_denied(cmp, true), type, operands, aim, span);
    return EVAL_DEPENDS;
}
