/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* Operations on two values: what is known is computed here, the rest becomes an instruction. */

static bool is_number(const struct cpp_operand *value)
{
    return value->form == CPP_FORM_NUMBER;
}

void cpp_compare(struct cpp_code *code, enum cmp cmp, const struct cpp_operand *left,
                 const struct cpp_operand *right, struct span span, struct cpp_operand *to)
{
    uint32_t reg = cpp_temporary(code, TYPE_PRED, span);
    struct inst *inst = cpp_emit(code, OP_SETP, cpp_value_type(left->kind), span);
    inst->cmp = cmp;
    cpp_add_register(inst, reg);
    cpp_add_value(inst, left);
    cpp_add_value(inst, right);
    *to = (struct cpp_operand){CPP_FORM_PREDICATE, .reg = reg, .location = NONE};
    to->kind = (struct cpp_kind){.type = TYPE_U8, .is_bool = true};
}

static enum cmp comparison(enum cpp_mark mark)
{
    return cmp_of_mark(cpp_mark_text(mark), strlen(cpp_mark_text(mark)));
}

static const struct cpp_operation {
    enum cpp_mark mark;
    enum op op;
    char kind; /* of the type that the instruction has; 0: that of the operands */
} operations[] = {
    {CPP_MARK_ADD, OP_ADD, 0}, {CPP_MARK_SUB, OP_SUB, 0},   {CPP_MARK_MUL, OP_MUL, 0},
    {CPP_MARK_DIV, OP_DIV, 0}, {CPP_MARK_REM, OP_REM, 0},   {CPP_MARK_AND, OP_AND, 'b'},
    {CPP_MARK_OR, OP_OR, 'b'}, {CPP_MARK_XOR, OP_XOR, 'b'}, {CPP_MARK_SHL, OP_SHL, 'b'},
    {CPP_MARK_SHR, OP_SHR, 0},
};

static const struct cpp_operation *operation_of(enum cpp_mark mark)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i].mark == mark)
            return &operations[i];
    return NULL;
}

static bool is_shift(enum cpp_mark mark)
{
    return mark == CPP_MARK_SHL || mark == CPP_MARK_SHR;
}

/* Quotients of numbers; false: undefined in C++. */
static bool divide(enum cpp_mark mark, uint64_t a, uint64_t b, enum type type, uint64_t *result)
{
    int64_t left = (int64_t)a, right = (int64_t)b;
    bool is_signed = type_is_signed(type);
    if (!b || (is_signed && right == -1 && left == INT64_MIN))
        return false;
    if (mark == CPP_MARK_DIV)
        *result = is_signed ? (uint64_t)(left / right) : a / b;
    else
        *result = is_signed ? (uint64_t)(left % right) : a % b;
    return true;
}

/* The operation on two numbers of the type; false: it has no value. */
static bool fold(enum cpp_mark mark, uint64_t a, uint64_t b, enum type type, uint64_t *result)
{
    switch (mark) {
    case CPP_MARK_ADD:
        return *result = a + b, true;
    case CPP_MARK_SUB:
        return *result = a - b, true;
    case CPP_MARK_MUL:
        return *result = a * b, true;
    case CPP_MARK_AND:
        return *result = a & b, true;
    case CPP_MARK_OR:
        return *result = a | b, true;
    case CPP_MARK_XOR:
        return *result = a ^ b, true;
    case CPP_MARK_DIV:
    case CPP_MARK_REM:
        return divide(mark, a, b, type, result);
    default:
        break;
    }
    if (b >= 8 * type_bytes(type))
        return false;
    if (mark == CPP_MARK_SHL)
        *result = a << b;
    else
        *result = type_is_signed(type) ? (uint64_t)((int64_t)a >> b) : a >> b;
    return true;
}

static bool fold_comparison(enum cmp cmp, uint64_t a, uint64_t b, enum type type)
{
    bool less = type_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
    switch (cmp) {
    case CMP_EQ:
        return a == b;
    case CMP_NE:
        return a != b;
    case CMP_LT:
        return less;
    case CMP_LE:
        return less || a == b;
    case CMP_GT:
        return !less && a != b;
    default:
        return !less;
    }
}

static bool fold_numbers(struct cpp_code *code, enum cpp_mark mark, enum type type,
                         struct cpp_operand *left, const struct cpp_operand *right,
                         struct span span)
{
    uint64_t result;
    enum cmp cmp = comparison(mark);
    if (cmp) {
        *left = cpp_number(fold_comparison(cmp, left->bits, right->bits, type), TYPE_U8);
        left->kind.is_bool = true;
        return true;
    }
    if (!fold(mark, left->bits, right->bits, type, &result)) {
        code_error(code, cpp_type, span, NULL, "this operation has no value in C++");
        return false;
    }
    *left = cpp_number(result, type);
    return true;
}

static void emit_operation(struct cpp_code *code, enum cpp_mark mark, enum type type,
                           struct cpp_operand *left, const struct cpp_operand *right,
                           struct span span)
{
    const struct cpp_operation *row = operation_of(mark);
    enum cmp cmp = comparison(mark);
    if (cmp) {
        struct cpp_operand from = *left;
        cpp_compare(code, cmp, &from, right, span, left);
        return;
    }
    uint32_t reg = cpp_temporary(code, type, span);
    enum type of = row->kind ? type_with(row->kind, type_bytes(type)) : type;
    struct inst *inst = cpp_emit(code, row->op, of, span);
    inst->flags |= row->op == OP_MUL ? FLAG_LO : 0;
    cpp_add_register(inst, reg);
    cpp_add_value(inst, left);
    cpp_add_value(inst, right);
    *left = cpp_in_register(reg, cpp_integer_kind(type));
}

/* p + 1, p - 1, p == q. */
static bool pointer_operation(struct cpp_code *code, enum cpp_mark mark, struct cpp_operand *left,
                              struct cpp_operand right, struct span span)
{
    if (comparison(mark)) {
        if (!cpp_convert(code, &right, left->kind, span))
            return false;
        emit_operation(code, mark, TYPE_U64, left, &right, span);
        return true;
    }
    if ((mark != CPP_MARK_ADD && mark != CPP_MARK_SUB) || right.kind.is_pointer) {
        code_error(code, cpp_type, span, NULL, "'%s' is not read of pointers", cpp_mark_text(mark));
        return false;
    }
    struct cpp_operand zero = cpp_number(0, TYPE_S64);
    if (mark == CPP_MARK_SUB) {
        if (!cpp_binary(code, CPP_MARK_SUB, &zero, right, span))
            return false;
        right = zero;
    }
    return cpp_element(code, left, right, span) && cpp_point_to(code, left, span);
}

bool cpp_binary(struct cpp_code *code, enum cpp_mark mark, struct cpp_operand *left,
                struct cpp_operand right, struct span span)
{
    if (left->kind.is_pointer)
        return pointer_operation(code, mark, left, right, span);
    if (right.kind.is_pointer && (mark == CPP_MARK_ADD || comparison(mark))) {
        struct cpp_operand pointer = right, other = *left;
        *left = pointer;
        return pointer_operation(code, mark, left, other, span);
    }
    enum type type = is_shift(mark)
                         ? cpp_value_type(left->kind)
                         : cpp_common_type(cpp_value_type(left->kind), cpp_value_type(right.kind));
    enum type other = is_shift(mark) ? TYPE_U32 : type;
    if (!cpp_convert(code, left, cpp_integer_kind(type), span) ||
        !cpp_convert(code, &right, cpp_integer_kind(other), span))
        return false;
    if (is_number(left) && is_number(&right))
        return fold_numbers(code, mark, type, left, &right, span);
    emit_operation(code, mark, type, left, &right, span);
    return true;
}
