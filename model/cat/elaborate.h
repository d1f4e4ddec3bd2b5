/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_ELABORATE_H
#define MODEL_CAT_ELABORATE_H

#include "model/cat/names.h"
#include "model/cat/nodes.h"

enum { CAT_MAX_LIST = 256 }; /* names in a let rec, parameters of a function */

/* Turns expressions as written into nodes: resolves names, inlines functions, checks kinds. */
struct elaborator {
    struct arena *arena;
    struct diag_list *diags;
    const struct cat_names *names;
    const struct source *source; /* of the expression at hand */
    const char *call;            /* hint that says which call inlined it, or NULL */
    struct cat_nodes nodes;
    uint32_t group_count;
    uint32_t calls; /* functions being inlined */
    uint64_t steps; /* work done: bounds the time of a hostile model */
    bool exhausted;
};

struct cat_value elaborate(struct elaborator *elaborator, const struct ast *ast);
/* The same where only a relation (or only a set) makes sense; 0 becomes one of that kind. Reports a
 * value of the other kind and gives KIND_UNKNOWN. */
struct cat_value elaborate_as(struct elaborator *elaborator, const struct ast *ast,
                              enum cat_kind kind);
/* The bindings of a let, bound in elaborator->names from here on. */
void elaborate_let(struct elaborator *elaborator, const struct ast_binding *bindings,
                   uint32_t count);
/* Counts work; false, once reported, when there was too much of it. */
bool elaborate_step(struct elaborator *elaborator, struct span span);

/* The bindings of a let rec, bound in elaborator->names: kinds found, bodies elaborated, nodes
 * grouped, monotonicity checked. */
void elaborate_recursive(struct elaborator *elaborator, const struct ast_statement *statement);

#endif
