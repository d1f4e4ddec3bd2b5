/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_FILE_H
#define LITMUS_HOST_FILE_H

#include "litmus/host/eval.h"
#include "litmus/parse/parser.h"

/* 'program "app.cu"': the kernels of a file of CUDA C++, from the compiler, and its host code, from the
 * text. 'main' is a host thread. */
bool host_at_program(const struct parser *p);
void host_program_item(struct parser *p); /* the current token is 'program' */
/* The host code of the test, made when it is new. */
struct eval *host_code(struct parser *p);
/* Where the text begins in the test's, to which it is added; NONE: it is too long. */
uint32_t host_add_text(struct parser *p, const char *name, const char *text, size_t length);
/* Functions, classes and variables of a part of the test's text. */
void host_read_part(struct eval *e, uint32_t from, uint32_t to);

#endif
