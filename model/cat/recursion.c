/* SPDX-License-Identifier: MIT */
#include "model/cat/elaborate.h"

#include <stdlib.h>
#include <string.h>

/* let rec x = … and y = …: the least solution, which exists because every body is monotone. */

/* ---- kinds ---------------------------------------------------------------------------------- */

/* The kind an expression has by its form alone; KIND_ZERO: it does not show (yet). */
static enum cat_kind kind_of(struct elaborator *e, const struct cat_names *names,
                             const struct ast *ast);

/* The kind of the body, when the parameters are of the kinds of the arguments. */
static enum cat_kind kind_of_call(struct elaborator *e, const struct cat_names *names,
                                  const struct ast *ast)
{
    const struct cat_names *found = names_find(names, ast->name, &e->steps);
    if (!found || !found->is_function)
        return KIND_UNKNOWN;
    const struct ast_binding *function = found->function;
    if (!function)
        return KIND_SET;
    if (function->parameter_count != ast->kid_count)
        return KIND_UNKNOWN;
    const struct cat_names *inside = found->scope;
    for (uint32_t i = 0; i < ast->kid_count; i++) {
        struct cat_value value = {kind_of(e, names, ast->kids[i]), 0};
        inside = names_bind(e->arena, inside, function->parameters[i].name, value);
    }
    return kind_of(e, inside, function->body);
}

static enum cat_kind kind_of_let_in(struct elaborator *e, const struct cat_names *names,
                                    const struct ast *ast)
{
    const struct cat_names *inside = names;
    for (uint32_t i = 0; i < ast->binding_count; i++) {
        const struct ast_binding *binding = &ast->bindings[i];
        struct cat_value value = {KIND_ZERO, 0};
        if (!binding->parameter_count)
            value.kind = kind_of(e, names, binding->body);
        inside = binding->parameter_count
                     ? names_bind_function(e->arena, inside, binding, e->source, names)
                     : names_bind(e->arena, inside, binding->name, value);
    }
    return kind_of(e, inside, ast->kids[0]);
}

static enum cat_kind kind_of_operation(struct elaborator *e, const struct cat_names *names,
                                       const struct ast *ast)
{
    enum cat_kind kind = cat_op_kinds(ast->op)[0] == 'x' ? KIND_ZERO : KIND_REL;
    for (uint32_t i = 0; kind == KIND_ZERO && i < ast->kid_count; i++)
        kind = kind_of(e, names, ast->kids[i]);
    return kind;
}

/* Is the expression a set or a relation? Recursive definitions ask before their names have a
 * value. */
static enum cat_kind kind_of(struct elaborator *e, const struct cat_names *names,
                             const struct ast *ast)
{
    if (!elaborate_step(e, ast->span))
        return KIND_UNKNOWN;
    switch (ast->kind) {
    case AST_NAME: {
        const struct cat_names *found = names_find(names, ast->name, &e->steps);
        return found && !found->is_function ? found->value.kind : KIND_UNKNOWN;
    }
    case AST_OPERATION:
        return kind_of_operation(e, names, ast);
    case AST_APPLY:
        return kind_of_call(e, names, ast);
    case AST_LET_IN:
        return kind_of_let_in(e, names, ast);
    case AST_IF:
        return kind_of(e, names, ast->kids[0]);
    }
    abort();
}

static const struct cat_names *
bind_kinds(struct elaborator *e, const struct ast_statement *statement, const enum cat_kind *kinds)
{
    const struct cat_names *names = e->names;
    for (uint32_t i = 0; i < statement->binding_count; i++)
        names = names_bind(e->arena, names, statement->bindings[i].name,
                           (struct cat_value){kinds[i], 0});
    return names;
}

/* Names whose kind shows nowhere are relations. */
static enum cat_kind *find_kinds(struct elaborator *e, const struct ast_statement *statement)
{
    uint32_t n = statement->binding_count;
    enum cat_kind *kinds = ARENA_ARRAY(e->arena, enum cat_kind, n);
    for (uint32_t i = 0; i < n; i++)
        kinds[i] = KIND_ZERO;
    for (bool changed = true; changed && !e->exhausted;) {
        changed = false;
        const struct cat_names *names = bind_kinds(e, statement, kinds);
        for (uint32_t i = 0; i < n; i++) {
            enum cat_kind kind =
                kinds[i] != KIND_ZERO ? kinds[i] : kind_of(e, names, statement->bindings[i].body);
            changed |= kind != kinds[i];
            kinds[i] = kind;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (kinds[i] != KIND_SET)
            kinds[i] = KIND_REL;
    return kinds;
}

/* ---- groups --------------------------------------------------------------------------------- */

static bool grouped(const struct elaborator *e, cat_id id, uint32_t group)
{
    return e->nodes.nodes.at[id].group == group;
}

static void not_monotone(struct elaborator *e, cat_id id)
{
    const struct cat_node *node = &e->nodes.nodes.at[id];
    diag_add(e->diags, DIAG_cat_not_monotone, e->nodes.sources.at[id], node->span, NULL,
             node->op == CAT_COMPLEMENT ? "a let rec name is used under '~'"
                                        : "a let rec name is used on the right of '\\'");
}

/* Marks the nodes from 'first' on that depend on a name of the group. */
static void mark_group(struct elaborator *e, cat_id first, uint32_t group)
{
    for (cat_id id = first; id < e->nodes.nodes.len; id++) {
        struct cat_node *node = &e->nodes.nodes.at[id];
        cat_id kids[2];
        uint32_t count = node->op == CAT_REC ? 0 : cat_node_kids(node, kids);
        if (node->op == CAT_REC)
            node->group = group;
        for (uint32_t i = 0; i < count; i++) {
            if (!grouped(e, kids[i], group))
                continue;
            node->group = group;
            if (node->op == CAT_COMPLEMENT || (i && node->op == CAT_DIFFERENCE))
                not_monotone(e, id);
        }
    }
}

/* A body that uses no name of its group still comes after the name that stands for it: what was
 * made for such bodies joins the group, so that evaluators go round once more. */
static void join_group(struct elaborator *e, cat_id first, uint32_t names, uint32_t group)
{
    uint32_t count = e->nodes.nodes.len - first;
    bool *joins = ARENA_ARRAY(e->arena, bool, count);
    for (uint32_t i = 0; i < names; i++) {
        cat_id body = e->nodes.nodes.at[first + i].a;
        if (body >= first && !grouped(e, body, group))
            joins[body - first] = true;
    }
    for (uint32_t i = count; i-- > 0;) {
        struct cat_node *node = &e->nodes.nodes.at[first + i];
        cat_id kids[2];
        uint32_t kid_count = joins[i] ? cat_node_kids(node, kids) : 0;
        if (joins[i])
            node->group = group;
        for (uint32_t k = 0; k < kid_count; k++)
            if (kids[k] >= first)
                joins[kids[k] - first] = true;
    }
}

/* A group depends on the execution when anything in it does. */
static void spread_dynamic(struct elaborator *e, cat_id first, uint32_t group)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (cat_id id = first; id < e->nodes.nodes.len; id++) {
            struct cat_node *node = &e->nodes.nodes.at[id];
            if (node->dynamic || !grouped(e, id, group))
                continue;
            node->dynamic = cat_node_depends(&e->nodes, node);
            changed |= node->dynamic;
        }
    }
}

/* ---- the statement -------------------------------------------------------------------------- */

/* Names of a 'let rec' are different, and none of them is a function. */
static bool names_fit(struct elaborator *e, const struct ast_statement *statement)
{
    bool fit = statement->binding_count <= CAT_MAX_LIST;
    if (!fit)
        diag_add(e->diags, DIAG_cat_too_large, e->source, statement->span, NULL,
                 "more than %d names in one let rec", CAT_MAX_LIST);
    for (uint32_t i = 0; fit && i < statement->binding_count; i++) {
        const struct ast_binding *binding = &statement->bindings[i];
        bool repeated = false;
        for (uint32_t j = 0; j < i && !repeated; j++)
            repeated = strcmp(binding->name, statement->bindings[j].name) == 0;
        if (repeated)
            diag_add(e->diags, DIAG_cat_duplicate, e->source, binding->span, NULL,
                     "'%s' is bound twice in this let rec", binding->name);
        if (binding->parameter_count)
            diag_add(e->diags, DIAG_cat_rec_function, e->source, binding->span, NULL,
                     "'%s' is a function, and functions cannot be recursive", binding->name);
        fit = !repeated && !binding->parameter_count;
    }
    return fit;
}

static void bind_unknown(struct elaborator *e, const struct ast_statement *statement)
{
    for (uint32_t i = 0; i < statement->binding_count; i++)
        e->names = names_bind(e->arena, e->names, statement->bindings[i].name,
                              (struct cat_value){KIND_UNKNOWN, 0});
}

void elaborate_recursive(struct elaborator *e, const struct ast_statement *statement)
{
    if (!names_fit(e, statement)) {
        bind_unknown(e, statement);
        return;
    }
    const enum cat_kind *kinds = find_kinds(e, statement);
    cat_id first = e->nodes.nodes.len;
    for (uint32_t i = 0; i < statement->binding_count; i++) {
        const struct ast_binding *binding = &statement->bindings[i];
        struct cat_value value = {kinds[i],
                                  cat_node_recursive(&e->nodes, kinds[i] == KIND_SET, binding->name,
                                                     e->source, binding->body->span)};
        e->names = names_bind(e->arena, e->names, binding->name, value);
    }
    for (uint32_t i = 0; i < statement->binding_count; i++) {
        struct cat_value body = elaborate_as(e, statement->bindings[i].body, kinds[i]);
        e->nodes.nodes.at[first + i].a = body.kind == KIND_UNKNOWN ? first + i : body.id;
    }
    uint32_t group = e->group_count++;
    mark_group(e, first, group);
    join_group(e, first, statement->binding_count, group);
    spread_dynamic(e, first, group);
}
