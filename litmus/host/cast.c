/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* Casts, and sizeof. */

/* Cuts a value off to shape->bits bits: those of a bit-field, or of a narrow type. */
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
    bool good = eval_compute(e, OP_AND, TYPE_S64, value, &mask, span) &&
                (!is_signed || (eval_compute(e, OP_XOR, TYPE_S64, value, &sign, span) &&
                                eval_compute(e, OP_SUB, TYPE_S64, value, &sign, span)));
    value->type = shape->type;
    return good;
}

/* Is every number of the type one of the other? */
static bool fits_type(enum type type, enum type into)
{
    unsigned bytes = type_bytes(type), more = type_bytes(into);
    if (type_is_signed(type))
        return type_is_signed(into) && bytes <= more;
    return bytes < more || (bytes == more && !type_is_signed(into));
}

/* Bits that the type cannot hold are cut off; in a test, whose names have no types, only to unsigned ones. */
static bool fit_register(struct eval *e, struct code_value *value, enum type type, struct span span)
{
    unsigned bits = 8 * type_bytes(type);
    bool fits = value->type == type || value->holds == TYPE_PRED ||
                (value->holds != TYPE_NONE && fits_type(value->holds, type)) ||
                (e->is_file && value->type != TYPE_NONE && fits_type(value->type, type));
    bool is_signed = type_is_signed(type);
    if (bits < 64 && !fits && (!is_signed || e->is_file)) {
        struct code_shape shape = {.type = type, .bits = (uint8_t)bits};
        return cut_off(e, value, &shape, span);
    }
    value->type = type;
    return true;
}

static bool cast_number(struct eval *e, struct code_value *value, const struct code_shape *shape,
                        struct span span)
{
    bool to_float = type_is_float(shape->type);
    if (value->kind == VALUE_FLOAT && shape->is_bool)
        *value = eval_number(eval_double(value) != 0, TYPE_S32);
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
    if (value->kind != VALUE_REGISTER || to_float)
        return true;
    if (shape->is_bool)
        return !e->is_file || eval_make_truth(e, value, span);
    return fit_register(e, value, shape->type, span);
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
    if (shape->is_unknown) {
        struct code_value unknown = {.kind = VALUE_UNKNOWN, .name = span};
        return eval_needs(e, &unknown, span, "of a type that is known");
    }
    if (shape->kind == SHAPE_NUMBER && shape->type != TYPE_NONE)
        return cast_number(e, value, shape, span);
    const struct code_shape *is = value->kind == VALUE_CELL && !value->is_object
                                      ? value->cell->shape
                                  : value->kind == VALUE_CHOICE ? value->shape
                                                                : NULL;
    if (shape->kind == SHAPE_POINTER && is && is_reinterpreted(is, shape->of))
        *value = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    bool pointer = value->kind == VALUE_ADDRESS || value->kind == VALUE_NUMBER;
    bool typed = shape->kind == SHAPE_POINTER && shape->of->kind != SHAPE_VOID &&
                 shape->of->kind != SHAPE_AUTO; /* "auto *p" points to what it is given */
    if (typed && pointer)
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

bool eval_cast_expression(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
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
bool eval_construct_number(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    *to = eval_number(0, TYPE_S32);
    return (!expr->kid_count || eval_value(e, expr->kids[0], to)) &&
           eval_cast(e, to, eval_shape(e, expr->type), expr->span);
}

/* What stands behind sizeof is not read: a value that is no variable has the type that it would have. */
static bool is_value(const struct cpp_expr *expr)
{
    return expr->kind != CPP_NAME && expr->kind != CPP_INDEX && expr->kind != CPP_MEMBER &&
           expr->kind != CPP_STRING && (expr->kind != CPP_UNARY || expr->mark != CPP_MARK_MUL);
}

static bool unknown_size(struct eval *e, const struct cpp_expr *expr)
{
    eval_error(e, host_argument, expr->span, "write the number of bytes",
               "the size of '%s' is not known", eval_text(e, expr->span));
    return false;
}

bool eval_size_of(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
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
    struct code_text text;
    if (kid && kid->kind == CPP_STRING) {
        if (!eval_literal_text(e, kid->span, &text))
            return unknown_size(e, expr);
        *to = eval_number(text.length + 1, TYPE_U64);
        return true;
    }
    if (!shape && kid && is_value(kid))
        shape = eval_static_shape(e, kid);
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
        if (place.cell && place.cell->is_opaque) {
            struct code_value unknown = {.kind = VALUE_UNKNOWN, .name = expr->span};
            return eval_needs(e, &unknown, expr->span, "of a type that is known");
        }
        shape = place.shape;
        if (!shape)
            shape = eval_number_shape(e, e->p->locations.at[place.location].type);
    }
    uint64_t bytes = shape ? eval_size(e, shape) : 0;
    if (!bytes)
        return unknown_size(e, expr);
    *to = eval_number(bytes, TYPE_U64);
    return true;
}
