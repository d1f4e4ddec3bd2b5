/* SPDX-License-Identifier: MIT */
#include "model/cat/names.h"

#include <string.h>

static struct cat_names *bind(struct arena *arena, const struct cat_names *outer, const char *name)
{
    struct cat_names *names = ARENA_NEW(arena, struct cat_names);
    names->outer = outer;
    names->name = name;
    return names;
}

const struct cat_names *names_bind(struct arena *arena, const struct cat_names *outer,
                                   const char *name, struct cat_value value)
{
    struct cat_names *names = bind(arena, outer, name);
    names->value = value;
    return names;
}

const struct cat_names *names_bind_builtin(struct arena *arena, const struct cat_names *outer,
                                           const char *name, enum cat_builtin builtin)
{
    struct cat_names *names = bind(arena, outer, name);
    names->builtin = builtin;
    return names;
}

const struct cat_names *names_bind_function(struct arena *arena, const struct cat_names *outer,
                                            const struct ast_binding *function,
                                            const struct source *source,
                                            const struct cat_names *scope)
{
    struct cat_names *names = bind(arena, outer, function->name);
    names->function = function;
    names->source = source;
    names->scope = scope;
    return names;
}

const struct cat_names *names_find(const struct cat_names *names, const char *name, uint64_t *steps)
{
    while (names && strcmp(names->name, name) != 0) {
        names = names->outer;
        ++*steps;
    }
    return names;
}

const char *names_hint(struct arena *arena, const struct cat_names *names, const char *name)
{
    VEC(const char *) words = {0};
    for (; names; names = names->outer)
        vec_push(arena, &words, names->name);
    return diag_hint(arena, name, strlen(name), words.at, words.len);
}
