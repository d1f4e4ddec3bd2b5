/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_CLAUSE_H
#define MODEL_CAT_CLAUSE_H

#include "litmus/base/diag.h"

/* A clause of a model's text, by what the text is without it. */
struct cat_clause {
    const char
        *name; /* "observation: without 'rmw'": the definition and the clause, unique in its file */
    const char *text; /* of the whole file, with the clause removed or weakened */
    uint32_t line;    /* of the clause */
};

struct cat_clauses {
    struct cat_clause *at;
    uint32_t count;
};

/* Every clause of a cat text that parses: of each let, one alternative of a '|', one operand of an '&' or ';', one
 * subtrahend of a '\\', one side of a product (without it: '_'), one '+', '*' or '?'; and each axiom. Flags forbid nothing
 * and are left alone. 'variants': somebody asks for the variants of the text, so clauses of both branches of an 'if' count. */
struct cat_clauses cat_clauses(struct arena *arena, const struct source *source, bool variants);

#endif
