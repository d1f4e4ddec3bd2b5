/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Statements and declarations. */

struct cpp_stmt_list {
    VEC(const struct cpp_stmt *) of;
};

static const struct cpp_stmt *new_stmt(struct cpp_parser *p, struct cpp_stmt stmt,
                                       const struct cpp_stmt *const *kids, uint32_t count)
{
    struct cpp_stmt *made = ARENA_NEW(p->arena, struct cpp_stmt);
    *made = stmt;
    made->kids = count ? ARENA_ARRAY(p->arena, const struct cpp_stmt *, count) : NULL;
    made->kid_count = count;
    for (uint32_t i = 0; i < count; i++)
        made->kids[i] = kids[i];
    made->span = cpp_span_from(p, stmt.span);
    return made;
}

/* The ';' of a statement; in a cell its end is one as well. */
static bool semicolon(struct cpp_parser *p)
{
    if ((p->cell && !p->brackets && cpp_at_end(p)) || (p->any && p->token.kind == CPP_TOKEN_END))
        return true;
    return cpp_expect(p, CPP_MARK_SEMICOLON,
                      p->cell && !p->brackets ? "'|' or ';' after the statement"
                                              : "';' after the statement");
}

void cpp_recover(struct cpp_parser *p)
{
    unsigned open = 0;
    while (p->token.kind != CPP_TOKEN_END) {
        if (!open && p->cell && !p->brackets && cpp_at_end(p))
            return;
        if (!open && cpp_at(p, CPP_MARK_CLOSE_BLOCK))
            return;
        bool ends = !open && cpp_at(p, CPP_MARK_SEMICOLON);
        open += cpp_at(p, CPP_MARK_OPEN_BLOCK);
        bool closes = open && cpp_at(p, CPP_MARK_CLOSE_BLOCK);
        open -= closes;
        cpp_advance(p);
        if (ends || (closes && !open))
            return;
    }
}

/* ---- control -------------------------------------------------------------------------------- */

static const struct cpp_expr *condition(struct cpp_parser *p)
{
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and a condition"))
        return NULL;
    if (cpp_at_declaring_condition(p)) {
        cpp_error(p, cpp_refused, p->token.span, "declare it before",
                  "the condition of a loop that declares a variable is not read");
        return NULL;
    }
    const struct cpp_expr *expr = cpp_expression(p);
    return expr && cpp_close(p, CPP_MARK_CLOSE, "')' after the condition") ? expr : NULL;
}

/* The variable that a declaration declares first. */
static const struct cpp_expr *declared(struct cpp_parser *p, const struct cpp_stmt *stmt)
{
    struct cpp_expr node = {.kind = CPP_NAME, .span = stmt->declarators[0].name_span};
    struct cpp_part *part = ARENA_NEW(p->arena, struct cpp_part);
    *part = (struct cpp_part){.word = stmt->declarators[0].name};
    node.name = (struct cpp_name){.parts = part, .part_count = 1, .span = node.span};
    struct cpp_expr *made = cpp_node(p, node, NULL, 0);
    if (made)
        made->span = node.span;
    return made;
}

/* "(c)", "(int r = f.load())", "(int r = f.load(); r == 1)": '*first' is what is declared, or NULL. */
static const struct cpp_expr *if_condition(struct cpp_parser *p, const struct cpp_stmt **first)
{
    struct cpp_parser before = *p;
    const struct cpp_expr *expr;
    *first = NULL;
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and a condition"))
        return NULL;
    if (!cpp_at_declaring_condition(p)) {
        *p = before;
        return condition(p);
    }
    if (!(*first = cpp_declaration(p)))
        return NULL;
    if (cpp_accept(p, CPP_MARK_SEMICOLON))
        expr = cpp_expression(p);
    else
        expr = declared(p, *first);
    return expr && cpp_close(p, CPP_MARK_CLOSE, "')' after the condition") ? expr : NULL;
}

static const struct cpp_stmt *if_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    const struct cpp_stmt *kids[2], *both[2];
    uint32_t count = 1;
    stmt.kind = CPP_IF;
    if (cpp_at_word(p, "constexpr"))
        cpp_advance(p);
    if (!(stmt.condition = if_condition(p, &both[0])) || !(kids[0] = cpp_statement(p)))
        return NULL;
    if (cpp_accept_keyword(p, CPP_KEYWORD_ELSE)) {
        if (!(kids[1] = cpp_statement(p)))
            return NULL;
        count = 2;
    }
    both[1] = new_stmt(p, stmt, kids, count);
    if (!both[0])
        return both[1];
    struct cpp_stmt block = {.kind = CPP_BLOCK, .span = stmt.span};
    return new_stmt(p, block, both, 2);
}

/* "while (int n = f()) …" is "for (;;) { int n = f(); if (!n) break; … }". */
static const struct cpp_stmt *declaring_while(struct cpp_parser *p, struct cpp_stmt stmt)
{
    const struct cpp_stmt *kids[3], *leaves, *both[2];
    struct cpp_stmt part = {.kind = CPP_IF, .span = p->token.span};
    const struct cpp_expr *is;
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and a condition") || !(kids[0] = cpp_declaration(p)) ||
        !kids[0]->declarator_count || !(is = declared(p, kids[0])) ||
        !cpp_close(p, CPP_MARK_CLOSE, "')' after the condition"))
        return NULL;
    part.condition = cpp_node(
        p, (struct cpp_expr){.kind = CPP_UNARY, .mark = CPP_MARK_NOT, .span = is->span}, &is, 1);
    leaves = new_stmt(p, (struct cpp_stmt){.kind = CPP_BREAK, .span = part.span}, NULL, 0);
    if (!part.condition || !leaves || !(kids[1] = new_stmt(p, part, &leaves, 1)) ||
        !(kids[2] = cpp_statement(p)))
        return NULL;
    both[0] = new_stmt(p, (struct cpp_stmt){.kind = CPP_EMPTY, .span = part.span}, NULL, 0);
    both[1] = new_stmt(p, (struct cpp_stmt){.kind = CPP_BLOCK, .span = part.span}, kids, 3);
    stmt.kind = CPP_FOR;
    return both[0] && both[1] ? new_stmt(p, stmt, both, 2) : NULL;
}

static const struct cpp_stmt *while_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    const struct cpp_stmt *body;
    struct cpp_parser ahead = *p;
    ahead.lexer.diags = NULL;
    cpp_advance(&ahead);
    if (p->host && cpp_at(p, CPP_MARK_OPEN) && cpp_at_declaring_condition(&ahead))
        return declaring_while(p, stmt);
    stmt.kind = CPP_WHILE;
    if (!(stmt.condition = condition(p)) || !(body = cpp_statement(p)))
        return NULL;
    return new_stmt(p, stmt, &body, 1);
}

static const struct cpp_stmt *do_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    const struct cpp_stmt *body = cpp_statement(p);
    stmt.kind = CPP_DO;
    if (!body)
        return NULL;
    if (!cpp_accept_keyword(p, CPP_KEYWORD_WHILE)) {
        cpp_unexpected(p, "'while' after the body of 'do'");
        return NULL;
    }
    if (!(stmt.condition = condition(p)) || !semicolon(p))
        return NULL;
    return new_stmt(p, stmt, &body, 1);
}

/* An expression as a statement, or nothing; without its ';'. */
static const struct cpp_stmt *simple(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_EMPTY, .span = p->token.span};
    if (cpp_at(p, CPP_MARK_SEMICOLON) || cpp_at_end(p))
        return new_stmt(p, stmt, NULL, 0);
    if (cpp_at_declaration(p))
        return cpp_declaration(p);
    stmt.kind = CPP_EXPRESSION;
    stmt.value = cpp_expression(p);
    return stmt.value ? new_stmt(p, stmt, NULL, 0) : NULL;
}

static const struct cpp_stmt *first_part(struct cpp_parser *p)
{
    p->in_for_head = true;
    const struct cpp_stmt *first = simple(p);
    p->in_for_head = false;
    return first;
}

/* What stands between the parentheses of a "for": its first part, and one before that where it is a loop over a range. */
struct for_parts {
    const struct cpp_stmt *before, *first;
};

/* "int i = 0; i < n; i++", "int x : v", "auto v = f(); int x : v" */
static bool for_head(struct cpp_parser *p, struct cpp_stmt *stmt, struct for_parts *parts)
{
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' after 'for'") || !(parts->first = first_part(p)))
        return false;
    bool ends = !cpp_at(p, CPP_MARK_COLON);
    if (ends && !cpp_expect(p, CPP_MARK_SEMICOLON, "';' in 'for'"))
        return false;
    if (ends && p->host && cpp_at_declaration(p)) {
        parts->before = parts->first;
        if (!(parts->first = first_part(p)))
            return false;
    }
    if (!ends || parts->before) {
        stmt->kind = CPP_RANGE_FOR;
        return cpp_expect(p, CPP_MARK_COLON, "':' and what the loop goes over") &&
               (stmt->value = cpp_initializer(p)) &&
               cpp_close(p, CPP_MARK_CLOSE, "')' after 'for'");
    }
    if (!cpp_at(p, CPP_MARK_SEMICOLON) && !(stmt->condition = cpp_expression(p)))
        return false;
    if (!cpp_expect(p, CPP_MARK_SEMICOLON, "the second ';' of 'for'"))
        return false;
    if (!cpp_at(p, CPP_MARK_CLOSE) && !(stmt->step = cpp_expression(p)))
        return false;
    return cpp_close(p, CPP_MARK_CLOSE, "')' after 'for'");
}

static const struct cpp_stmt *for_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    const struct cpp_stmt *kids[2];
    struct for_parts parts = {NULL, NULL};
    struct cpp_stmt block = {.kind = CPP_BLOCK, .span = stmt.span};
    stmt.kind = CPP_FOR;
    if (!for_head(p, &stmt, &parts) || !(kids[1] = cpp_statement(p)))
        return NULL;
    kids[0] = parts.first;
    const struct cpp_stmt *loop = new_stmt(p, stmt, kids, 2);
    if (!loop || !parts.before)
        return loop;
    kids[0] = parts.before;
    kids[1] = loop;
    return new_stmt(p, block, kids, 2);
}

static const struct cpp_stmt *return_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    stmt.kind = CPP_RETURN;
    if (!cpp_at(p, CPP_MARK_SEMICOLON) && !cpp_at_end(p) && !(stmt.value = cpp_initializer(p)))
        return NULL;
    return semicolon(p) ? new_stmt(p, stmt, NULL, 0) : NULL;
}

static const struct cpp_stmt *goto_statement(struct cpp_parser *p, struct cpp_stmt stmt)
{
    stmt.kind = CPP_GOTO;
    if (!cpp_expect_word(p, "a label after 'goto'", &stmt.label) || !semicolon(p))
        return NULL;
    return new_stmt(p, stmt, NULL, 0);
}

/* What begins with a keyword. */
static const struct cpp_stmt *control(struct cpp_parser *p, enum cpp_keyword keyword)
{
    struct cpp_stmt stmt = {.span = p->token.span};
    cpp_advance(p);
    switch (keyword) {
    case CPP_KEYWORD_IF:
        return if_statement(p, stmt);
    case CPP_KEYWORD_WHILE:
        return while_statement(p, stmt);
    case CPP_KEYWORD_DO:
        return do_statement(p, stmt);
    case CPP_KEYWORD_FOR:
        return for_statement(p, stmt);
    case CPP_KEYWORD_RETURN:
        return return_statement(p, stmt);
    case CPP_KEYWORD_GOTO:
        return goto_statement(p, stmt);
    default:
        stmt.kind = keyword == CPP_KEYWORD_BREAK ? CPP_BREAK : CPP_CONTINUE;
        return semicolon(p) ? new_stmt(p, stmt, NULL, 0) : NULL;
    }
}

/* ---- the others ----------------------------------------------------------------------------- */

static const struct cpp_stmt *block(struct cpp_parser *p)
{
    struct cpp_stmt_list list = {{0}};
    struct cpp_stmt stmt = {.kind = CPP_BLOCK, .span = p->token.span};
    unsigned depth = p->depth, brackets = p->brackets + 1;
    cpp_open(p, CPP_MARK_OPEN_BLOCK, "'{'");
    while (!cpp_at(p, CPP_MARK_CLOSE_BLOCK) && p->token.kind != CPP_TOKEN_END) {
        const struct cpp_stmt *kid = cpp_next_statement(p);
        p->depth = depth;
        p->brackets = brackets;
        if (kid)
            vec_push(p->arena, &list.of, kid);
    }
    const char *what = p->cell ? "'}': braces open and close within one cell" : "'}'";
    return cpp_close(p, CPP_MARK_CLOSE_BLOCK, what) ? new_stmt(p, stmt, list.of.at, list.of.len)
                                                    : NULL;
}

static const struct cpp_stmt *labelled(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_LABEL, .span = p->token.span};
    const struct cpp_stmt *kid;
    if (!cpp_expect_word(p, "a label", &stmt.label))
        return NULL;
    cpp_advance(p);
    bool empty = cpp_at(p, CPP_MARK_CLOSE_BLOCK); /* as C++23 has it */
    kid = empty ? new_stmt(p, (struct cpp_stmt){.kind = CPP_EMPTY, .span = p->token.span}, NULL, 0)
                : cpp_statement(p);
    return kid ? new_stmt(p, stmt, &kid, 1) : NULL;
}

static bool is_control(enum cpp_keyword keyword)
{
    return keyword == CPP_KEYWORD_IF || keyword == CPP_KEYWORD_WHILE || keyword == CPP_KEYWORD_DO ||
           keyword == CPP_KEYWORD_FOR || keyword == CPP_KEYWORD_RETURN ||
           keyword == CPP_KEYWORD_BREAK || keyword == CPP_KEYWORD_CONTINUE ||
           keyword == CPP_KEYWORD_GOTO;
}

/* "using namespace cuda;", "namespace cg = cooperative_groups;": names are found without. */
static bool at_names_only(const struct cpp_parser *p)
{
    struct cpp_parser copy = *p;
    copy.lexer.diags = NULL;
    cpp_advance(&copy);
    bool using_all = cpp_at_word(p, "using") && cpp_at_word(&copy, "namespace");
    return using_all || (cpp_at_word(p, "namespace") && cpp_next(&copy).mark == CPP_MARK_ASSIGN);
}

static const struct cpp_stmt *names_only(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_EMPTY, .span = p->token.span};
    while (!cpp_at_end(p) && !cpp_at(p, CPP_MARK_SEMICOLON) && !cpp_at(p, CPP_MARK_CLOSE_BLOCK))
        cpp_advance(p);
    return semicolon(p) ? new_stmt(p, stmt, NULL, 0) : NULL;
}

static const struct cpp_stmt *one(struct cpp_parser *p)
{
    enum cpp_keyword keyword = cpp_keyword_at(p);
    const struct cpp_stmt *other;
    if (at_names_only(p))
        return names_only(p);
    if (cpp_at(p, CPP_MARK_OPEN_BLOCK))
        return block(p);
    if (is_control(keyword))
        return control(p, keyword);
    if (cpp_other_statement(p, &other))
        return other;
    if (cpp_at_name(p) && cpp_next(p).mark == CPP_MARK_COLON)
        return labelled(p);
    const struct cpp_stmt *stmt = simple(p);
    return stmt && semicolon(p) ? stmt : NULL;
}

const struct cpp_stmt *cpp_statement(struct cpp_parser *p)
{
    unsigned depth = p->depth, brackets = p->brackets;
    if (!cpp_deeper(p))
        return NULL;
    const struct cpp_stmt *stmt = one(p);
    p->depth = depth;
    p->brackets = brackets;
    return stmt;
}
