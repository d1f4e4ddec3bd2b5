/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Expressions, from the comma down to what stands behind an operand. */

struct cpp_expr *cpp_node(struct cpp_parser *p, struct cpp_expr node,
                          const struct cpp_expr *const *kids, uint32_t count)
{
    struct cpp_expr *made = ARENA_NEW(p->arena, struct cpp_expr);
    *made = node;
    made->height = 1;
    made->kids = count ? ARENA_ARRAY(p->arena, const struct cpp_expr *, count) : NULL;
    made->kid_count = count;
    for (uint32_t i = 0; i < count; i++) {
        made->kids[i] = kids[i];
        if (kids[i]->height >= made->height)
            made->height = kids[i]->height + 1;
    }
    made->span = cpp_span_from(p, node.span);
    return cpp_height_fits(p, made->height, made->span) ? made : NULL;
}

/* A node with one mark and its operands. */
static const struct cpp_expr *operation(struct cpp_parser *p, enum cpp_expr_kind kind,
                                        enum cpp_mark mark, const struct cpp_expr *left,
                                        const struct cpp_expr *right)
{
    const struct cpp_expr *kids[] = {left, right};
    struct cpp_expr node = {.kind = kind, .mark = mark, .span = left->span};
    return cpp_node(p, node, kids, right ? 2 : 1);
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* "{1, {2, 3}}"; the current token is the '{'. */
static const struct cpp_expr *braces(struct cpp_parser *p)
{
    struct cpp_expr_list list = {{0}};
    struct span from = p->token.span;
    if (!cpp_deeper(p))
        return NULL;
    bool good =
        cpp_open(p, CPP_MARK_OPEN_BLOCK, "'{'") && cpp_arguments(p, CPP_MARK_CLOSE_BLOCK, &list);
    p->depth--;
    struct cpp_expr node = {.kind = CPP_LIST, .span = from};
    return good ? cpp_node(p, node, list.of.at, list.of.len) : NULL;
}

/* "first: K<<<1, 1>>>()": a launch with its label as an argument. */
static const struct cpp_expr *labelled_launch(struct cpp_parser *p)
{
    const char *label;
    if (!cpp_expect_word(p, "a label", &label))
        return NULL;
    cpp_advance(p);
    const struct cpp_expr *expr = cpp_assignment(p);
    if (expr && expr->kind != CPP_LAUNCH) {
        cpp_error(p, cpp_syntax, expr->span, NULL, "only a launch has a label here");
        return NULL;
    }
    if (!expr)
        return NULL;
    struct cpp_expr *launch = ARENA_NEW(p->arena, struct cpp_expr);
    struct cpp_launch *words = ARENA_NEW(p->arena, struct cpp_launch);
    *launch = *expr;
    *words = *expr->launch;
    words->label = label;
    launch->launch = words;
    return launch;
}

const struct cpp_expr *cpp_initializer(struct cpp_parser *p)
{
    if (!p->cell && cpp_at_labelled_launch(p))
        return labelled_launch(p);
    return cpp_at(p, CPP_MARK_OPEN_BLOCK) ? braces(p) : cpp_assignment(p);
}

/* ".count = 5" in a list. */
static const struct cpp_expr *designated(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_DESIGNATED, .span = p->token.span};
    cpp_advance(p);
    if (!cpp_name(p, &node.name) || !cpp_expect(p, CPP_MARK_ASSIGN, "'=' and the member's value"))
        return NULL;
    const struct cpp_expr *value = cpp_initializer(p);
    return value ? cpp_node(p, node, &value, 1) : NULL;
}

bool cpp_arguments(struct cpp_parser *p, enum cpp_mark close, struct cpp_expr_list *list)
{
    const char *what = arena_printf(p->arena, "',' or '%s'", cpp_mark_text(close));
    while (!cpp_at(p, close)) {
        bool member = close == CPP_MARK_CLOSE_BLOCK && cpp_at(p, CPP_MARK_DOT);
        const struct cpp_expr *expr = member ? designated(p) : cpp_initializer(p);
        if (expr && p->host && cpp_accept(p, CPP_MARK_ELLIPSIS))
            expr = operation(p, CPP_EXPAND, CPP_MARK_NONE, expr, NULL);
        if (!expr)
            return false;
        vec_push(p->arena, &list->of, expr);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    return cpp_close(p, close, what);
}

/* ---- behind an operand ---------------------------------------------------------------------- */

static const struct cpp_expr *call(struct cpp_parser *p, const struct cpp_expr *callee)
{
    struct cpp_expr_list list = {{0}};
    struct cpp_expr node = {.kind = CPP_CALL, .span = callee->span};
    node.is_braced = cpp_at(p, CPP_MARK_OPEN_BLOCK);
    vec_push(p->arena, &list.of, callee);
    cpp_open(p, p->token.mark, "'('");
    if (!cpp_arguments(p, node.is_braced ? CPP_MARK_CLOSE_BLOCK : CPP_MARK_CLOSE, &list))
        return NULL;
    return cpp_node(p, node, list.of.at, list.of.len);
}

/* "@ gpu 1", "cluster 2", "domain 1", "event e", "cooperative", "programmatic", in any order. */
static bool launch_words(struct cpp_parser *p, struct cpp_launch *launch)
{
    for (;;) {
        if (cpp_accept(p, CPP_MARK_AT)) {
            if (!cpp_at_word(p, "gpu")) {
                cpp_unexpected(p, "'gpu' and its number");
                return false;
            }
            cpp_advance(p);
            if (!(launch->gpu = cpp_primary(p)))
                return false;
        } else if (cpp_at_word(p, "cluster")) {
            cpp_advance(p);
            if (!(launch->cluster = cpp_primary(p)))
                return false;
        } else if (cpp_at_word(p, "domain")) {
            cpp_advance(p);
            if (!(launch->domain = cpp_primary(p)))
                return false;
        } else if (cpp_at_word(p, "event")) {
            cpp_advance(p);
            if (!(launch->event = cpp_primary(p)))
                return false;
        } else if (cpp_at_word(p, "cooperative")) {
            cpp_advance(p);
            launch->cooperative = true;
        } else if (cpp_at_word(p, "programmatic")) {
            cpp_advance(p);
            launch->programmatic = true;
        } else
            return true;
    }
}

/* "K<<<grid, block>>>(arguments)" */
static const struct cpp_expr *launch(struct cpp_parser *p, const struct cpp_expr *kernel)
{
    struct cpp_expr_list list = {{0}};
    struct cpp_expr node = {.kind = CPP_LAUNCH, .span = kernel->span};
    vec_push(p->arena, &list.of, kernel);
    cpp_open(p, CPP_MARK_LAUNCH, "'<<<'");
    if (!cpp_arguments(p, CPP_MARK_LAUNCH_END, &list))
        return NULL;
    node.launch_count = list.of.len - 1;
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and the kernel's arguments") ||
        !cpp_arguments(p, CPP_MARK_CLOSE, &list))
        return NULL;
    struct cpp_launch *words = ARENA_NEW(p->arena, struct cpp_launch);
    node.launch = words;
    return launch_words(p, words) ? cpp_node(p, node, list.of.at, list.of.len) : NULL;
}

static const struct cpp_expr *element(struct cpp_parser *p, const struct cpp_expr *array)
{
    cpp_open(p, CPP_MARK_OPEN_INDEX, "'['");
    const struct cpp_expr *index = cpp_expression(p);
    if (!index || !cpp_close(p, CPP_MARK_CLOSE_INDEX, "']'"))
        return NULL;
    return operation(p, CPP_INDEX, CPP_MARK_NONE, array, index);
}

static const struct cpp_expr *member(struct cpp_parser *p, const struct cpp_expr *object)
{
    struct cpp_expr node = {.kind = CPP_MEMBER, .span = object->span};
    node.is_arrow = cpp_at(p, CPP_MARK_ARROW);
    cpp_advance(p);
    return cpp_name(p, &node.name) ? cpp_node(p, node, &object, 1) : NULL;
}

static const struct cpp_expr *postfix(struct cpp_parser *p)
{
    const struct cpp_expr *left = cpp_primary(p);
    while (left) {
        bool named = left->kind == CPP_NAME;
        enum cpp_mark mark = p->token.mark;
        if (mark == CPP_MARK_OPEN || (mark == CPP_MARK_OPEN_BLOCK && named))
            left = call(p, left);
        else if (mark == CPP_MARK_OPEN_INDEX)
            left = element(p, left);
        else if (mark == CPP_MARK_DOT || mark == CPP_MARK_ARROW)
            left = member(p, left);
        else if (mark == CPP_MARK_LAUNCH)
            left = launch(p, left);
        else if (mark == CPP_MARK_INCREMENT || mark == CPP_MARK_DECREMENT) {
            cpp_advance(p);
            left = operation(p, CPP_POSTFIX, mark, left, NULL);
        } else
            return left;
    }
    return NULL;
}

/* ---- before an operand ---------------------------------------------------------------------- */

static bool is_prefix(enum cpp_mark mark)
{
    return mark == CPP_MARK_ADD || mark == CPP_MARK_SUB || mark == CPP_MARK_NOT ||
           mark == CPP_MARK_COMPLEMENT || mark == CPP_MARK_MUL || mark == CPP_MARK_AND ||
           mark == CPP_MARK_INCREMENT || mark == CPP_MARK_DECREMENT;
}

static const struct cpp_expr *prefixed(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_UNARY, .mark = p->token.mark, .span = p->token.span};
    cpp_advance(p);
    const struct cpp_expr *kid = cpp_unary(p);
    return kid ? cpp_node(p, node, &kid, 1) : NULL;
}

/* "(int *)x" */
static const struct cpp_expr *cast(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_CAST, .span = p->token.span};
    cpp_open(p, CPP_MARK_OPEN, "'('");
    node.type = cpp_type(p);
    if (!node.type || !cpp_close(p, CPP_MARK_CLOSE, "')' after the type"))
        return NULL;
    const struct cpp_expr *kid = cpp_unary(p);
    return kid ? cpp_node(p, node, &kid, 1) : NULL;
}

/* "sizeof(int)", "sizeof x"; "sizeof(x)" may be either, and is taken for an expression. */
static const struct cpp_expr *size_of(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_SIZEOF, .span = p->token.span};
    const struct cpp_expr *kid = NULL;
    cpp_advance(p);
    if (p->host && cpp_accept(p, CPP_MARK_ELLIPSIS))
        node.mark = CPP_MARK_ELLIPSIS; /* "sizeof...(a)" */
    if (!cpp_at(p, CPP_MARK_OPEN) || !cpp_at_type(p)) {
        kid = cpp_unary(p);
        return kid ? cpp_node(p, node, &kid, 1) : NULL;
    }
    cpp_open(p, CPP_MARK_OPEN, "'('");
    node.type = cpp_type(p);
    bool good = node.type && cpp_close(p, CPP_MARK_CLOSE, "')' after the type");
    return good ? cpp_node(p, node, NULL, 0) : NULL;
}

const struct cpp_expr *cpp_unary(struct cpp_parser *p)
{
    const struct cpp_expr *expr;
    if (!cpp_deeper(p))
        return NULL;
    if (is_prefix(p->token.mark))
        expr = prefixed(p);
    else if (cpp_keyword_at(p) == CPP_KEYWORD_SIZEOF)
        expr = size_of(p);
    else if (cpp_keyword_at(p) == CPP_KEYWORD_NEW)
        expr = cpp_new(p);
    else if (cpp_keyword_at(p) == CPP_KEYWORD_DELETE)
        expr = cpp_delete(p);
    else if (cpp_at(p, CPP_MARK_OPEN) && cpp_at_cast(p))
        expr = cast(p);
    else
        expr = postfix(p);
    p->depth--;
    return expr;
}

/* ---- between operands ----------------------------------------------------------------------- */

static const struct cpp_expr *binary(struct cpp_parser *p, unsigned least);

/* "... + a" in parentheses */
const struct cpp_expr *cpp_left_fold(struct cpp_parser *p)
{
    struct cpp_expr none = {.kind = CPP_LIST, .span = p->token.span};
    cpp_advance(p);
    enum cpp_mark mark = p->token.mark;
    const struct cpp_expr *left = cpp_node(p, none, NULL, 0), *right;
    if (!left || (!cpp_mark_precedence(mark) && mark != CPP_MARK_COMMA)) {
        cpp_unexpected(p, "an operator behind '...'");
        return NULL;
    }
    cpp_advance(p);
    right = cpp_unary(p);
    return right ? operation(p, CPP_EXPAND, mark, left, right) : NULL;
}

/* Behind "a + ...", what may follow; 'a' or that is the pack. */
static const struct cpp_expr *fold(struct cpp_parser *p, enum cpp_mark mark,
                                   const struct cpp_expr *left)
{
    const struct cpp_expr *right = NULL;
    if (cpp_accept(p, mark) && !(right = binary(p, cpp_mark_precedence(mark) + 1)))
        return NULL;
    return operation(p, CPP_EXPAND, mark, left, right);
}

/* Operands joined by operators that bind at least so strongly. */
static const struct cpp_expr *binary(struct cpp_parser *p, unsigned least)
{
    const struct cpp_expr *left = cpp_unary(p);
    while (left && !cpp_at_end(p)) {
        enum cpp_mark mark = p->token.mark;
        unsigned precedence = cpp_mark_precedence(mark);
        if (!precedence || precedence < least)
            break;
        if (mark == CPP_MARK_SPACESHIP) {
            cpp_error(p, cpp_refused, p->token.span, NULL, "'<=>' is not read: write '<' and '=='");
            return NULL;
        }
        cpp_advance(p);
        if (p->host && cpp_accept(p, CPP_MARK_ELLIPSIS)) /* "(a + ...)", "(a + ... + 0)" */
            return fold(p, mark, left);
        const struct cpp_expr *right = binary(p, precedence + 1);
        left = right ? operation(p, CPP_BINARY, mark, left, right) : NULL;
    }
    return left;
}

static const struct cpp_expr *conditional(struct cpp_parser *p)
{
    const struct cpp_expr *kids[3] = {binary(p, 1), NULL, NULL};
    if (!kids[0] || !cpp_accept(p, CPP_MARK_QUESTION))
        return kids[0];
    struct cpp_expr node = {.kind = CPP_CONDITIONAL, .span = kids[0]->span};
    kids[1] = cpp_expression(p);
    if (!kids[1] || !cpp_expect(p, CPP_MARK_COLON, "':' of '?'"))
        return NULL;
    kids[2] = cpp_assignment(p);
    return kids[2] ? cpp_node(p, node, kids, 3) : NULL;
}

const struct cpp_expr *cpp_assignment(struct cpp_parser *p)
{
    if (!cpp_deeper(p))
        return NULL;
    const struct cpp_expr *left = conditional(p);
    enum cpp_mark mark = p->token.mark;
    if (left && cpp_mark_assigns(mark)) {
        cpp_advance(p);
        const struct cpp_expr *right = cpp_initializer(p);
        left = right ? operation(p, CPP_ASSIGNMENT, mark, left, right) : NULL;
    }
    p->depth--;
    return left;
}

const struct cpp_expr *cpp_expression(struct cpp_parser *p)
{
    const struct cpp_expr *left = cpp_assignment(p);
    while (left && cpp_accept(p, CPP_MARK_COMMA)) {
        if (p->host && cpp_accept(p, CPP_MARK_ELLIPSIS)) /* "(f(a), ...)" */
            return operation(p, CPP_EXPAND, CPP_MARK_COMMA, left, NULL);
        const struct cpp_expr *right = cpp_assignment(p);
        left = right ? operation(p, CPP_BINARY, CPP_MARK_COMMA, left, right) : NULL;
    }
    return left;
}
