/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lex.h"
#include "litmus/host/macro.h"

/* A macro is text: an operator beside it may bind tighter than those that it is made of, "N * 2" of "2 + 3". Here macros are
 * expressions, so such a use is not read. */

enum { LOOSEST = 0, TIGHTEST = 12 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The last character before 'at' that is no blank, or NULL. */
static const char *before(const char *from, const char *at)
{
    while (at > from && is_blank(at[-1]))
        at--;
    return at > from ? at - 1 : NULL;
}

/* Does what ends here end an operand, so that an operator behind it has two? */
static bool ends_operand(const char *from, const char *at)
{
    const char *last = before(from, at);
    return last && (is_word(*last) || *last == ')' || *last == ']');
}

/* Is the ')' the end of a cast, and not of "if (…)"? */
static bool ends_cast(const char *from, const char *close)
{
    static const char *const words[] = {"if", "for", "while", "switch"};
    int depth = 1;
    while (close > from && depth) {
        close--;
        depth += (*close == ')') - (*close == '(');
    }
    const char *last = before(from, close);
    for (size_t i = 0; last && i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (last + 1 - length >= from && memcmp(last + 1 - length, words[i], length) == 0)
            return false;
    }
    return true;
}

/* How tight the operator before the place binds; LOOSEST: it is none. */
static unsigned tightness_before(const char *from, const char *at)
{
    static const struct {
        const char *text;
        unsigned tightness;
    } rows[] = {{"<<<", 0}, {"*/", 0}, {"<<", 9}, {">>", 9}, {"==", 6}, {"!=", 6}, {"<=", 7},
                {">=", 7},  {"&&", 2}, {"||", 1}, {"=", 0},  {"*", 11}, {"/", 11}, {"%", 11},
                {"+", 10},  {"-", 10}, {"<", 7},  {">", 7},  {"&", 5},  {"^", 4},  {"|", 3}};
    const char *last = before(from, at);
    for (size_t i = 0; last && i < sizeof rows / sizeof *rows; i++) {
        size_t length = strlen(rows[i].text);
        const char *start = last + 1 - length;
        if (start < from || memcmp(start, rows[i].text, length) != 0)
            continue;
        bool one = !rows[i].tightness || ends_operand(from, start);
        return one ? rows[i].tightness : TIGHTEST;
    }
    bool unary = last && (*last == '!' || *last == '~' || *last == '.');
    return unary || (last && *last == ')' && ends_cast(from, last)) ? TIGHTEST : LOOSEST;
}

static unsigned tightness_behind(const struct eval *e, const char *at, const char *end)
{
    struct source part = *e->p->source;
    part.length = (size_t)(end - part.text);
    struct cpp_lexer lexer = {.source = &part, .offset = (uint32_t)(at - part.text)};
    enum cpp_mark mark = cpp_lex(&lexer).mark;
    bool postfix = mark == CPP_MARK_OPEN_INDEX || mark == CPP_MARK_DOT || mark == CPP_MARK_ARROW ||
                   mark == CPP_MARK_OPEN || mark == CPP_MARK_INCREMENT ||
                   mark == CPP_MARK_DECREMENT;
    return postfix ? TIGHTEST : mark == CPP_MARK_QUESTION ? 1 : cpp_mark_precedence(mark);
}

/* How tight the loosest operator of the expression binds; TIGHTEST: it has none outside of parentheses. */
static unsigned tightness_of(const struct eval *e, const struct cpp_expr *expr, bool of_call)
{
    const char *text = e->p->source->text, *from = text + expr->span.offset;
    const char *end = from + expr->span.length, *open = before(text, from);
    bool loose = expr->kind == CPP_CONDITIONAL || expr->kind == CPP_ASSIGNMENT;
    bool prefix = expr->kind == CPP_UNARY || expr->kind == CPP_CAST;
    if (expr->kind != CPP_BINARY && !loose && !prefix)
        return TIGHTEST;
    int depth = 0;
    bool enclosed = open && *open == '(';
    for (const char *at = from; enclosed && at < end; at++) {
        depth += (*at == '(') - (*at == ')');
        enclosed = depth >= 0;
    }
    const char *outer = open ? before(text, open) : NULL;
    if (enclosed && (!of_call || (outer && (*outer == '(' || *outer == ','))))
        return TIGHTEST;
    return loose ? LOOSEST : prefix ? TIGHTEST - 1 : cpp_mark_precedence(expr->mark);
}

bool macro_is_whole(const struct eval *e, const struct cpp_expr *expr)
{
    return tightness_of(e, expr, false) >= TIGHTEST - 1;
}

bool macro_stands(const struct eval *e, const struct cpp_expr *expr, bool is_argument,
                  struct span at, struct span within)
{
    const char *text = e->p->source->text;
    unsigned is = tightness_of(e, expr, is_argument);
    if (is == TIGHTEST)
        return true;
    unsigned left = tightness_before(text + within.offset, text + at.offset);
    unsigned right =
        tightness_behind(e, text + at.offset + at.length, text + within.offset + within.length);
    return (left == LOOSEST || left < is || is == TIGHTEST - 1) && right <= is;
}

bool macro_stands_at(struct eval *e, const struct cpp_expr *value, struct span at)
{
    struct span whole = {0, (uint32_t)e->p->source->length};
    if (macro_stands(e, value, false, at, whole))
        return true;
    eval_error(e, host_statement, at, "write parentheses around the macro's value",
               "an operator beside '%s' takes only a part of the macro", eval_text(e, at));
    return false;
}

/* One statement that an "else" behind it is not part of. */
static bool is_closed(const struct cpp_stmt *body)
{
    const struct cpp_stmt *one = NULL;
    for (uint32_t i = 0; i < body->kid_count; i++) {
        if (body->kids[i]->kind == CPP_EMPTY)
            continue;
        if (one)
            return false;
        one = body->kids[i];
    }
    return one && one->kind != CPP_IF && one->kind != CPP_WHILE && one->kind != CPP_FOR &&
           one->kind != CPP_RANGE_FOR && one->kind != CPP_LABEL && one->kind != CPP_CASE &&
           one->kind != CPP_UNREAD;
}

bool macro_stands_alone(struct eval *e, const struct cpp_stmt *body, struct span at)
{
    const char *text = e->p->source->text, *last = before(text, text + at.offset);
    if (!last || strchr(";{}:", *last) || is_closed(body))
        return true;
    eval_error(e, host_statement, at, "write do { … } while (0) around the macro's statements",
               "'%s' is several statements, or one that goes on with 'else'", eval_text(e, at));
    return false;
}
