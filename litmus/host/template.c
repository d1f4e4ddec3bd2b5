/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/eval.h"
#include "litmus/host/tree.h"

/* Templates: what their parameters stand for. A class has its arguments in its shape; those of a function are
 * given at the call, or found from what it is called with. A type that is not found may be any. */

static const struct code_shape any = {.kind = SHAPE_AUTO};

/* ---- classes -------------------------------------------------------------------------------- */

/* A constant looks like a type: "Ring<N>". */
static const struct cpp_expr *as_expression(struct eval *e, const struct cpp_type *type)
{
    struct cpp_expr name = {.kind = CPP_NAME, .name = type->name, .span = type->span};
    return tree_expr(e->arena, name, NULL, 0);
}

bool eval_number_of_argument(struct eval *e, const struct cpp_argument *argument, const char *what,
                             uint64_t *number)
{
    const struct cpp_type *type = argument->type;
    const struct cpp_expr *value =
        type && type->kind == CPP_TYPE_NAMED ? as_expression(e, type) : argument->value;
    return value && eval_known_number(e, value, what, number);
}

static bool bind_argument(struct eval *e, const struct template_parameter *parameter,
                          const struct cpp_argument *argument, struct bound_argument *to)
{
    struct cpp_argument unless_given = {.type = parameter->type, .value = parameter->value};
    const struct cpp_type *type = argument ? argument->type : parameter->type;
    *to = (struct bound_argument){.name = parameter->name, .of = parameter->of};
    if (parameter->is_type) {
        to->shape = type ? eval_shape(e, type) : &any;
        return to->shape;
    }
    return eval_number_of_argument(e, argument ? argument : &unless_given,
                                   "an argument of a template", &to->number);
}

bool eval_bound_arguments(struct eval *e, const struct cpp_part *part,
                          const struct structure *structure, struct code_shape *shape)
{
    struct bound_argument *bound =
        ARENA_ARRAY(e->arena, struct bound_argument, structure->head.count);
    for (uint32_t i = 0; i < structure->head.count; i++) {
        const struct template_parameter *parameter = &structure->head.at[i];
        const struct cpp_argument *argument = i < part->argument_count ? &part->arguments[i] : NULL;
        if (!bind_argument(e, parameter, argument, &bound[i]))
            return false;
    }
    shape->bound = bound;
    shape->bound_count = structure->head.count;
    return true;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Of the variable that a reference may refer to. */
static const struct code_shape *shape_of_place(struct eval *e, const struct code_value *place)
{
    const struct code_cell *cell = place->cell;
    if (place->kind == VALUE_ADDRESS)
        return place->shape ? place->shape
                            : eval_number_shape(e, e->p->locations.at[place->location].type);
    bool list = cell->shape->kind == SHAPE_ARRAY || cell->shape->kind == SHAPE_VECTOR;
    if (list && place->number < cell->parts.len)
        cell = cell->parts.at[place->number];
    else if (list)
        return cell->shape->of;
    return cell->shape->kind == SHAPE_AUTO && !cell->shape->is_text
               ? eval_shape_of_value(e, &cell->value)
               : cell->shape;
}

const struct code_shape *eval_shape_of_value(struct eval *e, const struct code_value *value)
{
    struct code_shape shape = {.kind = SHAPE_AUTO};
    if (value->is_place && (value->kind == VALUE_CELL || value->kind == VALUE_ADDRESS))
        return shape_of_place(e, value);
    if (value->is_place && value->kind == VALUE_CHOICE && value->shape)
        return value->shape;
    struct code_shape *made = ARENA_NEW(e->arena, struct code_shape);
    if (value->kind == VALUE_STRING)
        return value->is_string ? &eval_string_shape : &eval_characters_shape;
    bool number = value->kind == VALUE_NUMBER || value->kind == VALUE_REGISTER;
    if ((number || value->kind == VALUE_FLOAT) && value->type != TYPE_NONE)
        shape = (struct code_shape){.kind = SHAPE_NUMBER, .type = value->type};
    if ((number || value->kind == VALUE_UNKNOWN) && value->shape) /* a null pointer */
        shape = (struct code_shape){.kind = SHAPE_POINTER, .of = value->shape};
    if (value->kind == VALUE_OBJECT) {
        shape.kind = SHAPE_OBJECT;
        shape.object = e->p->host_objects.at[value->object].kind;
    }
    if (value->kind == VALUE_CHOICE && value->shape)
        shape = (struct code_shape){.kind = SHAPE_POINTER, .of = value->shape};
    if (value->kind == VALUE_ADDRESS) {
        shape.kind = SHAPE_POINTER;
        shape.of = value->shape ? value->shape
                                : eval_number_shape(e, e->p->locations.at[value->location].type);
    }
    if (value->list)
        return value->list;
    if (value->kind == VALUE_CELL && (value->is_object || value->is_reference))
        return value->cell->shape;
    if (value->kind == VALUE_CELL) {
        bool list = value->cell->shape->kind == SHAPE_ARRAY;
        shape.kind = SHAPE_POINTER;
        shape.of = list ? value->cell->shape->of : value->cell->shape;
    }
    *made = shape;
    return made;
}

/* What the argument of that place is in a type that a template has made: "int" of std::vector<int>. */
static bool made_with(const struct code_shape *shape, uint32_t index, struct bound_argument *to)
{
    bool list = shape->kind == SHAPE_VECTOR || shape->kind == SHAPE_ARRAY;
    *to = (struct bound_argument){.shape = list ? shape->of : NULL, .number = shape->count};
    if (list && index)
        to->shape = NULL;
    if (list || index >= shape->bound_count)
        return list && index < (shape->kind == SHAPE_ARRAY ? 2u : 1u);
    *to = shape->bound[index];
    return true;
}

static bool is_named(const struct cpp_type *type, const char *name)
{
    const struct cpp_part *part = type->kind == CPP_TYPE_NAMED ? cpp_last_part(&type->name) : NULL;
    return part && !part->argument_count && strcmp(part->word, name) == 0;
}

/* What the parameter of the template is, where the type stands for the shape; false: the type does not say. */
static bool deduced(const struct cpp_type *type, const struct code_shape *shape,
                    struct bound_argument *to)
{
    while (type && type->kind == CPP_TYPE_REFERENCE)
        type = type->to;
    for (; type && type->kind == CPP_TYPE_POINTER && shape->kind == SHAPE_POINTER; type = type->to)
        shape = shape->of;
    if (!type || !shape || (shape->kind == SHAPE_AUTO && !shape->is_text))
        return false;
    if (type->kind == CPP_TYPE_ARRAY && shape->kind == SHAPE_ARRAY) { /* "T (&a)[N]" */
        const char *length = type->length ? eval_word(type->length) : NULL;
        to->number = shape->count;
        return (length && strcmp(length, to->name) == 0) || deduced(type->to, shape->of, to);
    }
    if (is_named(type, to->name))
        return (to->shape = shape) != NULL;
    const struct cpp_part *part = type->kind == CPP_TYPE_NAMED ? cpp_last_part(&type->name) : NULL;
    for (uint32_t i = 0; part && i < part->argument_count; i++) {
        struct bound_argument with;
        const struct cpp_type *inner = part->arguments[i].type; /* of a number, too */
        if (!inner || !made_with(shape, i, &with))
            continue;
        to->number = with.number;
        if (with.shape ? deduced(inner, with.shape, to) : is_named(inner, to->name))
            return true;
    }
    return false;
}

static bool deduced_of_all(struct eval *e, const struct code_function *function,
                           const struct code_value *values, uint32_t count,
                           struct bound_argument *to)
{
    for (uint32_t i = 0; i < count && i < function->parameter_count; i++)
        if (deduced(function->parameters[i].type, eval_shape_of_value(e, &values[i]), to))
            return true;
    return false;
}

static void bind_number(struct eval *e, const struct bound_argument *bound)
{
    static const struct code_shape integer = {.kind = SHAPE_NUMBER, .type = TYPE_S32};
    const struct code_shape *shape = bound->of ? eval_shape(e, bound->of) : NULL;
    if (!shape || shape->kind != SHAPE_NUMBER || type_is_float(shape->type))
        shape = &integer;
    struct code_cell *cell = eval_new_cell(e, bound->name, shape);
    cell->is_const = cell->is_inner = true;
    cell->value = eval_number(shape->is_bool ? bound->number != 0 : bound->number, shape->type);
    eval_bind(e, bound->name, cell);
}

struct class_opening eval_open_class(struct eval *e, const struct code_shape *shape)
{
    struct class_opening opening = {e->type_names.len, e->scope.len};
    for (uint32_t i = 0; i < shape->bound_count; i++) {
        const struct bound_argument *one = &shape->bound[i];
        if (one->shape)
            eval_name_shape(e, one->name, one->shape);
        else
            bind_number(e, one);
    }
    const struct structure *of = shape->structure;
    for (uint32_t i = 0; of && i < of->members->kid_count; i++) { /* "using T = int;" */
        const struct cpp_stmt *stmt = of->members->kids[i];
        if (stmt->kind == CPP_DECLARATION && stmt->specifiers & CPP_SPECIFIER_TYPEDEF)
            for (uint32_t k = 0; k < stmt->declarator_count; k++) {
                const struct code_shape *is = eval_shape(e, stmt->declarators[k].type);
                eval_name_shape(e, stmt->declarators[k].name, is ? is : &any);
            }
    }
    return opening;
}

void eval_close_class(struct eval *e, struct class_opening opening)
{
    e->type_names.len = opening.types;
    e->scope.len = opening.bindings;
}

bool eval_bind_template(struct eval *e, const struct code_function *function,
                        const struct cpp_part *named, const struct code_value *values,
                        uint32_t count)
{
    for (uint32_t i = 0; i < function->head.count; i++) {
        const struct template_parameter *parameter = &function->head.at[i];
        const struct cpp_argument *argument =
            named && i < named->argument_count ? &named->arguments[i] : NULL;
        struct bound_argument bound = {.name = parameter->name, .of = parameter->of};
        if (parameter->is_pack) {
            eval_name_shape(e, parameter->name, &any);
            return true;
        }
        if (!argument && deduced_of_all(e, function, values, count, &bound)) {
            bound.shape = parameter->is_type ? bound.shape : NULL;
        } else if (!argument && parameter->is_type) {
            if (!bind_argument(e, parameter, NULL, &bound))
                return false;
        } else if (!bind_argument(e, parameter, argument, &bound)) {
            if (!e->p->diags->errors)
                eval_error(e, host_statement, function->span, NULL,
                           "what '%s' of '%s' is, is not known", parameter->name, function->name);
            return false;
        }
        if (bound.shape)
            eval_name_shape(e, bound.name, bound.shape);
        else
            bind_number(e, &bound);
    }
    return true;
}

/* ---- packs ---------------------------------------------------------------------------------- */

static const char *element_name(const struct eval *e, const char *name, uint32_t index)
{
    return arena_printf(e->arena, "%s#%u", name, index);
}

struct pack_expansion {
    struct tree_change change;
    const struct eval *e;
    const char *name;
    uint32_t count;
    uint32_t index; /* of the element that stands for the name; NONE: outside of what is repeated */
};

static const struct cpp_expr *renamed(struct tree_change *change, const struct cpp_expr *expr)
{
    struct pack_expansion *x = (struct pack_expansion *)change;
    const char *word = eval_word(expr);
    if (!word || strcmp(word, x->name) != 0 || x->index == NONE)
        return NULL;
    struct cpp_expr name = *expr;
    name.name = tree_name(change->arena, element_name(x->e, x->name, x->index), expr->span);
    return tree_expr(change->arena, name, NULL, 0);
}

static bool names_pack(const struct pack_expansion *x, const struct cpp_expr *expr)
{
    struct cpp_stmt stmt = {.kind = CPP_EXPRESSION, .value = expr};
    return eval_mentions(&stmt, x->name);
}

/* What a fold of nothing is: true for "&&", else 0. */
static const struct cpp_expr *nothing_folded(const struct pack_expansion *x,
                                             const struct cpp_expr *expr)
{
    struct cpp_expr none = {.kind = CPP_NUMBER, .bytes = 4, .is_signed = true, .span = expr->span};
    none.value = expr->mark == CPP_MARK_ALSO;
    return tree_expr(x->change.arena, none, NULL, 0);
}

/* "(f(a), ...)", "(a - ... - 1)" from the right; "(... - a)", "(std::cout << ... << a)" from the left */
static const struct cpp_expr *folded(struct pack_expansion *x, const struct cpp_expr *expr)
{
    struct cpp_expr both = {.kind = CPP_BINARY, .mark = expr->mark, .span = expr->span};
    bool from_left = expr->kid_count > 1 && !names_pack(x, expr->kids[0]);
    const struct cpp_expr *pack = expr->kids[from_left], *all = NULL;
    if (expr->kid_count > 1)
        all = tree_changed(&x->change, expr->kids[!from_left]);
    if (all && all->kind == CPP_LIST)
        all = NULL;
    for (uint32_t i = 0; i < x->count; i++) {
        x->index = from_left ? i : x->count - 1 - i;
        const struct cpp_expr *one = tree_changed(&x->change, pack);
        const struct cpp_expr *kids[2] = {from_left ? all : one, from_left ? one : all};
        all = all ? tree_expr(x->change.arena, both, kids, 2) : one;
    }
    x->index = NONE;
    return all ? all : nothing_folded(x, expr);
}

static const struct cpp_expr *expanded_expr(struct tree_change *change, const struct cpp_expr *expr)
{
    struct pack_expansion *x = (struct pack_expansion *)change;
    struct cpp_expr number = {
        .kind = CPP_NUMBER, .value = x->count, .bytes = 8, .span = expr->span};
    if (expr->kind == CPP_EXPAND && expr->mark != CPP_MARK_NONE && x->index == NONE)
        return folded(x, expr);
    if (expr->kind == CPP_SIZEOF && expr->mark == CPP_MARK_ELLIPSIS)
        return tree_expr(change->arena, number, NULL, 0);
    return renamed(change, expr);
}

static uint32_t repeated(struct tree_change *change, const struct cpp_expr *expr,
                         const struct cpp_expr **to)
{
    struct pack_expansion *x = (struct pack_expansion *)change;
    if (expr->kind != CPP_EXPAND || expr->mark != CPP_MARK_NONE)
        return NONE;
    for (x->index = 0; to && x->index < x->count; x->index++)
        to[x->index] = tree_changed(change, expr->kids[0]);
    x->index = NONE;
    return x->count;
}

const struct code_function *eval_expanded(struct eval *e, const struct code_function *function,
                                          uint32_t count)
{
    uint32_t last = function->parameter_count - 1;
    if (!function->parameter_count || !function->parameters[last].type ||
        !function->parameters[last].type->is_pack || count < last)
        return function;
    struct pack_expansion x = {{e->arena, expanded_expr, repeated},
                               e,
                               function->parameters[last].name,
                               count - last,
                               NONE};
    struct code_function *made = ARENA_NEW(e->arena, struct code_function);
    *made = *function;
    made->parameter_count = count;
    made->parameters = ARENA_ARRAY(e->arena, struct parameter, count);
    for (uint32_t i = 0; i < count; i++) {
        made->parameters[i] = function->parameters[i < last ? i : last];
        if (i >= last && x.name) {
            struct cpp_type *type = ARENA_NEW(e->arena, struct cpp_type);
            *type = *function->parameters[last].type;
            type->is_pack = false;
            made->parameters[i].name = element_name(e, x.name, i - last);
            made->parameters[i].type = type;
        }
    }
    if (!x.name)
        return made;
    made->body = function->body ? tree_changed_stmt(&x.change, function->body) : NULL;
    made->values = ARENA_ARRAY(e->arena, struct member_value, function->value_count);
    for (uint32_t i = 0; i < function->value_count; i++) {
        made->values[i] = function->values[i];
        made->values[i].given =
            tree_changed_list(&x.change, function->values[i].given, function->values[i].given_count,
                              &made->values[i].given_count);
    }
    return made;
}
