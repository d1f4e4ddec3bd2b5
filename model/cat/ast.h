/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_AST_H
#define MODEL_CAT_AST_H

#include "model/cat/cat.h"

/* A cat text as written: names unresolved, functions not inlined, includes not opened. */

enum ast_kind {
    AST_NAME,
    AST_OPERATION, /* 'op' of the kids: two or more, from the left, where it has two operands */
    AST_APPLY,     /* name(kids) */
    AST_LET_IN,    /* let bindings in kids[0]; the bodies of the bindings are the other kids */
    AST_IF,        /* if "name": kids[0] is the branch that is taken, kids[1] the other */
};

/* Kids are a list, so that a long chain of one operator is wide and not deep: the depth of a tree is
 * bounded by the parser. */
struct ast_binding;
struct ast {
    enum ast_kind kind;
    enum cat_op op;   /* OPERATION */
    const char *name; /* NAME, APPLY, IF */
    struct span span;
    struct ast **kids;
    uint32_t kid_count;
    uint32_t height;              /* 1 for a leaf */
    struct ast_binding *bindings; /* LET_IN */
    uint32_t binding_count;
};

struct ast_parameter {
    const char *name;
    struct span span;
};

struct ast_binding {
    const char *name;
    struct span span; /* of the name */
    struct ast_parameter *parameters;
    uint32_t parameter_count; /* 0: not a function */
    struct ast *body;
};

enum ast_statement_kind { AST_LET, AST_LET_REC, AST_CHECK, AST_SHOW, AST_UNSHOW, AST_INCLUDE };

struct ast_shown {
    struct ast *body;
    const char *name; /* its 'as' name, or how it is written */
};

struct ast_statement {
    enum ast_statement_kind kind;
    struct span span;
    struct ast_binding *bindings; /* LET, LET_REC */
    uint32_t binding_count;
    enum cat_check check; /* CHECK */
    bool negated, flag;
    struct ast *body;
    const char *name; /* CHECK: its 'as' name or NULL; INCLUDE: the file */
    struct span name_span;
    struct ast_shown *shown; /* SHOW, UNSHOW */
    uint32_t shown_count;
};

struct ast_file {
    const char *title;    /* or NULL */
    const char *language; /* the word before the title, or NULL */
    struct ast_statement *statements;
    uint32_t statement_count;
    bool has_variant;  /* asks for the variant given to cat_read */
    const char *asked; /* the first "READING=WORD" that it asks for, or NULL */
};

/* Reads one cat text. Never NULL: a statement with an error is reported and left out, and reading
 * goes on at the next one. Of 'if "variant" then a else b' the loader says which is read; without a
 * loader (NULL) it is b. */
struct ast_file *cat_read(struct arena *arena, const struct source *source,
                          const struct cat_loader *loader, struct diag_list *diags);

#endif
