/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* What type an expression has, as far as that is known without reading it. */

static const struct code_shape *bool_shape(struct eval *e)
{
    struct code_shape *shape = ARENA_NEW(e->arena, struct code_shape);
    *shape = (struct code_shape){.kind = SHAPE_NUMBER, .type = TYPE_U8, .is_bool = true};
    return shape;
}

enum type eval_literal_type(const struct cpp_expr *expr)
{
    switch (expr->bytes) {
    case 1: /* true, or a character */
        return expr->is_bool ? TYPE_U8 : TYPE_S8;
    case 8:
        return expr->is_signed ? TYPE_S64 : TYPE_U64;
    default:
        return expr->is_signed ? TYPE_S32 : TYPE_U32;
    }
}

static const struct code_shape *number_shape(struct eval *e, const struct cpp_expr *expr)
{
    if (expr->kind == CPP_FLOAT)
        return eval_number_shape(e, expr->bytes == 4 ? TYPE_F32 : TYPE_F64);
    if (expr->is_bool)
        return bool_shape(e);
    return eval_number_shape(e, eval_literal_type(expr));
}

static const struct code_shape *named_value(struct eval *e, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    const struct code_cell *cell = word ? eval_find(e, word) : NULL;
    uint32_t location;
    struct code_value value;
    if (!cell && eval_is_location(e, expr, &location))
        return eval_number_shape(e, e->p->locations.at[location].type);
    if (!cell && word && eval_runtime_word(word, &value))
        return eval_shape_of_value(e, &value);
    if (!cell)
        return NULL;
    if (cell->shape->kind != SHAPE_AUTO || cell->shape->is_text)
        return cell->shape;
    const struct code_shape *shape = eval_shape_of_value(e, &cell->value);
    return shape->kind == SHAPE_AUTO && !shape->is_text ? NULL : shape;
}

static const struct code_shape *promoted(struct eval *e, const struct code_shape *shape)
{
    if (!shape || shape->kind != SHAPE_NUMBER || type_is_float(shape->type))
        return shape && shape->kind == SHAPE_NUMBER ? shape : NULL;
    bool narrow = shape->bits && shape->bits < 8 * type_bytes(TYPE_S32);
    return eval_number_shape(e, narrow ? TYPE_S32 : eval_promoted(shape->type));
}

const struct code_shape *eval_common_shape(struct eval *e, const struct code_shape *left,
                                           const struct code_shape *right)
{
    bool floats = type_is_float(left->type) || type_is_float(right->type);
    if (floats && type_is_float(left->type) != type_is_float(right->type))
        return type_is_float(left->type) ? left : right;
    if (floats)
        return left->type == TYPE_F64 ? left : right;
    return eval_number_shape(e,
                             eval_common_type(promoted(e, left)->type, promoted(e, right)->type));
}

static const struct code_shape *arithmetic(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_shape *left = eval_static_shape(e, expr->kids[0]),
                            *right = eval_static_shape(e, expr->kids[1]);
    if (!left || !right)
        return NULL;
    if (left->is_text || right->is_text)
        return &eval_string_shape;
    if (left->kind != SHAPE_NUMBER || right->kind != SHAPE_NUMBER)
        return left->kind == SHAPE_POINTER && right->kind == SHAPE_NUMBER ? left : NULL;
    if (expr->mark == CPP_MARK_SHL || expr->mark == CPP_MARK_SHR)
        return promoted(e, left);
    return eval_common_shape(e, left, right);
}

static const struct code_shape *binary(struct eval *e, const struct cpp_expr *expr)
{
    if (expr->mark == CPP_MARK_COMMA)
        return eval_static_shape(e, expr->kids[1]);
    if (!eval_is_condition(expr))
        return arithmetic(e, expr);
    const struct code_shape *left = eval_static_shape(e, expr->kids[0]),
                            *right = eval_static_shape(e, expr->kids[1]);
    bool plain = left && right && left->kind != SHAPE_STRUCT && right->kind != SHAPE_STRUCT;
    return plain ? bool_shape(e) : NULL; /* classes have operators of their own */
}

static const struct code_shape *conditional(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_shape *left = eval_static_shape(e, expr->kids[1]),
                            *right = eval_static_shape(e, expr->kids[2]);
    bool numbers = left && right && left->kind == SHAPE_NUMBER && right->kind == SHAPE_NUMBER;
    if (!numbers)
        return left == right ? left : NULL;
    return left->type == right->type && left->is_bool == right->is_bool
               ? left
               : eval_common_shape(e, left, right);
}

static const struct code_shape *pointer_to(struct eval *e, const struct code_shape *of)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = (struct code_shape){.kind = SHAPE_POINTER, .of = of};
    return of ? made : NULL;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* What the one function of the name in the class, or in none, is declared to give. */
static const struct code_shape *result(struct eval *e, const char *name, const struct structure *of)
{
    const struct code_function *found = NULL;
    for (uint32_t i = 0; i < e->functions.len; i++)
        if ((!of || e->functions.at[i]->of == of) && strcmp(e->functions.at[i]->name, name) == 0) {
            if (found)
                return NULL;
            found = e->functions.at[i];
        }
    if (!found || !found->result || found->head.count)
        return NULL;
    const struct code_shape *shape = eval_shape(e, found->result);
    return shape && shape->kind != SHAPE_AUTO ? shape : NULL;
}

/* Of C and C++, by what it gives. */
static enum type library_type(const char *word)
{
    static const struct {
        const char *word;
        enum type type;
    } rows[] = {{"atoi", TYPE_S32},     {"stoi", TYPE_S32},    {"atol", TYPE_S64},
                {"stol", TYPE_S64},     {"strtol", TYPE_S64},  {"atoll", TYPE_S64},
                {"stoll", TYPE_S64},    {"strtoll", TYPE_S64}, {"strtoul", TYPE_U64},
                {"strtoull", TYPE_U64}, {"stoul", TYPE_U64},   {"stoull", TYPE_U64},
                {"atof", TYPE_F64},     {"strtod", TYPE_F64},  {"stod", TYPE_F64},
                {"stof", TYPE_F32},     {"strlen", TYPE_U64},  {"rand", TYPE_S32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].type;
    return TYPE_NONE;
}

/* "max(a, b)" of two of one type. */
static const struct code_shape *extreme(struct eval *e, const struct cpp_expr *expr)
{
    const struct cpp_part *part = cpp_last_part(&expr->kids[0]->name);
    if (part->argument_count)
        return part->arguments[0].type ? eval_shape(e, part->arguments[0].type) : NULL;
    if (expr->kid_count != 3)
        return NULL;
    const struct code_shape *left = eval_static_shape(e, expr->kids[1]),
                            *right = eval_static_shape(e, expr->kids[2]);
    bool same = left && right && left->kind == SHAPE_NUMBER && right->kind == SHAPE_NUMBER &&
                left->type == right->type;
    return same ? left : NULL;
}

static const struct code_shape *method(struct eval *e, const struct cpp_expr *callee)
{
    const struct code_shape *object = eval_static_shape(e, callee->kids[0]);
    const char *word = cpp_last_part(&callee->name)->word;
    if (object && callee->is_arrow)
        object = object->kind == SHAPE_POINTER ? object->of : NULL;
    if (!object)
        return NULL;
    if (object->kind == SHAPE_NUMBER && object->is_atomic && strcmp(word, "load") == 0)
        return object;
    bool list = object->kind == SHAPE_VECTOR || object->kind == SHAPE_ARRAY;
    if (list && strcmp(word, "size") == 0)
        return eval_number_shape(e, TYPE_U64);
    if (object->kind != SHAPE_STRUCT || !object->structure)
        return NULL;
    const struct structure *of = object->structure;
    return result(e, arena_printf(e->arena, "%s::%s", of->name, word), of);
}

/* "f(x)" of one function whose result is declared, or "W(1)". */
static const struct code_shape *call_shape(struct eval *e, const struct cpp_expr *expr)
{
    const struct cpp_expr *callee = expr->kids[0];
    if (eval_is_call_of(expr, "move") && expr->kid_count == 2)
        return eval_static_shape(e, expr->kids[1]);
    if (callee->kind == CPP_MEMBER)
        return method(e, callee);
    if (callee->kind != CPP_NAME)
        return NULL;
    const char *word = cpp_last_part(&callee->name)->word;
    if (strcmp(word, "to_string") == 0 || strcmp(word, "string") == 0)
        return &eval_string_shape;
    struct cpp_type type = {.kind = CPP_TYPE_NAMED, .name = callee->name};
    if (!eval_find(e, word) && (eval_structure(e, word) || eval_type_named(e, word)))
        return eval_shape(e, &type);
    const struct code_cell *cell = eval_find(e, word);
    if (cell && cell->shape->signature)
        return eval_shape(e, cell->shape->signature->type);
    if (cell)
        return cell->value.kind == VALUE_FUNCTION ? eval_result_shape(e, cell->value.function)
                                                  : NULL;
    const struct code_shape *own = result(e, word, NULL);
    if (own)
        return own;
    if (strcmp(word, "max") == 0 || strcmp(word, "min") == 0)
        return extreme(e, expr);
    enum type given = library_type(word);
    return given == TYPE_NONE ? NULL : eval_number_shape(e, given);
}

/* ---- all ------------------------------------------------------------------------------------ */

static const struct code_shape *unary(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_shape *of = eval_static_shape(e, expr->kids[0]);
    switch (expr->mark) {
    case CPP_MARK_MUL:
        return of && of->kind == SHAPE_POINTER ? of->of : NULL;
    case CPP_MARK_AND:
        return pointer_to(e, of);
    case CPP_MARK_NOT:
        return of && of->kind != SHAPE_STRUCT ? bool_shape(e) : NULL;
    case CPP_MARK_INCREMENT:
    case CPP_MARK_DECREMENT:
        return of && of->kind != SHAPE_STRUCT ? of : NULL;
    default:
        return promoted(e, of);
    }
}

static const struct code_shape *member(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_shape *object = eval_static_shape(e, expr->kids[0]);
    if (object && expr->is_arrow)
        object = object->kind == SHAPE_POINTER ? object->of : NULL;
    if (!object || object->kind != SHAPE_STRUCT || !object->structure || expr->name.part_count > 1)
        return NULL;
    const struct code_shape *shape = eval_member_shape(e, object, cpp_last_part(&expr->name)->word);
    return shape && shape->kind != SHAPE_AUTO ? shape : NULL;
}

const struct code_shape *eval_static_shape(struct eval *e, const struct cpp_expr *expr)
{
    const struct code_shape *of;
    switch (expr->kind) {
    case CPP_NUMBER:
    case CPP_FLOAT:
        return number_shape(e, expr);
    case CPP_STRING:
        return &eval_characters_shape;
    case CPP_NAME:
        return named_value(e, expr);
    case CPP_CAST:
    case CPP_CONSTRUCT:
        return eval_shape(e, expr->type);
    case CPP_SIZEOF:
        return eval_number_shape(e, TYPE_U64);
    case CPP_BINARY:
        return binary(e, expr);
    case CPP_CONDITIONAL:
        return conditional(e, expr);
    case CPP_CALL:
        return call_shape(e, expr);
    case CPP_INDEX:
        of = eval_static_shape(e, expr->kids[0]);
        return of && of->kind != SHAPE_STRUCT ? of->of : NULL;
    case CPP_MEMBER:
        return member(e, expr);
    case CPP_UNARY:
        return unary(e, expr);
    case CPP_POSTFIX:
    case CPP_ASSIGNMENT:
        of = eval_static_shape(e, expr->kids[0]);
        return of && of->kind != SHAPE_STRUCT ? of : NULL;
    case CPP_NEW:
        return pointer_to(e, eval_shape(e, expr->type));
    default:
        return NULL;
    }
}
