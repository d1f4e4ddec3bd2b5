/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_VARS_H
#define LITMUS_PARSE_VARS_H

#include "litmus/parse/parser.h"

/* Declarations in PTX's words, into the body and block that the parser is in. False after a report. */
bool parse_registers(struct parser *p);                                  /* after '.reg' */
bool parse_variables(struct parser *p, enum space space, bool external); /* after the space */
bool parse_parameters(struct parser *p);          /* "(.param .u64 a, …)" */
bool parse_function_attributes(struct parser *p); /* ".attribute(.unified(19, 95))", or nothing */
/* Likewise, and ".param .b32 a": variables of the body's frame. */
bool parse_frame_list(struct parser *p);
bool parse_frame_variable(struct parser *p);

#endif
