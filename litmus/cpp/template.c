/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/threads.h"

/* Templates of functions, "template <class T, int N> __device__ T take(T *x)": what a call gives or its arguments say becomes
 * names that the function's code knows. */

/* ---- heads ---------------------------------------------------------------------------------- */

static bool refused(struct cpp_parser *p, const char *what)
{
    cpp_error(p, cpp_refused, p->token.span, "write the code for the type that is used",
              "%s are not read", what);
    return false;
}

/* "= int", "= 2" */
static bool given_otherwise(struct cpp_parser *p, struct cpp_template *to)
{
    if (!cpp_accept(p, CPP_MARK_ASSIGN))
        return true;
    if (!to->type)
        return (to->given.type = cpp_type(p));
    return (to->given.value = cpp_primary(p));
}

/* "class T", "int N" */
static bool parameter(struct cpp_parser *p, struct cpp_template *to)
{
    bool type = cpp_at_word(p, "class") || cpp_at_word(p, "typename");
    if (type)
        cpp_advance(p);
    else if (!(to->type = cpp_type(p)))
        return false;
    if (cpp_at(p, CPP_MARK_ELLIPSIS))
        return refused(p, "templates of any number of arguments");
    to->span = p->token.span;
    return cpp_expect_word(p, "the name of a parameter", &to->name) && given_otherwise(p, to);
}

/* What the words behind a head begin. */
static bool at_function(struct cpp_parser *p)
{
    if (cpp_at_word(p, "template"))
        return refused(p, "templates of templates");
    if (cpp_keyword_at(p) == CPP_KEYWORD_STRUCT || cpp_at_word(p, "class"))
        return refused(p, "templates of classes");
    if (cpp_at_word(p, "using"))
        return refused(p, "templates of names of types");
    return true;
}

bool cpp_template_head(struct cpp_parser *p, struct cpp_function *to)
{
    VEC(struct cpp_template) list = {0};
    cpp_advance(p);
    if (!cpp_expect(p, CPP_MARK_LT, "'<' and the parameters of the template"))
        return false;
    if (cpp_at(p, CPP_MARK_GT))
        return refused(p, "specializations of templates");
    do {
        struct cpp_template one = {0};
        if (!parameter(p, &one))
            return false;
        vec_push(p->arena, &list, one);
    } while (cpp_accept(p, CPP_MARK_COMMA));
    to->parameters = list.at;
    to->parameter_count = list.len;
    return cpp_close_angle(p) && at_function(p);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A name that stands where a type could is one that stands for a value. */
static const struct cpp_expr *value_of(struct cpp_code *code, const struct cpp_argument *argument)
{
    if (argument->value || argument->type->kind != CPP_TYPE_NAMED)
        return argument->value;
    struct cpp_expr *made = ARENA_NEW(code->arena, struct cpp_expr);
    *made = (struct cpp_expr){
        .kind = CPP_NAME, .name = argument->type->name, .height = 1, .span = argument->type->span};
    return made;
}

/* A number, an order or a scope. */
static bool value(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to)
{
    uint32_t insts = code->insts.len;
    if (cpp_word(code, expr, to))
        return true;
    if (!cpp_lower_value(code, expr, to))
        return false;
    if (to->form == CPP_FORM_NUMBER && code->insts.len == insts)
        return true;
    code_error(code, cpp_type, expr->span, "make it a parameter of the function",
               "an argument of a template is a type, a number, an order or a scope");
    return false;
}

static struct cpp_operand type_operand(struct cpp_kind kind)
{
    return (struct cpp_operand){.form = CPP_FORM_TYPE, .kind = kind, .reg = NONE, .location = NONE};
}

/* What the argument is, in the scope in which it is written. */
static bool meaning(struct cpp_code *code, const struct cpp_template *parameter,
                    const struct cpp_argument *argument, struct cpp_operand *to)
{
    struct cpp_kind kind;
    bool is_reference;
    const struct cpp_expr *expr = parameter->type ? value_of(code, argument) : NULL;
    if (parameter->type ? !expr : !argument->type) {
        code_error(code, cpp_arguments, parameter->span, NULL, "'%s' is %s, and the call gives %s",
                   parameter->name, parameter->type ? "a value" : "a type",
                   parameter->type ? "a type" : "a value");
        return false;
    }
    if (parameter->type)
        return value(code, expr, to);
    if (!cpp_kind_of(code, argument->type, &kind, &is_reference))
        return false;
    *to = type_operand(kind);
    return true;
}

bool cpp_template_given(struct cpp_code *code, const struct cpp_use *use, struct names *inside)
{
    const struct cpp_expr *callee = use->expr->kids[0];
    const struct cpp_part *part = callee->kind == CPP_NAME ? cpp_last_part(&callee->name) : NULL;
    uint32_t count = part && !use->self ? part->argument_count : 0;
    if (count > use->callee->parameter_count) {
        code_error(code, cpp_arguments, callee->span, NULL,
                   "the template '%s' has %u parameters, the call gives %u", use->callee->name,
                   use->callee->parameter_count, count);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct cpp_template *one = &use->callee->parameters[i];
        struct cpp_operand operand;
        if (!meaning(code, one, &part->arguments[i], &operand))
            return false;
        cpp_swap_scopes(code, inside);
        cpp_add_variable(code, one->name, operand);
        cpp_swap_scopes(code, inside);
    }
    return true;
}

/* ---- what the arguments say ----------------------------------------------------------------- */

/* The parameter that the type is, if nothing says yet what it is; or NULL. */
static const struct cpp_template *open_parameter(struct cpp_code *code,
                                                 const struct cpp_function *callee,
                                                 const struct cpp_type *type)
{
    struct cpp_operand known;
    const char *word = type && type->kind == CPP_TYPE_NAMED ? cpp_plain_word(&type->name) : NULL;
    for (uint32_t i = 0; word && i < callee->parameter_count; i++)
        if (strcmp(callee->parameters[i].name, word) == 0)
            return cpp_find_variable(code, word, &known) ? NULL : &callee->parameters[i];
    return NULL;
}

/* "atomic_ref<T, S>" */
static void deduce_arguments(struct cpp_code *code, const struct cpp_function *callee,
                             const struct cpp_part *part, struct cpp_kind kind)
{
    const struct cpp_template *scope =
        part->argument_count > 1 ? open_parameter(code, callee, part->arguments[1].type) : NULL;
    if (part->argument_count && part->arguments[0].type)
        cpp_template_deduce(code, callee, part->arguments[0].type, cpp_value_kind(kind));
    if (scope) {
        struct cpp_operand word = {.form = CPP_FORM_WORD, .word = cpp_scope_name(code, kind.scope)};
        cpp_add_variable(code, scope->name, word);
    }
}

void cpp_template_deduce(struct cpp_code *code, const struct cpp_function *callee,
                         const struct cpp_type *type, struct cpp_kind kind)
{
    const struct cpp_template *open = open_parameter(code, callee, type);
    bool pointer = type->kind == CPP_TYPE_POINTER || type->kind == CPP_TYPE_ARRAY;
    if (open && !open->type)
        cpp_add_variable(code, open->name, type_operand(kind));
    else if (type->kind == CPP_TYPE_REFERENCE)
        cpp_template_deduce(code, callee, type->to, kind);
    else if (pointer && kind.is_pointer) {
        kind.is_pointer = false;
        cpp_template_deduce(code, callee, type->to, kind);
    } else if (type->kind == CPP_TYPE_NAMED && kind.is_atomic && !kind.is_pointer)
        deduce_arguments(code, callee, cpp_last_part(&type->name), kind);
}

bool cpp_template_rest(struct cpp_code *code, const struct cpp_use *use)
{
    for (uint32_t i = 0; i < use->callee->parameter_count; i++) {
        const struct cpp_template *one = &use->callee->parameters[i];
        struct cpp_operand operand;
        if (cpp_find_variable(code, one->name, &operand))
            continue;
        if (!one->given.type && !one->given.value) {
            code_error(code, cpp_arguments, use->expr->span,
                       arena_printf(code->arena, "write it: %s<…>(…)", use->callee->name),
                       "nothing says what '%s' of the template '%s' is", one->name,
                       use->callee->name);
            return false;
        }
        if (!meaning(code, one, &one->given, &operand))
            return false;
        cpp_add_variable(code, one->name, operand);
    }
    return true;
}
