/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

#include <string.h>

/* Lambdas: what they copy when they are made is a variable of their own, what they refer to is found when they are
 * called. */

static bool is_static(const struct eval *e, const struct code_cell *cell)
{
    for (uint32_t i = 0; i < e->statics.len; i++)
        if (e->statics.at[i].cell == cell)
            return true;
    return false;
}

/* What has no value of its own to copy, or one that nobody changes. */
static bool is_left_alone(const struct eval *e, const struct code_cell *cell, const char *name)
{
    bool member = cell->member && strcmp(cell->member, name) == 0; /* by "this" */
    bool constant = cell->is_const && cell->location == NONE;
    return member || constant || cell->host == NONE || is_static(e, cell) ||
           cell->shape->kind >= SHAPE_THREAD || cell->value.kind == VALUE_UNKNOWN;
}

static const struct cpp_expr *name_expr(struct eval *e, const char *word, struct span span)
{
    struct cpp_part *part = ARENA_NEW(e->arena, struct cpp_part);
    struct cpp_expr *expr = ARENA_NEW(e->arena, struct cpp_expr);
    part->word = word;
    *expr = (struct cpp_expr){.kind = CPP_NAME,
                              .name = {.parts = part, .part_count = 1, .span = span},
                              .height = 1,
                              .span = span};
    return expr;
}

/* A number in memory is read now, and kept in memory, which other threads may read. */
static bool place_copy(struct eval *e, const struct code_cell *from, struct code_cell *copy,
                       struct span span)
{
    if (from->location == NONE)
        return true;
    if (from->shape->kind != SHAPE_NUMBER || from->shape->is_atomic) {
        eval_error(e, host_statement, span, "capture it by reference",
                   "the copy of '%s' that the lambda makes is not modelled", from->name);
        return false;
    }
    copy->location = eval_new_location(e, copy->name, from->shape->type, 1, MEMORY_PAGEABLE, span);
    return true;
}

static bool copy(struct eval *e, const struct cpp_lambda *lambda, const char *name,
                 const struct cpp_expr *value, struct binding *to)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_cell *from = value ? NULL : eval_find(e, name);
    struct span span = lambda->body->span;
    struct cpp_declarator one = {.name = name, .name_span = span, .span = span};
    one.value = value ? value : name_expr(e, name, span);
    if (from && from->is_class) {
        eval_error(e, host_statement, span, "capture it by reference",
                   "the copy of the object '%s' that the lambda makes is not modelled", from->name);
        return false;
    }
    struct code_cell *cell = eval_new_cell(e, name, from ? from->shape : &any);
    cell->is_inner = true;
    *to = (struct binding){name, cell};
    if (from && !place_copy(e, from, cell, span))
        return false;
    cell->is_const = cell->location == NONE; /* a number that is known takes no register */
    bool good = eval_initialize(e, cell, &one);
    cell->is_const = false;
    if (good && value)
        eval_settle_auto(e, cell, value);
    return good;
}

static bool is_in(const struct code_function *function, const char *name)
{
    for (uint32_t i = 0; i < function->lambda->referred_count; i++)
        if (strcmp(function->lambda->referred[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < function->captured_count; i++)
        if (strcmp(function->captured[i].name, name) == 0)
            return true;
    return false;
}

/* The variable is copied if the lambda's code names it. */
static bool capture(struct eval *e, struct code_function *made, const char *name,
                    const struct cpp_expr *value)
{
    const struct code_cell *cell = value ? NULL : eval_find(e, name);
    bool wanted =
        value || (cell && eval_mentions(made->body, name) && !is_left_alone(e, cell, name));
    if (!wanted || is_in(made, name))
        return true;
    return copy(e, made->lambda, name, value, &made->captured[made->captured_count++]);
}

static bool capture_all(struct eval *e, struct code_function *made)
{
    const struct cpp_lambda *lambda = made->lambda;
    uint32_t bindings = e->scope.len, first = e->frame.floor < bindings ? e->frame.floor : bindings;
    made->captured = ARENA_ARRAY(e->arena, struct binding, lambda->copied_count + bindings - first);
    for (uint32_t i = 0; i < lambda->copied_count; i++)
        if (!capture(e, made, lambda->copied[i], lambda->copied_values[i]))
            return false;
    for (uint32_t i = bindings; lambda->copies && i-- > first;)
        if (!capture(e, made, e->scope.at[i].name, NULL))
            return false;
    return true;
}

bool eval_lambda(struct eval *e, const struct cpp_expr *expr, struct code_value *to)
{
    struct code_function *made = ARENA_NEW(e->arena, struct code_function);
    made->name = "lambda";
    made->body = expr->lambda->body;
    made->lambda = expr->lambda;
    made->parameter_count = expr->lambda->parameter_count;
    made->parameters = ARENA_ARRAY(e->arena, struct parameter, made->parameter_count);
    for (uint32_t i = 0; i < made->parameter_count; i++)
        made->parameters[i] =
            (struct parameter){expr->lambda->parameters[i].name, expr->lambda->parameters[i].type,
                               expr->lambda->parameters[i].value};
    made->visible = e->scope.len;
    made->result = expr->lambda->result;
    made->types = e->frame.types;
    made->types.visible = e->type_names.len;
    if (made->types.own < made->types.visible) /* those that the code around sees itself */
        made->types.floor = made->types.own;
    made->host = NONE;
    made->span = expr->span;
    *to = (struct code_value){
        .kind = VALUE_FUNCTION, .function = made, .is_temporary = true, .name = expr->span};
    return capture_all(e, made);
}

bool eval_copy_lambda(struct eval *e, struct code_value *value, struct span span)
{
    const struct code_function *from = value->function;
    if (!from->lambda || !from->lambda->is_mutable || !from->captured_count)
        return true;
    struct code_function *made = ARENA_NEW(e->arena, struct code_function);
    *made = *from;
    made->captured = ARENA_ARRAY(e->arena, struct binding, from->captured_count);
    for (uint32_t i = 0; i < from->captured_count; i++) {
        const struct code_cell *one = from->captured[i].cell;
        if (one->is_class || one->parts.len || one->location != NONE) {
            eval_error(e, host_statement, span, "capture it by reference",
                       "the copy of a lambda that changes '%s' is not modelled", one->name);
            return false;
        }
        struct code_cell *cell = eval_new_cell(e, one->name, one->shape);
        cell->is_inner = true;
        made->captured[i] = (struct binding){from->captured[i].name, cell};
        if (one->value.kind != VALUE_NOTHING && !eval_set(e, cell, &one->value, span))
            return false;
    }
    value->function = made;
    return true;
}

void eval_bind_captured(struct eval *e, const struct code_function *function)
{
    for (uint32_t i = 0; i < function->captured_count; i++)
        eval_bind(e, function->captured[i].name, function->captured[i].cell);
}
