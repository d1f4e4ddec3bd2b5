/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_INIT_H
#define LITMUS_PARSE_INIT_H

#include "litmus/parse/parser.h"

/* The initial state, from '{' to '}'. */
void parse_init(struct parser *p);

#endif
