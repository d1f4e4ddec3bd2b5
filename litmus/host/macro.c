/* SPDX-License-Identifier: MIT */
#include "litmus/host/macro.h"

#include <string.h>

#include "litmus/cpp/cpp.h"
#include "litmus/host/tree.h"

/* ---- reading -------------------------------------------------------------------------------- */

/* "const auto N = body;" */
static void constant(struct eval *e, const char *name, const struct cpp_expr *value)
{
    struct cpp_type *type = ARENA_NEW(e->arena, struct cpp_type);
    struct cpp_stmt *stmt = ARENA_NEW(e->arena, struct cpp_stmt);
    *type = (struct cpp_type){.kind = CPP_TYPE_AUTO, .is_const = true, .span = value->span};
    *stmt = (struct cpp_stmt){.kind = CPP_DECLARATION,
                              .specifiers = CPP_SPECIFIER_CONSTEXPR,
                              .declarators = ARENA_NEW(e->arena, struct cpp_declarator),
                              .declarator_count = 1,
                              .span = value->span};
    stmt->declarators[0] = (struct cpp_declarator){
        .name = name, .type = type, .value = value, .name_span = value->span, .span = value->span};
    vec_push(e->arena, &e->globals, stmt);
}

bool eval_acts(const struct cpp_expr *expr)
{
    bool steps = expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT;
    if (expr->kind == CPP_CALL || expr->kind == CPP_LAUNCH || expr->kind == CPP_ASSIGNMENT ||
        expr->kind == CPP_POSTFIX || expr->kind == CPP_LAMBDA || expr->kind == CPP_NEW ||
        expr->kind == CPP_DELETE || (expr->kind == CPP_UNARY && steps))
        return true;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (eval_acts(expr->kids[i]))
            return true;
    return false;
}

static void read_one(struct eval *e, const struct file_macro *macro, uint32_t bodies)
{
    struct source *part = ARENA_NEW(e->arena, struct source);
    struct diag_list unheard = {.arena = e->arena};
    uint32_t offset = bodies + macro->body.offset;
    struct code_macro made = {.name = macro->name,
                              .is_function = macro->is_function,
                              .parameters = macro->parameters,
                              .parameter_count = macro->parameter_count,
                              .takes_more = macro->takes_more,
                              .text = {offset, macro->body.length}};
    *part = *e->p->source;
    part->length = offset + macro->body.length;
    made.value = cpp_parse_expression(e->arena, part, offset, &unheard);
    if (!macro->is_function && made.value && !eval_acts(made.value) &&
        macro_is_whole(e, made.value)) {
        constant(e, macro->name, made.value);
        return;
    }
    part->length++; /* the ';' that stands there */
    if (!made.value)
        made.body = cpp_parse_any_statements(e->arena, part, &offset);
    vec_push(e->arena, &e->macros, made);
}

void macro_read(struct eval *e, const struct file_macro *macros, uint32_t count, uint32_t bodies)
{
    for (uint32_t i = 0; i < count; i++)
        if (!macros[i].is_gone && macros[i].body.length)
            read_one(e, &macros[i], bodies);
}

/* ---- arguments in place of parameters ------------------------------------------------------- */

struct replacing {
    struct tree_change change;
    const struct code_macro *macro;
    const struct cpp_expr *const *arguments;
    uint32_t count;
    struct eval *e;
    struct span wrong; /* the parameter for which an argument without parentheses stands */
};

static const struct cpp_expr *argument_for(struct tree_change *change, const struct cpp_expr *expr)
{
    struct replacing *r = (struct replacing *)change;
    const char *word = eval_word(expr);
    for (uint32_t i = 0; word && i < r->macro->parameter_count; i++)
        if (strcmp(word, r->macro->parameters[i]) == 0) {
            if (!macro_stands(r->e, r->arguments[i], true, expr->span, r->macro->text))
                r->wrong = expr->span;
            return r->arguments[i];
        }
    return NULL;
}

/* "__VA_ARGS__": the arguments behind those that have names. */
static uint32_t rest_of(struct tree_change *change, const struct cpp_expr *expr,
                        const struct cpp_expr **to)
{
    const struct replacing *r = (const struct replacing *)change;
    const char *word = eval_word(expr);
    uint32_t named = r->macro->parameter_count;
    if (!word || strcmp(word, "__VA_ARGS__") != 0 || !r->macro->takes_more)
        return NONE;
    for (uint32_t i = named; to && i < r->count; i++)
        to[i - named] = r->arguments[i];
    return r->count - named;
}

/* ---- calls ---------------------------------------------------------------------------------- */

enum { DEEPEST_MACRO_CALLS = 32, MOST_MACRO_CALLS = 20000 };

const struct code_macro *macro_named(const struct eval *e, const char *word, bool is_function)
{
    for (uint32_t i = e->macros.len; i-- > 0;) /* the last one that has the name */
        if (e->macros.at[i].is_function == is_function && strcmp(e->macros.at[i].name, word) == 0)
            return &e->macros.at[i];
    return NULL;
}

bool macro_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                struct code_value *to)
{
    const struct code_macro *macro = macro_named(e, word, true);
    *found = macro != NULL;
    if (!macro)
        return false;
    bool fits = expr->kid_count - 1 == macro->parameter_count ||
                (macro->takes_more && expr->kid_count - 1 > macro->parameter_count);
    if (!fits || e->macro_depth == DEEPEST_MACRO_CALLS || e->macro_calls == MOST_MACRO_CALLS) {
        eval_error(e, host_statement, expr->span, NULL, "the macro '%s' %s", word,
                   fits ? "is nested too deeply, or called too often" : "takes other arguments");
        return false;
    }
    struct replacing r = {
        {e->arena, argument_for, rest_of}, macro, expr->kids + 1, expr->kid_count - 1, e, {0, 0}};
    const struct cpp_expr *value = macro->value ? tree_changed(&r.change, macro->value) : NULL;
    const struct cpp_stmt *body = value ? NULL : tree_changed_stmt(&r.change, macro->body);
    if (r.wrong.length) {
        eval_error(e, host_statement, expr->span, "write parentheses around the parameter",
                   "an operator beside '%s' of the macro takes only a part of the argument",
                   eval_text(e, r.wrong));
        return false;
    }
    *to = eval_number(0, TYPE_S32);
    if (value ? !macro_stands_at(e, macro->value, expr->span)
              : !macro_stands_alone(e, macro->body, expr->span))
        return false;
    e->macro_depth++;
    e->macro_calls++;
    bool good = value ? eval_value(e, value, to) : eval_statement(e, body);
    e->macro_depth--;
    return good;
}

bool macro_branch_stands(struct eval *e, const struct cpp_stmt *branch)
{
    const struct cpp_expr *expr = branch->kind == CPP_EXPRESSION ? branch->value : NULL;
    bool call = expr && expr->kind == CPP_CALL;
    const char *word = expr ? eval_word(call ? expr->kids[0] : expr) : NULL;
    const struct code_macro *macro = word ? macro_named(e, word, call) : NULL;
    return !macro || !macro->body || macro_stands_alone(e, macro->body, expr->span);
}
