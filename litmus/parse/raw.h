/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_RAW_H
#define LITMUS_PARSE_RAW_H

#include "litmus/test/names.h"
#include "litmus/test/test.h"

/* Code as it was written: operations are known, names are not resolved. The parser (litmus/parse)
 * makes it, and the decoder (litmus/decode) resolves the names. */

enum raw_kind {
    RAW_NAME,    /* name, or name + value when 'offset' */
    RAW_NUMBER,  /* value */
    RAW_FLOAT32, /* value: bits */
    RAW_FLOAT64,
    RAW_MEMORY,    /* [name + value], or [value] when name.length is 0; with coordinates 'parts' */
    RAW_VECTOR,    /* {parts} */
    RAW_LIST,      /* (parts) of a call */
    RAW_PAIR,      /* parts[0]|parts[1] */
    RAW_SINK,      /* _ */
    RAW_TEMPORARY, /* the value of an expression of a host program: number 'value' of its body */
    RAW_VARIABLE,  /* of a host program: number 'value' of the body's variables */
    RAW_PLACE,     /* [location + value] of a host program */
    RAW_TARGET,    /* a jump of a host program: instruction 'value' */
};

struct raw_operand {
    enum raw_kind kind;
    bool negated; /* written with '!' */
    bool address; /* written with '&' */
    bool offset;  /* a '+' or '-' follows the name */
    struct span name, span;
    uint64_t value;
    uint32_t location; /* of a PLACE */
    struct raw_operand *parts;
    uint32_t part_count;
};

struct raw_inst {
    enum op op;
    struct span head; /* the mnemonic's first word */
    struct span *words;
    uint32_t word_count;   /* modifiers: dotted words after the mnemonic */
    enum cmp cmp;          /* of beq … blt */
    enum proxy proxy;      /* of tld, suld, sust, cold, tmld, suatom, sured */
    bool membar, bar, cta; /* spelled 'membar', 'bar'; 'bar.cta' or 'barrier.cta' */
    struct raw_operand *operands;
    uint32_t operand_count;
    struct span guard; /* predicate of @p, or length 0 */
    bool guard_negated;
    uint32_t block; /* of the names */
    bool host;      /* of a host program: it has no words, but these */
    enum sem sem;
    enum scope scope;
    enum atom_op atom_op;
    enum type type; /* of a computation with floats, else none */
    struct span span;
};

/* 'L', or 'L<3>' for L0, L1 and L2; count 0: one. */
struct raw_labels {
    struct span name;
    uint32_t count;
};

struct raw_label {
    struct span name;
    uint32_t block, target;
    bool again;              /* stands twice: reported */
    struct raw_labels *list; /* of '.branchtargets', or NULL */
    uint32_t list_count;
};

/* '.reg .b32 %r<8>, x;': 'count' registers name0 … or one when count is 0. */
struct raw_reg {
    struct span name;
    uint32_t block, count;
    enum type type;
};

/* '.param .b32 p;' of a function's head or of the block around a call. */
struct raw_frame_variable {
    struct param param;
    uint32_t block;
};

/* A variable of host code; one that no question names is left out where only constants are written to it. */
struct raw_variable {
    const char *name;
    bool is_inner, is_read, is_counter;
    uint32_t gap; /* of the register, as in struct reg */
};

struct raw_body {
    const char *name;
    bool dialect, function; /* as in struct body */
    bool in_registers;      /* a function that is given registers, which no address enters */
    VEC(struct raw_inst) insts;
    VEC(struct raw_label) labels;
    VEC(struct raw_reg) regs;
    VEC(uint32_t) blocks;   /* parent of each block; block 0 is the body */
    struct names locations; /* declared in inner blocks, by (block, name) */
    VEC(struct param) params;
    struct launch_rules rules;
    VEC(struct raw_frame_variable) frame;
    uint32_t return_count, formal_count, frame_bytes, param_bytes;
    uint32_t temporary_count;
    VEC(struct raw_variable) variables; /* registers of host code */
    struct span code;                   /* from '{' to '}' */
    struct span item;                   /* all of an .entry or .func, or length 0 */
    struct span span;
};

/* 'P0:r0 = 1;' of the initial state. */
struct raw_reg_init {
    uint32_t column;
    struct span name;
    struct location_init value;
    bool given; /* a value was written */
};

#endif
