/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_KERNEL_H
#define LITMUS_PARSE_KERNEL_H

#include "litmus/parse/parser.h"

/* The current token is the kernel's name. */
void parse_kernel(struct parser *p);
/* The current token is the one after '.func'. */
void parse_function(struct parser *p);

#endif
