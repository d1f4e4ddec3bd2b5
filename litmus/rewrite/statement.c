/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/statement.h"

#include <string.h>

#include "litmus/cpp/lex.h"

enum { MOST_DEPTH = 100 };

struct reader {
    struct arena *arena;
    struct cpp_lexer lexer;
    struct cpp_token token;
    uint32_t end; /* of the token before */
    struct statements *to;
    unsigned depth;
};

static void advance(struct reader *r)
{
    r->end = r->token.span.offset + r->token.span.length;
    r->token = cpp_lex(&r->lexer);
}

static bool at(const struct reader *r, enum cpp_mark mark)
{
    return r->token.kind == CPP_TOKEN_MARK && r->token.mark == mark;
}

static bool at_word(const struct reader *r, const char *word)
{
    return r->token.kind == CPP_TOKEN_WORD && r->token.span.length == strlen(word) &&
           memcmp(r->lexer.source->text + r->token.span.offset, word, strlen(word)) == 0;
}

static bool at_end(const struct reader *r)
{
    return r->token.kind == CPP_TOKEN_END;
}

static int bracket(const struct reader *r)
{
    static const enum cpp_mark opens[] = {CPP_MARK_OPEN, CPP_MARK_OPEN_INDEX, CPP_MARK_OPEN_BLOCK};
    static const enum cpp_mark closes[] = {CPP_MARK_CLOSE, CPP_MARK_CLOSE_INDEX,
                                           CPP_MARK_CLOSE_BLOCK};
    for (int i = 0; i < 3; i++)
        if (at(r, opens[i]) || at(r, closes[i]))
            return at(r, opens[i]) ? 1 : -1;
    return 0;
}

/* Past a '(' and what closes it. */
static void pass_group(struct reader *r)
{
    int open = 0;
    do {
        open += bracket(r);
        advance(r);
    } while (open > 0 && !at_end(r));
}

static void statement(struct reader *r, uint32_t parent, uint32_t list, bool bare);

static void block(struct reader *r, uint32_t parent)
{
    uint32_t list = r->to->lists++;
    while (!at_end(r) && !at(r, CPP_MARK_CLOSE_BLOCK))
        statement(r, parent, list, false);
}

/* A block, or one statement without braces. */
static void body(struct reader *r, uint32_t parent)
{
    if (!at(r, CPP_MARK_OPEN_BLOCK)) {
        statement(r, parent, r->to->lists++, true);
        return;
    }
    advance(r);
    block(r, parent);
    advance(r);
}

static void end_head(struct reader *r, uint32_t self)
{
    r->to->items.at[self].head = r->end;
}

/* "if (c) … else …", "while (c) …" and their like, behind their word. */
static void headed(struct reader *r, uint32_t self)
{
    while (!at_end(r) && !at(r, CPP_MARK_OPEN)) /* "if constexpr" */
        advance(r);
    pass_group(r);
    end_head(r, self);
    body(r, self);
    if (!at_word(r, "else"))
        return;
    advance(r);
    body(r, self);
}

static void do_loop(struct reader *r, uint32_t self)
{
    body(r, self);
    while (!at_end(r) && !at(r, CPP_MARK_SEMICOLON) && !at(r, CPP_MARK_CLOSE_BLOCK))
        advance(r);
    advance(r);
}

static void simple(struct reader *r)
{
    int open = 0;
    while (!at_end(r)) {
        int step = bracket(r);
        if ((!open && step < 0) || (!open && at(r, CPP_MARK_SEMICOLON)))
            break;
        open += step;
        advance(r);
    }
    if (at(r, CPP_MARK_SEMICOLON))
        advance(r);
}

/* "again:", "case 1:", "default:" before a statement. */
static void labels(struct reader *r)
{
    for (;;) {
        struct reader ahead = *r;
        bool is_case = at_word(r, "case");
        if (r->token.kind != CPP_TOKEN_WORD)
            return;
        advance(&ahead);
        while (is_case && !at_end(&ahead) && !at(&ahead, CPP_MARK_COLON))
            advance(&ahead);
        if (!at(&ahead, CPP_MARK_COLON))
            return;
        advance(&ahead);
        *r = ahead;
    }
}

static bool has_head(const struct reader *r)
{
    return at_word(r, "if") || at_word(r, "while") || at_word(r, "for") || at_word(r, "switch");
}

static void inside(struct reader *r, uint32_t self)
{
    if (at(r, CPP_MARK_OPEN_BLOCK))
        body(r, self);
    else if (has_head(r)) {
        advance(r);
        headed(r, self);
    } else if (at_word(r, "do")) {
        advance(r);
        do_loop(r, self);
    } else
        simple(r);
}

static void statement(struct reader *r, uint32_t parent, uint32_t list, bool bare)
{
    labels(r);
    uint32_t start = r->token.span.offset, self = r->to->items.len;
    struct statement made = {.span = {start, 0}, .parent = parent, .list = list, .bare = bare};
    if (r->depth == MOST_DEPTH) {
        r->lexer.offset = r->lexer.source->length;
        advance(r);
        return;
    }
    r->depth++;
    vec_push(r->arena, &r->to->items, made);
    inside(r, self);
    r->depth--;
    if (r->end <= start) /* a bracket that nothing opened */
        advance(r);
    r->to->items.at[self].span.length = r->end - start;
}

static struct reader start(struct arena *arena, const struct source *source, uint32_t from,
                           uint32_t to)
{
    struct source *part = ARENA_NEW(arena, struct source);
    *part = *source;
    part->length = to;
    struct reader r = {.arena = arena, .lexer = {part, NULL, from, 0}};
    r.token = cpp_lex(&r.lexer);
    return r;
}

void statements_read(struct arena *arena, const struct source *source, uint32_t from, uint32_t to,
                     struct statements *statements)
{
    struct reader r = start(arena, source, from, to);
    r.to = statements;
    while (!at_end(&r)) {
        block(&r, UINT32_MAX);
        advance(&r);
    }
}

uint32_t statements_close(const struct source *source, uint32_t open)
{
    struct reader r = {.lexer = {source, NULL, open, 0}};
    r.token = cpp_lex(&r.lexer);
    int depth = 0;
    while (!at_end(&r)) {
        depth += bracket(&r);
        if (depth <= 0)
            return r.token.span.offset;
        advance(&r);
    }
    return source->length;
}

struct statement *statements_at(const struct statements *statements, uint32_t offset)
{
    struct statement *found = NULL;
    for (uint32_t i = 0; i < statements->items.len; i++)
        if (offset - statements->items.at[i].span.offset < statements->items.at[i].span.length)
            found = &statements->items.at[i];
    return found;
}

/* ')' before a '{', perhaps with words between: what opens is the body of a function. */
static bool ends_signature(const struct source *source, uint32_t open)
{
    uint32_t at = open;
    while (at && (strchr(" \t\r\n_", source->text[at - 1]) ||
                  (source->text[at - 1] >= 'a' && source->text[at - 1] <= 'z')))
        at--;
    return at && source->text[at - 1] == ')';
}

bool statements_function(const struct source *source, uint32_t offset, struct span *body)
{
    struct cpp_lexer lexer = {source, NULL, 0, 0};
    for (struct cpp_token token = cpp_lex(&lexer); token.kind != CPP_TOKEN_END;
         token = cpp_lex(&lexer)) {
        uint32_t open = token.span.offset;
        if (token.kind != CPP_TOKEN_MARK || token.mark != CPP_MARK_OPEN_BLOCK ||
            !ends_signature(source, open))
            continue;
        uint32_t close = statements_close(source, open);
        *body = (struct span){open + 1, close - open - 1};
        if (offset > open && offset < close)
            return true;
        lexer.offset = close;
    }
    return false;
}
