/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* Assignments: of values, of lists, of the parts of a tuple. */

/* "p = {1, 2}", "n = {}" */
static bool assign_list(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct lvalue place;
    const struct cpp_expr *list = expr->kids[1];
    if (!eval_target(e, expr->kids[0], &place))
        return false;
    const struct code_shape *shape = place.shape;
    bool whole =
        place.cell && shape &&
        (shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_VECTOR || shape->kind == SHAPE_ARRAY);
    *to = eval_number(0, TYPE_S32);
    if (!whole)
        return (!list->kid_count || eval_value(e, list->kids[0], to)) &&
               eval_write(e, &place, to, expr->span);
    struct cpp_declarator one = {.value = list, .span = list->span};
    struct code_cell *made = eval_new_cell(e, place.cell->name, shape);
    bool object = eval_holds_objects(e, shape);
    *to = (struct code_value){.kind = VALUE_CELL,
                              .cell = made,
                              .is_object = shape->kind == SHAPE_STRUCT,
                              .is_temporary = shape->kind == SHAPE_STRUCT};
    if (!(object ? eval_make_object : eval_initialize)(e, made, &one) ||
        !eval_write(e, &place, to, expr->span))
        return false;
    if (object)
        vec_push(e->arena, &e->temporaries, made);
    return true;
}

/* "std::tie(a, b) = p": each gets a part; false: it is none, else *good says how it went. */
static bool tied(struct eval *e, const struct cpp_expr *expr, bool *good)
{
    struct code_value whole, part;
    const struct cpp_expr *tie = expr->kids[0];
    if (!eval_is_call_of(tie, "tie") || expr->mark != CPP_MARK_ASSIGN)
        return false;
    *good = eval_value(e, expr->kids[1], &whole);
    if (*good && whole.kind != VALUE_CELL)
        *good = eval_needs(e, &whole, expr->kids[1]->span, "a tuple");
    for (uint32_t i = 0; *good && i + 1 < tie->kid_count; i++) {
        struct lvalue place, from;
        *good = eval_part_of(e, &whole, i, expr->span, &from) &&
                eval_read(e, &from, expr->span, &part) &&
                eval_place_of(e, tie->kids[i + 1], &place) &&
                eval_write(e, &place, &part, expr->span);
    }
    return true;
}

bool eval_as_held(struct eval *e, const struct lvalue *place, struct span span,
                  struct code_value *value)
{
    const struct code_shape *shape = place->shape;
    if (!shape || shape->kind != SHAPE_NUMBER || shape->type == TYPE_NONE)
        return true;
    return place->cell ? eval_read(e, place, span, value) : eval_cast(e, value, shape, span);
}

bool eval_write_kept(struct eval *e, const struct lvalue *place, struct code_value *value,
                     struct span span)
{
    if (place->choice)
        eval_keep(e, value, span);
    return eval_write(e, place, value, span);
}

bool eval_assign(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to)
{
    enum cpp_mark mark = cpp_mark_assigns(expr->mark);
    struct lvalue place;
    struct code_value right;
    bool tie;
    if (expr->kids[1]->kind == CPP_LIST && mark == CPP_MARK_ASSIGN)
        return assign_list(e, expr, to);
    if (tied(e, expr, &tie))
        return tie;
    if (!eval_value(e, expr->kids[1], &right))
        return false;
    if (eval_has_effects(e, expr->kids[0]))
        eval_keep(e, &right, expr->kids[1]->span);
    if (!eval_target(e, expr->kids[0], &place))
        return false;
    *to = right;
    if (mark == CPP_MARK_ASSIGN && !eval_write_kept(e, &place, to, expr->span))
        return false;
    if (place.cell && place.cell->shape->kind == SHAPE_STRUCT && place.cell->shape->structure) {
        struct code_value object = {.kind = VALUE_CELL, .cell = place.cell, .is_object = true};
        bool found = true;
        *to = object;
        if (mark != CPP_MARK_ASSIGN &&
            (!eval_operator(e, cpp_mark_text(expr->mark), &object, &right, expr->span, &found) ||
             !found))
            return found ? false : eval_needs(e, to, expr->span, "a number");
        return true;
    }
    if (mark == CPP_MARK_ASSIGN)
        return !used || eval_as_held(e, &place, expr->span, to);
    bool atomic =
        !place.cell && place.shape && place.shape->is_atomic && place.shape->scope != SCOPE_NONE;
    if (atomic && (mark == CPP_MARK_ADD || mark == CPP_MARK_SUB)) {
        struct code_value zero = eval_number(0, TYPE_S64);
        if (mark == CPP_MARK_SUB && !eval_binary(e, CPP_MARK_SUB, &zero, &right, expr->span))
            return false;
        return eval_atomic_update(e, &place, ATOM_ADD, mark == CPP_MARK_SUB ? &zero : &right,
                                  SEM_SC, false, expr->span, to);
    }
    return eval_read(e, &place, expr->span, to) && eval_binary(e, mark, to, &right, expr->span) &&
           eval_write_kept(e, &place, to, expr->span) &&
           (!used || eval_as_held(e, &place, expr->span, to));
}
