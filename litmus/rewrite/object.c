/* SPDX-License-Identifier: MIT */
#include "litmus/rewrite/object.h"

#include <glib.h>
#include <string.h>

/* ---- tokens --------------------------------------------------------------------------------- */

struct tokens {
    const struct source *source;
    VEC(struct cpp_token) items;
};

static struct tokens tokens_before(struct arena *arena, const struct source *source, uint32_t end)
{
    struct tokens tokens = {source, {0}};
    struct source *part = ARENA_NEW(arena, struct source);
    *part = *source;
    part->length = end;
    struct cpp_lexer lexer = {part, NULL, 0, 0};
    for (struct cpp_token token = cpp_lex(&lexer); token.kind != CPP_TOKEN_END;
         token = cpp_lex(&lexer))
        vec_push(arena, &tokens.items, token);
    return tokens;
}

static bool is_mark(const struct tokens *tokens, uint32_t at, enum cpp_mark mark)
{
    return at < tokens->items.len && tokens->items.at[at].kind == CPP_TOKEN_MARK &&
           tokens->items.at[at].mark == mark;
}

static bool is_word(const struct tokens *tokens, uint32_t at, const char *word)
{
    const struct cpp_token *token = at < tokens->items.len ? &tokens->items.at[at] : NULL;
    return token && token->kind == CPP_TOKEN_WORD && token->span.length == strlen(word) &&
           memcmp(tokens->source->text + token->span.offset, word, strlen(word)) == 0;
}

static bool is_any_word(const struct tokens *tokens, uint32_t at)
{
    return at < tokens->items.len && tokens->items.at[at].kind == CPP_TOKEN_WORD;
}

/* ---- the name of an object ------------------------------------------------------------------ */

/* The name that an expression begins with: 'f' of "f", "*f", "f[i]", "&f", "(T *)f"; NULL: it has none. */
static const struct cpp_expr *root(const struct cpp_expr *expr)
{
    while (expr->kind != CPP_NAME) {
        bool deeper = expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER ||
                      expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX ||
                      expr->kind == CPP_CAST || expr->kind == CPP_BINARY ||
                      expr->kind == CPP_ASSIGNMENT;
        if (!deeper || !expr->kid_count)
            return NULL;
        expr = expr->kids[0];
    }
    return expr->name.part_count == 1 ? expr : NULL;
}

static const char *name_of(const struct cpp_expr *name)
{
    return cpp_last_part(&name->name)->word;
}

/* ---- scopes --------------------------------------------------------------------------------- */

/* The arguments in "atomic<int, S>", whose '<' stands at the token. */
struct angle {
    uint32_t second, close; /* tokens: the first of the second argument, or 'close'; the '>' */
};

static struct angle angle_at(const struct tokens *tokens, uint32_t open)
{
    struct angle angle = {0, open + 1};
    int depth = 1;
    for (; angle.close < tokens->items.len; angle.close++) {
        depth +=
            is_mark(tokens, angle.close, CPP_MARK_LT) - is_mark(tokens, angle.close, CPP_MARK_GT);
        if (!depth || is_mark(tokens, angle.close, CPP_MARK_SEMICOLON))
            break;
        if (depth == 1 && !angle.second && is_mark(tokens, angle.close, CPP_MARK_COMMA))
            angle.second = angle.close + 1;
    }
    if (!angle.second)
        angle.second = angle.close;
    return angle;
}

/* Is the name declared by what follows the '>' of its type? */
static bool declares(const struct tokens *tokens, uint32_t at, const char *name)
{
    int depth = 0;
    bool begins = true; /* a declarator does */
    for (; at < tokens->items.len; at++) {
        bool comma = is_mark(tokens, at, CPP_MARK_COMMA);
        if (is_mark(tokens, at, CPP_MARK_SEMICOLON) ||
            (!depth && is_mark(tokens, at, CPP_MARK_CLOSE)))
            return false;
        if (begins && is_word(tokens, at, name))
            return true;
        depth += is_mark(tokens, at, CPP_MARK_OPEN) - is_mark(tokens, at, CPP_MARK_CLOSE) +
                 is_mark(tokens, at, CPP_MARK_OPEN_BLOCK) -
                 is_mark(tokens, at, CPP_MARK_CLOSE_BLOCK);
        bool marks = is_mark(tokens, at, CPP_MARK_MUL) || is_mark(tokens, at, CPP_MARK_AND) ||
                     is_word(tokens, at, "const");
        begins = !depth && (comma || (begins && marks));
        if (depth < 0)
            return false;
    }
    return false;
}

/* "cuda::" stands before the word, or nothing does; of std's no scope can be given. */
static bool is_cuda(const struct tokens *tokens, uint32_t at)
{
    if (at < 2 || !is_mark(tokens, at - 1, CPP_MARK_QUALIFY))
        return true;
    return is_word(tokens, at - 2, "cuda");
}

static struct span scope_in(const struct tokens *tokens, uint32_t word)
{
    struct angle angle = angle_at(tokens, word + 1);
    if (!is_cuda(tokens, word) || angle.close >= tokens->items.len)
        return (struct span){0, 0};
    struct span close = tokens->items.at[angle.close].span;
    if (angle.second == angle.close)
        return (struct span){close.offset, 0};
    uint32_t from = tokens->items.at[angle.second].span.offset;
    return (struct span){from, close.offset - from};
}

/* "auto f = cuda::atomic_ref<…>": the name before the '='. */
static bool is_deduced(const struct tokens *tokens, uint32_t at, const char *name)
{
    while (at && (is_mark(tokens, at - 1, CPP_MARK_QUALIFY) || is_word(tokens, at - 1, "cuda") ||
                  is_word(tokens, at - 1, "std")))
        at--;
    return at > 1 && is_mark(tokens, at - 1, CPP_MARK_ASSIGN) && is_word(tokens, at - 2, name);
}

static struct span declared_scope(struct arena *arena, const struct site *site, const char *name)
{
    struct tokens tokens = tokens_before(arena, site->source, site->span.offset);
    for (uint32_t at = tokens.items.len; at-- > 0;) {
        bool type = is_word(&tokens, at, "atomic") || is_word(&tokens, at, "atomic_ref");
        if (!type || !is_mark(&tokens, at + 1, CPP_MARK_LT))
            continue;
        struct angle angle = angle_at(&tokens, at + 1);
        if (declares(&tokens, angle.close + 1, name) || is_deduced(&tokens, at, name))
            return scope_in(&tokens, at);
    }
    return (struct span){0, 0};
}

static bool is_scope_word(const struct source *source, struct span span)
{
    static const char *const words[] = {"thread", "block", "cluster", "device",
                                        "system", "cta",   "gpu",     "sys"};
    g_autofree char *text = g_strndup(source->text + span.offset, span.length);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (g_str_has_suffix(text, words[i]))
            return true;
    return false;
}

/* The object that an operation is called on: of a function that its first argument points to. */
static const struct cpp_expr *object_of(const struct site *site)
{
    const struct cpp_expr *expr = site->expr;
    if (expr->kind != CPP_CALL)
        return expr;
    return expr->kids[0]->kind == CPP_MEMBER ? expr->kids[0]->kids[0] : expr->kids[1];
}

struct span object_scope(struct arena *arena, const struct site *site)
{
    const struct cpp_expr *expr = site->expr, *object = object_of(site);
    const struct cpp_expr *last = expr->kid_count > 1 ? expr->kids[expr->kid_count - 1] : NULL;
    if (site->kind == SITE_METHOD && last && last->kind == CPP_NAME &&
        last->span.offset >= site->order.offset + site->order.length &&
        is_scope_word(site->source, last->span))
        return last->span;
    if (object->kind == CPP_CALL && object->kids[0]->kind == CPP_NAME) {
        struct span span = object->kids[0]->span;
        struct tokens tokens = tokens_before(arena, site->source, span.offset + span.length);
        for (uint32_t at = tokens.items.len; at-- > 0;)
            if (is_word(&tokens, at, "atomic_ref") && is_mark(&tokens, at + 1, CPP_MARK_LT))
                return scope_in(&tokens, at);
        return (struct span){0, 0};
    }
    const struct cpp_expr *name = root(object);
    return name ? declared_scope(arena, site, name_of(name)) : (struct span){0, 0};
}

/* ---- types ---------------------------------------------------------------------------------- */

/* What stands before the type in a declaration and is no part of it. */
static bool is_qualifier(const struct tokens *tokens, uint32_t at)
{
    static const char *const words[] = {"const",        "volatile",   "__restrict__", "static",
                                        "extern",       "__shared__", "__device__",   "__managed__",
                                        "__constant__", "constexpr",  "inline",       "restrict"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(tokens, at, words[i]))
            return true;
    return false;
}

/* Words that may be a type's: of the language, of namespaces, and names. */
static bool is_type_token(const struct tokens *tokens, uint32_t at)
{
    return (is_any_word(tokens, at) && !is_word(tokens, at, "return") &&
            !is_word(tokens, at, "else") && !is_word(tokens, at, "case")) ||
           is_mark(tokens, at, CPP_MARK_QUALIFY);
}

/* A declaration of the name at the token: its type without qualifiers, or NULL. '*pointers': the marks between. */
static const char *type_before(struct arena *arena, const struct tokens *tokens, uint32_t at,
                               bool *is_volatile, uint32_t *pointers)
{
    uint32_t from = at, to;
    *is_volatile = false;
    *pointers = 0;
    while (from && (is_mark(tokens, from - 1, CPP_MARK_MUL) || is_qualifier(tokens, from - 1) ||
                    is_mark(tokens, from - 1, CPP_MARK_AND))) {
        *pointers += !is_qualifier(tokens, from - 1);
        *is_volatile |= is_word(tokens, from - 1, "volatile");
        from--;
    }
    to = from;
    while (from && is_type_token(tokens, from - 1) && !is_qualifier(tokens, from - 1))
        from--;
    for (uint32_t i = from; i && is_qualifier(tokens, i - 1); i--)
        *is_volatile |= is_word(tokens, i - 1, "volatile");
    if (from == to || (from && is_mark(tokens, from - 1, CPP_MARK_DOT)))
        return NULL;
    uint32_t start = tokens->items.at[from].span.offset;
    struct span last = tokens->items.at[to - 1].span;
    return arena_strndup(arena, tokens->source->text + start, last.offset + last.length - start);
}

/* The last declaration of the name before the offset. */
static const char *declared_type(struct arena *arena, const struct source *source, uint32_t before,
                                 const char *name, bool *is_volatile, uint32_t *pointers,
                                 bool *is_memory)
{
    struct tokens tokens = tokens_before(arena, source, before);
    for (uint32_t at = tokens.items.len; at-- > 0;) {
        if (!is_word(&tokens, at, name) || is_mark(&tokens, at + 1, CPP_MARK_OPEN))
            continue;
        const char *type = type_before(arena, &tokens, at, is_volatile, pointers);
        *is_memory = false;
        for (uint32_t i = at; type && i && !is_mark(&tokens, i - 1, CPP_MARK_SEMICOLON) &&
                              !is_mark(&tokens, i - 1, CPP_MARK_CLOSE_BLOCK) &&
                              !is_mark(&tokens, i - 1, CPP_MARK_OPEN_BLOCK);
             i--)
            *is_memory |= is_word(&tokens, i - 1, "__shared__") ||
                          is_word(&tokens, i - 1, "__device__") ||
                          is_word(&tokens, i - 1, "__managed__");
        if (type)
            return type;
    }
    return NULL;
}

/* "*(volatile T *)p": what the cast says. */
static const char *cast_type(struct arena *arena, const struct source *source,
                             const struct cpp_expr *expr, bool *is_volatile)
{
    bool casts = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_MUL &&
                 expr->kids[0]->kind == CPP_CAST && expr->kids[0]->type->kind == CPP_TYPE_POINTER;
    if (!casts)
        return NULL;
    const struct cpp_type *to = expr->kids[0]->type->to;
    *is_volatile = to->is_volatile;
    struct tokens tokens = tokens_before(arena, source, to->span.offset + to->span.length);
    uint32_t from = tokens.items.len, end;
    while (from && (is_mark(&tokens, from - 1, CPP_MARK_MUL) || is_qualifier(&tokens, from - 1)))
        from--;
    end = from;
    while (from && tokens.items.at[from - 1].span.offset >= to->span.offset &&
           !is_qualifier(&tokens, from - 1))
        from--;
    if (from == end)
        return NULL;
    uint32_t start = tokens.items.at[from].span.offset;
    struct span last = tokens.items.at[end - 1].span;
    return arena_strndup(arena, source->text + start, last.offset + last.length - start);
}

const char *object_type(struct arena *arena, const struct site *site, bool *is_volatile)
{
    const struct cpp_expr *object = object_of(site);
    uint32_t pointers;
    bool is_memory;
    *is_volatile = false;
    if (object == site->expr && site->kind != SITE_LOAD)
        object = object->kids[0];
    const char *type = cast_type(arena, site->source, object, is_volatile);
    const struct cpp_expr *name = type ? NULL : root(object);
    if (!name)
        return type;
    return declared_type(arena, site->source, site->span.offset, name_of(name), is_volatile,
                         &pointers, &is_memory);
}

bool object_is_local(struct arena *arena, const struct source *source, const struct cpp_expr *name)
{
    bool is_volatile, is_memory;
    uint32_t pointers;
    const char *type = declared_type(arena, source, name->span.offset, name_of(name), &is_volatile,
                                     &pointers, &is_memory);
    return !type || !is_memory;
}

bool object_is_of_type(struct arena *arena, const struct source *source,
                       const struct cpp_expr *pointer, const char *type)
{
    bool is_volatile, is_memory;
    uint32_t pointers;
    if (pointer->kind != CPP_NAME || pointer->name.part_count != 1)
        return false;
    const char *found = declared_type(arena, source, pointer->span.offset, name_of(pointer),
                                      &is_volatile, &pointers, &is_memory);
    return found && pointers == 1 && !is_volatile && strcmp(found, type) == 0;
}
