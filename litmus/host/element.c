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

/* What is indexed. */
struct indexed {
    enum { IN_LOCATION, IN_PLACES, IN_VALUE } kind;
    uint32_t location;
    struct lvalue places; /* a choice of them, each of which is read */
    struct code_value value;
};

static bool indexed_of(struct eval *e, const struct cpp_expr *expr, struct indexed *base)
{
    bool place = expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER;
    base->kind = IN_VALUE;
    if (eval_is_location(e, expr, &base->location)) {
        base->kind = IN_LOCATION;
        base->value = (struct code_value){.kind = VALUE_ADDRESS, .location = base->location};
        return true;
    }
    if (!place)
        return eval_value(e, expr, &base->value);
    if (!eval_places_of(e, expr, &base->places))
        return false;
    if (!base->places.choice)
        return eval_read(e, &base->places, expr->span, &base->value);
    base->kind = IN_PLACES;
    return true;
}

static bool index_of(struct eval *e, const struct cpp_expr *expr, struct read_index *index)
{
    if (!eval_value(e, expr, &index->value))
        return false;
    index->span = expr->span;
    index->bound = bound_of(e, expr, &index->value);
    bool number = eval_is_known(&index->value) ||
                  (index->value.kind == VALUE_REGISTER && !eval_is_float(&index->value));
    return number || eval_needs(e, &index->value, expr->span, "an index");
}

/* What is indexed comes before the index. */
bool eval_element(struct eval *e, const struct cpp_expr *expr, struct lvalue *to)
{
    struct indexing by = {.expr = expr};
    struct indexed base;
    bool indexes;
    if (!index_operator(e, expr, &indexes, to))
        return false;
    if (indexes)
        return true;
    if (!indexed_of(e, expr->kids[0], &base) || !index_of(e, expr->kids[1], &by.index))
        return false;
    if (base.kind == IN_PLACES) /* each place takes it */
        eval_keep(e, &by.index.value, by.index.span);
    bool known = eval_is_known(&by.index.value);
    uint64_t number = by.index.value.number;
    if (known && base.kind == IN_LOCATION)
        return element_of_location(e, expr, base.location, number, to);
    if (known && number > MAX_ELEMENTS) {
        eval_error(e, host_argument, expr->kids[1]->span, NULL, "an array has 1 to %d elements",
                   MAX_ELEMENTS);
        return false;
    }
    return base.kind == IN_PLACES ? eval_part_of_each(e, &base.places, element_of_place, &by, to)
                                  : element_of_value(e, &base.value, &by, to);
}
