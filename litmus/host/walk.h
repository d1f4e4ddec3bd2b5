/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_WALK_H
#define LITMUS_HOST_WALK_H

#include "litmus/host/eval.h"

/* Walks over code that ask what it does with names, before it is read: which variables it assigns (assigned.c) or gives
 * away (given.c), which arrays it uses as a whole (indexed.c), and what several threads use (shared.c). */

enum { DEEPEST_LAMBDAS = 4, DEEPEST_HANDING = 8 };

/* A walk over a statement: 'see' is called for every expression in it. */
struct walk {
    void (*see)(struct walk *walk, const struct cpp_expr *expr);
    void (*declares)(struct walk *walk, const struct cpp_declarator *one); /* or NULL */
    struct eval *e;
    const char *name;
    bool found;
    unsigned follows; /* lambdas that are called, up to that depth; needs 'e' */
};
void walk_expr(struct walk *walk, const struct cpp_expr *expr); /* or NULL */
void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt);
void walk_both(struct walk *walk, const struct cpp_stmt *stmt, const struct cpp_expr *expr);

/* The variable that an expression is a part of, or NULL; of "W::n" the last word. */
const char *walk_root(const struct cpp_expr *expr);
/* The variable that the expression assigns or gives away, or NULL. */
const char *walk_assigned(const struct cpp_expr *expr);
/* Sees names that are assigned; 'found' when 'name' is one of them. */
void walk_note_assigned(struct walk *walk, const struct cpp_expr *expr);

/* given.c: */
/* "&x", "&x.y", "(void *)&x" */
bool walk_is_address_of(const struct cpp_expr *expr, const char *name);
const struct cpp_expr *walk_without_casts(const struct cpp_expr *expr);
bool walk_is_runtime(const char *word);
/* A call that writes what it is given the address of, before it returns. */
bool walk_writes_argument(const struct cpp_expr *call);
bool walk_is_root(const struct cpp_expr *expr, const char *name);

#endif
