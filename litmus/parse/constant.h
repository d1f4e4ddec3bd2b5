/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_CONSTANT_H
#define LITMUS_PARSE_CONSTANT_H

#include "litmus/parse/parser.h"

/* Constant expressions of integers (PTX 4.5.5), computed as they are read: "4*2", "~1", "5 > 3 ? 1 : 0". */

/* Does one begin here, in code that is no column? There '|' ends the cell. */
bool parse_at_constant(const struct parser *p);
bool parse_constant(struct parser *p, uint64_t *value);
/* "+4*2-1", "+-4": what follows a name; products of which it is the sum. Nothing: 0. */
bool parse_addend(struct parser *p, uint64_t *value);

#endif
