/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Expressions that make functions and objects: lambdas, new and delete. */

/* "n", "n = 5": a variable of the lambda's own. */
static bool capture_copy(struct cpp_parser *p, const char **word, const struct cpp_expr **value)
{
    *value = NULL;
    if (!cpp_expect_word(p, "a name", word))
        return false;
    return !cpp_accept(p, CPP_MARK_ASSIGN) || (*value = cpp_assignment(p));
}

/* "&", "=", "&x, n": whether something is captured by reference. */
static bool captures(struct cpp_parser *p, struct cpp_lambda *lambda)
{
    VEC(const char *) copied = {0}, referred = {0};
    VEC(const struct cpp_expr *) values = {0};
    cpp_open(p, CPP_MARK_OPEN_INDEX, "'['");
    while (!cpp_at(p, CPP_MARK_CLOSE_INDEX)) {
        const char *word = NULL;
        const struct cpp_expr *value = NULL;
        bool reference = cpp_accept(p, CPP_MARK_AND);
        bool all = !reference && cpp_accept(p, CPP_MARK_ASSIGN);
        lambda->by_reference = lambda->by_reference || reference;
        lambda->copies = lambda->copies || all;
        if (!reference && !all && !cpp_at_name(p)) {
            cpp_unexpected(p, "what the lambda captures");
            return false;
        }
        if (reference && cpp_at_name(p)) {
            if (!cpp_expect_word(p, "a name", &word))
                return false;
            vec_push(p->arena, &referred, word);
        }
        if (!reference && !all) {
            if (!capture_copy(p, &word, &value))
                return false;
            vec_push(p->arena, &copied, word);
            vec_push(p->arena, &values, value);
        }
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    lambda->referred = referred.at;
    lambda->referred_count = referred.len;
    lambda->copied = copied.at;
    lambda->copied_values = values.at;
    lambda->copied_count = copied.len;
    return cpp_close(p, CPP_MARK_CLOSE_INDEX, "']' after what the lambda captures");
}

/* "T &...a": any number of them. */
static bool pack_parameter(struct cpp_parser *p, struct cpp_declarator *one)
{
    struct cpp_type *type = ARENA_NEW(p->arena, struct cpp_type);
    *type = *one->type;
    type->is_pack = true;
    one->type = type;
    one->name_span = p->token.span;
    return !cpp_at_name(p) || cpp_expect_word(p, "a name", &one->name);
}

bool cpp_parameters(struct cpp_parser *p, struct cpp_declarator **parameters, uint32_t *count)
{
    VEC(struct cpp_declarator) list = {0};
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and the parameters"))
        return false;
    while (!cpp_at(p, CPP_MARK_CLOSE)) {
        struct cpp_declarator one = {.name_span = p->token.span};
        const struct cpp_type *base = cpp_type_specifier(p);
        if (!base)
            return false;
        if (base->kind == CPP_TYPE_VOID && cpp_at(p, CPP_MARK_CLOSE))
            break;
        struct cpp_parser before = *p;
        one.type = cpp_pointers(p, base);
        bool pack = p->host && one.type && cpp_accept(p, CPP_MARK_ELLIPSIS);
        if (!one.type)
            return false;
        if (pack && !pack_parameter(p, &one))
            return false;
        bool pointer = p->host && cpp_at(p, CPP_MARK_OPEN);
        if (!pack && (pointer || cpp_at_name(p))) {
            *p = before;
            if (!cpp_declarator(p, base, &one))
                return false;
        }
        vec_push(p->arena, &list, one);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    *parameters = list.at;
    *count = list.len;
    return cpp_close(p, CPP_MARK_CLOSE, "')' after the parameters");
}

const struct cpp_expr *cpp_lambda(struct cpp_parser *p)
{
    struct cpp_lambda *lambda = ARENA_NEW(p->arena, struct cpp_lambda);
    struct cpp_expr node = {.kind = CPP_LAMBDA, .lambda = lambda, .span = p->token.span};
    if (!captures(p, lambda))
        return NULL;
    if (cpp_at(p, CPP_MARK_OPEN) &&
        !cpp_parameters(p, &lambda->parameters, &lambda->parameter_count))
        return NULL;
    while (cpp_at_word(p, "mutable") || (p->host && cpp_at_word(p, "noexcept"))) {
        lambda->is_mutable = lambda->is_mutable || cpp_at_word(p, "mutable");
        cpp_advance(p);
    }
    if (cpp_accept(p, CPP_MARK_ARROW) && !(lambda->result = cpp_type(p)))
        return NULL;
    if (!cpp_at(p, CPP_MARK_OPEN_BLOCK)) {
        cpp_unexpected(p, "'{' and the code of the lambda");
        return NULL;
    }
    lambda->body = cpp_statement(p);
    return lambda->body ? cpp_node(p, node, NULL, 0) : NULL;
}

/* "new int[n]", "new int(5)", "new int[2]{5, 6}" */
const struct cpp_expr *cpp_new(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_NEW, .span = p->token.span};
    struct cpp_expr_list list = {{0}};
    cpp_advance(p);
    node.type = cpp_pointers(p, cpp_type_specifier(p));
    if (!node.type)
        return NULL;
    if (cpp_at(p, CPP_MARK_OPEN_INDEX)) {
        cpp_open(p, CPP_MARK_OPEN_INDEX, "'['");
        const struct cpp_expr *count = cpp_expression(p);
        if (!count || !cpp_close(p, CPP_MARK_CLOSE_INDEX, "']'"))
            return NULL;
        vec_push(p->arena, &list.of, count);
        node.launch_count = 1;
    }
    node.is_braced = cpp_at(p, CPP_MARK_OPEN_BLOCK);
    if (node.is_braced || cpp_at(p, CPP_MARK_OPEN)) {
        cpp_open(p, p->token.mark, "'('");
        if (!cpp_arguments(p, node.is_braced ? CPP_MARK_CLOSE_BLOCK : CPP_MARK_CLOSE, &list))
            return NULL;
    }
    return cpp_node(p, node, list.of.at, list.of.len);
}

const struct cpp_expr *cpp_delete(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_DELETE, .span = p->token.span};
    cpp_advance(p);
    if (cpp_at(p, CPP_MARK_OPEN_INDEX)) {
        cpp_advance(p);
        if (!cpp_expect(p, CPP_MARK_CLOSE_INDEX, "']'"))
            return NULL;
    }
    const struct cpp_expr *kid = cpp_unary(p);
    return kid ? cpp_node(p, node, &kid, 1) : NULL;
}
