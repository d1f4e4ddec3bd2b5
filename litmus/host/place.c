/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

#include "litmus/host/choice.h"
#include "litmus/host/gap.h"

enum { DEEPEST_ARROWS = 8 };

/* What can be read, written and pointed to: variables and memory. */

const char *eval_word(const struct cpp_expr *expr)
{
    return expr->kind == CPP_NAME ? cpp_plain_word(&expr->name) : NULL;
}

uint64_t eval_unit(const struct eval *e, uint32_t location)
{
    return type_bytes(e->p->locations.at[location].type);
}

uint64_t eval_step_of(struct eval *e, const struct code_value *pointer)
{
    bool typed = pointer->shape && pointer->shape->kind != SHAPE_AUTO;
    return typed ? eval_bytes(e, pointer->shape) : eval_unit(e, pointer->location);
}

bool eval_is_location(const struct eval *e, const struct cpp_expr *expr, uint32_t *location)
{
    const char *word = eval_word(expr);
    if (!word || eval_find(e, word))
        return false;
    *location = names_get(&e->p->location_names, NONE, word, strlen(word));
    return *location != NONE;
}

struct lvalue eval_place_of_cell(struct code_cell *cell)
{
    if (cell->value.kind == VALUE_CELL && cell->value.is_reference) /* a member that is one */
        return eval_place_of_cell(cell->value.cell);
    if (cell->value.kind == VALUE_CHOICE && cell->value.is_reference)
        return eval_place_of_choice(cell->value.choice);
    struct lvalue place = {
        .location = cell->location, .offset = cell->offset, .shape = cell->shape};
    if (cell->location == NONE)
        place.cell = cell;
    return place;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool is_array(const struct code_shape *shape)
{
    return shape && (shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR);
}

bool eval_pointed_to(struct eval *e, const struct code_value *pointer, uint64_t index,
                     struct span span, struct lvalue *to)
{
    if (pointer->kind == VALUE_CELL) {
        *to = (struct lvalue){.array = pointer->cell, .index = pointer->number + index};
        to->cell =
            is_array(pointer->cell->shape) ? eval_part(e, pointer->cell, to->index) : pointer->cell;
        struct lvalue is = eval_place_of_cell(to->cell);
        is.array = is_array(pointer->cell->shape) ? pointer->cell : NULL;
        is.index = to->index;
        *to = is;
        return true;
    }
    if (pointer->kind == VALUE_ADDRESS) {
        uint64_t unit = eval_step_of(e, pointer);
        *to = (struct lvalue){.location = pointer->location,
                              .offset = pointer->number + index * unit,
                              .shape = pointer->shape};
        return true;
    }
    return eval_needs(e, pointer, span, "a pointer");
}

bool eval_place_of_value(struct eval *e, const struct code_value *value, struct span span,
                         struct lvalue *to)
{
    if (value->kind == VALUE_CELL && (value->is_reference || value->is_object))
        return eval_pointed_to(e, value, 0, span, to);
    if ((value->kind == VALUE_ADDRESS || value->kind == VALUE_CHOICE) && value->is_reference)
        return eval_places_pointed_to(e, value, span, to);
    *to = eval_place_of_cell(eval_constant_cell(e, value));
    return true;
}

/* "a->b" of an object is "a.operator->()->b". */
static bool follow(struct eval *e, struct code_value *base, struct span span)
{
    for (unsigned depth = 0; eval_class_of(base) && depth < DEEPEST_ARROWS; depth++) {
        bool good;
        const struct code_function *arrow =
            eval_choose_by_values(e, "operator->", base->cell->shape, NULL, 0, span, &good);
        if (!good)
            return false;
        if (!arrow)
            break;
        if (!eval_call_values(e, arrow, base->cell, NULL, 0, span, base))
            return false;
    }
    return true;
}

bool eval_objects_of(struct eval *e, const struct cpp_expr *member, struct lvalue *to)
{
    struct code_value base;
    if (!member->is_arrow)
        return eval_places_of(e, member->kids[0], to);
    return eval_value(e, member->kids[0], &base) && follow(e, &base, member->span) &&
           eval_places_pointed_to(e, &base, member->span, to);
}

/* A member of a structure that lies in memory: the memory has elements of the size of each of its members. */
static bool member_in_memory(struct eval *e, const struct cpp_expr *expr,
                             const struct lvalue *object, const char *name, struct lvalue *to)
{
    const struct code_shape *shape;
    uint64_t offset;
    *to = *object;
    if (!object->shape || object->shape->kind != SHAPE_STRUCT || !object->shape->structure ||
        !eval_member_offset(e, object->shape, name, &offset, &shape)) {
        eval_error(e, host_argument, expr->span, "use a variable of each member's type",
                   "structures in memory are not read");
        return false;
    }
    to->offset += offset;
    to->shape = shape;
    return true;
}

static bool member_of(struct eval *e, const struct lvalue *object, const void *data,
                      struct lvalue *to)
{
    const struct cpp_expr *expr = data;
    const char *name = cpp_last_part(&expr->name)->word;
    if (!object->cell)
        return member_in_memory(e, expr, object, name, to);
    *to = eval_place_of_cell(eval_member(e, object->cell, name));
    return true;
}

static bool member(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct lvalue object;
    if (expr->name.part_count > 1) {
        eval_error(e, host_statement, expr->span, "give the members different names",
                   "a member of a base that is named is not modelled");
        return false;
    }
    return eval_objects_of(e, expr, &object) && eval_part_of_each(e, &object, member_of, expr, to);
}

/* The target of an assignment may be a name that nothing declares: a register. */
static bool is_new_name(const struct eval *e, const struct cpp_expr *expr)
{
    struct code_value value;
    uint32_t location;
    const char *word = eval_word(expr);
    return word && !e->is_file && expr->name.part_count == 1 && !eval_find(e, word) &&
           !eval_find_made_by_use(e, word) && !eval_is_location(e, expr, &location) &&
           !eval_runtime_word(word, &value) &&
           names_get(&e->p->host_names, 0, word, strlen(word)) == NONE;
}

static bool place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct code_value value;
    switch (expr->kind) {
    case CPP_NAME:
        return eval_place_of_name(e, expr, to);
    case CPP_INDEX:
        return eval_element(e, expr, to);
    case CPP_MEMBER:
        return member(e, expr, to);
    case CPP_CAST:
        return eval_place_of(e, expr->kids[0], to);
    case CPP_UNARY:
        if (expr->mark == CPP_MARK_MUL) {
            bool found;
            if (!eval_value(e, expr->kids[0], &value) ||
                !eval_operator(e, "*", &value, NULL, expr->span, &found))
                return false;
            if (found)
                return eval_place_of_value(e, &value, expr->span, to);
            if (value.kind == VALUE_FUNCTION || value.kind == VALUE_KERNEL) {
                *to = eval_place_of_cell(eval_constant_cell(e, &value));
                return true;
            }
            return eval_places_pointed_to(e, &value, expr->span, to);
        }
        break;
    case CPP_CONDITIONAL: {
        uint32_t otherwise = eval_new_aim(e);
        if (!eval_is_certain(e, expr->kids[0]))
            break;
        enum eval_truth is = eval_branch(e, expr->kids[0], false, otherwise);
        return is != EVAL_FAILED && eval_place_of(e, expr->kids[is == EVAL_TRUE ? 1 : 2], to);
    }
    case CPP_CALL:
        if (eval_atomic_reference(e, expr, to))
            return true;
        if (!eval_call(e, expr, true, &value))
            return false;
        if ((value.kind == VALUE_CELL && !value.is_object && !value.is_reference &&
             expr->kids[0]->kind == CPP_MEMBER) ||
            (value.kind == VALUE_ADDRESS && expr->kids[0]->kind == CPP_MEMBER &&
             !value.is_reference))
            return eval_pointed_to(e, &value, 0, expr->span, to);
        return eval_place_of_value(e, &value, expr->span, to);
    default:
        break;
    }
    return eval_value(e, expr, &value) && eval_place_of_value(e, &value, expr->span, to);
}

bool eval_places_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    bool good = place_of(e, expr, to);
    to->span = expr->span;
    return good;
}

bool eval_place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    return eval_places_of(e, expr, to) && eval_is_one_place(e, to);
}

bool eval_target(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    if (!is_new_name(e, expr))
        return eval_places_of(e, expr, to);
    *to = eval_place_of_cell(eval_made_by_use(e, eval_word(expr), false));
    return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

bool eval_fits_location(struct eval *e, const struct lvalue *place, struct span span)
{
    const struct location *location = &e->p->locations.at[place->location];
    if (!place->shape || place->shape->kind != SHAPE_NUMBER || location->type == TYPE_NONE ||
        (type_bytes(place->shape->type) == type_bytes(location->type) &&
         place->offset % type_bytes(location->type) == 0))
        return true;
    eval_error(e, host_argument, span, "declare the memory with the type of the access",
               "'%s' is accessed by another type than it has", location->name);
    return false;
}

bool eval_is_in_bounds(struct eval *e, const struct lvalue *place, struct span span)
{
    const struct location *location = &e->p->locations.at[place->location];
    uint64_t unit = eval_unit(e, place->location);
    if (place->offset / unit < location->elements)
        return true;
    eval_error(e, number_out_of_range, span, NULL, "'%s' has %u element%s", location->name,
               location->elements, location->elements == 1 ? "" : "s");
    return false;
}

enum type eval_read_type(const struct eval *e, const struct lvalue *place)
{
    enum type type = e->p->locations.at[place->location].type;
    if (place->shape && place->shape->kind == SHAPE_NUMBER)
        return place->shape->type;
    return type_is_float(type) ? type : TYPE_NONE;
}

/* An array of C becomes a pointer to its first element. */
static const struct code_shape *copied_list(const struct code_shape *shape)
{
    return is_array(shape) && (shape->kind == SHAPE_VECTOR || shape->word) ? shape : NULL;
}

bool eval_is_other_kind(const struct eval *e, const struct lvalue *place)
{
    enum type type = e->p->locations.at[place->location].type;
    return e->is_file && place->shape && place->shape->kind == SHAPE_NUMBER &&
           place->shape->type != TYPE_NONE && type != TYPE_NONE &&
           type_is_float(place->shape->type) != type_is_float(type);
}

/* What was loaded has the memory's type: it becomes one of the access. */
static bool as_accessed(struct eval *e, const struct lvalue *place, struct span span,
                        struct code_value *to)
{
    enum type type = e->p->locations.at[place->location].type;
    if (!e->is_file || type == TYPE_NONE || to->type == TYPE_NONE || type_is_float(type) ||
        type == to->type)
        return true;
    const struct code_shape *shape = eval_number_shape(e, to->type);
    to->type = type;
    return eval_cast(e, to, shape, span);
}

static bool read_memory(struct eval *e, const struct lvalue *place, struct span span,
                        struct code_value *to)
{
    struct raw_operand operands[2];
    const struct code_shape *shape = place->shape;
    if (is_array(shape) || (shape && shape->kind == SHAPE_STRUCT)) { /* an array: its address */
        *to = (struct code_value){.kind = VALUE_ADDRESS, .location = place->location};
        to->number = place->offset;
        to->shape = shape->kind == SHAPE_STRUCT ? shape : shape->of;
        to->list = copied_list(shape);
        return true;
    }
    if (gap_of_memory(e, place->location)) {
        *to = gap_value(gap_of_memory(e, place->location), span);
        return true;
    }
    if (!eval_fits_location(e, place, span) || !eval_is_in_bounds(e, place, span))
        return false;
    if (eval_is_other_kind(e, place)) {
        *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = span};
        return true;
    }
    if (shape && shape->is_atomic)
        return eval_atomic_read(e, place, shape->scope == SCOPE_NONE ? SEM_RELAXED : SEM_SC, span,
                                to);
    operands[0] = eval_temporary(e, span);
    operands[1] = eval_memory(place, span);
    eval_emit(e, (struct raw_inst){.op = OP_LD}, operands, 2, span);
    *to = eval_in_register(operands[0], eval_read_type(e, place));
    to->holds = shape && shape->is_bool ? TYPE_PRED : e->p->locations.at[place->location].type;
    return as_accessed(e, place, span, to);
}

static bool read_one(struct eval *e, const struct lvalue *place, const void *data,
                     struct code_value *to)
{
    const struct span *span = data;
    return eval_read(e, place, *span, to);
}

bool eval_read(struct eval *e, const struct lvalue *place, struct span span, struct code_value *to)
{
    struct code_cell *cell = place->cell;
    if (place->choice)
        return eval_use_of_each(e, place, span, read_one, &span, to);
    if (!cell)
        return read_memory(e, place, span, to);
    if (!eval_take_to_read(e, cell, span))
        return false;
    *to = cell->value;
    if (cell->shape->kind == SHAPE_POINTER && to->kind != VALUE_ADDRESS && to->kind != VALUE_CELL)
        to->shape = cell->shape->of; /* also of a null pointer */
    if (to->kind == VALUE_UNKNOWN && to->number)
        return true;
    if (is_array(cell->shape) || cell->shape->kind == SHAPE_STRUCT ||
        (cell->parts.len && to->kind == VALUE_NOTHING) || cell->shape->kind >= SHAPE_THREAD)
        *to = (struct code_value){.kind = VALUE_CELL,
                                  .cell = cell,
                                  .is_object = cell->shape->kind == SHAPE_STRUCT,
                                  .list = copied_list(cell->shape)};
    if (cell->shape->kind == SHAPE_STRUCT && cell->value.kind == VALUE_OBJECT)
        *to = cell->value;
    if (to->kind == VALUE_REGISTER && cell->host != e->host && cell->host != NONE) {
        eval_error(e, host_argument, span, "make it std::atomic, or a location of the test",
                   "'%s' is a variable of another thread", cell->name);
        return false;
    }
    if (to->kind != VALUE_NOTHING || cell->shape->kind == SHAPE_OBJECT ||
        cell->shape->kind == SHAPE_VOID)
        return true;
    *to = (struct code_value){.kind = VALUE_UNKNOWN, .name = span, .shape = to->shape};
    return true;
}

/* Its elements stay where they are, whatever comes before them. */
static bool is_deque(const struct code_shape *shape)
{
    return shape->word && strcmp(shape->word, "deque") == 0;
}

bool eval_point_to(struct eval *e, const struct lvalue *place, struct code_value *to)
{
    (void)e;
    if (place->choice) {
        *to = (struct code_value){
            .kind = VALUE_CHOICE, .choice = place->choice, .shape = place->shape};
        return true;
    }
    if (place->cell) {
        *to = (struct code_value){.kind = VALUE_CELL, .cell = place->cell};
        if (place->array && !is_deque(place->array->shape)) {
            to->cell = place->array;
            to->number = place->index;
        }
        return true;
    }
    *to = (struct code_value){.kind = VALUE_ADDRESS, .location = place->location};
    to->number = place->offset;
    to->shape = is_array(place->shape) ? place->shape->of : place->shape;
    return true;
}

bool eval_address(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    struct code_value by;
    uint32_t location;
    bool sum =
        expr->kind == CPP_BINARY && (expr->mark == CPP_MARK_ADD || expr->mark == CPP_MARK_SUB);
    if (expr->kind == CPP_CAST)
        return eval_address(e, expr->kids[0], to) &&
               eval_cast(e, to, eval_shape(e, expr->type), expr->span);
    if (sum)
        return eval_address(e, expr->kids[0], to) && eval_value(e, expr->kids[1], &by) &&
               eval_binary(e, expr->mark, to, &by, expr->span);
    if (eval_is_location(e, expr, &location) ||
        (expr->kind == CPP_INDEX && eval_is_location(e, expr->kids[0], &location)))
        return eval_place_of(e, expr, &place) && eval_point_to(e, &place, to);
    return eval_value(e, expr, to);
}
