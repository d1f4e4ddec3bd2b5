/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PRINT_PATH_H
#define LITMUS_PRINT_PATH_H

#include "litmus/print/printer.h"

/* Declares what the accesses below compute in, if the body has any. */
void path_declare(struct printer *p);
/* For ptxas: an access through a texture or a surface, or a fence of their proxies or the constant one, in PTX's words, a line each.
 * False where the instruction is none of these. Of location x "at_x" is the texel of a texture, the byte and the row of a
 * surface (32 bits each); "path_x" is the texture or surface. */
bool path_print(struct printer *p, const struct inst *inst);
/* Why PTX does not have it, or NULL where it does, or where the instruction is none of these: "an atomic operation through a surface". */
const char *path_trouble(const struct test *test, const struct inst *inst);

#endif
