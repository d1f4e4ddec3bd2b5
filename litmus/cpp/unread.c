/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Statements of a list, where a text may hold C++ that this parser does not read: such a statement is passed over
 * as a whole, from its first token to its end, and its names are kept. */

struct unread {
    struct cpp_parser *p;
    VEC(const char *) words;
    bool leaves;
    unsigned loops; /* whose 'break' stays inside */
};

/* ---- words ---------------------------------------------------------------------------------- */

static void note_word(struct unread *u)
{
    static const char *const leaving[] = {"return", "goto",       "throw",     "exit",   "_exit",
                                          "abort",  "quick_exit", "co_return", "longjmp"};
    struct cpp_parser *p = u->p;
    const struct span span = p->token.span;
    if (p->token.kind != CPP_TOKEN_WORD)
        return;
    for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++)
        u->leaves = u->leaves || cpp_at_word(p, leaving[i]);
    u->leaves = u->leaves || (!u->loops && (cpp_at_word(p, "break") || cpp_at_word(p, "continue")));
    vec_push(p->arena, &u->words,
             arena_strndup(p->arena, p->source->text + span.offset, span.length));
}

static void pass(struct unread *u)
{
    note_word(u);
    cpp_advance(u->p);
}

/* ---- extents -------------------------------------------------------------------------------- */

static bool opens(const struct cpp_parser *p)
{
    return cpp_at(p, CPP_MARK_OPEN) || cpp_at(p, CPP_MARK_OPEN_INDEX) ||
           cpp_at(p, CPP_MARK_OPEN_BLOCK);
}

static bool closes(const struct cpp_parser *p)
{
    return cpp_at(p, CPP_MARK_CLOSE) || cpp_at(p, CPP_MARK_CLOSE_INDEX) ||
           cpp_at(p, CPP_MARK_CLOSE_BLOCK);
}

/* Past "(…)" or "{…}", if one begins here. */
static void pass_brackets(struct unread *u)
{
    unsigned depth = 0;
    if (!opens(u->p))
        return;
    do {
        depth += opens(u->p);
        depth -= closes(u->p);
        pass(u);
    } while (depth && u->p->token.kind != CPP_TOKEN_END);
}

/* Past a ';', or to a '}' that closes what is around. */
static void pass_to_semicolon(struct unread *u)
{
    struct cpp_parser *p = u->p;
    while (p->token.kind != CPP_TOKEN_END && !closes(p) && !cpp_at(p, CPP_MARK_SEMICOLON))
        opens(p) ? pass_brackets(u) : pass(u);
    if (cpp_at(p, CPP_MARK_SEMICOLON) || cpp_at(p, CPP_MARK_CLOSE) ||
        cpp_at(p, CPP_MARK_CLOSE_INDEX))
        cpp_advance(p);
}

static void pass_statement(struct unread *u);

/* "catch (…) {…}" behind "try {…}". */
static void pass_try(struct unread *u)
{
    pass(u);
    pass_brackets(u);
    while (cpp_at_word(u->p, "catch")) {
        pass(u);
        pass_brackets(u);
        pass_brackets(u);
    }
}

static void pass_if(struct unread *u)
{
    pass(u);
    if (cpp_at_word(u->p, "constexpr"))
        pass(u);
    pass_brackets(u);
    pass_statement(u);
    if (cpp_keyword_at(u->p) == CPP_KEYWORD_ELSE) {
        pass(u);
        pass_statement(u);
    }
}

static void pass_loop(struct unread *u)
{
    u->loops++;
    pass(u);
    pass_brackets(u);
    pass_statement(u);
    u->loops--;
}

static void pass_do(struct unread *u)
{
    u->loops++;
    pass(u);
    pass_statement(u);
    u->loops--;
    pass_to_semicolon(u);
}

static void pass_statement(struct unread *u)
{
    struct cpp_parser *p = u->p;
    enum cpp_keyword keyword = cpp_keyword_at(p);
    if (p->depth++ >= CPP_MAX_DEPTH) /* too deep: all that is around */
        while (p->token.kind != CPP_TOKEN_END)
            pass(u);
    else if (keyword == CPP_KEYWORD_IF)
        pass_if(u);
    else if (keyword == CPP_KEYWORD_FOR || keyword == CPP_KEYWORD_WHILE || cpp_at_word(p, "switch"))
        pass_loop(u);
    else if (keyword == CPP_KEYWORD_DO)
        pass_do(u);
    else if (cpp_at_word(p, "try"))
        pass_try(u);
    else if (cpp_at(p, CPP_MARK_OPEN_BLOCK))
        pass_brackets(u);
    else
        pass_to_semicolon(u);
    p->depth--;
}

/* ---- lists ---------------------------------------------------------------------------------- */

static const struct cpp_stmt *unread_statement(struct cpp_parser *p, const struct diag *fault)
{
    struct cpp_stmt *made = ARENA_NEW(p->arena, struct cpp_stmt);
    struct cpp_unread *unread = ARENA_NEW(p->arena, struct cpp_unread);
    struct unread passing = {.p = p};
    struct span from = p->token.span;
    *unread = (struct cpp_unread){fault->span, fault->message, fault->hint};
    pass_statement(&passing);
    unread->words = passing.words.at;
    unread->word_count = passing.words.len;
    unread->leaves = passing.leaves;
    *made = (struct cpp_stmt){.kind = CPP_UNREAD, .unread = unread};
    made->span = cpp_span_from(p, from);
    return made;
}

const struct cpp_stmt *cpp_next_statement(struct cpp_parser *p)
{
    struct cpp_parser start = *p;
    const struct cpp_stmt *stmt = cpp_statement(p);
    if (!p->any) {
        if (!stmt)
            cpp_recover(p);
        return stmt;
    }
    if (stmt && !p->diags->errors)
        return stmt;
    const struct diag fault = p->diags->items.at[0]; /* whoever returns NULL has reported why */
    *p = start;
    p->diags->items.len = p->diags->errors = 0;
    stmt = unread_statement(p, &fault);
    p->diags->items.len = p->diags->errors = 0;
    return stmt;
}
