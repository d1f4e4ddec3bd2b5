/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

#include <string.h>

/* switch, enumerations, names of types, structures. */

static const struct cpp_stmt *made(struct cpp_parser *p, struct cpp_stmt stmt)
{
    struct cpp_stmt *kept = ARENA_NEW(p->arena, struct cpp_stmt);
    *kept = stmt;
    kept->span = cpp_span_from(p, stmt.span);
    return kept;
}

static const struct cpp_stmt **one_kid(struct cpp_parser *p, const struct cpp_stmt *kid)
{
    const struct cpp_stmt **kids = ARENA_NEW(p->arena, const struct cpp_stmt *);
    kids[0] = kid;
    return kids;
}

/* ---- switch --------------------------------------------------------------------------------- */

static const struct cpp_stmt *switch_statement(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_SWITCH, .kid_count = 1, .span = p->token.span};
    const struct cpp_stmt *body;
    cpp_advance(p);
    if (!cpp_open(p, CPP_MARK_OPEN, "'(' and a value") || !(stmt.value = cpp_expression(p)) ||
        !cpp_close(p, CPP_MARK_CLOSE, "')' after the value") || !(body = cpp_statement(p)))
        return NULL;
    stmt.kids = one_kid(p, body);
    return made(p, stmt);
}

/* "case 1:", "default:"; a '}' may follow. */
static const struct cpp_stmt *case_statement(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_CASE, .kid_count = 1, .span = p->token.span};
    const struct cpp_stmt *kid;
    bool has_value = cpp_at_word(p, "case");
    cpp_advance(p);
    if ((has_value && !(stmt.value = cpp_assignment(p))) ||
        !cpp_expect(p, CPP_MARK_COLON, "':' after the case"))
        return NULL;
    if (cpp_at(p, CPP_MARK_CLOSE_BLOCK))
        kid = made(p, (struct cpp_stmt){.kind = CPP_EMPTY, .span = p->token.span});
    else if (!(kid = cpp_statement(p)))
        return NULL;
    stmt.kids = one_kid(p, kid);
    return made(p, stmt);
}

/* ---- names of types ------------------------------------------------------------------------- */

static const struct cpp_stmt *nothing(struct cpp_parser *p, struct span from)
{
    while (!cpp_at_end(p) && !cpp_at(p, CPP_MARK_SEMICOLON))
        cpp_advance(p);
    if (!cpp_at_end(p))
        cpp_advance(p);
    return made(p, (struct cpp_stmt){.kind = CPP_EMPTY, .span = from});
}

static const struct cpp_stmt *named_type(struct cpp_parser *p, const char *name,
                                         const struct cpp_type *type, struct span from)
{
    struct cpp_stmt stmt = {.kind = CPP_DECLARATION,
                            .specifiers = CPP_SPECIFIER_TYPEDEF,
                            .declarator_count = 1,
                            .span = from};
    stmt.declarators = ARENA_NEW(p->arena, struct cpp_declarator);
    stmt.declarators[0] =
        (struct cpp_declarator){.name = name, .type = type, .name_span = from, .span = from};
    return made(p, stmt);
}

/* "using T = int;", "using namespace std;", "namespace a = b;", "using std::vector;" */
static const struct cpp_stmt *using_statement(struct cpp_parser *p)
{
    struct span from = p->token.span;
    const char *name;
    bool is_namespace = cpp_at_word(p, "namespace");
    cpp_advance(p);
    if (is_namespace || !cpp_at_name(p) || cpp_next(p).mark != CPP_MARK_ASSIGN)
        return nothing(p, from);
    if (!cpp_expect_word(p, "a name", &name))
        return NULL;
    cpp_advance(p);
    const struct cpp_type *type = cpp_type(p);
    if (!type || !cpp_expect(p, CPP_MARK_SEMICOLON, "';' after the type"))
        return NULL;
    return named_type(p, name, type, from);
}

/* ---- enumerations --------------------------------------------------------------------------- */

static const struct cpp_expr *next_value(struct cpp_parser *p, const struct cpp_expr *before,
                                         struct span span)
{
    struct cpp_expr number = {.kind = CPP_NUMBER, .bytes = 4, .is_signed = true, .span = span};
    number.value = before != NULL;
    const struct cpp_expr *kids[2] = {before, cpp_node(p, number, NULL, 0)};
    struct cpp_expr sum = {.kind = CPP_BINARY, .mark = CPP_MARK_ADD, .span = span};
    return before ? cpp_node(p, sum, kids, 2) : kids[1];
}

/* That of the enumeration, if it says one. */
static const struct cpp_type *constant_type(struct cpp_parser *p, const struct cpp_type *underlying)
{
    struct cpp_type *type = ARENA_NEW(p->arena, struct cpp_type);
    *type = (struct cpp_type){.kind = CPP_TYPE_INTEGER,
                              .is_const = true,
                              .is_signed = true,
                              .bytes = 4,
                              .height = 1,
                              .span = p->token.span};
    if (underlying && underlying->kind == CPP_TYPE_INTEGER) {
        type->is_signed = underlying->is_signed;
        type->bytes = underlying->bytes;
    }
    return type;
}

/* "A, B = 3": constants. */
static bool enumerators(struct cpp_parser *p, const struct cpp_type *type, struct cpp_stmt *stmt)
{
    VEC(struct cpp_declarator) list = {0};
    const struct cpp_expr *before = NULL;
    while (!cpp_at(p, CPP_MARK_CLOSE_BLOCK)) {
        struct cpp_declarator one = {.type = constant_type(p, type), .name_span = p->token.span};
        one.span = one.name_span;
        if (!cpp_expect_word(p, "the name of a constant", &one.name))
            return false;
        one.value =
            cpp_accept(p, CPP_MARK_ASSIGN) ? cpp_assignment(p) : next_value(p, before, one.span);
        if (!(before = one.value))
            return false;
        vec_push(p->arena, &list, one);
        if (!cpp_accept(p, CPP_MARK_COMMA))
            break;
    }
    stmt->declarators = list.at;
    stmt->declarator_count = list.len;
    return true;
}

/* "enum class Kind : int { A, B };", "typedef enum { A, B } Kind;" */
static const struct cpp_stmt *enum_statement(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {
        .kind = CPP_DECLARATION, .specifiers = CPP_SPECIFIER_CONSTEXPR, .span = p->token.span};
    const struct cpp_type *type = NULL;
    bool named_behind = cpp_at_word(p, "typedef");
    if (named_behind)
        cpp_advance(p);
    cpp_advance(p);
    if (cpp_at_word(p, "class") || cpp_at_word(p, "struct"))
        cpp_advance(p);
    if (cpp_at_name(p) && !cpp_expect_word(p, "a name", &stmt.label))
        return NULL;
    if (cpp_accept(p, CPP_MARK_COLON) && !(type = cpp_type(p)))
        return NULL;
    if (!cpp_open(p, CPP_MARK_OPEN_BLOCK, "'{' and constants") || !enumerators(p, type, &stmt) ||
        !cpp_close(p, CPP_MARK_CLOSE_BLOCK, "'}' after the constants") ||
        (named_behind && !cpp_expect_word(p, "the name of the enumeration", &stmt.label)) ||
        !cpp_expect(p, CPP_MARK_SEMICOLON, "';' after the enumeration"))
        return NULL;
    return made(p, stmt);
}

/* "typedef enum" */
static bool at_enum_type(const struct cpp_parser *p)
{
    struct span next = cpp_next(p).span;
    return cpp_at_word(p, "typedef") && next.length == 4 &&
           memcmp(p->source->text + next.offset, "enum", 4) == 0;
}

/* ---- structures ----------------------------------------------------------------------------- */

bool cpp_members(struct cpp_parser *p, struct cpp_type *type)
{
    type->kind = CPP_TYPE_NAMED;
    if (!cpp_at(p, CPP_MARK_OPEN_BLOCK) &&
        !(cpp_at_name(p) && cpp_next(p).mark == CPP_MARK_OPEN_BLOCK))
        return false;
    const char *name = arena_printf(p->arena, "struct at %u", p->token.span.offset);
    if (cpp_at_name(p))
        cpp_expect_word(p, "a name", &name);
    type->name = (struct cpp_name){
        .parts = ARENA_NEW(p->arena, struct cpp_part), .part_count = 1, .span = p->last};
    type->name.parts[0] = (struct cpp_part){.word = name};
    type->members = cpp_statement(p);
    return true;
}

/* ---- exceptions ----------------------------------------------------------------------------- */

/* "try {…} catch (const E &e) {…}" */
static const struct cpp_stmt *try_statement(struct cpp_parser *p)
{
    VEC(const struct cpp_stmt *) kids = {0};
    struct cpp_stmt stmt = {.kind = CPP_TRY, .span = p->token.span};
    cpp_advance(p);
    const struct cpp_stmt *body = cpp_statement(p);
    if (!body)
        return NULL;
    vec_push(p->arena, &kids, body);
    while (cpp_at_word(p, "catch")) {
        cpp_advance(p);
        unsigned depth = 0;
        do {
            depth += cpp_at(p, CPP_MARK_OPEN);
            depth -= cpp_at(p, CPP_MARK_CLOSE);
            cpp_advance(p);
        } while (depth && p->token.kind != CPP_TOKEN_END);
        if (!(body = cpp_statement(p)))
            return NULL;
        vec_push(p->arena, &kids, body);
    }
    stmt.kids = kids.at;
    stmt.kid_count = kids.len;
    return made(p, stmt);
}

static const struct cpp_stmt *throw_statement(struct cpp_parser *p)
{
    struct cpp_stmt stmt = {.kind = CPP_THROW, .span = p->token.span};
    cpp_advance(p);
    if (!cpp_at(p, CPP_MARK_SEMICOLON) && !(stmt.value = cpp_expression(p)))
        return NULL;
    return cpp_expect(p, CPP_MARK_SEMICOLON, "';' after what is thrown") ? made(p, stmt) : NULL;
}

/* ---- all ------------------------------------------------------------------------------------ */

bool cpp_other_statement(struct cpp_parser *p, const struct cpp_stmt **stmt)
{
    if (cpp_at_word(p, "switch"))
        *stmt = switch_statement(p);
    else if (cpp_at_word(p, "case") || cpp_at_word(p, "default"))
        *stmt = case_statement(p);
    else if (cpp_at_word(p, "enum") || at_enum_type(p))
        *stmt = enum_statement(p);
    else if (cpp_at_word(p, "using") || (p->host && cpp_at_word(p, "namespace")))
        *stmt = using_statement(p);
    else if (p->host && cpp_at_word(p, "try"))
        *stmt = try_statement(p);
    else if (p->host && cpp_at_word(p, "throw"))
        *stmt = throw_statement(p);
    else if (cpp_at_word(p, "static_assert"))
        *stmt = nothing(p, p->token.span);
    else
        return false;
    return true;
}
