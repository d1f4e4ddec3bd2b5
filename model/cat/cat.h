/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_CAT_H
#define MODEL_CAT_CAT_H

#include <stdbool.h>

#include "litmus/base/diag.h"

/* A memory model as a value: a relational cat text, read, checked and elaborated. Functions are
 * inlined and names resolved, so what is left is a graph of set and relation operations, kids before
 * parents, with recursive groups marked. Knows no PTX: base names come from a table. */

typedef uint32_t cat_id;

enum cat_op {
#define CAT_OP(name, kinds, notation) CAT_##name,
#include "model/cat/op.def"
};

struct cat_node {
    enum cat_op op;
    bool is_set;
    bool dynamic; /* depends on the choices of an execution */
    uint32_t base;
    cat_id a, b;
    /* The let rec a node has to be iterated with, or UINT32_MAX. Its names come first, the nodes that
     * depend on them follow; a node between these that has no group depends on none of them. */
    uint32_t group;
    const char *name; /* the let that names it (the first), or NULL */
    const char *text; /* the piece of source it came from, for explanations */
    struct span span;
};

/* The operands of a node, the body of a recursive name included; returns how many. */
uint32_t cat_node_kids(const struct cat_node *node, cat_id kids[2]);

enum cat_check { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_IS_EMPTY };

struct cat_axiom {
    enum cat_check check;
    bool negated;     /* ~empty r */
    bool flag;        /* reported, does not forbid */
    const char *name; /* the 'as' name; "axiom-N" without */
    cat_id node;
    struct span span;
};

struct cat_model {
    const struct source *source; /* includes keep their own in the diagnostics */
    const char *title;           /* the leading string or name */
    const char *language;        /* the word before the title: "PTX", "C", …, or NULL */
    struct cat_node *nodes;
    uint32_t node_count;
    uint32_t group_count;
    struct cat_axiom *axioms;
    uint32_t axiom_count;
    cat_id *shown; /* show r, r' */
    const char **shown_names;
    uint32_t shown_count;
    bool bundled;     /* one of ptxlit's own, not a user's text */
    bool has_variant; /* the text asks for the variant that the loader names */
    /* "READING=WORD": some 'if' of the text asks how a reading is chosen; or NULL */
    const char *asked;
    struct cat_model *chosen; /* the same text with that choice; NULL when it is made already */
};

/* One base name that C supplies. */
struct cat_base {
    const char *name;
    bool is_set, dynamic;
    const char *meaning;
};

/* Opens an included file: the text in 'arena', or NULL. */
struct cat_loader {
    const struct source *(*open)(void *context, struct arena *arena, const char *name);
    void *context;
    const struct source *prelude; /* definitions every text may use, or NULL */
    const char *variant;          /* makes 'if "variant" then a else b' mean a, or NULL */
    const char *choice;           /* the same for "READING=WORD" */
    /* Every "READING=WORD" that a text may ask for; with none of them named any is taken. */
    const char *const *choices;
    uint32_t choice_count;
};

/* NULL after any error; all errors are in 'diags'. A name bound by 'let' may shadow a base name. */
struct cat_model *cat_parse(struct arena *arena, const struct source *source,
                            const struct cat_base *bases, uint32_t base_count,
                            const struct cat_loader *loader, struct diag_list *diags);

#endif
