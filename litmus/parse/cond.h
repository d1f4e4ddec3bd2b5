/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_COND_H
#define LITMUS_PARSE_COND_H

#include "litmus/parse/parser.h"

/* What the test asks, to the end of the text. */
void parse_final(struct parser *p);
/* A word that is like those with which that begins, where no instruction or item can go on as the text does. */
bool parse_at_misspelt_question(const struct parser *p);

#endif
