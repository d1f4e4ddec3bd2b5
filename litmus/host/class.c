/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Classes of a file: their functions are read at their calls, where the object's members are variables. What is made
 * and ended by functions of its class is a variable of its own or an element of an array: it is not copied, and is
 * no member of another. */

static bool takes(const struct code_function *function, uint32_t count)
{
    return count <= function->parameter_count &&
           (count == function->parameter_count || function->parameters[count].value);
}

const struct code_function *eval_class_function(const struct eval *e, const char *class,
                                                const char *word, uint32_t count)
{
    const char *last = *word == '~' || !*word ? class : "";
    const char *name = arena_printf(e->arena, "%s::%s%s", class, word, last);
    for (uint32_t i = 0; i < e->functions.len; i++) {
        const struct code_function *one = e->functions.at[i];
        if (one->of && strcmp(one->name, name) == 0 && takes(one, count))
            return one;
    }
    return NULL;
}

static bool has_function(const struct eval *e, const char *class, const char *prefix)
{
    const char *name = arena_printf(e->arena, "%s::%s%s", class, prefix, class);
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (e->functions.at[i]->of && strcmp(e->functions.at[i]->name, name) == 0)
            return true;
    return false;
}

bool eval_is_class(const struct eval *e, const struct code_shape *shape)
{
    const struct structure *of = shape->kind == SHAPE_STRUCT ? shape->structure : NULL;
    return of && of->has_functions &&
           (has_function(e, of->name, "") || has_function(e, of->name, "~"));
}

/* ---- the object in its functions ------------------------------------------------------------ */

struct code_cell *eval_self(const struct eval *e)
{
    const struct code_cell *self = eval_find(e, "this");
    return self && self->value.kind == VALUE_CELL ? self->value.cell : NULL;
}

void eval_bind_self(struct eval *e, struct code_cell *self)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct cpp_stmt *members = self->shape->structure->members;
    struct code_cell *cell = eval_new_cell(e, "this", &any);
    cell->is_const = true;
    cell->value = (struct code_value){.kind = VALUE_CELL, .cell = self};
    eval_bind(e, "this", cell);
    for (uint32_t i = 0; i < members->kid_count; i++)
        for (uint32_t k = 0; k < members->kids[i]->declarator_count; k++) {
            const char *name = members->kids[i]->declarators[k].name;
            eval_bind(e, name, eval_member(e, self, name));
        }
}

/* ---- its life ------------------------------------------------------------------------------- */

/* "W w(1);", "W w{1};", "W w = W(1);": what the constructor is given. */
static bool given(struct eval *e, const struct cpp_declarator *one, const char *class,
                  struct cpp_expr *to)
{
    const struct cpp_expr *value = one->value;
    const char *word = value && value->kind == CPP_CALL ? eval_word(value->kids[0]) : NULL;
    bool made = word && strcmp(word, class) == 0, list = value && value->kind == CPP_LIST;
    *to = (struct cpp_expr){.kind = CPP_CALL, .span = one->span};
    to->kids = one->given;
    to->kid_count = one->given_count;
    if (value) {
        to->kids = value->kids + made;
        to->kid_count = value->kid_count - made;
    }
    if (value && !made && !list)
        eval_error(e, host_statement, value->span, "use a reference",
                   "copies of objects of the class '%s' are not modelled", class);
    return !value || made || list;
}

static bool is_array(const struct code_shape *shape)
{
    return shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_VECTOR;
}

bool eval_holds_objects(const struct eval *e, const struct code_shape *shape)
{
    return eval_is_class(e, shape) || (is_array(shape) && eval_is_class(e, shape->of));
}

/* "W w[2];", "std::vector<W> w(2);": one after the other, by the constructor without arguments. */
static bool make_objects(struct eval *e, struct code_cell *array, const struct cpp_declarator *one)
{
    const struct cpp_declarator blank = {.span = one->span};
    bool vector = array->shape->kind == SHAPE_VECTOR, counted = vector && one->given_count == 1;
    uint64_t count = array->shape->count;
    if (one->value || one->is_braced || one->given_count > counted) {
        eval_error(e, host_statement, one->span, "make them without values",
                   "values of the objects of an array are not read");
        return false;
    }
    if (vector)
        count = 0;
    if (counted && !eval_known_number(e, one->given[0], "the size of a vector", &count))
        return false;
    if (count > MAX_ELEMENTS) {
        eval_error(e, bad_array, one->span, NULL, "an array has 1 to %d elements", MAX_ELEMENTS);
        return false;
    }
    array->is_class = true;
    for (uint64_t i = 0; i < count; i++)
        if (!eval_make_object(e, eval_part(e, array, i), &blank))
            return false;
    return true;
}

bool eval_make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one)
{
    if (is_array(cell->shape))
        return make_objects(e, cell, one);
    const struct cpp_declarator blank = {.span = one->span};
    const char *class = cell->shape->structure->name;
    struct code_value dropped;
    struct cpp_expr call;
    if (!given(e, one, class, &call))
        return false;
    cell->is_class = true;
    if (!has_function(e, class, ""))
        return eval_initialize(e, cell, one);
    if (!eval_initialize(e, cell, &blank))
        return false;
    const struct code_function *function = eval_class_function(e, class, "", call.kid_count);
    if (!function) {
        eval_error(e, host_argument, one->span, NULL, "no constructor of '%s' takes %u argument%s",
                   class, call.kid_count, call.kid_count == 1 ? "" : "s");
        return false;
    }
    return eval_call_member(e, function, cell, &call, 0, &dropped);
}

void eval_end_object(struct eval *e, struct code_cell *cell)
{
    if (cell->is_class && is_array(cell->shape)) {
        for (uint32_t i = cell->parts.len; i-- > 0;)
            eval_end_object(e, cell->parts.at[i]);
        return;
    }
    const struct structure *class = cell->is_class ? cell->shape->structure : NULL;
    const struct code_function *function =
        class && !e->is_dead ? eval_class_function(e, class->name, "~", 0) : NULL;
    const struct cpp_expr call = {.kind = CPP_CALL,
                                  .span = function ? function->span : (struct span){0, 0}};
    struct code_value dropped;
    if (function)
        eval_call_member(e, function, cell, &call, 0, &dropped);
}

bool eval_is_no_copy(struct eval *e, const struct code_shape *shape, struct span span)
{
    if (!eval_is_class(e, shape))
        return true;
    eval_error(e, host_statement, span, "use a reference",
               "copies of objects of the class '%s' are not modelled", shape->structure->name);
    return false;
}
