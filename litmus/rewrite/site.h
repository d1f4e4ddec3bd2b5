/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_SITE_H
#define LITMUS_REWRITE_SITE_H

#include "litmus/cpp/ast.h"
#include "litmus/edit/edit.h"

/* What an expression of C++ says of order and scope, and where. */

enum site_kind {
    SITE_LOAD,    /* a plain read */
    SITE_STORE,   /* "x = 1" */
    SITE_UPDATE,  /* "x += 1", "x++" */
    SITE_METHOD,  /* "f.load(order)", "atomic_store_explicit(&f, 1, order)" */
    SITE_LEGACY,  /* "atomicAdd_block(&x, 1)" */
    SITE_IMPLIED, /* a plain read or write of an atomic object, which is seq_cst */
    SITE_FENCE,
    SITE_BARRIER, /* and what else stands as a statement for the order alone */
};
struct site {
    enum site_kind kind;
    const struct source *source;
    const struct cpp_expr *expr;
    struct span span;  /* of the expression, with all parentheses around parts of it */
    struct span order; /* METHOD: the word, or the place where it would stand */
    bool ordered;      /* METHOD: the word is there */
    bool first;        /* METHOD: the order would be the first argument */
};

/* The site that the expression in the span is. False: it is none, or cannot be read. */
bool site_of(struct arena *arena, const struct source *source, struct span span, struct site *site);

/* What an access is to become: an atomic operation of this order, on an object of this type and scope. */
struct site_wish {
    enum sem sem;
    enum scope scope;
    const char *type;         /* of the object */
    const char *prefix;       /* words_prefix */
    const char *open, *close; /* around the object, where it needs a cast; or NULL */
    struct span cast;         /* a cast in the expression, in whose place 'as' stands; or empty */
    const char *as;
};
/* The pieces that give an access the order; one that is plain or of CUDA's older functions becomes one of an
 * atomic_ref. NULL: C++ has no words for it. */
struct rewording *site_write(struct arena *arena, const struct site *site,
                             const struct site_wish *wish);
/* The same for an atomic_ref on the spot that becomes a plain access. */
struct rewording *site_plain(struct arena *arena, const struct site *site);
/* An older function of another scope: "atomicAdd_system". */
struct rewording *site_scope(struct arena *arena, const struct site *site, enum scope scope);
/* Other words for the whole expression. */
struct rewording *site_replace(struct arena *arena, const struct site *site, const char *words);

/* An empty rewrite of the text; a piece of one. */
struct rewording *rewording_begin(struct arena *arena, const struct source *source,
                                  struct span span);
void rewording_add(struct arena *arena, struct rewording *rewrite, struct span span,
                   const char *text);
/* 'before' and 'after': what stands in the span, and what comes of it. */
void rewording_name(struct arena *arena, struct rewording *rewrite, struct span span);

#endif
