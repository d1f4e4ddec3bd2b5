/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_NAMES_H
#define MODEL_CAT_NAMES_H

#include "model/cat/ast.h"

/* What names mean at one point of a text. Environments are persistent: a function keeps the one it
 * was defined in, and a later let does not change it. */

enum cat_kind {
    KIND_UNKNOWN, /* after an error, which was reported: nothing more is said about it */
    KIND_ZERO,    /* 0: a set or a relation */
    KIND_SET,
    KIND_REL,
};

struct cat_value {
    enum cat_kind kind;
    cat_id id; /* SET, REL */
};

struct cat_names {
    const struct cat_names *outer;
    const char *name;
    struct cat_value value; /* no function */
    bool is_function;
    enum cat_op op;                     /* of a function of the language */
    const struct ast_binding *function; /* or one defined in 'source' where 'scope' was known */
    const struct source *source;
    const struct cat_names *scope;
};

const struct cat_names *names_bind(struct arena *arena, const struct cat_names *outer,
                                   const char *name, struct cat_value value);
const struct cat_names *names_bind_builtin(struct arena *arena, const struct cat_names *outer,
                                           const char *name, enum cat_op op);
const struct cat_names *names_bind_function(struct arena *arena, const struct cat_names *outer,
                                            const struct ast_binding *function,
                                            const struct source *source,
                                            const struct cat_names *scope);
/* NULL when unbound. Adds the number of names passed to '*steps'. */
const struct cat_names *names_find(const struct cat_names *names, const char *name,
                                   uint64_t *steps);
/* "did you mean 'x'?" or NULL. */
const char *names_hint(struct arena *arena, const struct cat_names *names, const char *name);

#endif
