/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_DECODE_DECODE_H
#define LITMUS_DECODE_DECODE_H

#include "litmus/parse/parser.h"

/* Private to decode*.c: one body on its way from raw code to instructions. */
struct decoder {
    struct parser *parser;
    uint32_t body; /* index of both */
    struct raw_body *raw;
    VEC(struct reg) regs;
    VEC(struct reg_init) inits;
    struct names *reg_names;  /* by (block, name): index into regs, */
    struct names range_names; /* by (block, prefix): index into raw->regs of a range */
    struct names mentioned;   /* names in the code of a column */
    struct names label_names; /* by (block, name): index into raw->labels */
    struct names frame_names; /* by (block, name): index into raw->frame */
    uint32_t *temporaries;    /* by number: index into regs, or NONE */
};

/* decode_words.c: the modifiers. False after a report. */
bool decode_words(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst);
/* decode_fence.c: the same for 'fence' and 'membar', whose words depend on each other. */
bool decode_fence_words(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst);

/* decode_operands.c: the letter of isa.def's signature for an operand, 0 past the last. */
char operand_role(enum op op, uint32_t index);
bool decode_operands(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst);
/* The instruction whose operands are read. */
struct spot {
    struct decoder *decoder;
    const struct raw_inst *raw;
    struct inst *inst;
};
struct operand operand_plain(enum operand_kind kind, const struct raw_operand *raw);
/* Reports that 'wanted' is needed instead of the operand; false. */
bool spot_refuse(const struct spot *spot, const struct raw_operand *raw, const char *wanted);

/* decode_targets.c: what jumps and calls name. False after a report. */
bool spot_label(const struct spot *spot, const struct raw_operand *raw, struct operand *to);
bool spot_label_list(const struct spot *spot, const struct raw_operand *raw, struct operand *to);
bool spot_function(const struct spot *spot, const struct raw_operand *raw, struct operand *to);
bool spot_frame_variable(const struct spot *spot, const struct raw_operand *raw,
                         struct operand *to);
bool spot_find_function(const struct spot *spot, struct span name, uint32_t *body);

/* decode_names.c */
bool decoder_find_register(struct decoder *decoder, uint32_t block, struct span name,
                           uint32_t *index);
uint32_t decoder_register(struct decoder *decoder, uint32_t block, struct span name);
/* The register that holds the value of an expression of a host program; made when new. */
uint32_t decoder_temporary(struct decoder *decoder, const struct raw_operand *operand);
void decoder_note_mentions(struct decoder *decoder);
/* For the initial state, after decoder_note_mentions: "r0" is %r0 when only that stands in the
 * code. */
uint32_t decoder_named_register(struct decoder *decoder, struct span name);
bool decoder_find_label(const struct decoder *decoder, uint32_t block, struct span name,
                        const struct raw_label **label);
bool decoder_find_frame(const struct decoder *decoder, uint32_t block, struct span name,
                        uint32_t *index);
bool decoder_find_special(const struct decoder *decoder, struct span name, enum special *special);
bool looks_like_register(const struct decoder *decoder, struct span name);
/* Enters declared registers, labels and initial values; then destinations and memory operands. */
void decoder_declare(struct decoder *decoder);

#endif
