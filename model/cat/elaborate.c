/* SPDX-License-Identifier: MIT */
#include "model/cat/elaborate.h"

#include <string.h>

/* Expressions as written become nodes: names are resolved, functions inlined, kinds checked. */

enum {
    MAX_STEPS = 4 * 1000 * 1000,
    VISIT_STEPS = 16, /* an expression, against a name passed in a search */
    MAX_CALLS = 100,  /* functions in functions */
};

static const struct cat_value unknown = {KIND_UNKNOWN, 0};

static void report(struct elaborator *e, enum diag_id id, struct span span, const char *hint,
                   const char *message)
{
    diag_add(e->diags, id, e->source, span, hint ? hint : e->call, "%s", message);
}

bool elaborate_step(struct elaborator *e, struct span span)
{
    if (!e->exhausted &&
        ((e->steps += VISIT_STEPS) > MAX_STEPS || e->nodes.nodes.len > CAT_MAX_NODES)) {
        e->exhausted = true;
        report(e, DIAG_cat_too_large, span, NULL, "model expands to too many operations");
    }
    return !e->exhausted;
}

static struct cat_value make(struct elaborator *e, struct span span, enum cat_op op,
                             enum cat_kind kind, cat_id a, cat_id b)
{
    struct cat_node node = {.op = op, .is_set = kind == KIND_SET, .a = a, .b = b};
    return (struct cat_value){kind, cat_node_intern(&e->nodes, node, e->source, span)};
}

/* Of the first operands of a chain, up to number 'last'. */
static struct span chain_span(const struct ast *ast, uint32_t last)
{
    uint32_t start = ast->kids[0]->span.offset;
    const struct span end = ast->kids[last]->span;
    return (struct span){start, end.offset + end.length - start};
}

/* A hint is worth its time only while the message will be seen. */
static const char *near_name(struct elaborator *e, const char *name)
{
    return e->diags->items.len < DIAG_LIMIT ? names_hint(e->arena, e->names, name) : NULL;
}

/* 0 as a set or as a relation */
static struct cat_value settle(struct elaborator *e, const struct ast *ast, struct cat_value value,
                               enum cat_kind kind)
{
    if (value.kind != KIND_ZERO)
        return value;
    return make(e, ast->span, CAT_EMPTY, kind, 0, 0);
}

static const char *kind_name(enum cat_kind kind)
{
    return kind == KIND_SET ? "set" : "relation";
}

static const char *described(struct elaborator *e, const struct ast *ast)
{
    uint32_t length = ast->span.length > 40 ? 40 : ast->span.length;
    return arena_strndup(e->arena, e->source->text + ast->span.offset, length);
}

static void wrong_kind(struct elaborator *e, const struct ast *ast, enum cat_kind wanted)
{
    const char *text = described(e, ast);
    bool set_found = wanted == KIND_REL;
    const char *hint = set_found && ast->span.length <= 40
                           ? arena_printf(e->arena, "[%s] is the identity on it", text)
                           : NULL;
    report(e, DIAG_cat_kind, ast->span, hint,
           arena_printf(e->arena, "'%s' is a %s, a %s is needed here", text,
                        kind_name(set_found ? KIND_SET : KIND_REL), kind_name(wanted)));
}

struct cat_value elaborate_as(struct elaborator *e, const struct ast *ast, enum cat_kind kind)
{
    struct cat_value value = settle(e, ast, elaborate(e, ast), kind);
    if (value.kind == kind || value.kind == KIND_UNKNOWN)
        return value;
    wrong_kind(e, ast, kind);
    return unknown;
}

static struct cat_value elaborate_name(struct elaborator *e, const struct ast *ast)
{
    const struct cat_names *found = names_find(e->names, ast->name, &e->steps);
    if (found && !found->is_function)
        return found->value;
    if (found)
        report(e, DIAG_cat_function_value, ast->span, "functions are applied: f(r)",
               arena_printf(e->arena, "'%s' is a function", ast->name));
    else
        report(e, DIAG_cat_unknown_name, ast->span, near_name(e, ast->name),
               arena_printf(e->arena, "unknown name '%s'", ast->name));
    return unknown;
}

/* The kind that all operands have or, being 0, can take; KIND_UNKNOWN once their difference is
 * reported. */
static enum cat_kind common_kind(struct elaborator *e, const struct ast *ast,
                                 const struct cat_value *values)
{
    enum cat_kind kind = KIND_ZERO;
    for (uint32_t i = 0; i < ast->kid_count; i++) {
        if (values[i].kind == KIND_UNKNOWN)
            return KIND_UNKNOWN;
        if (kind == KIND_ZERO)
            kind = values[i].kind;
        if (values[i].kind == KIND_ZERO || values[i].kind == kind)
            continue;
        report(e, DIAG_cat_mixed, ast->kids[i]->span, NULL,
               arena_printf(e->arena, "'%s' is a %s, what it is combined with is a %s",
                            described(e, ast->kids[i]), kind_name(values[i].kind),
                            kind_name(kind)));
        return KIND_UNKNOWN;
    }
    return kind;
}

/* | & \ : operands of one kind */
static struct cat_value elaborate_same_kind(struct elaborator *e, const struct ast *ast)
{
    struct cat_value *values = ARENA_ARRAY(e->arena, struct cat_value, ast->kid_count);
    for (uint32_t i = 0; i < ast->kid_count; i++)
        values[i] = elaborate(e, ast->kids[i]);
    enum cat_kind kind = common_kind(e, ast, values);
    if (kind <= KIND_ZERO)
        return (struct cat_value){kind, 0};
    struct cat_value left = settle(e, ast->kids[0], values[0], kind);
    for (uint32_t i = 1; i < ast->kid_count; i++) {
        struct cat_value right = settle(e, ast->kids[i], values[i], kind);
        left = make(e, chain_span(ast, i), ast->op, kind, left.id, right.id);
    }
    return left;
}

/* r; s; t is (r; s); t. */
static struct cat_value elaborate_compose(struct elaborator *e, const struct ast *ast)
{
    struct cat_value left = elaborate_as(e, ast->kids[0], KIND_REL);
    for (uint32_t i = 1; i < ast->kid_count; i++) {
        struct cat_value right = elaborate_as(e, ast->kids[i], KIND_REL);
        if (left.kind == KIND_UNKNOWN || right.kind == KIND_UNKNOWN)
            left = unknown;
        else
            left = make(e, chain_span(ast, i), CAT_COMPOSE, KIND_REL, left.id, right.id);
    }
    return left;
}

static struct cat_value elaborate_product(struct elaborator *e, const struct ast *ast)
{
    struct cat_value left = elaborate_as(e, ast->kids[0], KIND_SET);
    struct cat_value right = elaborate_as(e, ast->kids[1], KIND_SET);
    if (ast->kid_count > 2) {
        report(e, DIAG_cat_kind, ast->kids[2]->span, "S * T is a relation, relations are of pairs",
               "a product has two operands");
        return unknown;
    }
    if (left.kind == KIND_UNKNOWN || right.kind == KIND_UNKNOWN)
        return unknown;
    return make(e, ast->span, CAT_PRODUCT, KIND_REL, left.id, right.id);
}

/* An operation or function of one operand, whose kinds op.def says. */
static struct cat_value elaborate_unary(struct elaborator *e, const struct ast *ast, enum cat_op op)
{
    const char *kinds = cat_op_kinds(op);
    struct cat_value value = elaborate_as(e, ast->kids[0], kinds[1] == 'S' ? KIND_SET : KIND_REL);
    if (value.kind == KIND_UNKNOWN)
        return unknown;
    return make(e, ast->span, op, kinds[0] == 'S' ? KIND_SET : KIND_REL, value.id, 0);
}

static struct cat_value elaborate_complement(struct elaborator *e, const struct ast *ast)
{
    struct cat_value value = elaborate(e, ast->kids[0]);
    if (value.kind == KIND_ZERO)
        report(e, DIAG_cat_ambiguous_zero, ast->span,
               "write _ for every event, _ * _ for every pair", "'~0' may be a set or a relation");
    if (value.kind <= KIND_ZERO)
        return unknown;
    return make(e, ast->span, CAT_COMPLEMENT, value.kind, value.id, 0);
}

static struct cat_value elaborate_operation(struct elaborator *e, const struct ast *ast)
{
    switch (ast->op) {
    case CAT_EMPTY:
        return (struct cat_value){KIND_ZERO, 0};
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
        return elaborate_same_kind(e, ast);
    case CAT_COMPOSE:
        return elaborate_compose(e, ast);
    case CAT_PRODUCT:
        return elaborate_product(e, ast);
    case CAT_COMPLEMENT:
        return elaborate_complement(e, ast);
    default:
        return elaborate_unary(e, ast, ast->op);
    }
}

/* ---- functions ------------------------------------------------------------------------------ */

static bool arguments_fit(struct elaborator *e, const struct ast *ast, uint32_t wanted)
{
    if (ast->kid_count == wanted)
        return true;
    report(e, DIAG_cat_arguments, ast->span, NULL,
           arena_printf(e->arena, "'%s' takes %u argument%s, not %u", ast->name, wanted,
                        wanted == 1 ? "" : "s", ast->kid_count));
    return false;
}

/* The function's body where its parameters are the arguments, with the names of its definition. */
static struct cat_value inline_body(struct elaborator *e, const struct ast *ast,
                                    const struct cat_names *found, const struct cat_names *inside)
{
    struct elaborator saved = *e;
    struct place place = source_place(e->source, ast->span.offset);
    e->names = inside;
    e->source = found->source;
    e->call = arena_printf(e->arena, "in '%s', applied at %s:%u:%u", ast->name, saved.source->name,
                           place.line, place.column);
    struct cat_value value = elaborate(e, found->function->body);
    e->names = saved.names;
    e->source = saved.source;
    e->call = saved.call;
    return value;
}

/* Functions are inlined: the body is elaborated in the names of its definition and the arguments.
 * MAX_CALLS bounds what a text may nest. */
static struct cat_value elaborate_call(struct elaborator *e, const struct ast *ast,
                                       const struct cat_names *found)
{
    const struct ast_binding *function = found->function;
    if (!arguments_fit(e, ast, function->parameter_count))
        return unknown;
    const struct cat_names *inside = found->scope;
    for (uint32_t i = 0; i < ast->kid_count; i++) {
        struct cat_value argument = elaborate(e, ast->kids[i]);
        inside = names_bind(e->arena, inside, function->parameters[i].name, argument);
    }
    if (e->calls == MAX_CALLS) {
        report(e, DIAG_cat_too_deep, ast->span, NULL,
               "functions are applied in functions too deeply");
        return unknown;
    }
    e->calls++;
    struct cat_value value = inline_body(e, ast, found, inside);
    e->calls--;
    return value;
}

/* The functions of a file that a text has to include. */
static const char *missing_include(const char *function)
{
    static const char *const orders[] = {"generate_orders", "generate_cos", "orders_of",
                                         "lacking_of", "cos_of"};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(function, orders[i]) == 0)
            return "write 'include \"cross.cat\"' before it";
    return NULL;
}

static struct cat_value elaborate_application(struct elaborator *e, const struct ast *ast)
{
    const struct cat_names *found = names_find(e->names, ast->name, &e->steps);
    const char *include = missing_include(ast->name);
    if (!found)
        report(e, DIAG_cat_unknown_name, ast->span, include ? include : near_name(e, ast->name),
               arena_printf(e->arena, "unknown function '%s'", ast->name));
    else if (!found->is_function && found->value.kind == KIND_UNKNOWN)
        return unknown;
    else if (!found->is_function)
        report(e, DIAG_cat_not_function, ast->span, "composition is written r; s",
               arena_printf(e->arena, "'%s' is not a function", ast->name));
    else if (found->function)
        return elaborate_call(e, ast, found);
    else if (arguments_fit(e, ast, 1))
        return elaborate_unary(e, ast, found->op);
    return unknown;
}

/* ---- let ------------------------------------------------------------------------------------ */

static void check_parameters(struct elaborator *e, const struct ast_binding *binding)
{
    if (binding->parameter_count > CAT_MAX_LIST) {
        diag_add(e->diags, DIAG_cat_too_large, e->source, binding->span, NULL,
                 "more than %d parameters", CAT_MAX_LIST);
        return;
    }
    for (uint32_t i = 0; i < binding->parameter_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(binding->parameters[i].name, binding->parameters[j].name) != 0)
                continue;
            diag_add(e->diags, DIAG_cat_duplicate, e->source, binding->parameters[i].span, NULL,
                     "parameter '%s' is named twice", binding->parameters[i].name);
            return;
        }
    }
}

/* Explanations call a node by the first name it was given; base relations keep their own. */
static void name_node(struct elaborator *e, struct cat_value value, const char *name)
{
    if (value.kind != KIND_SET && value.kind != KIND_REL)
        return;
    struct cat_node *node = &e->nodes.nodes.at[value.id];
    if (!node->name && node->op != CAT_BASE_SET && node->op != CAT_BASE_REL)
        node->name = name;
}

/* let x = … and y = …: no body sees the names bound here. */
void elaborate_let(struct elaborator *e, const struct ast_binding *bindings, uint32_t count)
{
    const struct cat_names *outer = e->names, *names = outer;
    for (uint32_t i = 0; i < count; i++) {
        const struct ast_binding *binding = &bindings[i];
        if (binding->parameter_count) {
            check_parameters(e, binding);
            names = names_bind_function(e->arena, names, binding, e->source, outer);
            continue;
        }
        e->names = outer;
        struct cat_value value = elaborate(e, binding->body);
        name_node(e, value, binding->name);
        names = names_bind(e->arena, names, binding->name, value);
    }
    e->names = names;
}

static struct cat_value elaborate_let_in(struct elaborator *e, const struct ast *ast)
{
    const struct cat_names *outer = e->names;
    elaborate_let(e, ast->bindings, ast->binding_count);
    struct cat_value value = elaborate(e, ast->kids[0]);
    e->names = outer;
    return value;
}

struct cat_value elaborate(struct elaborator *e, const struct ast *ast)
{
    if (!elaborate_step(e, ast->span))
        return unknown;
    switch (ast->kind) {
    case AST_NAME:
        return elaborate_name(e, ast);
    case AST_OPERATION:
        return elaborate_operation(e, ast);
    case AST_APPLY:
        return elaborate_application(e, ast);
    case AST_LET_IN:
        return elaborate_let_in(e, ast);
    case AST_IF:
        return elaborate(e, ast->kids[0]);
    }
    return unknown;
}
