/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_COND_H
#define LITMUS_PARSE_COND_H

#include "litmus/parse/parser.h"

/* What the test asks, to the end of the text. */
void parse_final(struct parser *p);

#endif
