/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_MNEMONIC_H
#define LITMUS_PARSE_MNEMONIC_H

#include "litmus/parse/parser.h"

/* Finds the operation that the current word (and dotted words after it) names, fills inst->op,
 * head, words and the marks of the dialect's spellings, and passes them. False after a report: the
 * word is unknown, or known and not supported. */
bool parse_mnemonic(struct parser *p, struct raw_inst *inst);

#endif
