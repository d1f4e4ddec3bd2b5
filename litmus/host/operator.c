/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"

/* Operators and conversions of objects, by functions that their classes or the file define. */

const struct structure *eval_class_of(const struct code_value *value)
{
    bool object =
        value->kind == VALUE_CELL && value->is_object && value->cell->shape->kind == SHAPE_STRUCT;
    return object ? value->cell->shape->structure : NULL;
}

static bool is_called(struct eval *e, const char *name, struct code_value *left,
                      const struct code_value *right, struct span span, bool *found, bool *of_class)
{
    struct code_value both[2] = {*left, right ? *right : (struct code_value){VALUE_NOTHING}};
    uint32_t count = right ? 2 : 1;
    bool good = true;
    const struct code_function *function = NULL;
    *of_class = eval_class_of(left) && eval_has_member_function(e, left->cell->shape, name);
    if (*of_class)
        function =
            eval_choose_by_values(e, name, left->cell->shape, both + 1, count - 1, span, &good);
    if (!function && good)
        function = eval_choose_by_values(e, name, NULL, both, count, span, &good);
    *found = function || !good;
    if (!function)
        return good;
    if (function->of)
        return eval_call_values(e, function, left->cell, both + 1, count - 1, span, left);
    return eval_call_values(e, function, NULL, both, count, span, left);
}

bool eval_operator(struct eval *e, const char *sign, struct code_value *left,
                   const struct code_value *right, struct span span, bool *found)
{
    const char *name = arena_printf(e->arena, "operator%s", sign);
    struct code_value zero = eval_number(0, TYPE_S32), other;
    bool of_class;
    *found = false;
    if (!eval_class_of(left) && !(right && eval_class_of(right)))
        return true;
    bool good = is_called(e, name, left, right, span, found, &of_class);
    if (*found || strcmp(sign, "!=") != 0 || !right)
        return good;
    other = *left; /* as C++20: "a != b" is "!(a == b)" */
    good = is_called(e, "operator==", &other, right, span, found, &of_class);
    if (!*found || !good)
        return good;
    if (other.kind != VALUE_NUMBER)
        return eval_needs(e, &other, span, "a comparison that is known");
    *left = zero;
    left->number = !other.number;
    return true;
}

/* Does the conversion give what is wanted? */
static bool gives(struct eval *e, const struct code_function *function,
                  const struct code_shape *shape)
{
    const struct code_shape *is = function->result ? eval_shape(e, function->result) : NULL;
    if (!is || !shape || is->kind == SHAPE_AUTO)
        return true;
    return is->kind == shape->kind && (is->kind != SHAPE_OBJECT || is->object == shape->object);
}

bool eval_convert(struct eval *e, struct code_value *value, const struct code_shape *shape,
                  struct span span)
{
    const struct structure *of = eval_class_of(value);
    const struct code_function *found = NULL;
    if (!of)
        return true;
    struct class_levels levels = eval_levels(e, value->cell->shape);
    for (uint32_t l = levels.of.len; !found && l-- > 0;)
        for (uint32_t i = 0; i < e->functions.len; i++) {
            const struct code_function *one = e->functions.at[i];
            const char *name = one->of == levels.of.at[l]->structure ? strstr(one->name, "::") : "";
            struct class_opening opening = eval_open_class(e, levels.of.at[l]);
            if (strcmp(name, "::operator conversion") == 0 && (gives(e, one, shape)))
                found = found ? found : one;
            eval_close_class(e, opening);
        }
    return !found || eval_call_values(e, found, value->cell, NULL, 0, span, value);
}
