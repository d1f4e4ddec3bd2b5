/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* How objects are copied and moved: by the functions of their classes, or member by member. */

static const struct code_function *copying(struct eval *e, const struct code_shape *shape,
                                           const char *word, const struct code_value *value,
                                           struct span span, bool *good)
{
    const struct code_function *found = NULL;
    *good = true;
    const struct structure *of = shape->structure;
    for (uint32_t i = 0; i < e->functions.len; i++) { /* "W(const W &)", "W(W &&)" */
        const struct code_function *one = e->functions.at[i];
        const char *name = arena_printf(e->arena, "%s::%s", of->name, *word ? word : of->name);
        if (one->of != of || strcmp(one->name, name) != 0 || one->parameter_count != 1)
            continue;
        const struct cpp_type *type = one->parameters[0].type;
        const struct cpp_type *bare = type && type->kind == CPP_TYPE_REFERENCE ? type->to : type;
        bool same = bare && bare->kind == CPP_TYPE_NAMED &&
                    strcmp(cpp_last_part(&bare->name)->word, of->name) == 0;
        bool moves = type && type->kind == CPP_TYPE_REFERENCE && type->is_rvalue;
        if (!same || (moves && !value->is_moved && !value->is_temporary))
            found = same && !found ? one : found;
        else if (!found || moves || found->parameters[0].type->is_rvalue == moves)
            found = one;
    }
    bool refuses = found && (found->is_deleted || (found->parameters[0].type->is_rvalue &&
                                                   !value->is_moved && !value->is_temporary));
    if (refuses) {
        eval_error(e, host_statement, span, "move it, or use a reference",
                   "objects of the class '%s' are not copied", of->name);
        *good = false;
    }
    return found && found->is_default ? NULL : found;
}

/* What the temporary consists of; only its name goes. */
static void take(struct eval *e, struct code_cell *cell, struct code_cell *from)
{
    cell->parts = from->parts;
    cell->is_class = true;
    cell->shape = cell->shape->structure == from->shape->structure ? from->shape : cell->shape;
    for (uint32_t i = 0; i < cell->parts.len; i++)
        if (cell->parts.at[i]->member)
            cell->parts.at[i]->name =
                arena_printf(e->arena, "%s.%s", cell->name, cell->parts.at[i]->member);
    from->is_class = false;
    from->parts.len = 0;
}

static bool transfer(struct eval *e, struct code_cell *to, const struct code_value *value,
                     struct span span, bool is_new);

static bool is_list_of_numbers(const struct code_shape *shape)
{
    while (shape->kind == SHAPE_ARRAY)
        shape = shape->of;
    return shape->kind == SHAPE_NUMBER;
}

/* Arrays of numbers in memory, element by element. */
static bool transfer_memory(struct eval *e, struct code_cell *to, const struct code_cell *from,
                            struct span span)
{
    const struct code_shape *of = to->shape;
    uint64_t count = 1, unit = eval_unit(e, to->location);
    for (; of->kind == SHAPE_ARRAY; of = of->of)
        count *= of->count;
    for (uint64_t i = 0; i < count; i++) {
        struct lvalue source = {
            .location = from->location, .offset = from->offset + i * unit, .shape = of};
        struct lvalue place = {
            .location = to->location, .offset = to->offset + i * unit, .shape = of};
        struct code_value value;
        if (!eval_read(e, &source, span, &value) || !eval_write(e, &place, &value, span))
            return false;
    }
    return true;
}

static bool transfer_part(struct eval *e, struct code_cell *to, struct code_cell *from,
                          const struct code_value *whole, struct span span, bool is_new)
{
    struct code_value part = {.kind = VALUE_CELL,
                              .cell = from,
                              .is_object = true,
                              .is_moved = whole->is_moved || whole->is_temporary};
    struct code_value value;
    if (to->shape->kind >= SHAPE_THREAD) {
        eval_error(e, host_statement, span, "use a pointer to it",
                   "a thread or lock in an object that is copied is not modelled");
        return false;
    }
    if (to->shape->kind == SHAPE_STRUCT && to->shape->structure)
        return transfer(e, to, &part, span, is_new);
    if (eval_is_list_shape(to->shape) && from->location == NONE) {
        if (to->shape->kind == SHAPE_VECTOR)
            to->parts.len = 0;
        for (uint32_t i = 0; i < from->parts.len; i++)
            if (!transfer_part(e, eval_part(e, to, i), from->parts.at[i], whole, span, is_new))
                return false;
        if (part.is_moved && from->shape->kind == SHAPE_VECTOR)
            from->parts.len = 0; /* its elements have moved */
        return true;
    }
    if (eval_is_list_shape(to->shape) && to->location != NONE && is_list_of_numbers(to->shape))
        return transfer_memory(e, to, from, span);
    if (eval_is_list_shape(to->shape)) {
        eval_error(e, host_statement, span, "assign each element",
                   "'%s' of a structure that is copied is in memory", from->name);
        return false;
    }
    struct lvalue at = eval_place_of_cell(from), place = eval_place_of_cell(to);
    if (from->value.kind == VALUE_NOTHING && from->location == NONE &&
        from->shape->kind != SHAPE_OBJECT)
        return true; /* it has no value */
    if (from->value.is_reference) {
        to->value = from->value;
        return true;
    }
    if (!eval_read(e, &at, span, &value))
        return false;
    eval_keep_copy(e, &value, span);
    return place.cell ? eval_set(e, to, &value, span) : eval_write(e, &place, &value, span);
}

/* Member by member, or as the class says. */
static bool transfer(struct eval *e, struct code_cell *to, const struct code_value *value,
                     struct span span, bool is_new)
{
    struct code_cell *from = value->cell;
    bool good;
    const struct code_function *own =
        eval_is_class(e, to->shape)
            ? copying(e, to->shape, is_new ? "" : "operator=", value, span, &good)
            : (good = true, NULL);
    struct code_value dropped, argument = *value;
    argument.is_reference = true;
    to->is_class = is_new ? eval_is_class(e, to->shape) : to->is_class;
    if (!good)
        return false;
    if (own)
        return eval_call_values(e, own, to, &argument, 1, span, &dropped);
    if (to == from)
        return true;
    for (uint32_t i = 0; i < from->parts.len; i++) {
        struct code_cell *part = from->parts.at[i];
        if (part->member &&
            !transfer_part(e, eval_member(e, to, part->member), part, value, span, is_new))
            return false;
    }
    return true;
}

bool eval_copy_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span)
{
    if (value->is_temporary && !value->cell->member) {
        take(e, cell, value->cell);
        return true;
    }
    return transfer(e, cell, value, span, true);
}

bool eval_assign_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span)
{
    return transfer(e, cell, value, span, false);
}

bool eval_is_of(struct eval *e, const struct code_value *value, const struct code_shape *shape)
{
    if (value->kind != VALUE_CELL || !value->is_object || value->cell->shape->kind != SHAPE_STRUCT)
        return false;
    struct class_levels levels = eval_levels(e, value->cell->shape);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == shape->structure)
            return true;
    return false;
}

bool eval_set_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                     struct span span)
{
    if (value->kind == VALUE_UNKNOWN)
        return eval_needs(e, value, span, "an object");
    if (value->kind == VALUE_CELL && eval_is_of(e, value, cell->shape))
        return eval_copy_object(e, cell, value, span);
    cell->is_class = eval_is_class(e, cell->shape);
    return eval_make_by_value(e, cell, value, span);
}
