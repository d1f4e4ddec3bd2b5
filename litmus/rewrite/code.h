/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_CODE_H
#define LITMUS_REWRITE_CODE_H

#include "litmus/rewrite/site.h"
#include "litmus/rewrite/statement.h"

/* The CUDA C++ that the kernels of a test were compiled from, and what each instruction comes from in it: '.loc' names a
 * line, and on the line instructions and expressions of one kind come in the same order. */

/* What of a statement is its own: all of a simple one; of 'if', 'while' and their like the head. */
struct code_unit {
    uint32_t statement; /* of code->statements */
    struct span span;
};
/* An expression that instructions come from. */
struct code_site {
    struct site site;
    uint32_t unit;
    char class;   /* l load, s store, a read-modify-write, f fence, b barrier */
    bool written; /* false: an access whose words cannot be changed */
};
struct code_inst {
    const struct body *body;
    const struct inst *inst;
    uint32_t line;
    char class;          /* as above; o: another that fences order */
    bool called;         /* a plain access of a function in another file that the line calls */
    uint32_t unit, site; /* NONE: not known */
};
struct code {
    struct arena *arena;
    const struct test *test;
    const struct source *source; /* the .cu file */
    const char *file;            /* as the PTX calls it */
    struct statements statements;
    VEC(struct code_unit) units;
    VEC(struct code_site) sites;
    VEC(struct code_inst)
    insts; /* those that fences order, and fences and barriers; in order of the test's text */
};

/* False: the PTX names no lines of a .cu file, or the file is not at hand. */
bool code_read(struct arena *arena, const struct test *test, struct code *code);

#endif
