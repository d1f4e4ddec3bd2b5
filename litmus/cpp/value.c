/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* Expressions of device code become instructions; what is known is computed here. */

struct cpp_operand cpp_number(uint64_t bits, enum type type)
{
    return (struct cpp_operand){CPP_FORM_NUMBER, cpp_integer_kind(type),
                                .bits = cpp_fit(bits, type), .reg = NONE, .location = NONE};
}

struct cpp_operand cpp_in_register(uint32_t reg, struct cpp_kind kind)
{
    return (struct cpp_operand){CPP_FORM_REGISTER, kind, .reg = reg, .location = NONE};
}

bool cpp_has_value(const struct cpp_operand *operand)
{
    return operand->form >= CPP_FORM_CHOICE;
}

static bool is_number(const struct cpp_operand *value)
{
    return value->form == CPP_FORM_NUMBER;
}

/* ---- conversions ---------------------------------------------------------------------------- */

/* A predicate becomes 0 or 1. */
void cpp_materialize(struct cpp_code *code, struct cpp_operand *value, struct span span)
{
    if (value->form != CPP_FORM_PREDICATE)
        return;
    uint32_t reg = cpp_temporary(code, TYPE_S32, span);
    struct inst *inst = cpp_emit(code, OP_SELP, TYPE_S32, span);
    cpp_add_register(inst, reg);
    cpp_add_number(inst, 1);
    cpp_add_number(inst, 0);
    cpp_add_register(inst, value->reg);
    *value = cpp_in_register(reg, value->kind);
}

/* The value, not 0. */
static void to_predicate(struct cpp_code *code, struct cpp_operand *value, struct span span)
{
    struct cpp_operand zero = cpp_number(0, cpp_value_type(value->kind)), from = *value;
    if (value->form != CPP_FORM_PREDICATE)
        cpp_compare(code, CMP_NE, &from, &zero, span, value);
}

/* cvt; of a type of fewer than 32 bits the value is kept in 32. */
static void emit_conversion(struct cpp_code *code, struct cpp_operand *value, enum type type,
                            struct span span)
{
    enum type from = cpp_value_type(value->kind), wide = cpp_promoted(type);
    bool narrows = type_bytes(type) < type_bytes(from);
    uint32_t reg = cpp_temporary(code, wide, span);
    struct inst *inst = cpp_emit(code, OP_CVT, wide, span);
    inst->source_type = narrows && type_bytes(type) < 4 ? type : from;
    cpp_add_register(inst, reg);
    cpp_add_register(inst, value->reg);
    *value = cpp_in_register(reg, cpp_integer_kind(wide));
}

static bool convert_to_bool(struct cpp_code *code, struct cpp_operand *value, struct span span)
{
    if (is_number(value))
        *value = cpp_number(value->bits != 0, TYPE_S32);
    else if (!value->kind.is_bool || value->form == CPP_FORM_PREDICATE) {
        to_predicate(code, value, span);
        cpp_materialize(code, value, span);
    }
    value->kind = (struct cpp_kind){.type = TYPE_U8, .is_bool = true};
    return true;
}

static bool convert_pointer(struct cpp_code *code, struct cpp_operand *value, struct cpp_kind kind,
                            struct span span)
{
    bool good = value->kind.is_pointer || (is_number(value) && !value->bits && kind.is_pointer) ||
                cpp_kind_bytes(value->kind) == 8;
    if (!good || (!kind.is_pointer && cpp_kind_bytes(kind) != 8)) {
        code_error(code, cpp_type, span, NULL,
                   "a pointer stands where a number is needed, or the "
                   "reverse");
        return false;
    }
    value->kind = kind;
    return true;
}

/* Does a register with the value need nothing done to it? */
static bool fits(struct cpp_kind value, enum type type)
{
    bool same = type_bytes(type) == type_bytes(cpp_value_type(value));
    return type_bytes(type) < 4 ? value.is_bool || value.type == type : same;
}

bool cpp_convert(struct cpp_code *code, struct cpp_operand *value, struct cpp_kind kind,
                 struct span span)
{
    if (!cpp_has_value(value) || (kind.type == TYPE_NONE && !kind.is_pointer)) {
        code_error(code, cpp_type, span, NULL, "there is no value here");
        return false;
    }
    if (kind.is_pointer || value->kind.is_pointer)
        return convert_pointer(code, value, kind, span);
    if (kind.is_bool)
        return convert_to_bool(code, value, span);
    cpp_materialize(code, value, span);
    if (is_number(value))
        *value = cpp_number(value->bits, kind.type);
    else if (!fits(value->kind, kind.type))
        emit_conversion(code, value, kind.type, span);
    value->kind = cpp_integer_kind(kind.type);
    return true;
}

/* ---- operations ---------------------------------------------------------------------------- */

static bool binary(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand right;
    if (expr->mark == CPP_MARK_COMMA)
        return cpp_lower(code, expr->kids[0], &right) && cpp_lower_value(code, expr->kids[1], to);
    bool ordered = expr->mark == CPP_MARK_SHL || expr->mark == CPP_MARK_SHR; /* since C++17 */
    return (ordered || cpp_sequenced(code, expr)) && cpp_lower_value(code, expr->kids[0], to) &&
           cpp_lower_value(code, expr->kids[1], &right) &&
           cpp_binary(code, expr->mark, to, right, expr->span);
}

/* ---- conditions ----------------------------------------------------------------------------- */

static bool is_logical(const struct cpp_expr *expr)
{
    return expr->kind == CPP_BINARY && (expr->mark == CPP_MARK_ALSO || expr->mark == CPP_MARK_ELSE);
}

/* a && b and a || b: jumps to 'aim' where the whole is 'when'. */
static bool branch_both(struct cpp_code *code, const struct cpp_expr *expr, bool when, uint32_t aim)
{
    bool decides = expr->mark == CPP_MARK_ELSE; /* the value of one side that decides the whole */
    if (decides == when)
        return cpp_branch(code, expr->kids[0], when, aim) &&
               cpp_branch(code, expr->kids[1], when, aim);
    uint32_t past = cpp_new_aim(code);
    bool good = cpp_branch(code, expr->kids[0], decides, past) &&
                cpp_branch(code, expr->kids[1], when, aim);
    cpp_place(code, past);
    return good;
}

bool cpp_branch(struct cpp_code *code, const struct cpp_expr *expr, bool when, uint32_t aim)
{
    struct cpp_operand value;
    if (expr->kind == CPP_UNARY && expr->mark == CPP_MARK_NOT)
        return cpp_branch(code, expr->kids[0], !when, aim);
    if (is_logical(expr))
        return branch_both(code, expr, when, aim);
    if (!cpp_lower(code, expr, &value))
        return false;
    if (!cpp_read(code, &value, expr->span))
        return false;
    if (!cpp_has_value(&value))
        return cpp_convert(code, &value, cpp_integer_kind(TYPE_S32), expr->span);
    if (is_number(&value)) {
        if ((value.bits != 0) == when)
            cpp_jump(code, aim, expr->span);
        return true;
    }
    to_predicate(code, &value, expr->span);
    cpp_jump_if(code, value.reg, when, aim, expr->span);
    return true;
}

/* a && b, or its negation, as a value: 1 unless a jump passes over that. */
static bool logical(struct cpp_code *code, const struct cpp_expr *expr, bool is_true,
                    struct cpp_operand *to)
{
    uint32_t past = cpp_new_aim(code), reg = cpp_temporary(code, TYPE_S32, expr->span);
    struct cpp_operand one = cpp_number(1, TYPE_S32), zero = cpp_number(0, TYPE_S32);
    cpp_move(code, reg, &zero, expr->span);
    bool good = cpp_branch(code, expr, !is_true, past);
    cpp_move(code, reg, &one, expr->span);
    cpp_place(code, past);
    *to = cpp_in_register(reg, (struct cpp_kind){.type = TYPE_U8, .is_bool = true});
    return good;
}

/* The move of the first value, made before the type of the second is known, gets the type of both. */
static void retype_move(struct cpp_code *code, uint32_t index, enum type from, enum type type)
{
    struct inst *inst = &code->insts.at[index];
    struct operand *source = &inst->operands[1];
    inst->type = type;
    if (source->kind == OPERAND_IMM)
        source->value = cpp_fit(source->value, type);
    else if (type_bytes(from) != type_bytes(type)) {
        inst->op = OP_CVT;
        inst->source_type = from;
    }
    code->regs.at[inst->operands[0].reg].type = type;
}

/* What both values of "c ? a : b" become. */
static struct cpp_kind both_kinds(struct cpp_kind a, struct cpp_kind b)
{
    bool same = a.type == b.type && a.is_bool == b.is_bool;
    return a.is_pointer   ? a
           : b.is_pointer ? b
           : same         ? cpp_value_kind(a)
                          : cpp_integer_kind(cpp_common_type(cpp_value_type(a), cpp_value_type(b)));
}

static bool conditional(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    uint32_t otherwise = cpp_new_aim(code), end = cpp_new_aim(code);
    struct cpp_operand first, second;
    if (!cpp_branch(code, expr->kids[0], false, otherwise) ||
        !cpp_lower_value(code, expr->kids[1], &first))
        return false;
    enum type type = cpp_value_type(first.kind);
    uint32_t reg = cpp_temporary(code, type, expr->span), move = code->insts.len;
    cpp_move(code, reg, &first, expr->kids[1]->span);
    cpp_jump(code, end, expr->span);
    cpp_place(code, otherwise);
    if (!cpp_lower_value(code, expr->kids[2], &second))
        return false;
    struct cpp_kind kind = both_kinds(first.kind, second.kind);
    if (!cpp_convert(code, &second, kind, expr->span) ||
        (kind.is_pointer && !cpp_convert(code, &first, kind, expr->span)))
        return false;
    retype_move(code, move, type, cpp_value_type(kind));
    cpp_move(code, reg, &second, expr->kids[2]->span);
    cpp_place(code, end);
    *to = cpp_in_register(reg, kind);
    return true;
}

/* What "sizeof e" is asked about; e is not evaluated, so its instructions are taken back. */
static bool kind_of_value(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_kind *kind,
                          uint32_t *count)
{
    uint32_t insts = code->insts.len, regs = code->regs.len, last_aim = code->last_aim;
    struct cpp_operand value;
    bool good = cpp_lower(code, expr, &value);
    code->insts.len = insts;
    code->regs.len = regs;
    code->last_aim = last_aim;
    *kind = value.kind;
    if (good && value.form == CPP_FORM_ARRAY)
        *count = (uint32_t)value.bits;
    if (good && value.form == CPP_FORM_ADDRESS && expr->kind == CPP_NAME) { /* an array in memory */
        *count = code->program->locations.at[value.location].elements;
        kind->is_pointer = false;
    }
    return good;
}

/* ---- the others ----------------------------------------------------------------------------- */

static bool negation(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    if (is_logical(expr->kids[0]))
        return logical(code, expr->kids[0], false, to);
    if (!cpp_lower_value(code, expr->kids[0], to))
        return false;
    struct cpp_operand zero = cpp_number(0, cpp_value_type(to->kind));
    return cpp_binary(code, CPP_MARK_EQ, to, zero, expr->span);
}

/* +a, -a as 0 - a, ~a as a ^ -1. */
static bool sign(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_operand value;
    if (!cpp_lower_value(code, expr->kids[0], &value))
        return false;
    enum type type = cpp_value_type(value.kind);
    *to = value;
    if (expr->mark == CPP_MARK_COMPLEMENT)
        return cpp_binary(code, CPP_MARK_XOR, to, cpp_number(UINT64_MAX, type), expr->span);
    if (expr->mark == CPP_MARK_ADD)
        return cpp_convert(code, to, cpp_integer_kind(type), expr->span);
    *to = cpp_number(0, type);
    return cpp_binary(code, CPP_MARK_SUB, to, value, expr->span);
}

static bool unary(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    switch (expr->mark) {
    case CPP_MARK_MUL:
        return cpp_object(code, expr, to);
    case CPP_MARK_AND:
        if (!cpp_object(code, expr->kids[0], to))
            return false;
        if (to->form == CPP_FORM_ADDRESS) /* an array: of its first element */
            return true;
        if (to->form != CPP_FORM_OBJECT || to->is_variable) {
            code_error(code, cpp_type, expr->span, "declare it as a location in the initial state",
                       "a thread's own variable has no address");
            return false;
        }
        return cpp_point_to(code, to, expr->span);
    case CPP_MARK_INCREMENT:
    case CPP_MARK_DECREMENT:
        return cpp_step(code, expr, to);
    case CPP_MARK_NOT:
        return negation(code, expr, to);
    default:
        return sign(code, expr, to);
    }
}

static bool cast(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_kind kind;
    bool is_reference;
    if (expr->kid_count > 1) {
        code_error(code, cpp_arguments, expr->span, NULL, "a number is made of one value");
        return false;
    }
    if (!cpp_kind_of(code, expr->type, &kind, &is_reference))
        return false;
    if (!expr->kid_count)
        *to = cpp_number(0, TYPE_S32);
    else if (kind.type == TYPE_NONE && !kind.is_pointer) {
        *to = (struct cpp_operand){.form = CPP_FORM_NOTHING};
        struct cpp_operand dropped;
        return cpp_lower(code, expr->kids[0], &dropped);
    } else if (!cpp_lower_value(code, expr->kids[0], to))
        return false;
    return cpp_convert(code, to, kind, expr->span);
}

static bool size_of(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    struct cpp_kind kind;
    bool is_reference;
    uint32_t count = 1;
    bool good = expr->type ? cpp_kind_of(code, expr->type, &kind, &is_reference)
                           : kind_of_value(code, expr->kids[0], &kind, &count);
    *to = cpp_number(good ? cpp_kind_bytes(kind) * count : 0, TYPE_U64);
    return good;
}

static bool number(const struct cpp_expr *expr, struct cpp_operand *to)
{
    enum type type = expr->is_bool ? TYPE_U8 : type_with(expr->is_signed ? 's' : 'u', expr->bytes);
    *to = cpp_number(expr->value, expr->kind == CPP_NULL ? TYPE_U64 : type);
    to->kind.is_bool = expr->is_bool;
    return true;
}

bool cpp_lower(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    switch (expr->kind) {
    case CPP_NUMBER:
    case CPP_NULL:
        return number(expr, to);
    case CPP_NAME:
    case CPP_INDEX:
        return cpp_is_warp_size(code, expr, to) || cpp_object(code, expr, to);
    case CPP_MEMBER:
        return cpp_member(code, expr, to) || cpp_builtin(code, expr, to);
    case CPP_UNARY:
        return unary(code, expr, to);
    case CPP_POSTFIX:
        return cpp_step(code, expr, to);
    case CPP_ASSIGNMENT:
        return cpp_assign(code, expr, to);
    case CPP_BINARY:
        return is_logical(expr) ? logical(code, expr, true, to) : binary(code, expr, to);
    case CPP_CONDITIONAL:
        return conditional(code, expr, to);
    case CPP_CAST:
    case CPP_CONSTRUCT:
        return cast(code, expr, to);
    case CPP_SIZEOF:
        return size_of(code, expr, to);
    case CPP_CALL:
        return cpp_call(code, expr, to);
    case CPP_LAMBDA:
        return cpp_closure(code, expr, to);
    default:
        code_error(code, cpp_refused, expr->span, NULL, "'%s' is not read in the code of a thread",
                   source_words(code->arena, code->source, expr->span));
        return false;
    }
}

bool cpp_lower_value(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    if (!cpp_lower(code, expr, to))
        return false;
    if (to->form == CPP_FORM_OBJECT || to->form == CPP_FORM_CHOICE)
        return cpp_read(code, to, expr->span);
    if (!cpp_has_value(to)) {
        bool structure = to->form == CPP_FORM_STRUCT;
        code_error(code, cpp_type, expr->span,
                   structure
                       ? "name one of its members; a pointer to it is set where it is declared"
                       : NULL,
                   structure ? "a structure has no value of its own" : "this has no value");
        return false;
    }
    cpp_materialize(code, to, expr->span);
    return true;
}
