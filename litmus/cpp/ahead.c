/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* Looks ahead where C++ needs to know what a name means, and this parser does not: a few tokens tell a
 * type from an expression in all that people write. Nothing is reported, and nothing is made. */

enum { MOST_TOKENS = 64 }; /* in template arguments */

/* A copy of the parser that reports nothing; what it allocates is nothing. */
static struct cpp_parser ahead(const struct cpp_parser *p)
{
    struct cpp_parser copy = *p;
    copy.lexer.diags = NULL;
    return copy;
}

/* "int[]", "A...", "void(int &&)", "-1" */
static bool in_host_arguments(const struct cpp_parser *p, unsigned parameters)
{
    return cpp_at(p, CPP_MARK_SUB) || cpp_at(p, CPP_MARK_OPEN_INDEX) ||
           cpp_at(p, CPP_MARK_CLOSE_INDEX) || cpp_at(p, CPP_MARK_ELLIPSIS) ||
           (parameters && cpp_at(p, CPP_MARK_ALSO));
}

/* Passes "<…>" of words, numbers, "::", commas, '*', '&' and their like, and "void(int)". */
static bool skip_arguments(struct cpp_parser *p)
{
    unsigned open = 0, parameters = 0;
    bool type = false;
    for (unsigned i = 0; i < MOST_TOKENS && p->token.kind != CPP_TOKEN_END; i++) {
        if (cpp_at(p, CPP_MARK_LT))
            open++;
        else if (cpp_at(p, CPP_MARK_GT) || cpp_at(p, CPP_MARK_SHR) ||
                 cpp_at(p, CPP_MARK_LAUNCH_END)) {
            cpp_close_angle(p);
            if (!--open)
                return true;
            continue;
        } else if (cpp_at(p, CPP_MARK_OPEN) && type)
            parameters++;
        else if (cpp_at(p, CPP_MARK_CLOSE) && parameters)
            parameters--;
        else if (p->token.kind == CPP_TOKEN_MARK && !cpp_at(p, CPP_MARK_QUALIFY) &&
                 !cpp_at(p, CPP_MARK_COMMA) && !cpp_at(p, CPP_MARK_MUL) &&
                 !cpp_at(p, CPP_MARK_AND) && !(p->host && in_host_arguments(p, parameters)))
            return false;
        type = cpp_at_builtin_type(p) || (p->host && cpp_next(p).mark == CPP_MARK_OPEN);
        cpp_advance(p);
    }
    return false;
}

bool cpp_opens_arguments(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    struct cpp_token next = cpp_next(p);
    if (next.kind != CPP_TOKEN_WORD && next.mark != CPP_MARK_QUALIFY &&
        next.kind != CPP_TOKEN_NUMBER && next.mark != CPP_MARK_GT &&
        !(p->host && next.mark == CPP_MARK_SUB))
        return false;
    /* "a < b > c" is no template: what follows arguments is a call, a list, a name to declare, … */
    return cpp_at(p, CPP_MARK_LT) && skip_arguments(&copy) && copy.token.kind != CPP_TOKEN_NUMBER &&
           !cpp_at(&copy, CPP_MARK_SUB);
}

/* Passes "::cuda::std::atomic<int>". */
static bool skip_name(struct cpp_parser *p)
{
    cpp_accept(p, CPP_MARK_QUALIFY);
    do {
        if (!cpp_at_name(p))
            return false;
        cpp_advance(p);
        if (cpp_at(p, CPP_MARK_LT) && cpp_opens_arguments(p) && !skip_arguments(p))
            return false;
    } while (cpp_accept(p, CPP_MARK_QUALIFY));
    return true;
}

static bool is_type_keyword(enum cpp_keyword keyword)
{
    switch (keyword) {
    case CPP_KEYWORD_CONST:
    case CPP_KEYWORD_VOLATILE:
    case CPP_KEYWORD_VOID:
    case CPP_KEYWORD_BOOL:
    case CPP_KEYWORD_CHAR:
    case CPP_KEYWORD_SHORT:
    case CPP_KEYWORD_INT:
    case CPP_KEYWORD_LONG:
    case CPP_KEYWORD_SIGNED:
    case CPP_KEYWORD_UNSIGNED:
    case CPP_KEYWORD_FLOAT:
    case CPP_KEYWORD_DOUBLE:
    case CPP_KEYWORD_AUTO:
    case CPP_KEYWORD_STRUCT:
        return true;
    default:
        return false;
    }
}

bool cpp_at_builtin_type(const struct cpp_parser *p)
{
    return is_type_keyword(cpp_keyword_at(p));
}

/* "decltype(x)" */
static void skip_type_of_value(struct cpp_parser *p)
{
    unsigned depth = 0;
    cpp_advance(p);
    do {
        depth += cpp_at(p, CPP_MARK_OPEN);
        depth -= cpp_at(p, CPP_MARK_CLOSE);
        cpp_advance(p);
    } while (depth && p->token.kind != CPP_TOKEN_END);
}

/* Passes the type without its '*' and '&'; *builtin: it has a keyword, so it can be nothing else. */
static bool skip_specifier(struct cpp_parser *p, bool *builtin)
{
    if (p->host && cpp_at_word(p, "decltype") && cpp_next(p).mark == CPP_MARK_OPEN) {
        skip_type_of_value(p);
        *builtin = true;
        return true;
    }
    *builtin = cpp_at_builtin_type(p);
    bool named = false;
    for (;;) {
        if (cpp_at_builtin_type(p)) {
            *builtin = *builtin || !named;
            cpp_advance(p);
        } else if (!*builtin && !named && (cpp_at_name(p) || cpp_at(p, CPP_MARK_QUALIFY))) {
            named = true;
            if (!skip_name(p))
                return false;
        } else
            return *builtin || named;
    }
}

/* Passes '*', '&', '&&' and const between them; how many. */
static unsigned skip_pointers(struct cpp_parser *p)
{
    unsigned count = 0;
    while (cpp_at(p, CPP_MARK_MUL) || cpp_at(p, CPP_MARK_AND) || cpp_at(p, CPP_MARK_ALSO) ||
           cpp_keyword_at(p) == CPP_KEYWORD_CONST || cpp_at_word(p, "__restrict__")) {
        count++;
        cpp_advance(p);
    }
    return count;
}

/* After "T *x": what goes on with a declaration, and not with "a * b". */
static bool at_declarator_end(const struct cpp_parser *p)
{
    static const enum cpp_mark marks[] = {CPP_MARK_ASSIGN, CPP_MARK_SEMICOLON,  CPP_MARK_COMMA,
                                          CPP_MARK_OPEN,   CPP_MARK_OPEN_INDEX, CPP_MARK_OPEN_BLOCK,
                                          CPP_MARK_COLON,  CPP_MARK_AT};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (cpp_at(p, marks[i]))
            return true;
    return cpp_at_end(p);
}

/* Passes "T *x" of a named type; what follows is not asked. *certain: the type is no mere name. */
static bool skip_declared(struct cpp_parser *p, bool *certain)
{
    *certain =
        cpp_specifier_at(p) || cpp_at_word(p, "alignas") || cpp_keyword_at(p) == CPP_KEYWORD_STRUCT;
    if (*certain)
        return true;
    if (!skip_specifier(p, certain))
        return false;
    /* "int(3)" and "int{3}" are expressions, "int (*f)(int)" is none */
    if (*certain && p->host && cpp_at(p, CPP_MARK_OPEN) && cpp_next(p).mark == CPP_MARK_MUL)
        return true;
    if (*certain)
        return !cpp_at(p, CPP_MARK_OPEN) && !cpp_at(p, CPP_MARK_OPEN_BLOCK);
    skip_pointers(p);
    if (!cpp_at_name(p))
        return false;
    cpp_advance(p);
    return true;
}

bool cpp_at_declaration(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    bool certain;
    return skip_declared(&copy, &certain) && (certain || at_declarator_end(&copy));
}

bool cpp_at_declaring_condition(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    bool certain;
    return skip_declared(&copy, &certain) &&
           (certain || cpp_at(&copy, CPP_MARK_ASSIGN) || cpp_at(&copy, CPP_MARK_OPEN_BLOCK));
}

/* Does the token that was passed last end as size_t and uint32_t do? */
static bool ended_as_type(const struct cpp_parser *p)
{
    const char *end = p->source->text + p->last.offset + p->last.length;
    return p->last.length > 2 && end[-2] == '_' && end[-1] == 't';
}

/* Does something begin that a cast can stand before, if the type is only a name? "(a) - b" is a
 * difference. */
static bool at_operand(const struct cpp_parser *p)
{
    return p->token.kind == CPP_TOKEN_NUMBER || p->token.kind == CPP_TOKEN_FLOAT ||
           p->token.kind == CPP_TOKEN_STRING || cpp_at_name(p) || cpp_at(p, CPP_MARK_COMPLEMENT) ||
           cpp_at(p, CPP_MARK_NOT);
}

/* Passes "(type)". */
static bool skip_type(struct cpp_parser *p, bool *certain)
{
    bool builtin;
    cpp_advance(p);
    if (!skip_specifier(p, &builtin))
        return false;
    bool fixed = ended_as_type(p);
    unsigned pointers = skip_pointers(p);
    *certain = builtin || fixed || pointers;
    return cpp_accept(p, CPP_MARK_CLOSE);
}

bool cpp_at_type(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    bool certain;
    return skip_type(&copy, &certain) && certain;
}

bool cpp_at_cast(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    bool certain;
    return skip_type(&copy, &certain) && (certain || at_operand(&copy));
}

bool cpp_at_labelled_launch(const struct cpp_parser *p)
{
    struct cpp_parser copy = ahead(p);
    if (!cpp_at_name(p) || cpp_next(p).mark != CPP_MARK_COLON)
        return false;
    cpp_advance(&copy);
    cpp_advance(&copy);
    return skip_name(&copy) && cpp_at(&copy, CPP_MARK_LAUNCH);
}
