/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_COLUMNS_H
#define LITMUS_PARSE_COLUMNS_H

#include "litmus/parse/parser.h"

/* The table of threads, up to what follows it. */
void parse_columns(struct parser *p);
/* "P3" and "3" name thread 3; false: the word names none. */
bool parse_thread_number(const struct parser *p, struct span word, uint32_t *number);

#endif
