/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* new and delete: objects and memory that live until they are deleted. */

bool eval_new(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    const struct code_shape *shape = eval_shape(e, expr->type);
    struct code_shape *array = ARENA_NEW(e->arena, struct code_shape);
    uint32_t first = expr->launch_count;
    if (shape && shape->kind == SHAPE_ARRAY && first) /* "new T[n]" where T is "int[]" */
        shape = shape->of;
    uint64_t count = 1;
    bool class = shape && shape->kind == SHAPE_STRUCT && eval_is_class(e, shape);
    if (!shape || (!class && !eval_is_made_plainly(e, expr->type, shape, expr->span)) ||
        (first && !eval_known_number(e, expr->kids[0], "how many there are", &count)))
        return false;
    if (count > MAX_ELEMENTS) {
        eval_error(e, bad_array, expr->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    *array = (struct code_shape){.kind = SHAPE_ARRAY, .of = shape, .count = (uint32_t)count};
    struct cpp_declarator values = {.given = expr->kids + first,
                                    .given_count = expr->kid_count - first,
                                    .is_given = expr->kid_count > first,
                                    .is_braced = true,
                                    .span = expr->span};
    struct code_cell *cell = eval_new_cell(e, "new", array);
    *to = (struct code_value){.kind = VALUE_CELL, .cell = cell};
    values.is_braced = !class || expr->is_braced;
    if (class)
        return eval_make_object(e, first ? cell : eval_part(e, cell, 0), &values) &&
               (cell->is_class = true);
    if (!first && (shape->kind == SHAPE_MUTEX ||
                   (shape->kind >= SHAPE_THREAD && values.is_given))) /* "new std::thread(f, 1)" */
        return eval_thread_object(e, eval_part(e, cell, 0), &values);
    if (shape->kind == SHAPE_STRUCT && !first && values.is_given) /* "new W{1, 2}" */
        return eval_initialize(e, eval_part(e, cell, 0), &values);
    if (shape->kind == SHAPE_NUMBER) {
        *to = (struct code_value){.kind = VALUE_ADDRESS, .shape = shape};
        to->location = cell->location =
            eval_new_location(e, NULL, shape->type, count, MEMORY_PAGEABLE, expr->span);
    }
    return eval_initialize(e, cell, &values);
}

/* Of an object nobody knows it may do anything. */
bool eval_delete(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    if (!eval_value(e, expr->kids[0], to))
        return false;
    if (!eval_convert(e, to, NULL, expr->span))
        return false;
    if (to->kind == VALUE_CELL && !to->is_object) {
        struct code_cell *cell =
            to->cell; /* of an array that 'new' made, or of one that is part of it */
        if (cell->is_class ||
            (cell->shape->kind == SHAPE_ARRAY && eval_holds_objects(e, cell->shape)))
            eval_end_object(e, cell);
        cell->is_class = false;
    }
    return to->kind != VALUE_UNKNOWN || eval_needs(e, to, expr->span, "a pointer");
}
