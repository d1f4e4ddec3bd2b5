/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_MODULE_H
#define LITMUS_PARSE_MODULE_H

#include "litmus/parse/parser.h"

/* One directive, variable or entry outside of functions. */
void parse_module_item(struct parser *p);
/* All of a .ptx module. */
void parse_module(struct parser *p);

#endif
