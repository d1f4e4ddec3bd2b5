/* SPDX-License-Identifier: MIT */
#include "litmus/host/eval.h"

/* What type a function gives, as far as that is known without reading it: the declared one, or that of what it returns. */

enum { DEEPEST_DEDUCTIONS = 4 }; /* a lambda may return what another one gives, or itself */

static const struct cpp_expr *returned(const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_RETURN)
        return stmt->value;
    for (uint32_t i = 0; i < stmt->kid_count; i++) {
        const struct cpp_expr *found = returned(stmt->kids[i]);
        if (found)
            return found;
    }
    return NULL;
}

static const struct code_shape *declared(struct eval *e, const struct cpp_type *type)
{
    while (type->kind == CPP_TYPE_REFERENCE)
        type = type->to;
    return type->kind == CPP_TYPE_AUTO || type->kind == CPP_TYPE_ARRAY ? NULL : eval_shape(e, type);
}

static void bind(struct eval *e, const char *name, const struct code_shape *shape)
{
    static const struct code_shape any = {.kind = SHAPE_AUTO};
    struct code_cell *cell = eval_new_cell(e, name, shape ? shape : &any);
    cell->is_inner = true;
    eval_bind(e, name, cell);
}

static void bind_locals(struct eval *e, const struct cpp_stmt *stmt)
{
    bool variables = stmt->kind == CPP_DECLARATION && !(stmt->specifiers & CPP_SPECIFIER_TYPEDEF);
    for (uint32_t i = 0; variables && i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        bool deduced = one->type->kind == CPP_TYPE_AUTO && one->value;
        if (one->name)
            bind(e, one->name, deduced ? eval_static_shape(e, one->value) : declared(e, one->type));
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        bind_locals(e, stmt->kids[i]);
}

/* Of a lambda that declares none: what it returns is looked at with its own variables in sight. */
static const struct code_shape *deduced(struct eval *e, const struct code_function *function,
                                        const struct cpp_expr *value)
{
    struct code_frame outer = e->frame;
    uint32_t variables = e->scope.len;
    e->frame.visible = function->visible;
    e->frame.floor = variables;
    e->frame.types =
        (struct type_view){function->types.floor, function->types.visible, e->type_names.len};
    e->deductions++;
    for (uint32_t i = 0; i < function->parameter_count; i++)
        if (function->parameters[i].name)
            bind(e, function->parameters[i].name,
                 function->parameters[i].type ? declared(e, function->parameters[i].type) : NULL);
    eval_bind_captured(e, function);
    bind_locals(e, function->body);
    const struct code_shape *shape = eval_static_shape(e, value);
    e->deductions--;
    e->scope.len = variables;
    e->frame = outer;
    return shape;
}

const struct code_shape *eval_result_shape(struct eval *e, const struct code_function *function)
{
    if (function->called_as)
        return eval_shape(e, function->called_as->type);
    if (function->result && function->result->kind != CPP_TYPE_AUTO)
        return function->head.count ? NULL : eval_shape(e, function->result);
    const struct cpp_expr *value = function->body ? returned(function->body) : NULL;
    if (!value || !function->lambda || e->deductions == DEEPEST_DEDUCTIONS)
        return NULL;
    return deduced(e, function, value);
}
