/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* Variables and memory get values. */

static bool is_array(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

static bool write_memory(struct eval *e, const struct lvalue *place, const struct code_value *value,
                         struct span span)
{
    struct raw_operand operands[2];
    const struct code_shape *shape = place->shape;
    enum type type = e->p->locations.at[place->location].type;
    struct code_value stored = *value;
    if (shape && shape->is_bool && !eval_cast(e, &stored, shape, span))
        return false;
    if (!eval_fits_location(e, place, span) || !eval_is_in_bounds(e, place, span))
        return false;
    if (type_is_float(type) && (value->kind == VALUE_NUMBER || value->kind == VALUE_FLOAT))
        stored = (struct code_value){
            .kind = VALUE_NUMBER, .type = TYPE_NONE, .number = eval_float_bits(value, type)};
    else if (stored.kind == VALUE_FLOAT && type != TYPE_NONE &&
             !eval_cast(e, &stored, eval_number_shape(e, type), span))
        return false;
    if (!eval_float_fits(&stored, type) || eval_is_other_kind(e, place))
        stored = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    if (shape && shape->is_atomic)
        return eval_atomic_write(e, place, &stored,
                                 shape->scope == SCOPE_NONE ? SEM_RELAXED : SEM_SC, span);
    operands[0] = eval_memory(place, span);
    if (!eval_operand(e, &stored, span, &operands[1]))
        return false;
    eval_emit(e, (struct raw_inst){.op = OP_ST}, operands, 2, span);
    return true;
}

/* A number gets a register of its own, which the other variable does not change. */
static bool copy_value(struct eval *e, struct code_cell *to, const struct code_value *value,
                       struct span span)
{
    if (value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER ||
        value->kind == VALUE_FLOAT || value->kind == VALUE_FUNCTION)
        return eval_set(e, to, value, span);
    to->value = *value;
    return true;
}

static bool copy_parts(struct eval *e, struct code_cell *to, const struct code_cell *from,
                       struct span span)
{
    for (uint32_t i = 0; i < from->parts.len; i++) {
        const struct code_cell *part = from->parts.at[i];
        struct code_cell *copy = is_array(from->shape) && is_array(to->shape)
                                     ? eval_part(e, to, i)
                                     : eval_member(e, to, part->member);
        if (part->location != NONE) {
            eval_error(e, host_statement, span, "assign each element",
                       "'%s' of a structure that is copied is in memory", part->name);
            return false;
        }
        if (!copy_value(e, copy, &part->value, span) || !copy_parts(e, copy, part, span))
            return false;
    }
    return true;
}

/* A number or what is in a register, in the variable's own register. */
static bool set_number(struct eval *e, struct code_cell *cell, struct code_value value,
                       struct span span)
{
    struct raw_operand operands[2];
    enum type type = value.type;
    if (cell->shape->kind == SHAPE_NUMBER && !eval_cast(e, &value, cell->shape, span))
        return false;
    if (cell->shape->kind == SHAPE_NUMBER)
        type = cell->shape->type;
    if (value.kind == VALUE_FLOAT && !cell->is_const)
        eval_float_move(e, eval_variable(e, cell, span), &value, span);
    if (value.kind != VALUE_NUMBER && value.kind != VALUE_REGISTER) {
        cell->value = value;
        return true;
    }
    if (cell->is_const && value.kind == VALUE_NUMBER) {
        cell->value = value;
        return true;
    }
    operands[0] = eval_variable(e, cell, span);
    operands[1] = value.operand;
    if (value.kind == VALUE_NUMBER)
        operands[1] = eval_number_operand(value.number, span);
    bool done = value.kind == VALUE_REGISTER && eval_retarget(e, &value.operand, operands[0]);
    if (!done)
        eval_emit(e, (struct raw_inst){.op = OP_MOV}, operands, 2, span);
    cell->value = value.kind == VALUE_NUMBER ? value : eval_in_register(operands[0], type);
    if (value.kind == VALUE_REGISTER && (eval_is_float(&value) || value.holds == TYPE_PRED))
        cell->value.holds = value.holds;
    return true;
}

/* The elements of an array or vector in memory. */
static bool copy_memory(struct eval *e, struct code_cell *to, const struct code_value *from,
                        struct span span)
{
    const struct code_shape *of = to->shape->of;
    if (from->number || !of || of->kind != SHAPE_NUMBER) {
        eval_error(e, host_statement, span, "use a reference",
                   "a copy of an array or vector in memory is not modelled");
        return false;
    }
    if (to->shape->kind == SHAPE_VECTOR)
        to->parts.len = 0;
    for (uint32_t i = 0; i < e->p->locations.at[from->location].elements; i++) {
        struct lvalue place;
        struct code_value value;
        if (!eval_pointed_to(e, from, i, span, &place) || !eval_read(e, &place, span, &value) ||
            !eval_set(e, eval_part(e, to, i), &value, span))
            return false;
    }
    return true;
}

/* What is assigned to an object: another one, or what its class takes. */
static bool set_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                       struct span span)
{
    bool good;
    struct code_value dropped;
    if (value->kind == VALUE_UNKNOWN) {
        cell->value = *value;
        return value->number || eval_needs(e, value, span, "an object");
    }
    if (eval_is_of(e, value, cell->shape))
        return eval_assign_object(e, cell, value, span);
    const struct code_function *function =
        eval_choose_by_values(e, "operator=", cell->shape, value, 1, span, &good);
    if (!good)
        return false;
    if (function)
        return eval_call_values(e, function, cell, value, 1, span, &dropped);
    struct code_cell *made = eval_new_cell(e, cell->name, cell->shape);
    struct code_value object = {
        .kind = VALUE_CELL, .cell = made, .is_object = true, .is_temporary = true};
    bool is = eval_set_object(e, made, value, span) && eval_assign_object(e, cell, &object, span);
    vec_push(e->arena, &e->temporaries, made);
    return is;
}

/* "auto w = v": a vector or std::array of its own. */
static bool set_to_list(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span)
{
    if (eval_holds_objects(e, value->list)) {
        eval_error(e, host_statement, span, "name its type, or use a reference",
                   "a copy of an array or vector of objects is not modelled here");
        return false;
    }
    cell->shape = value->list;
    return eval_set(e, cell, value, span);
}

/* A std::function holds the function: it is called by other types. */
static void call_by(struct eval *e, struct code_cell *cell, const struct cpp_argument *signature)
{
    struct code_function *made = ARENA_NEW(e->arena, struct code_function);
    *made = *cell->value.function;
    made->called_as = signature;
    cell->value.function = made;
}

/* A std::string has characters of its own, a std::string_view those of something that may change. */
static bool set_text(struct eval *e, struct code_cell *cell, const struct code_value *value,
                     struct span span)
{
    if (cell->shape->kind != SHAPE_AUTO)
        return eval_needs(e, value, span, "of the variable's type");
    if (!cell->shape->is_text)
        cell->shape = &eval_string_shape;
    bool views = strcmp(cell->shape->word, "string_view") == 0 && value->is_string;
    struct code_value character = *value;
    if (value->kind == VALUE_NUMBER)
        character = eval_new_text(e, "", 0, span), eval_add_texts(e, &character, value, span);
    cell->value = eval_as_string(e, &character, span);
    if (views || (cell->value.kind != VALUE_STRING && cell->value.kind != VALUE_UNKNOWN))
        cell->value = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    return true;
}

/* The function is the variable's own: of a lambda that has a name, a copy of what it may change. */
static bool hold_function(struct eval *e, struct code_cell *cell, struct span span)
{
    bool good = cell->value.is_temporary || eval_copy_lambda(e, &cell->value, span);
    cell->value.is_temporary = false;
    if (cell->shape->signature)
        call_by(e, cell, cell->shape->signature);
    return good;
}

bool eval_set(struct eval *e, struct code_cell *cell, const struct code_value *value,
              struct span span)
{
    bool number = eval_is_number(value);
    if (e->is_dead || cell->is_opaque)
        return true;
    if (!eval_take_to_set(e, cell, span))
        return false;
    if (value->is_string || cell->shape->is_text)
        return set_text(e, cell, value, span);
    if (value->list && cell->shape->kind == SHAPE_AUTO)
        return set_to_list(e, cell, value, span);
    if (value->kind == VALUE_CELL && value->cell->shape->kind == SHAPE_THREAD &&
        cell->shape->kind == SHAPE_THREAD) {
        cell->value = value->cell->value;
        cell->parts = value->cell->parts;
        eval_keep_temporary(e, value->cell);
        return true;
    }
    if (cell->shape->kind == SHAPE_STRUCT && cell->shape->structure &&
        cell->shape->structure->is_own)
        return set_object(e, cell, value, span);
    if (value->kind == VALUE_CELL && value->cell->shape->kind == SHAPE_STRUCT &&
        cell->shape->kind == SHAPE_STRUCT)
        return copy_parts(e, cell, value->cell, span);
    if (is_array(cell->shape) && value->kind == VALUE_CELL && is_array(value->cell->shape)) {
        if (cell->shape->kind == SHAPE_VECTOR && value->cell != cell)
            cell->parts.len = 0;
        return value->cell == cell || copy_parts(e, cell, value->cell, span);
    }
    if (is_array(cell->shape) && value->kind == VALUE_ADDRESS)
        return copy_memory(e, cell, value, span);
    struct code_value converted = *value;
    if (eval_class_of(value) &&
        (cell->shape->kind == SHAPE_NUMBER || cell->shape->kind == SHAPE_POINTER ||
         cell->shape->kind == SHAPE_OBJECT)) {
        if (!eval_convert(e, &converted, cell->shape, span))
            return false;
        value = &converted;
        number = value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER ||
                 value->kind == VALUE_FLOAT;
    }
    if (number && cell->host == NONE && !cell->is_const)
        cell->host = e->host; /* a register is one thread's */
    if (number && cell->shape->kind != SHAPE_POINTER && cell->shape->kind != SHAPE_OBJECT)
        return set_number(e, cell, *value, span);
    cell->value = *value;
    if (value->kind == VALUE_STRING && value->text) /* of a std::string that may change */
        cell->value = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
    if (value->kind == VALUE_FUNCTION)
        return hold_function(e, cell, span);
    if (value->kind == VALUE_CELL && value->cell->shape->kind == SHAPE_THREAD)
        eval_keep_temporary(e, value->cell);
    if (value->kind == VALUE_ADDRESS)
        eval_name_memory(e, value->location, cell->name);
    if (value->kind == VALUE_CELL && cell->shape->kind == SHAPE_POINTER)
        eval_name_room(e, value->cell, cell->name);
    return true;
}

/* What is written to one of the places. */
struct written_value {
    struct code_value value;
    struct span span;
};

static bool write_one(struct eval *e, const struct lvalue *place, const void *data,
                      struct code_value *to)
{
    const struct written_value *writing = data;
    (void)to;
    return eval_write(e, place, &writing->value, writing->span);
}

/* A number, to one of several that hold such. */
static bool write_choice(struct eval *e, const struct lvalue *place, const struct code_value *value,
                         struct span span)
{
    struct written_value writing = {*value, span};
    struct code_value nothing;
    bool number = !place->shape || place->shape->kind == SHAPE_NUMBER ||
                  (place->shape->kind == SHAPE_AUTO && eval_is_number(value));
    if (!number)
        return eval_is_one_place(e, place);
    eval_keep(e, &writing.value, span);
    return eval_use_of_each(e, place, span, write_one, &writing, &nothing);
}

bool eval_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                struct span span)
{
    if (place->choice)
        return write_choice(e, place, value, span);
    if (!place->cell)
        return write_memory(e, place, value, span);
    if (place->cell->is_const && place->cell->value.kind != VALUE_NOTHING) {
        eval_error(e, cpp_type, span, NULL, "'%s' cannot be written", eval_text(e, span));
        return false;
    }
    return eval_set(e, place->cell, value, span);
}
