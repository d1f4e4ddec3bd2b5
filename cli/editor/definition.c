/* SPDX-License-Identifier: MIT */
#include "cli/editor/definition.h"

#include <glib.h>
#include <string.h>

#include "model/cat/lex.h"
#include "model/models/models.h"

enum { DEEPEST_INCLUDE = 16 };
#define PRELUDE "stdlib.cat" /* what every text may use */

/* A look for one name, or for all of them. */
struct definition_search {
    struct arena *arena;
    const char *folder;
    const char *name; /* or NULL: each is added to 'names' */
    size_t length;
    struct definition_names names;
    struct definition *found;
    bool any;
};

/* A text on the way, token by token. */
struct reader_at {
    const struct source *source;
    const struct cat_token *token;
    bool is_file;
    uint32_t use; /* where the name stands in this text, or UINT32_MAX: behind it */
};

static const struct cat_token *tokens_of(struct arena *arena, const struct source *source)
{
    struct diag_list unheard = {.arena = arena};
    return cat_lex(arena, source, &unheard);
}

static bool holds(struct span span, uint32_t offset)
{
    return offset >= span.offset && offset <= span.offset + span.length;
}

static bool is_called(const struct definition_search *search, const struct source *source,
                      struct span span)
{
    return span.length == search->length &&
           memcmp(source->text + span.offset, search->name, span.length) == 0;
}

/* The name that is defined here counts, if it is the one; a later one hides it. */
static void meet(struct definition_search *search, const struct reader_at *at, struct span name,
                 struct span whole)
{
    if (!search->name) {
        const char *word =
            arena_strndup(search->arena, at->source->text + name.offset, name.length);
        vec_push(search->arena, &search->names.items, word);
        return;
    }
    if (!is_called(search, at->source, name))
        return;
    *search->found = (struct definition){at->source, at->is_file, name, whole};
    search->any = true;
}

/* ---- let ------------------------------------------------------------------------------------ */

static bool ends_body(enum cat_token_kind kind)
{
    return kind == TOKEN_END || kind == KEYWORD_AND || kind == KEYWORD_IN || cat_token_starts(kind);
}

/* "NAME(a, b) = BODY" up to the next 'and' or statement: the definition, and of a use inside its parameters. */
static struct span pass_one(struct definition_search *search, struct reader_at *at,
                            struct span *name)
{
    uint32_t from = at->token->span.offset, to = from;
    struct reader_at first = *at;
    *name = at->token->span;
    for (; !ends_body(at->token->kind); at->token++)
        to = at->token->span.offset + at->token->span.length;
    struct span whole = {from, to - from};
    if (first.token[1].kind != TOKEN_LEFT || !search->name || !holds(whole, at->use))
        return whole;
    for (const struct cat_token *token = first.token + 2; token->kind != TOKEN_RIGHT; token++)
        if (token->kind == TOKEN_NAME)
            meet(search, &first, token->span, token->span);
        else if (token->kind != TOKEN_COMMA)
            break;
    return whole;
}

/* "let [rec] NAME = … and NAME = …": seen from behind it and, when recursive, from inside. A name that is
 * defined is its own definition. */
static void pass_let(struct definition_search *search, struct reader_at *at)
{
    at->token++;
    bool recursive = at->token->kind == KEYWORD_REC;
    at->token += recursive;
    struct definition_search inner = *search;
    struct definition parameter;
    inner.found = &parameter;
    inner.any = false;
    bool inside = false;
    VEC(struct span) names = {0}, wholes = {0};
    while (at->token->kind == TOKEN_NAME) {
        struct span name, whole = pass_one(&inner, at, &name);
        vec_push(search->arena, &names, name);
        vec_push(search->arena, &wholes, whole);
        inside |= holds(whole, at->use);
        at->token += at->token->kind == KEYWORD_AND;
    }
    for (uint32_t i = 0; i < names.len; i++)
        if (!inside || recursive || holds(names.at[i], at->use))
            meet(search, at, names.at[i], wholes.at[i]);
    if (inner.any) {
        *search->found = parameter;
        search->any = true;
    }
}

/* ---- texts ---------------------------------------------------------------------------------- */

static void pass_text(struct definition_search *search, struct reader_at at, uint32_t depth);

static const struct source *included(const struct definition_search *search,
                                     const struct reader_at *at, struct span string, bool *is_file)
{
    if (string.length < 2)
        return NULL;
    const char *name =
        arena_strndup(search->arena, at->source->text + string.offset + 1, string.length - 2);
    return model_included(search->arena, search->folder, name, is_file);
}

static void pass_include(struct definition_search *search, struct reader_at *at, uint32_t depth)
{
    struct reader_at inner = {.use = UINT32_MAX};
    at->token++;
    if (at->token->kind != TOKEN_STRING)
        return;
    inner.source = included(search, at, at->token->span, &inner.is_file);
    if (inner.source && depth < DEEPEST_INCLUDE)
        pass_text(search, inner, depth + 1);
    at->token++;
}

/* Up to the use: what follows it does not count. */
static void pass_text(struct definition_search *search, struct reader_at at, uint32_t depth)
{
    at.token = tokens_of(search->arena, at.source);
    while (at.token->kind != TOKEN_END && at.token->span.offset <= at.use) {
        if (at.token->kind == KEYWORD_LET)
            pass_let(search, &at);
        else if (at.token->kind == KEYWORD_INCLUDE)
            pass_include(search, &at, depth);
        else
            at.token++;
    }
}

static void pass_all(struct definition_search *search, const struct source *source, uint32_t use)
{
    struct reader_at prelude = {.use = UINT32_MAX};
    prelude.source = model_included(search->arena, NULL, PRELUDE, &prelude.is_file);
    pass_text(search, prelude, 0);
    pass_text(search, (struct reader_at){.source = source, .is_file = true, .use = use}, 0);
}

static bool find_included(struct definition_search *search, const struct reader_at *at)
{
    struct definition *found = search->found;
    bool is_file;
    const struct source *source = included(search, at, at->token->span, &is_file);
    if (source)
        *found = (struct definition){source, is_file, {0, 0}, {0, 0}};
    return source;
}

bool definition_find(struct arena *arena, const struct source *source, const char *folder,
                     uint32_t offset, struct definition *found)
{
    struct definition_search search = {.arena = arena, .folder = folder, .found = found};
    struct reader_at at = {source, tokens_of(arena, source), true, offset};
    bool after_include = false;
    while (at.token->kind != TOKEN_END &&
           !(holds(at.token->span, offset) &&
             (at.token->kind == TOKEN_NAME || at.token->kind == TOKEN_STRING))) {
        after_include = at.token->kind == KEYWORD_INCLUDE;
        at.token++;
    }
    if (at.token->kind == TOKEN_STRING)
        return after_include && find_included(&search, &at);
    if (at.token->kind == TOKEN_END)
        return false;
    search.name = source->text + at.token->span.offset;
    search.length = at.token->span.length;
    pass_all(&search, source, at.token->span.offset);
    return search.any;
}

struct definition_names definition_names(struct arena *arena, const struct source *source,
                                         const char *folder)
{
    struct definition_search search = {.arena = arena, .folder = folder};
    pass_all(&search, source, UINT32_MAX);
    struct definition_names once = {0};
    for (uint32_t i = 0; i < search.names.items.len; i++) {
        bool known = false;
        for (uint32_t j = 0; j < once.items.len && !known; j++)
            known = strcmp(once.items.at[j], search.names.items.at[i]) == 0;
        if (!known)
            vec_push(arena, &once.items, search.names.items.at[i]);
    }
    return once;
}
