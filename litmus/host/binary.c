/* SPDX-License-Identifier: MIT */
#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* Two values and what stands between them. */

enum op eval_operation_of(enum cpp_mark mark)
{
    switch (mark) {
    case CPP_MARK_ADD:
        return OP_ADD;
    case CPP_MARK_SUB:
        return OP_SUB;
    case CPP_MARK_MUL:
        return OP_MUL;
    case CPP_MARK_AND:
        return OP_AND;
    case CPP_MARK_OR:
        return OP_OR;
    case CPP_MARK_XOR:
        return OP_XOR;
    case CPP_MARK_SHL:
        return OP_SHL;
    case CPP_MARK_SHR:
        return OP_SHR;
    case CPP_MARK_DIV:
        return OP_DIV;
    case CPP_MARK_REM:
        return OP_REM;
    default:
        return OP_MOV;
    }
}

/* Of two numbers; false: C++ does not define it. */
static bool fold(enum cpp_mark mark, uint64_t a, uint64_t b, enum type type, uint64_t *to)
{
    bool is_signed = type_is_signed(type);
    unsigned bits = type == TYPE_NONE ? 64 : type_bytes(type) * 8;
    switch (mark) {
    case CPP_MARK_ADD:
        *to = a + b;
        return true;
    case CPP_MARK_SUB:
        *to = a - b;
        return true;
    case CPP_MARK_MUL:
        *to = a * b;
        return true;
    case CPP_MARK_AND:
        *to = a & b;
        return true;
    case CPP_MARK_OR:
        *to = a | b;
        return true;
    case CPP_MARK_XOR:
        *to = a ^ b;
        return true;
    case CPP_MARK_SHL:
        *to = b < bits ? a << b : 0;
        return b < bits;
    case CPP_MARK_SHR:
        *to = b >= bits ? 0 : is_signed ? (uint64_t)((int64_t)a >> b) : a >> b;
        return b < bits;
    case CPP_MARK_DIV:
    case CPP_MARK_REM:
        if (!b || (is_signed && a == (uint64_t)INT64_MIN && b == UINT64_MAX))
            return false;
        if (is_signed)
            *to = (uint64_t)(mark == CPP_MARK_DIV ? (int64_t)a / (int64_t)b
                                                  : (int64_t)a % (int64_t)b);
        else
            *to = mark == CPP_MARK_DIV ? a / b : a % b;
        return true;
    default:
        return false;
    }
}

/* By a number that is read. */
static bool choose_pointer(struct eval *e, enum cpp_mark mark, struct code_value *pointer,
                           const struct code_value *by, struct span span)
{
    struct read_index index = {.value = *by, .span = span};
    struct lvalue place;
    if (mark == CPP_MARK_SUB) {
        index.value = eval_number(0, TYPE_S64);
        if (!eval_binary(e, mark, &index.value, by, span))
            return false;
    }
    return eval_choose_element(e, pointer, &index, span, &place) &&
           eval_point_to(e, &place, pointer);
}

/* An element of the pointer's type further. */
static bool move_pointer(struct eval *e, enum cpp_mark mark, struct code_value *pointer,
                         const struct code_value *by, struct span span)
{
    if (by->kind == VALUE_REGISTER && !eval_is_float(by))
        return choose_pointer(e, mark, pointer, by, span);
    if (!eval_is_known(by))
        return eval_needs(e, by, span, "a number");
    uint64_t unit = pointer->kind == VALUE_CELL ? 1 : eval_step_of(e, pointer);
    uint64_t distance = unit * by->number;
    pointer->number += mark == CPP_MARK_SUB ? -distance : distance;
    return mark == CPP_MARK_ADD || mark == CPP_MARK_SUB;
}

bool eval_is_pointer(const struct code_value *value)
{
    return value->kind == VALUE_ADDRESS || value->kind == VALUE_CELL;
}

static bool pointers(struct eval *e, enum cpp_mark mark, struct code_value *left,
                     const struct code_value *right, struct span span)
{
    if (left->kind == VALUE_CELL && right->kind == VALUE_CELL && mark == CPP_MARK_SUB &&
        left->cell == right->cell) {
        *left = eval_number(left->number - right->number, TYPE_S64);
        return true;
    }
    if (left->kind == VALUE_ADDRESS && right->kind == VALUE_ADDRESS && mark == CPP_MARK_SUB &&
        left->location == right->location) {
        uint64_t unit = eval_step_of(e, left);
        *left = eval_number((left->number - right->number) / unit, TYPE_S64);
        return true;
    }
    if (eval_is_pointer(left) && !eval_is_pointer(right) &&
        move_pointer(e, mark, left, right, span))
        return true;
    if (eval_is_pointer(right) && mark == CPP_MARK_ADD) {
        struct code_value moved = *right;
        bool good = move_pointer(e, mark, &moved, left, span);
        *left = moved;
        return good;
    }
    eval_error(e, cpp_type, span, NULL, "pointers have no such operation");
    return false;
}

static bool is_flag(const struct code_value *value)
{
    return value->kind == VALUE_CONSTANT;
}

/* "a | b" of names of the runtime: the one that changes what the call does. */
static bool flags(struct eval *e, enum cpp_mark mark, struct code_value *left,
                  const struct code_value *right, struct span span)
{
    if (mark != CPP_MARK_OR || !(is_flag(right) || eval_is_known(right))) {
        eval_error(e, cpp_type, span, NULL, "flags are joined by '|'");
        return false;
    }
    if (!is_flag(left) || (is_flag(right) && host_constant_is_plain(left->constant)))
        *left = *right;
    return true;
}

bool eval_compute(struct eval *e, enum op op, enum type type, struct code_value *left,
                  const struct code_value *right, struct span span)
{
    struct raw_operand operands[3];
    if (!eval_operand(e, left, span, &operands[1]) || !eval_operand(e, right, span, &operands[2]))
        return false;
    operands[0] = eval_temporary(e, span);
    bool differs = op == OP_DIV || op == OP_REM || op == OP_SHR || op == OP_MIN || op == OP_MAX;
    bool is_unsigned = type == TYPE_U64 && differs;
    struct raw_inst inst = {.op = op, .type = is_unsigned ? TYPE_U64 : TYPE_NONE};
    eval_emit(e, inst, operands, 3, span);
    *left = eval_in_register(operands[0], type);
    /* registers have 64 bits and a sign: an unsigned int is cut off */
    if (type == TYPE_U32 && (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_SHL)) {
        struct code_value mask = eval_number(UINT32_MAX, TYPE_U32);
        return eval_compute(e, OP_AND, TYPE_U32, left, &mask, span);
    }
    return true;
}

/* Objects that have no such operator become what they are converted to. */
static bool convert_both(struct eval *e, struct code_value *left, struct code_value *right,
                         struct span span)
{
    return eval_convert(e, left, NULL, span) && eval_convert(e, right, NULL, span);
}

/* An int that is shifted loses the bits above its sign. */
static bool cut_shifted(struct eval *e, struct code_value *value, struct span span)
{
    if (!e->is_file)
        return true;
    value->type = TYPE_NONE;
    return eval_cast(e, value, eval_number_shape(e, TYPE_S32), span);
}

bool eval_binary(struct eval *e, enum cpp_mark mark, struct code_value *left,
                 const struct code_value *given, struct span span)
{
    struct code_value converted = *given;
    const struct code_value *right = &converted;
    uint64_t number;
    if (eval_class_of(left) || eval_class_of(right)) {
        bool found, good = eval_operator(e, cpp_mark_text(mark), left, right, span, &found);
        if (found || !good)
            return good;
        if (left->kind != VALUE_STRING && !convert_both(e, left, &converted, span))
            return false;
    }
    enum type type = eval_common_type(left->type, right->type);
    if (left->kind == VALUE_STRING && mark == CPP_MARK_SHL)
        return true; /* "std::cout << x" */
    if (mark == CPP_MARK_ADD && (left->is_string || right->is_string))
        return eval_add_texts(e, left, right, span);
    if (eval_is_pointer(left) && right->kind == VALUE_UNKNOWN) /* it would lead nowhere known */
        return eval_needs(e, right, span, "a number");
    if (eval_is_pointer(right) && left->kind == VALUE_UNKNOWN)
        return eval_needs(e, left, span, "a number");
    if (left->kind == VALUE_UNKNOWN || right->kind == VALUE_UNKNOWN) {
        *left = left->kind == VALUE_UNKNOWN ? *left : *right;
        return true;
    }
    if (eval_is_pointer(left) || eval_is_pointer(right))
        return pointers(e, mark, left, right, span);
    if (is_flag(left) || is_flag(right))
        return flags(e, mark, left, right, span);
    if (eval_is_float(left) || eval_is_float(right))
        return eval_float_operation(e, mark, left, right, span);
    if (mark == CPP_MARK_SHL || mark == CPP_MARK_SHR)
        type = eval_promoted(left->type);
    if (e->is_file && type == TYPE_U32 && !(eval_is_known(left) && eval_is_known(right)) &&
        (!eval_cast(e, left, eval_number_shape(e, type), span) ||
         !eval_cast(e, &converted, eval_number_shape(e, type), span)))
        return false;
    if (!eval_is_known(left) || !eval_is_known(right))
        return eval_compute(e, eval_operation_of(mark), type, left, right, span) &&
               (mark != CPP_MARK_SHL || type != TYPE_S32 || cut_shifted(e, left, span));
    if (!fold(mark, left->number, right->number, type, &number)) {
        eval_error(e, cpp_type, span, NULL, "C++ does not define the value of '%s'",
                   eval_text(e, span));
        return false;
    }
    *left = eval_number(number, type);
    return true;
}
