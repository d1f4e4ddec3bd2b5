/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Declarations: the names of "int a = 1, *b, c[2]{3, 4}, d(5);". */

/* "[2][3]": the first is the outermost. */
static const struct cpp_type *arrays(struct cpp_parser *p, const struct cpp_type *of)
{
    const struct cpp_expr *length = NULL;
    if (!of || !cpp_at(p, CPP_MARK_OPEN_INDEX))
        return of;
    if (!cpp_deeper(p))
        return NULL;
    cpp_open(p, CPP_MARK_OPEN_INDEX, "'['");
    if (!cpp_at(p, CPP_MARK_CLOSE_INDEX) && !(length = cpp_assignment(p)))
        return NULL;
    if (!cpp_close(p, CPP_MARK_CLOSE_INDEX, "']'"))
        return NULL;
    of = arrays(p, of);
    p->depth--;
    return of ? cpp_array_of(p, of, length) : NULL;
}

/* "(1, 2)" or "{1, 2}" after the name. */
static bool given_values(struct cpp_parser *p, struct cpp_declarator *to)
{
    struct cpp_expr_list list = {{0}};
    to->is_braced = cpp_at(p, CPP_MARK_OPEN_BLOCK);
    to->is_given = to->is_braced || cpp_at(p, CPP_MARK_OPEN);
    if (!to->is_given)
        return true;
    cpp_open(p, p->token.mark, "'('");
    if (!cpp_arguments(p, to->is_braced ? CPP_MARK_CLOSE_BLOCK : CPP_MARK_CLOSE, &list))
        return false;
    to->given = list.of.at;
    to->given_count = list.of.len;
    return true;
}

/* At "(*": the name of a pointer to a function follows. */
static bool at_function_pointer(const struct cpp_parser *p)
{
    struct cpp_token next = cpp_next(p);
    return p->host && cpp_at(p, CPP_MARK_OPEN) &&
           (next.mark == CPP_MARK_MUL || next.mark == CPP_MARK_AND);
}

/* "(&a)[4]", of which what stands in parentheses is read. */
static bool array_reference(struct cpp_parser *p, const struct cpp_type *base,
                            struct cpp_declarator *to)
{
    struct cpp_type *reference = ARENA_NEW(p->arena, struct cpp_type);
    const struct cpp_type *array = arrays(p, base);
    if (!array)
        return false;
    *reference = (struct cpp_type){.kind = CPP_TYPE_REFERENCE,
                                   .to = array,
                                   .height = array->height + 1,
                                   .span = cpp_span_from(p, to->name_span)};
    to->type = reference;
    return true;
}

/* "(*f)(int)", "(*f[2])(int)": a variable that holds any function; without a name in a list of parameters. */
static bool function_pointer(struct cpp_parser *p, struct cpp_declarator *to)
{
    const struct cpp_type *base = to->type;
    struct cpp_type *any = ARENA_NEW(p->arena, struct cpp_type);
    struct cpp_declarator *parameters;
    uint32_t count;
    *any = (struct cpp_type){.kind = CPP_TYPE_AUTO, .height = 1, .span = p->token.span};
    to->type = any;
    cpp_open(p, CPP_MARK_OPEN, "'('");
    bool reference = cpp_at(p, CPP_MARK_AND);
    cpp_advance(p);
    to->name_span = p->token.span;
    if (cpp_at_name(p) && !cpp_expect_word(p, "a name", &to->name))
        return false;
    to->type = arrays(p, to->type);
    if (!to->type || !cpp_close(p, CPP_MARK_CLOSE, "')' after the name of a function"))
        return false;
    return reference && cpp_at(p, CPP_MARK_OPEN_INDEX) ? array_reference(p, base, to)
                                                       : cpp_parameters(p, &parameters, &count);
}

/* "[a, b]" of "auto [a, b] = p" */
static bool bound_names(struct cpp_parser *p, struct cpp_declarator *to)
{
    VEC(const char *) names = {0};
    to->name = arena_printf(p->arena, "parts at %u", p->token.span.offset);
    cpp_open(p, CPP_MARK_OPEN_INDEX, "'['");
    do {
        const char *name;
        if (!cpp_expect_word(p, "the name of a variable", &name))
            return false;
        vec_push(p->arena, &names, name);
    } while (cpp_accept(p, CPP_MARK_COMMA));
    to->bound = names.at;
    to->bound_count = names.len;
    return cpp_close(p, CPP_MARK_CLOSE_INDEX, "']' after the names");
}

/* Before or at the ':' of "unsigned x : 4", of which only host code has any. */
static bool at_width(const struct cpp_parser *p)
{
    return p->host && !p->in_for_head && cpp_at(p, CPP_MARK_COLON);
}

static bool declared_name(struct cpp_parser *p, struct cpp_declarator *to)
{
    const struct cpp_type *of = to->type;
    to->name = "";
    if (at_width(p))
        return true;
    while (of->kind == CPP_TYPE_REFERENCE)
        of = of->to;
    if (at_function_pointer(p))
        return function_pointer(p, to);
    if (p->host && of->kind == CPP_TYPE_AUTO && cpp_at(p, CPP_MARK_OPEN_INDEX))
        return bound_names(p, to);
    return cpp_expect_word(p, "the name of a variable", &to->name);
}

bool cpp_declarator(struct cpp_parser *p, const struct cpp_type *base, struct cpp_declarator *to)
{
    *to = (struct cpp_declarator){.type = cpp_pointers(p, base), .name_span = p->token.span};
    if (!to->type || !declared_name(p, to))
        return false;
    while (p->any && cpp_accept(p, CPP_MARK_QUALIFY)) { /* "int Plan::size = 5;" */
        const char *outer = to->name;
        if (!cpp_expect_word(p, "the name of a variable", &to->name))
            return false;
        to->name = arena_printf(p->arena, "%s::%s", outer, to->name);
    }
    to->type = arrays(p, to->type);
    if (!to->type)
        return false;
    if (at_width(p)) {
        cpp_advance(p);
        if (!(to->width = cpp_assignment(p)))
            return false;
    } else if (cpp_accept(p, CPP_MARK_ASSIGN)) {
        to->value = cpp_initializer(p);
        if (!to->value)
            return false;
    } else if (!given_values(p, to))
        return false;
    to->span = cpp_span_from(p, to->name_span);
    return true;
}

/* "alignas(64)": where an object is placed does not matter. */
static void pass_alignment(struct cpp_parser *p)
{
    cpp_advance(p);
    for (unsigned open = 0; !cpp_at_end(p);) {
        open += cpp_at(p, CPP_MARK_OPEN);
        open -= open && cpp_at(p, CPP_MARK_CLOSE);
        cpp_advance(p);
        if (!open)
            return;
    }
}

/* The words before and between those of the type: "static const int". */
static uint32_t specifiers(struct cpp_parser *p)
{
    uint32_t all = 0;
    for (uint32_t one; (one = cpp_specifier_at(p)) || cpp_at_word(p, "alignas");)
        if (one) {
            all |= one;
            cpp_advance(p);
        } else
            pass_alignment(p);
    return all;
}

struct cpp_stmt *cpp_declaration(struct cpp_parser *p)
{
    VEC(struct cpp_declarator) list = {0};
    struct cpp_stmt stmt = {.kind = CPP_DECLARATION, .span = p->token.span};
    stmt.specifiers = specifiers(p);
    const struct cpp_type *type = cpp_type_specifier(p);
    if (!type)
        return NULL;
    stmt.specifiers |= specifiers(p);
    stmt.type = type->members ? type : NULL;
    bool alone = type->members && cpp_at(p, CPP_MARK_SEMICOLON);
    while (!alone) {
        struct cpp_declarator one;
        if (!cpp_declarator(p, type, &one))
            return NULL;
        vec_push(p->arena, &list, one);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    struct cpp_stmt *made = ARENA_NEW(p->arena, struct cpp_stmt);
    *made = stmt;
    made->declarators = list.at;
    made->declarator_count = list.len;
    made->span = cpp_span_from(p, stmt.span);
    return made;
}
