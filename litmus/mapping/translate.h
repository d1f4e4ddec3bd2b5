/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_MAPPING_TRANSLATE_H
#define LITMUS_MAPPING_TRANSLATE_H

#include "litmus/mapping/mapping.h"

/* Private to what makes a test in PTX of one in C++. */

struct translation {
    struct arena *arena;
    const struct mapping_table *mapping;
    const struct test *from;
    struct test *to;
    struct diag_list *diags;
    const struct body *body; /* that is translated, */
    VEC(struct reg) regs;    /* and what becomes of it */
    VEC(struct inst) insts;
    VEC(struct label) labels;
    uint32_t *starts; /* where an instruction of the body begins; after the last, the end */
    uint32_t scratch; /* registers that were made */
    const bool
        *is_wider; /* a location: its objects are as large as the smallest that atom works on */
};

/* translate.c */
uint32_t mapping_new_register(struct translation *t, enum type type);
struct operand mapping_register_operand(uint32_t reg, struct span span);
/* The instruction as the step has it, with another operation. */
struct inst mapping_step_inst(const struct translation *t, const struct mapping_step *step,
                              const struct inst *inst, enum op op);

/* small.c: objects smaller than atom works on */
/* Which they are; false after a report. */
bool mapping_find_small(struct translation *t);
void mapping_widen_locations(const struct translation *t);
/* An access to one is to the word that holds it. */
void mapping_widen(const struct translation *t, struct inst *inst);
/* Could atom leave a value in the word that the object does not have? */
bool mapping_wraps(const struct translation *t, const struct inst *inst);
/* A loop of atom.cas that computes the value as the object has it; 'old': a register with what was seen last. */
void mapping_emit_loop(struct translation *t, const struct mapping_step *step,
                       const struct inst *inst, uint32_t old);

#endif
