/* SPDX-License-Identifier: MIT */
#include "model/cat/names.h"

#include <string.h>

/* Environments are lists, the innermost name first. */

static const struct cat_names *bind(struct arena *arena, struct cat_names names)
{
    struct cat_names *copy = ARENA_NEW(arena, struct cat_names);
    *copy = names;
    return copy;
}

const struct cat_names *names_bind(struct arena *arena, const struct cat_names *outer,
                                   const char *name, struct cat_value value)
{
    return bind(arena, (struct cat_names){.outer = outer, .name = name, .value = value});
}

const struct cat_names *names_bind_builtin(struct arena *arena, const struct cat_names *outer,
                                           const char *name, enum cat_op op)
{
    return bind(arena,
                (struct cat_names){.outer = outer, .name = name, .is_function = true, .op = op});
}

const struct cat_names *names_bind_function(struct arena *arena, const struct cat_names *outer,
                                            const struct ast_binding *function,
                                            const struct source *source,
                                            const struct cat_names *scope)
{
    return bind(arena, (struct cat_names){outer, function->name, .is_function = true,
                                          .function = function, .source = source, .scope = scope});
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
