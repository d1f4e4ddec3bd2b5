/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_HOST_H
#define LITMUS_PARSE_HOST_H

#include "litmus/parse/parser.h"
#include "litmus/test/host_word.h"

/* Private to host.c and host_value.c: a host thread or function while it is read. */
struct parse_host {
    struct parser *parser;
    uint32_t raw; /* its body */
};
struct raw_body *parse_host_code(const struct parse_host *host);
void parse_host_emit(const struct parse_host *host, struct raw_inst inst,
                     const struct raw_operand *operands, uint32_t count, struct span start);

/* "int", "auto" and the like: before the first assignment of a register. */
bool parse_is_register_type(const struct parser *parser, struct span word);
/* The kind of object that the type's name declares, HOST_OBJECT_KINDS: it is none. */
enum host_object_kind parse_object_kind(const struct parser *parser, struct span type);

/* "a" or "a + b". */
bool parse_host_expression(const struct parse_host *host, struct raw_operand *to);
/* "r = …" or "x = …" */
bool parse_host_assignment(const struct parse_host *host);
/* "atomic_thread_fence(acquire)" */
bool parse_host_fence(const struct parse_host *host);
/* A call, a launch or an atomic operation as a statement: what it returns goes nowhere. */
bool parse_host_effect(const struct parse_host *host);

#endif
