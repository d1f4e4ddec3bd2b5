/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_INST_H
#define LITMUS_PRINT_INST_H

#include "litmus/print/printer.h"

/* Of the printer's body. */
void printer_inst(struct printer *p, const struct inst *inst);
/* "L:", a line each, of the labels at the instruction, the first of which is '*next'. */
void printer_labels(struct printer *p, uint32_t target, uint32_t *next);
/* Labels and instructions, these between 'before' and 'after'. */
void printer_code(struct printer *p, const char *before, const char *after);

#endif
