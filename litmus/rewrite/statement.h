/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_STATEMENT_H
#define LITMUS_REWRITE_STATEMENT_H

#include "litmus/base/arena.h"
#include "litmus/base/source.h"

/* The statements of C++ code, found by its marks and the words if, else, while, for, switch and do alone: what they
 * mean, and whether they could be compiled, is not asked. */

struct statement {
    struct span span; /* all of it: with its body, and with its ';' */
    uint32_t head;    /* where the head of an if, while, for or switch ends; 0: it has none */
    uint32_t parent;  /* the statement that it is in, or UINT32_MAX */
    uint32_t list;    /* the same number as its neighbours in one block */
    bool bare;        /* the body of another, without braces */
    bool cell;        /* of a table of threads: a row of its own takes a new one */
    bool ordered;     /* set by users: it has something that fences order */
};
struct statements {
    VEC(struct statement) items; /* in the order of the text, outer ones before inner ones */
    uint32_t lists;
};

/* Adds the statements of [from, to). Those that are nested too deeply are left out. */
void statements_read(struct arena *arena, const struct source *source, uint32_t from, uint32_t to,
                     struct statements *statements);
/* The innermost that holds the offset; NULL: none does. */
struct statement *statements_at(const struct statements *statements, uint32_t offset);
/* Where the '}' stands that closes the '{' at the offset; the end of the text if none does. */
uint32_t statements_close(const struct source *source, uint32_t open);
/* Where the body of the function that holds the offset stands, without its braces. False: it is in none. */
bool statements_function(const struct source *source, uint32_t offset, struct span *body);

#endif
