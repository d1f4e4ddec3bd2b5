/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_DEBUG_LINE_H
#define LITMUS_PARSE_DEBUG_LINE_H

#include "litmus/parse/parser.h"

/* What a compiler says of the source of its code. One that is not as PTX has it is passed over: nothing
 * depends on it but how places are named. */

/* '.file' or '.loc', to the end of its line. False: the parser stands at neither. */
bool parse_debug_line(struct parser *p);
/* Code that begins here, and what follows it, has no line of the one before. */
void parse_end_code_line(struct parser *p);

#endif
