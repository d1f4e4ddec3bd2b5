/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_DECODE_DECODE_H
#define LITMUS_DECODE_DECODE_H

#include "litmus/parse/location.h"

/* From raw code to parser->bodies; names then mean what they mean to the end. */
void decode_bodies(struct parser *p);

/* What the files of the decoder share: one body on its way from raw code to instructions. */
struct body_decoder {
    struct parser *parser;
    uint32_t body; /* index of both */
    struct raw_body *raw;
    VEC(struct reg) regs;
    VEC(struct reg_init) inits;
    struct names *reg_names;     /* by (block, name): index into regs, */
    struct names range_names;    /* by (block, prefix): index into raw->regs of a range */
    struct names mentioned;      /* names in the code of a column */
    struct names label_names;    /* by (block, name): index into raw->labels */
    struct names frame_names;    /* by (block, name): index into raw->frame */
    uint32_t *temporaries;       /* by number: index into regs, or NONE */
    const struct raw_inst *from; /* the instruction that is decoded, */
    struct inst *inst;           /* into this */
};

/* words.c: the modifiers. False after a report. */
bool decode_words(struct body_decoder *d);
/* Of an instruction that is wrong otherwise: reports addresses whose names mean nothing. */
void decode_addresses(struct body_decoder *d);
/* fence.c: the same for 'fence' and 'membar', whose words depend on each other. */
bool decode_fence_words(struct body_decoder *d);

/* copy.c: brings the operands into the order that isa.def has; does the end of a bulk copy fit them? */
bool decode_copy_operands(struct parser *p, struct raw_inst *raw);
bool decode_copy_fits(struct body_decoder *d);

/* matrix.c: takes a word of a matrix instruction; false: it is none of those. */
bool decode_matrix_word(struct body_decoder *d, struct span span);

/* operands.c */
bool decode_operands(struct body_decoder *d);

/* targets.c: what jumps and calls name. False after a report. */
struct operand decode_operand(enum operand_kind kind, const struct raw_operand *raw);
/* Reports that 'wanted' is needed instead of the operand; false. */
bool decode_refuse(struct body_decoder *d, const struct raw_operand *raw, const char *wanted);
bool decode_label(struct body_decoder *d, const struct raw_operand *raw, struct operand *to);
bool decode_label_list(struct body_decoder *d, const struct raw_operand *raw, struct operand *to);
bool decode_function(struct body_decoder *d, const struct raw_operand *raw, struct operand *to);
bool decode_frame_variable(struct body_decoder *d, const struct raw_operand *raw,
                           struct operand *to);
bool decode_find_function(struct body_decoder *d, struct span name, uint32_t *body);

/* names.c */
bool decoder_find_register(struct body_decoder *d, uint32_t block, struct span name,
                           uint32_t *index);
uint32_t decoder_register(struct body_decoder *d, uint32_t block, struct span name);
/* A variable of the block or of one around it, else a location of the body or the test. */
bool decoder_find_location(const struct body_decoder *d, uint32_t block, struct span name,
                           uint32_t *index);
/* The register that holds the value of an expression of a host program; made when new. */
uint32_t decoder_temporary(struct body_decoder *d, const struct raw_operand *operand);
/* The same of a variable of host code, under its name. */
uint32_t decoder_variable(struct body_decoder *d, const struct raw_operand *operand);
void decoder_note_mentions(struct body_decoder *d);
/* For the initial state, after decoder_note_mentions: "r0" is %r0 when only that stands in the
 * code. */
uint32_t decoder_named_register(struct body_decoder *d, struct span name);
bool decoder_find_label(const struct body_decoder *d, uint32_t block, const char *name,
                        size_t length, const struct raw_label **label);
bool decoder_find_frame(const struct body_decoder *d, uint32_t block, struct span name,
                        uint32_t *index);
bool decoder_find_special(const struct body_decoder *d, struct span name, enum special *special);
bool decode_is_register_like(const struct body_decoder *d, struct span name);
/* Enters declared registers, labels and initial values; then destinations and memory operands. */
void decoder_declare(struct body_decoder *d);

#endif
