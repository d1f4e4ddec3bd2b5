/* SPDX-License-Identifier: MIT */
#include "litmus/host/gap.h"

#include <string.h>

/* Functions: read where they are called, or as the code of a thread of their own. */

enum { DEEPEST_CALLS = 32 };

const struct code_function *eval_function(const struct eval *e, const char *name)
{
    for (uint32_t i = 0; i < e->functions.len; i++)
        if (strcmp(e->functions.at[i]->name, name) == 0)
            return e->functions.at[i];
    return NULL;
}

static bool too_deep(struct eval *e, const struct code_function *function, struct span span)
{
    eval_error(e, host_statement, span, "write a loop", "calls of '%s' are nested deeper than %d",
               function->name, DEEPEST_CALLS);
    return false;
}

bool eval_call_function(struct eval *e, const struct code_function *function,
                        const struct cpp_expr *expr, uint32_t first, struct code_value *to)
{
    return eval_call_member(e, function, NULL, expr, first, to);
}

/* ---- a call --------------------------------------------------------------------------------- */

/* What the function is given, as expressions or as values. */
struct call_arguments {
    const struct cpp_expr *const *exprs; /* or NULL */
    const struct code_value *values;
    uint32_t count;
    const struct cpp_part *named;   /* with the arguments of a template; or NULL */
    const struct code_shape *class; /* of a static function; or NULL */
    struct span span;
};

static bool takes(struct eval *e, const struct code_function *function,
                  const struct call_arguments *given)
{
    if (given->count <= function->parameter_count &&
        (given->count == function->parameter_count || function->parameters[given->count].value))
        return true;
    eval_error(e, host_argument, given->span, NULL, "'%s' takes %u argument%s", function->name,
               function->parameter_count, function->parameter_count == 1 ? "" : "s");
    return false;
}

static bool argument_values(struct eval *e, const struct code_function *function,
                            const struct call_arguments *given, struct code_value *values)
{
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        const struct parameter *parameter = &function->parameters[i];
        if (!given->exprs && i < given->count)
            values[i] = given->values[i];
        else if (!eval_given_argument(e, parameter,
                                      i < given->count ? given->exprs[i] : parameter->value,
                                      &values[i]))
            return false;
    }
    return true;
}

/* The class of the object whose function it is; of a static function, without arguments of a template. */
const struct code_shape *eval_level_of(struct eval *e, const struct code_function *function,
                                       const struct code_cell *self)
{
    struct code_shape *alone = ARENA_NEW(e->arena, struct code_shape);
    struct class_levels levels = {{0}};
    *alone = (struct code_shape){.kind = SHAPE_STRUCT, .structure = function->of};
    if (self)
        levels = eval_levels(e, self->shape);
    for (uint32_t i = 0; i < levels.of.len; i++)
        if (levels.of.at[i]->structure == function->of)
            return levels.of.at[i];
    return alone;
}

static bool returns_reference(const struct code_function *function)
{
    return function->result && function->result->kind == CPP_TYPE_REFERENCE;
}

/* The variable that gets the result: of the type that is declared, if it is one that is copied or converted. */
static struct code_cell *result_cell(struct eval *e, const struct code_function *function)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    const struct code_shape *shape = &any;
    if (function->result && function->result->kind != CPP_TYPE_AUTO && !returns_reference(function))
        shape = eval_shape(e, function->result);
    bool typed =
        shape && (shape->kind == SHAPE_STRUCT || shape->kind == SHAPE_VECTOR ||
                  shape->kind == SHAPE_ARRAY || shape->kind == SHAPE_NUMBER || shape->is_text);
    if (shape && shape->kind == SHAPE_STRUCT && (!shape->structure || !shape->structure->is_own))
        typed = false;
    struct code_cell *cell = eval_new_cell(e, function->name, typed ? shape : &any);
    cell->is_inner = true;
    return cell;
}

static struct code_value result_value(struct eval *e, const struct code_function *function,
                                      struct code_cell *result, struct span span)
{
    bool object = result->shape->kind == SHAPE_STRUCT;
    if (e->left)
        return gap_value(e->left, span);
    struct code_value value = result->value;
    if ((value.kind == VALUE_NOTHING && result->parts.len) || object)
        value = (struct code_value){.kind = VALUE_CELL, .cell = result, .is_temporary = object};
    value.is_object = value.is_object || object;
    value.is_reference =
        returns_reference(function) &&
        (value.kind == VALUE_CELL || value.kind == VALUE_ADDRESS || value.kind == VALUE_CHOICE);
    if (object && result->is_class)
        vec_push(e->arena, &e->temporaries, result);
    return value;
}

static bool body(struct eval *e, const struct code_function *function, struct code_cell *self,
                 const struct code_shape *level, const struct code_value *values, struct span span)
{
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (!eval_bind_parameter(e, function, i, &values[i], span))
            return false;
    if (function->is_constructor && !eval_make_members(e, self, level, function, false, span))
        return false;
    return eval_statement(e, function->body);
}

/* A std::function converts what it is given, and what it gives. */
static bool as_called(struct eval *e, const struct cpp_type *type, struct span span,
                      struct code_value *value)
{
    const struct code_shape *shape = type->kind == CPP_TYPE_REFERENCE ? NULL : eval_shape(e, type);
    bool number =
        value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER || value->kind == VALUE_FLOAT;
    return !shape || shape->kind != SHAPE_NUMBER || !number || eval_cast(e, value, shape, span);
}

static bool as_taken(struct eval *e, const struct code_function *function,
                     struct code_value *values)
{
    const struct cpp_argument *as = function->called_as;
    for (uint32_t i = 0; as && i < as->parameter_count && i < function->parameter_count; i++)
        if (!as_called(e, as->parameters[i].type, function->span, &values[i]))
            return false;
    return true;
}

static bool call(struct eval *e, const struct code_function *function, struct code_cell *self,
                 const struct call_arguments *given, struct code_value *to)
{
    struct code_frame outer = e->frame;
    const struct cpp_stmt *code = e->code;
    uint32_t variables = e->scope.len, types = e->type_names.len;
    *to = (struct code_value){VALUE_NOTHING};
    if (e->calls == DEEPEST_CALLS)
        return too_deep(e, function, given->span);
    function = eval_expanded(e, function, given->count);
    if (function->is_deleted) {
        eval_error(e, host_statement, given->span, NULL, "'%s' is deleted", function->name);
        return false;
    }
    if (!eval_has_code(e, function) || !takes(e, function, given))
        return false;
    struct code_value *values = ARENA_ARRAY(e->arena, struct code_value, function->parameter_count);
    const struct code_shape *level = function->of ? eval_level_of(e, function, self) : NULL;
    if (level && given->class && given->class->structure == function->of)
        level = given->class;
    struct code_frame inner = {.function = function,
                               .floor = variables,
                               .visible = function->visible,
                               .types = {types, types, types},
                               .return_to = eval_new_aim(e),
                               .break_to = NONE,
                               .continue_to = NONE};
    if (function->lambda)
        inner.types = (struct type_view){function->types.floor, function->types.visible, types};
    bool good = argument_values(e, function, given, values) && as_taken(e, function, values);
    if (level) /* what the class's template stands for is seen in the function */
        eval_open_class(e, level);
    e->frame = inner;
    e->frame.floor = variables;
    good = good && eval_bind_template(e, function, given->named, values, function->parameter_count);
    e->frame.result = result_cell(e, function);
    struct code_cell *result = e->frame.result;
    e->code = function->body;
    e->calls++;
    if (self && !function->is_static)
        eval_bind_self(e, self);
    else if (function->of)
        eval_bind_statics(e, function->of);
    eval_bind_captured(e, function);
    good = good && body(e, function, self, level, values, given->span);
    eval_close_scope(e, variables); /* a return has ended what it leaves */
    eval_place(e, e->frame.return_to);
    e->calls--;
    e->type_names.len = types;
    e->frame = outer;
    e->code = code;
    *to = result_value(e, function, result, given->span);
    return good &&
           (!function->called_as || as_called(e, function->called_as->type, given->span, to));
}

bool eval_call_member(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct cpp_expr *expr, uint32_t first, struct code_value *to)
{
    const struct cpp_expr *callee = first ? expr->kids[0] : NULL;
    bool named = callee && (callee->kind == CPP_NAME || callee->kind == CPP_MEMBER);
    struct call_arguments given = {.exprs = expr->kids + first,
                                   .count = expr->kid_count - first,
                                   .named = named ? cpp_last_part(&callee->name) : NULL,
                                   .span = expr->span};
    return call(e, function, self, &given, to);
}

bool eval_call_static(struct eval *e, const struct code_function *function,
                      const struct code_shape *class, const struct cpp_expr *expr,
                      struct code_value *to)
{
    struct call_arguments given = {.exprs = expr->kids + 1,
                                   .count = expr->kid_count - 1,
                                   .named = cpp_last_part(&expr->kids[0]->name),
                                   .class = class,
                                   .span = expr->span};
    return call(e, function, NULL, &given, to);
}

bool eval_call_values(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct code_value *values, uint32_t count, struct span span,
                      struct code_value *to)
{
    struct call_arguments given = {.values = values, .count = count, .span = span};
    return call(e, function, self, &given, to);
}
