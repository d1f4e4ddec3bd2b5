/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/base/number.h"
#include "litmus/host/choice.h"

/* Expressions of host code. */

struct code_value eval_number(uint64_t number, enum type type)
{
    return (struct code_value){
        .kind = VALUE_NUMBER, .type = type, .number = eval_fit(number, type)};
}

struct code_value eval_in_register(struct raw_operand operand, enum type type)
{
    return (struct code_value){.kind = VALUE_REGISTER, .type = type, .operand = operand};
}

bool eval_is_known(const struct code_value *value)
{
    return value->kind == VALUE_NUMBER;
}

bool eval_is_number(const struct code_value *value)
{
    return value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER ||
           value->kind == VALUE_FLOAT;
}

bool eval_known_number(struct eval *e, const struct cpp_expr *expr, const char *what,
                       uint64_t *number)
{
    struct code_value value;
    if (!eval_value(e, expr, &value))
        return false;
    if (value.kind == VALUE_NUMBER) {
        *number = value.number;
        return true;
    }
    if (value.kind == VALUE_REGISTER) {
        eval_error(e, host_argument, expr->span, "compute it from constants",
                   "%s must be known: '%s' depends on what the program reads", what,
                   eval_text(e, expr->span));
        return false;
    }
    return eval_needs(e, &value, expr->span, what);
}

/* ---- two values ----------------------------------------------------------------------------- */

double eval_double(const struct code_value *value)
{
    double number;
    if (value->kind == VALUE_FLOAT) {
        memcpy(&number, &value->number, sizeof number);
        return number;
    }
    return type_is_signed(value->type) ? (double)(int64_t)value->number : (double)value->number;
}

struct code_value eval_float(double number, enum type type)
{
    struct code_value value = {.kind = VALUE_FLOAT, .type = type};
    number = type == TYPE_F32 ? (double)(float)number : number;
    memcpy(&value.number, &number, sizeof number);
    return value;
}

uint64_t eval_float_bits(const struct code_value *value, enum type type)
{
    return number_float_bits(eval_double(value), type == TYPE_F32);
}

bool eval_is_condition(const struct cpp_expr *expr)
{
    unsigned precedence = cpp_mark_precedence(expr->mark);
    return expr->kind == CPP_BINARY &&
           (expr->mark == CPP_MARK_ALSO || expr->mark == CPP_MARK_ELSE || precedence == 6 ||
            precedence == 7);
}

/* One instruction: a method of an atomic object, a query. */
static bool is_plain_call(const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kids[0];
    const char *word = callee->kind == CPP_MEMBER ? cpp_last_part(&callee->name)->word : NULL;
    if (word)
        return strncmp(word, "compare_exchange_", 17) != 0 && strcmp(word, "wait") != 0;
    word = eval_word(callee);
    return word && strncmp(word, "cuda", 4) == 0;
}

bool eval_has_effects(struct eval *e, const struct cpp_expr *expr)
{
    bool steps = expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT;
    if (eval_is_condition(expr) || expr->kind == CPP_ASSIGNMENT || expr->kind == CPP_CONDITIONAL ||
        expr->kind == CPP_POSTFIX || (expr->kind == CPP_CALL && !is_plain_call(expr)) ||
        (expr->kind == CPP_UNARY && (steps || expr->mark == CPP_MARK_NOT)) ||
        (expr->kind == CPP_INDEX && !eval_is_certain(e, expr->kids[1])))
        return true;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (eval_has_effects(e, expr->kids[i]))
            return true;
    return false;
}

static void copy(struct eval *e, struct code_value *value, struct span span)
{
    struct code_value kept = eval_new_variable(e, value->type, span);
    kept.holds = value->holds;
    if (value->operand.kind != RAW_TEMPORARY || !eval_retarget(e, &value->operand, kept.operand)) {
        struct raw_operand operands[2] = {kept.operand, value->operand};
        eval_emit(e, (struct raw_inst){.op = OP_MOV}, operands, 2, span);
    }
    *value = kept;
}

void eval_keep_copy(struct eval *e, struct code_value *value, struct span span)
{
    if (value->kind == VALUE_REGISTER)
        copy(e, value, span);
}

void eval_keep(struct eval *e, struct code_value *value, struct span span)
{
    if (value->kind == VALUE_REGISTER && value->operand.kind == RAW_TEMPORARY)
        copy(e, value, span);
}

bool eval_promoted_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    if (!eval_value(e, expr, to))
        return false;
    bool named = expr->kind == CPP_MEMBER || expr->kind == CPP_NAME;
    const struct code_shape *shape =
        named && e->is_file && to->type == TYPE_U32 ? eval_static_shape(e, expr) : NULL;
    if (shape && shape->kind == SHAPE_NUMBER && shape->bits)
        to->type = TYPE_S32;
    return true;
}

/* "std::cin >> x" of what is no number: nobody knows what it writes. */
static bool extracts(struct eval *e, const struct cpp_expr *expr, const struct code_value *left)
{
    bool number = left->kind == VALUE_NUMBER || left->kind == VALUE_REGISTER;
    if (!e->is_file || expr->mark != CPP_MARK_SHR || number || eval_class_of(left))
        return false;
    const struct code_shape *shape = eval_static_shape(e, expr->kids[0]);
    return !shape || shape->kind != SHAPE_NUMBER;
}

static bool binary(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value right;
    if (expr->mark == CPP_MARK_COMMA)
        return eval_effect(e, expr->kids[0]) && eval_value(e, expr->kids[1], to);
    if (!eval_promoted_value(e, expr->kids[0], to))
        return false;
    if (extracts(e, expr, to))
        return eval_needs(e, to, expr->kids[0]->span, "a number");
    if (eval_has_effects(e, expr->kids[1]))
        eval_keep(e, to, expr->kids[0]->span);
    return eval_promoted_value(e, expr->kids[1], &right) &&
           eval_binary(e, expr->mark, to, &right, expr->span);
}

/* ---- one value ------------------------------------------------------------------------------ */

static bool step(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    struct lvalue place;
    struct code_value one = eval_number(1, TYPE_S32), old;
    enum cpp_mark mark = expr->mark == CPP_MARK_INCREMENT ? CPP_MARK_ADD : CPP_MARK_SUB;
    if (!eval_places_of(e, expr->kids[0], &place))
        return false;
    if (!place.cell && place.shape && place.shape->is_atomic && place.shape->scope != SCOPE_NONE) {
        struct code_value by = eval_number(mark == CPP_MARK_ADD ? 1 : UINT64_MAX, TYPE_S64);
        if (!eval_atomic_update(e, &place, ATOM_ADD, &by, SEM_SC, used, expr->span, &old))
            return false;
        *to = old;
        return expr->kind == CPP_POSTFIX || !used ||
               (eval_binary(e, mark, to, &one, expr->span) &&
                eval_as_held(e, &place, expr->span, to));
    }
    if (!eval_read(e, &place, expr->span, to))
        return false;
    if (eval_class_of(to)) {
        bool found,
            good = eval_operator(e, cpp_mark_text(expr->mark), to, NULL, expr->span, &found);
        return good && (found || eval_needs(e, to, expr->span, "a number"));
    }
    if (used && expr->kind == CPP_POSTFIX)
        eval_keep_copy(e, to, expr->span);
    old = *to;
    if (!eval_binary(e, mark, to, &one, expr->span) || !eval_write_kept(e, &place, to, expr->span))
        return false;
    if (expr->kind != CPP_POSTFIX)
        return eval_as_held(e, &place, expr->span, to);
    *to = old;
    return true;
}

static void promote(struct code_value *value)
{
    if (value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER)
        value->type = eval_promoted(value->type);
}

static bool sign(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value zero = eval_number(0, TYPE_S32), ones = eval_number(UINT64_MAX, TYPE_S32),
                      right;
    bool found;
    if (!eval_promoted_value(e, expr->kids[0], &right))
        return false;
    *to = right;
    if (!eval_operator(e, cpp_mark_text(expr->mark), to, NULL, expr->span, &found))
        return false;
    if (!found && expr->mark == CPP_MARK_ADD)
        promote(to);
    if (found || expr->mark == CPP_MARK_ADD)
        return true;
    *to = expr->mark == CPP_MARK_SUB ? zero : right;
    if (expr->mark == CPP_MARK_SUB && eval_is_float(&right)) {
        *to = right;
        return eval_float_sign(e, OP_NEG, to, expr->span);
    }
    return expr->mark == CPP_MARK_SUB ? eval_binary(e, CPP_MARK_SUB, to, &right, expr->span)
                                      : eval_binary(e, CPP_MARK_XOR, to, &ones, expr->span);
}

static bool read_place(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    return eval_places_of(e, expr, &place) && eval_read(e, &place, expr->span, to);
}

static bool unary(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    switch (expr->mark) {
    case CPP_MARK_MUL:
        return read_place(e, expr, to);
    case CPP_MARK_AND:
        if (!eval_places_of(e, expr->kids[0], &place))
            return false;
        if (place.cell && place.cell->is_const &&
            (place.cell->value.kind == VALUE_FUNCTION || place.cell->value.kind == VALUE_KERNEL)) {
            *to = place.cell->value; /* "&f" */
            return true;
        }
        return eval_point_to(e, &place, to);
    case CPP_MARK_NOT:
        return eval_truth_value(e, expr, to);
    case CPP_MARK_INCREMENT:
    case CPP_MARK_DECREMENT:
        return step(e, expr, true, to);
    default:
        return sign(e, expr, to);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* "{a, b}": a structure of its own. */
static bool list(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_shape shape = {.kind = SHAPE_ARRAY, .of = &any, .count = expr->kid_count};
    struct code_shape *kept = ARENA_NEW(e->arena, struct code_shape);
    *kept = shape;
    *to = (struct code_value){.kind = VALUE_CELL, .cell = eval_new_cell(e, "list", kept)};
    for (uint32_t i = 0; i < expr->kid_count; i++) {
        struct code_cell *part = eval_part(e, to->cell, i);
        if (!eval_value(e, expr->kids[i], &part->value))
            return false;
    }
    return true;
}

/* "v.at(0)", "v.back()": a reference. */
static bool is_element(const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kids[0];
    const char *word = callee->kind == CPP_MEMBER ? cpp_last_part(&callee->name)->word : "";
    return strcmp(word, "at") == 0 || strcmp(word, "front") == 0 || strcmp(word, "back") == 0;
}

static bool pointed_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    struct code_value pointer = *to;
    return !eval_is_pointer(&pointer) || (eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
                                          eval_read(e, &place, expr->span, to));
}

/* What a function's reference refers to. */
static bool referred_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    struct code_value reference = *to;
    if (!reference.is_reference || reference.is_object)
        return true;
    return eval_places_pointed_to(e, &reference, expr->span, &place) &&
           eval_read(e, &place, expr->span, to);
}

bool eval_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    *to = (struct code_value){.kind = VALUE_NOTHING};
    switch (expr->kind) {
    case CPP_NUMBER:
        *to = eval_number(expr->value, eval_literal_type(expr));
        return true;
    case CPP_FLOAT:
        *to = (struct code_value){.kind = VALUE_FLOAT, .type = TYPE_F64, .number = expr->value};
        if (expr->bytes == 4)
            *to = eval_float(eval_double(to), TYPE_F32);
        return true;
    case CPP_STRING:
        to->kind = VALUE_STRING;
        to->name = expr->span;
        return true;
    case CPP_NULL:
        *to = eval_number(0, TYPE_U64);
        return true;
    case CPP_NAME:
    case CPP_INDEX:
    case CPP_MEMBER:
        return read_place(e, expr, to);
    case CPP_UNARY:
        return unary(e, expr, to);
    case CPP_POSTFIX:
        return step(e, expr, true, to);
    case CPP_BINARY:
        return eval_is_condition(expr) ? eval_truth_value(e, expr, to) : binary(e, expr, to);
    case CPP_ASSIGNMENT:
        return eval_assign(e, expr, true, to);
    case CPP_CONDITIONAL:
        return eval_conditional(e, expr, to);
    case CPP_CAST:
        return eval_cast_expression(e, expr, to);
    case CPP_CONSTRUCT:
        return eval_construct_number(e, expr, to);
    case CPP_CALL:
        return eval_call(e, expr, true, to) && referred_value(e, expr, to) &&
               (!is_element(expr) || to->is_object || pointed_value(e, expr, to));
    case CPP_LIST:
        return list(e, expr, to);
    case CPP_LAUNCH:
        return eval_launch_call(e, expr, true, to);
    case CPP_SIZEOF:
        return eval_size_of(e, expr, to);
    case CPP_LAMBDA:
        return eval_lambda(e, expr, to);
    case CPP_NEW:
        return eval_new(e, expr, to);
    case CPP_DELETE:
        return eval_delete(e, expr, to);
    case CPP_EXPAND:
        eval_error(e, host_statement, expr->span, NULL, "what '...' repeats is not known here");
        return false;
    case CPP_DESIGNATED:
        break; /* initial.c reads it */
    }
    eval_error(e, host_statement, expr->span, NULL, "members are not named in this list");
    return false;
}

bool eval_effect(struct eval *e, const struct cpp_expr *expr)
{
    struct code_value dropped;
    if (expr->kind == CPP_CALL)
        return eval_call(e, expr, false, &dropped);
    if (expr->kind == CPP_LAUNCH)
        return eval_launch_call(e, expr, false, &dropped);
    if (expr->kind == CPP_POSTFIX)
        return step(e, expr, false, &dropped);
    if (expr->kind == CPP_ASSIGNMENT)
        return eval_assign(e, expr, false, &dropped);
    if (expr->kind == CPP_BINARY && expr->mark == CPP_MARK_COMMA)
        return eval_effect(e, expr->kids[0]) && eval_effect(e, expr->kids[1]);
    return eval_value(e, expr, &dropped);
}
