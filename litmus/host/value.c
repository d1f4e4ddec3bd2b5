/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/base/number.h"

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

/* An element of the pointer's type further. */
static bool move_pointer(struct eval *e, enum cpp_mark mark, struct code_value *pointer,
                         const struct code_value *by, struct span span)
{
    if (!eval_is_known(by)) {
        eval_error(e, host_argument, span, "compute it from constants",
                   "which element '%s' is depends on what the program reads", eval_text(e, span));
        return false;
    }
    uint64_t unit = pointer->kind == VALUE_CELL ? 1
                    : pointer->shape && pointer->shape->kind != SHAPE_AUTO
                        ? eval_bytes(e, pointer->shape)
                        : eval_unit(e, pointer->location);
    uint64_t distance = unit * by->number;
    pointer->number += mark == CPP_MARK_SUB ? -distance : distance;
    return mark == CPP_MARK_ADD || mark == CPP_MARK_SUB;
}

static bool is_pointer(const struct code_value *value)
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
        uint64_t unit = left->shape ? eval_bytes(e, left->shape) : eval_unit(e, left->location);
        *left = eval_number((left->number - right->number) / unit, TYPE_S64);
        return true;
    }
    if (is_pointer(left) && !is_pointer(right) && move_pointer(e, mark, left, right, span))
        return true;
    if (is_pointer(right) && mark == CPP_MARK_ADD) {
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

static bool compute(struct eval *e, enum op op, enum type type, struct code_value *left,
                    const struct code_value *right, struct span span)
{
    struct raw_operand operands[3];
    if (!eval_operand(e, left, span, &operands[1]) || !eval_operand(e, right, span, &operands[2]))
        return false;
    operands[0] = eval_temporary(e, span);
    eval_emit(e, (struct raw_inst){.op = op}, operands, 3, span);
    *left = eval_in_register(operands[0], type);
    /* registers have 64 bits and a sign: an unsigned int is cut off */
    if (type == TYPE_U32 && (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_SHL)) {
        struct code_value mask = eval_number(UINT32_MAX, TYPE_U32);
        return compute(e, OP_AND, TYPE_U32, left, &mask, span);
    }
    return true;
}

/* Objects that have no such operator become what they are converted to. */
static bool convert_both(struct eval *e, struct code_value *left, struct code_value *right,
                         struct span span)
{
    return eval_convert(e, left, NULL, span) && eval_convert(e, right, NULL, span);
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
        return true;                                      /* "std::cout << x" */
    if (is_pointer(left) && right->kind == VALUE_UNKNOWN) /* it would lead nowhere known */
        return eval_needs(e, right, span, "a number");
    if (is_pointer(right) && left->kind == VALUE_UNKNOWN)
        return eval_needs(e, left, span, "a number");
    if (left->kind == VALUE_UNKNOWN || right->kind == VALUE_UNKNOWN) {
        *left = left->kind == VALUE_UNKNOWN ? *left : *right;
        return true;
    }
    if (is_pointer(left) || is_pointer(right))
        return pointers(e, mark, left, right, span);
    if (is_flag(left) || is_flag(right))
        return flags(e, mark, left, right, span);
    if (eval_is_float(left) || eval_is_float(right))
        return eval_float_operation(e, mark, left, right, span);
    if (mark == CPP_MARK_SHL || mark == CPP_MARK_SHR)
        type = eval_promoted(left->type);
    if (!eval_is_known(left) || !eval_is_known(right))
        return compute(e, eval_operation_of(mark), type, left, right, span);
    if (!fold(mark, left->number, right->number, type, &number)) {
        eval_error(e, cpp_type, span, NULL, "C++ does not define the value of '%s'",
                   eval_text(e, span));
        return false;
    }
    *left = eval_number(number, type);
    return true;
}

static bool is_condition(const struct cpp_expr *expr)
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

bool eval_has_effects(const struct cpp_expr *expr)
{
    bool steps = expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT;
    if (is_condition(expr) || expr->kind == CPP_ASSIGNMENT || expr->kind == CPP_CONDITIONAL ||
        expr->kind == CPP_POSTFIX || (expr->kind == CPP_CALL && !is_plain_call(expr)) ||
        (expr->kind == CPP_UNARY && (steps || expr->mark == CPP_MARK_NOT)))
        return true;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (eval_has_effects(expr->kids[i]))
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

static bool binary(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value right;
    if (expr->mark == CPP_MARK_COMMA)
        return eval_effect(e, expr->kids[0]) && eval_value(e, expr->kids[1], to);
    if (!eval_value(e, expr->kids[0], to))
        return false;
    if (eval_has_effects(expr->kids[1]))
        eval_keep(e, to, expr->kids[0]->span);
    return eval_value(e, expr->kids[1], &right) &&
           eval_binary(e, expr->mark, to, &right, expr->span);
}

/* ---- one value ------------------------------------------------------------------------------ */

static bool step(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    struct lvalue place;
    struct code_value one = eval_number(1, TYPE_S32), old;
    enum cpp_mark mark = expr->mark == CPP_MARK_INCREMENT ? CPP_MARK_ADD : CPP_MARK_SUB;
    if (!eval_place_of(e, expr->kids[0], &place))
        return false;
    if (!place.cell && place.shape && place.shape->is_atomic && place.shape->scope != SCOPE_NONE) {
        struct code_value by = eval_number(mark == CPP_MARK_ADD ? 1 : UINT64_MAX, TYPE_S64);
        if (!eval_atomic_update(e, &place, ATOM_ADD, &by, SEM_SC, used, expr->span, &old))
            return false;
        *to = old;
        return expr->kind == CPP_POSTFIX || !used || eval_binary(e, mark, to, &one, expr->span);
    }
    if (!eval_read(e, &place, expr->span, to))
        return false;
    if (eval_class_of(to)) {
        bool found,
            good = eval_operator(e, cpp_mark_text(expr->mark), to, NULL, expr->span, &found);
        return good && (found || eval_needs(e, to, expr->span, "a number"));
    }
    old = *to;
    if (used && expr->kind == CPP_POSTFIX && old.kind == VALUE_REGISTER)
        copy(e, &old, expr->span);
    if (!eval_binary(e, mark, to, &one, expr->span) || !eval_write(e, &place, to, expr->span))
        return false;
    if (expr->kind == CPP_POSTFIX)
        *to = old;
    return true;
}

static bool sign(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_value zero = eval_number(0, TYPE_S32), ones = eval_number(UINT64_MAX, TYPE_S32),
                      right;
    bool found;
    if (!eval_value(e, expr->kids[0], &right))
        return false;
    *to = right;
    if (!eval_operator(e, cpp_mark_text(expr->mark), to, NULL, expr->span, &found))
        return false;
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
    return eval_place_of(e, expr, &place) && eval_read(e, &place, expr->span, to);
}

static bool unary(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    switch (expr->mark) {
    case CPP_MARK_MUL:
        return read_place(e, expr, to);
    case CPP_MARK_AND:
        if (!eval_place_of(e, expr->kids[0], &place))
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

/* ---- casts ---------------------------------------------------------------------------------- */

/* Cuts a value off to the bits of a bit-field. */
static bool cut_off(struct eval *e, struct code_value *value, const struct code_shape *shape,
                    struct span span)
{
    uint64_t all = (UINT64_C(1) << shape->bits) - 1, top = UINT64_C(1) << (shape->bits - 1);
    struct code_value mask = eval_number(all, TYPE_U64), sign = eval_number(top, TYPE_U64);
    bool is_signed = type_is_signed(shape->type);
    if (value->kind == VALUE_NUMBER) {
        uint64_t bits = value->number & all;
        *value = eval_number(is_signed ? (bits ^ top) - top : bits, shape->type);
    }
    if (value->kind != VALUE_REGISTER)
        return true;
    bool good = compute(e, OP_AND, TYPE_S64, value, &mask, span) &&
                (!is_signed || (compute(e, OP_XOR, TYPE_S64, value, &sign, span) &&
                                compute(e, OP_SUB, TYPE_S64, value, &sign, span)));
    value->type = shape->type;
    return good;
}

static bool cast_number(struct eval *e, struct code_value *value, const struct code_shape *shape,
                        struct span span)
{
    bool to_float = type_is_float(shape->type);
    if (value->kind == VALUE_FLOAT && !to_float)
        *value = eval_number((uint64_t)(int64_t)eval_double(value), TYPE_S64);
    if (value->kind == VALUE_NUMBER && to_float)
        *value = eval_float(eval_double(value), TYPE_F64);
    if (to_float)
        eval_float_cast(value, shape->type, span);
    if (value->kind == VALUE_NUMBER && shape->is_bool)
        value->number = value->number != 0;
    if (value->kind == VALUE_NUMBER)
        *value = eval_number(value->number, shape->type);
    if (value->kind == VALUE_REGISTER && !to_float && eval_is_float(value))
        *value = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    if (shape->bits)
        return cut_off(e, value, shape, span);
    if (value->kind != VALUE_REGISTER || to_float || shape->is_bool)
        return true;
    /* of a register: only bits that the type cannot hold are cut off */
    unsigned bytes = type_bytes(shape->type);
    bool fits = value->holds != TYPE_NONE && !type_is_signed(value->holds) &&
                type_bytes(value->holds) <= bytes;
    if (bytes < 8 && !type_is_signed(shape->type) && value->type != shape->type && !fits) {
        struct code_value mask = eval_number((UINT64_C(1) << bytes * 8) - 1, TYPE_U64);
        if (!compute(e, OP_AND, shape->type, value, &mask, span))
            return false;
    }
    value->type = shape->type;
    return true;
}

/* Is a variable of one type to be read as one of another? */
static bool is_reinterpreted(const struct code_shape *is, const struct code_shape *as)
{
    while (is->kind == SHAPE_ARRAY || is->kind == SHAPE_VECTOR)
        is = is->of;
    return is->kind == SHAPE_NUMBER && as->kind == SHAPE_NUMBER && is->type != as->type &&
           is->type != TYPE_NONE && as->type != TYPE_NONE;
}

bool eval_cast(struct eval *e, struct code_value *value, const struct code_shape *shape,
               struct span span)
{
    if (!shape || (eval_class_of(value) && shape->kind != SHAPE_STRUCT &&
                   shape->kind != SHAPE_AUTO && !eval_convert(e, value, shape, span)))
        return false;
    if (shape->kind == SHAPE_NUMBER && shape->type != TYPE_NONE)
        return cast_number(e, value, shape, span);
    if (shape->kind == SHAPE_POINTER && value->kind == VALUE_CELL && !value->is_object &&
        is_reinterpreted(value->cell->shape, shape->of))
        *value = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    if (shape->kind == SHAPE_POINTER && value->kind == VALUE_ADDRESS &&
        shape->of->kind != SHAPE_VOID)
        value->shape = shape->of;
    if (shape->kind == SHAPE_POINTER && value->kind == VALUE_ADDRESS &&
        1 + value->location == e->untyped && shape->of->kind == SHAPE_NUMBER) {
        struct location *location = &e->p->locations.at[value->location];
        location->elements /= type_bytes(shape->of->type);
        location->type = shape->of->type;
        e->untyped = 0;
    }
    return true;
}

static bool cast(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct code_shape *shape = eval_shape(e, expr->type);
    if (!shape)
        return false;
    if (shape->kind == SHAPE_VOID)
        return eval_effect(e, expr->kids[0]);
    bool pointer = shape->kind == SHAPE_POINTER;
    if (pointer && eval_is_room(expr->kids[0]) && eval_is_of_variables(shape->of))
        return eval_make_room(e, shape->of, expr->kids[0], to);
    return (pointer ? eval_address : eval_value)(e, expr->kids[0], to) &&
           eval_cast(e, to, shape, expr->span);
}

/* "int(x)", "int{}" */
static bool construct(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    *to = eval_number(0, TYPE_S32);
    return (!expr->kid_count || eval_value(e, expr->kids[0], to)) &&
           eval_cast(e, to, eval_shape(e, expr->type), expr->span);
}

static bool size_of(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct code_shape *shape = expr->type ? eval_shape(e, expr->type) : NULL;
    struct lvalue place;
    const struct cpp_expr *kid = expr->kid_count ? expr->kids[0] : NULL;
    const char *word = kid ? eval_word(kid) : NULL;
    if (kid && ((kid->kind == CPP_UNARY && kid->mark == CPP_MARK_MUL) || kid->kind == CPP_INDEX)) {
        const char *base = eval_word(kid->kids[0]); /* of what a pointer points to, wherever */
        struct code_cell *cell = base ? eval_find(e, base) : NULL;
        if (cell && cell->shape->of)
            shape = cell->shape->of;
    }
    if (shape)
        ;
    else if (!expr->type && word &&
             !eval_find(e, word)) { /* "sizeof(T)" looks like an expression */
        uint32_t location;
        struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = expr->kids[0]->name};
        if (!eval_is_location(e, expr->kids[0], &location))
            shape = eval_shape(e, &type);
        else
            shape = eval_number_shape(e, e->p->locations.at[location].type);
    } else if (!expr->type) {
        if (!eval_place_of(e, expr->kids[0], &place))
            return false;
        shape = place.shape;
        if (!shape)
            shape = eval_number_shape(e, e->p->locations.at[place.location].type);
    }
    uint64_t bytes = shape ? eval_size(e, shape) : 0;
    if (!bytes) {
        eval_error(e, host_argument, expr->span, "write the number of bytes",
                   "the size of '%s' is not known", eval_text(e, expr->span));
        return false;
    }
    *to = eval_number(bytes, TYPE_U64);
    return true;
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
    return !is_pointer(&pointer) || (eval_pointed_to(e, &pointer, 0, expr->span, &place) &&
                                     eval_read(e, &place, expr->span, to));
}

/* What a function's reference refers to. */
static bool referred_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    struct code_value reference = *to;
    if (!reference.is_reference || reference.is_object)
        return true;
    return eval_pointed_to(e, &reference, 0, expr->span, &place) &&
           eval_read(e, &place, expr->span, to);
}

bool eval_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    *to = (struct code_value){.kind = VALUE_NOTHING};
    switch (expr->kind) {
    case CPP_NUMBER:
        *to =
            eval_number(expr->value, expr->is_bool      ? TYPE_U8
                                     : expr->bytes == 8 ? (expr->is_signed ? TYPE_S64 : TYPE_U64)
                                                        : (expr->is_signed ? TYPE_S32 : TYPE_U32));
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
        return is_condition(expr) ? eval_truth_value(e, expr, to) : binary(e, expr, to);
    case CPP_ASSIGNMENT:
        return eval_assign(e, expr, to);
    case CPP_CONDITIONAL:
        return eval_conditional(e, expr, to);
    case CPP_CAST:
        return cast(e, expr, to);
    case CPP_CONSTRUCT:
        return construct(e, expr, to);
    case CPP_CALL:
        return eval_call(e, expr, true, to) && referred_value(e, expr, to) &&
               (!is_element(expr) || to->is_object || pointed_value(e, expr, to));
    case CPP_LIST:
        return list(e, expr, to);
    case CPP_LAUNCH:
        return eval_launch_call(e, expr, true, to);
    case CPP_SIZEOF:
        return size_of(e, expr, to);
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
    if (expr->kind == CPP_BINARY && expr->mark == CPP_MARK_COMMA)
        return eval_effect(e, expr->kids[0]) && eval_effect(e, expr->kids[1]);
    return eval_value(e, expr, &dropped);
}
