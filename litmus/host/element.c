/* SPDX-License-Identifier: MIT */
#include "litmus/host/choice.h"
#include "litmus/host/eval.h"

/* "a[i]": an element of an array, or what the operator of a class gives. */

/* "a[i]" of an object whose class has the operator. */
static bool index_operator(struct eval *e, const struct cpp_expr *expr, bool *found,
                           struct lvalue *to)
{
    const char *word = eval_word(expr->kids[0]);
    struct code_cell *cell = word ? eval_find(e, word) : NULL;
    const struct cpp_expr *base = expr->kids[0];
    bool pointed =
        base->kind == CPP_UNARY && base->mark == CPP_MARK_MUL && !eval_has_effects(e, base);
    bool simple = base->kind == CPP_NAME || base->kind == CPP_MEMBER || pointed;
    struct lvalue place;
    struct code_value object, index;
    bool good;
    *found = false;
    if (!simple || (word && (!cell || cell->shape->kind != SHAPE_STRUCT)))
        return true;
    if (!word && !eval_place_of(e, expr->kids[0], &place))
        return false;
    if (word)
        place = eval_place_of_cell(cell);
    if (!place.cell || place.cell->shape->kind != SHAPE_STRUCT || !place.cell->shape->structure)
        return true;
    object = (struct code_value){.kind = VALUE_CELL, .cell = place.cell, .is_object = true};
    if (!eval_has_member_function(e, place.cell->shape, "operator[]"))
        return true;
    if (!eval_value(e, expr->kids[1], &index))
        return false;
    const struct code_function *function =
        eval_choose_by_values(e, "operator[]", place.cell->shape, &index, 1, expr->span, &good);
    *found = true;
    if (!function)
        return good && eval_needs(e, &object, expr->span, "an array");
    return eval_call_values(e, function, place.cell, &index, 1, expr->span, &object) &&
           eval_place_of_value(e, &object, expr->span, to);
}

static bool element_of_location(struct eval *e, const struct cpp_expr *expr, uint32_t location,
                                uint64_t index, struct lvalue *to)
{
    const struct location *is = &e->p->locations.at[location];
    *to = (struct lvalue){.location = location, .offset = index * eval_unit(e, location)};
    if (index < is->elements)
        return true;
    eval_error(e, number_out_of_range, expr->span, NULL, "'%s' has %u element%s", is->name,
               is->elements, is->elements == 1 ? "" : "s");
    return false;
}

/* The index of an expression. */
struct indexing {
    const struct cpp_expr *expr;
    struct read_index index;
};

/* Of a text that is known: it can be read. */
static bool character(struct eval *e, const struct code_value *text, const struct indexing *by,
                      struct lvalue *to)
{
    struct code_text is;
    if (by->index.value.kind != VALUE_NUMBER || !eval_characters(e, text, &is) ||
        by->index.value.number > is.length)
        return eval_needs(e, text, by->expr->span, "a character");
    uint64_t at = by->index.value.number;
    struct code_value one = eval_number(at < is.length ? (uint64_t)is.at[at] : 0, TYPE_S8);
    *to = eval_place_of_cell(eval_constant_cell(e, &one));
    return true;
}

static bool element_of_value(struct eval *e, const struct code_value *base,
                             const struct indexing *by, struct lvalue *to)
{
    if (base->kind == VALUE_STRING)
        return character(e, base, by, to);
    if (by->index.value.kind == VALUE_REGISTER)
        return eval_choose_element(e, base, &by->index, by->expr->span, to);
    return eval_pointed_to(e, base, by->index.value.number, by->expr->span, to);
}

/* "n % 4" of an unsigned n, "n & 3": less than that; else 0. */
static uint64_t bound_of(const struct eval *e, const struct cpp_expr *expr,
                         const struct code_value *value)
{
    bool remainder = expr->kind == CPP_BINARY && expr->mark == CPP_MARK_REM &&
                     value->type != TYPE_NONE && !type_is_signed(value->type);
    bool mask = expr->kind == CPP_BINARY && expr->mark == CPP_MARK_AND;
    const struct cpp_expr *by = remainder || mask ? expr->kids[1] : NULL;
    const struct code_cell *cell = by && eval_word(by) ? eval_find(e, eval_word(by)) : NULL;
    bool known = cell && cell->location == NONE && cell->value.kind == VALUE_NUMBER;
    uint64_t number = known ? cell->value.number : by && by->kind == CPP_NUMBER ? by->value : 0;
    return mask && number && number < MAX_ELEMENTS ? number + 1 : number;
}

static bool element_of_place(struct eval *e, const struct lvalue *from, const void *data,
                             struct lvalue *to)
{
    const struct indexing *by = data;
    struct code_value base;
    return eval_read(e, from, by->expr->kids[0]->span, &base) && element_of_value(e, &base, by, to);
}

bool eval_element(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct indexing by = {.expr = expr};
    struct code_value base;
    struct lvalue from;
    uint32_t location;
    bool indexes;
    if (!index_operator(e, expr, &indexes, to))
        return false;
    if (indexes)
        return true;
    if (!eval_value(e, expr->kids[1], &by.index.value))
        return false;
    const struct code_value *index = &by.index.value;
    bool known = index->kind == VALUE_NUMBER;
    by.index.span = expr->kids[1]->span;
    by.index.bound = bound_of(e, expr->kids[1], index);
    if (!known && (index->kind != VALUE_REGISTER || eval_is_float(index)))
        return eval_needs(e, index, by.index.span, "an index");
    if (eval_is_location(e, expr->kids[0], &location)) {
        base = (struct code_value){.kind = VALUE_ADDRESS, .location = location};
        return known ? element_of_location(e, expr, location, index->number, to)
                     : element_of_value(e, &base, &by, to);
    }
    if (known && index->number > MAX_ELEMENTS) {
        eval_error(e, host_argument, expr->kids[1]->span, NULL, "an array has 1 to %d elements",
                   MAX_ELEMENTS);
        return false;
    }
    bool place = expr->kids[0]->kind == CPP_INDEX || expr->kids[0]->kind == CPP_MEMBER;
    return place ? eval_places_of(e, expr->kids[0], &from) &&
                       eval_part_of_each(e, &from, element_of_place, &by, to)
                 : eval_value(e, expr->kids[0], &base) && element_of_value(e, &base, &by, to);
}
