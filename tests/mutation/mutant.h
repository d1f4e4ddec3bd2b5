/* SPDX-License-Identifier: MIT */
#ifndef TESTS_MUTATION_MUTANT_H
#define TESTS_MUTATION_MUTANT_H

#include "litmus/base/diag.h"

/* A model text with one clause removed or weakened. */
struct mutant {
    const char
        *name; /* "observation: without 'rmw'": the definition and the clause, unique in its file */
    const char *text; /* of the whole file */
    uint32_t line;    /* of the clause */
};

struct mutant_list {
    struct mutant *at;
    uint32_t count;
};

/* Every mutant of a cat text that parses: for each let, the text without one alternative of a '|',
 * one operand of an '&' or ';', one subtrahend of a '\', with '_' for one side of a product,
 * without one
 * '+', '*' or '?'; and the text without one of its axioms. Flags forbid nothing and are left alone.
 * 'variants': somebody asks for the variants of the text, so clauses of both branches of an 'if' count. */
struct mutant_list mutants_of(struct arena *arena, const struct source *source, bool variants);

#endif
