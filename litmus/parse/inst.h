/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_INST_H
#define LITMUS_PARSE_INST_H

#include "litmus/parse/parser.h"

/* Into the body and block that the parser is in: labels, and an instruction up to its ';' (in a column
 * also '|'). False after a report. */
void parse_labels(struct parser *p);
bool parse_instruction(struct parser *p);
/* At ';', '|', "||" or the end of the text. */
bool parse_at_cell_end(const struct parser *p);

#endif
