/* SPDX-License-Identifier: MIT */
#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* What a function is given: parameters are variables, a reference is what it refers to. */

static bool is_list(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

/* By value: an object of a class, or an array or vector, is copied. */
static bool bind_copy(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span)
{
    if (cell->shape->kind == SHAPE_STRUCT && cell->shape->structure &&
        cell->shape->structure->is_own)
        return eval_set_object(e, cell, value, span);
    return !is_list(cell->shape) || eval_set(e, cell, value, span);
}

static const struct code_shape *pointer_to(struct eval *e, const struct code_shape *of)
{
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    *made = (struct code_shape){.kind = SHAPE_POINTER, .of = of};
    return made;
}

/* Parameters are variables; a reference is the variable that it refers to. */
bool eval_bind_parameter(struct eval *e, const struct code_function *function, uint32_t index,
                         const struct code_value *value, struct span span)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct parameter *parameter = &function->parameters[index];
    bool reference = parameter->type && parameter->type->kind == CPP_TYPE_REFERENCE;
    const struct code_shape *shape = parameter->type ? eval_shape(e, parameter->type) : &any;
    if (shape && parameter->type && parameter->type->kind == CPP_TYPE_ARRAY)
        shape = pointer_to(e, shape->of);
    struct code_value is = *value;
    struct lvalue place, to;
    if (!shape)
        return false;
    if (reference && value->kind == VALUE_CELL && value->is_reference &&
        is_list(value->cell->shape)) {
        if (parameter->name)
            eval_bind_reference(e, parameter->name, value->cell);
        return true;
    }
    if (reference && value->kind == VALUE_CELL && (!value->is_object || eval_class_of(value)) &&
        (shape->kind != SHAPE_STRUCT || !shape->structure || eval_is_of(e, value, shape)) &&
        eval_pointed_to(e, value, 0, span, &place) && place.cell) {
        if (parameter->name)
            eval_bind_reference(e, parameter->name, place.cell);
        return true;
    }
    struct code_cell *cell =
        eval_new_cell(e, parameter->name ? parameter->name : "parameter", shape);
    if (reference && value->kind == VALUE_FUNCTION) {
        cell->value = *value;
        if (parameter->name)
            eval_bind(e, parameter->name, cell);
        return true;
    }
    if (reference && value->kind == VALUE_CHOICE) {
        place = eval_place_of_choice(value->choice);
        if (parameter->name)
            eval_bind(e, parameter->name, eval_refer_to_choice(e, parameter->name, &place));
        return true;
    }
    if (reference && value->kind == VALUE_ADDRESS) {
        cell->location = value->location;
        cell->offset = value->number;
        if (parameter->name)
            eval_bind(e, parameter->name, cell);
        return true;
    }
    bool object =
        shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
    if (shape->kind == SHAPE_AUTO && eval_class_of(value)) {
        cell->shape = value->cell->shape;
        object = true;
    }
    if (shape->kind == SHAPE_AUTO && eval_is_of_unknown_type(e, value))
        cell->is_opaque = true;
    if (object) {
        if (!bind_copy(e, cell, value, span))
            return false;
        if (value->kind != VALUE_CELL && !cell->parts.len)
            cell->value = *value;
        if (parameter->name)
            eval_bind_taken(e, parameter->name, cell);
        return true;
    }
    if (parameter->name && function->body && eval_takes_address(e, function->body, parameter->name))
        eval_place_member(e, cell, true);
    to = eval_place_of_cell(cell);
    if (!eval_convert(e, &is, shape, span) || !eval_cast(e, &is, shape, span) ||
        !(to.cell ? eval_set(e, cell, &is, span) : eval_write(e, &to, &is, span)))
        return false;
    if (parameter->name)
        eval_bind(e, parameter->name, cell);
    return true;
}

/* An array or vector, which is no pointer to its first element where it is referred to. */
static struct code_value whole_list(struct eval *e, const struct lvalue *place)
{
    struct code_cell *cell = place->cell;
    if (!cell) {
        cell = eval_new_cell(e, "list", place->shape);
        cell->location = place->location;
        cell->offset = place->offset;
    }
    return (struct code_value){.kind = VALUE_CELL, .cell = cell, .is_reference = true};
}

static bool argument_value(struct eval *e, const struct parameter *parameter,
                           const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    if (parameter->type && parameter->type->kind == CPP_TYPE_REFERENCE &&
        (expr->kind == CPP_NAME || expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER ||
         expr->kind == CPP_UNARY)) {
        if (!eval_places_of(e, expr, &place))
            return false;
        if (place.choice) {
            bool good = eval_point_to(e, &place, to);
            to->is_place = true;
            return good;
        }
        if (!place.cell || place.cell->value.kind == VALUE_NOTHING || !place.cell->is_const) {
            if (is_list(place.shape)) {
                *to = whole_list(e, &place);
                return true;
            }
            bool object = place.cell && place.cell->shape->kind == SHAPE_STRUCT;
            if (object)
                place.array = NULL; /* it is no pointer, of which there may be a next one */
            bool good = eval_point_to(e, &place, to);
            to->is_object = object;
            to->is_place = true;
            return good;
        }
    }
    return eval_address(e, expr, to);
}

/* A list stays one: the parameter says what it makes. */
bool eval_given_argument(struct eval *e, const struct parameter *parameter,
                         const struct cpp_expr *expr, struct code_value *to)
{
    const struct code_shape *shape =
        parameter->type && expr->kind == CPP_LIST ? eval_shape(e, parameter->type) : NULL;
    if (!shape || shape->kind == SHAPE_AUTO)
        return argument_value(e, parameter, expr, to);
    struct cpp_declarator one = {.value = expr, .span = expr->span};
    struct code_cell *cell = eval_new_cell(e, "argument", shape);
    *to = (struct code_value){.kind = VALUE_CELL,
                              .cell = cell,
                              .is_object = shape->kind == SHAPE_STRUCT,
                              .is_temporary = shape->kind == SHAPE_STRUCT};
    if (shape->kind == SHAPE_STRUCT && eval_holds_objects(e, shape)) {
        vec_push(e->arena, &e->temporaries, cell);
        return eval_make_object(e, cell, &one);
    }
    bool aggregate =
        shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
    if (aggregate)
        return eval_initialize(e, cell, &one);
    *to = eval_number(0, TYPE_S32);
    return !expr->kid_count || eval_value(e, expr->kids[0], to);
}

bool eval_thread_argument(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    if (!eval_address(e, expr, to))
        return false;
    bool refers = eval_is_call_of(expr, "ref") || eval_is_call_of(expr, "cref");
    if (refers && to->kind == VALUE_CELL && !to->number && to->cell->shape->kind == SHAPE_STRUCT)
        to->is_object = true;
    return true;
}
