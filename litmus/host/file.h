/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_FILE_H
#define LITMUS_HOST_FILE_H

#include "litmus/parse/parser.h"

/* 'program "app.cu"': the kernels of a file of CUDA C++, from the compiler, and its host code, from the
 * text. 'main' is a host thread. */
bool host_at_program(const struct parser *p);
void host_program_item(struct parser *p); /* the current token is 'program' */
/* The host code of the test, made when it is new. */
struct eval *host_code(struct parser *p);

#endif
