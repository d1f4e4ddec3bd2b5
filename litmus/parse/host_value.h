/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_HOST_VALUE_H
#define LITMUS_PARSE_HOST_VALUE_H

#include "litmus/test/host_call.h"
#include "litmus/parse/parser.h"

/* Parts of statements of host code, whose instructions go into the parser's body. False after a report,
 * unless another reason is given. */

void parse_host_emit(struct parser *p, struct raw_inst inst, const struct raw_operand *operands,
                     uint32_t count, struct span start);
/* Is it "int", "auto" or the like, before the first assignment of a register? */
bool parse_is_register_type(const struct parser *p, struct span word);
/* The kind of object that the type's name declares, HOST_OBJECT_KINDS: it is none. */
enum host_object_kind parse_object_kind(const struct parser *p, struct span type);
/* "a" or "a + b". */
bool parse_host_expression(struct parser *p, struct raw_operand *to);
/* "r = …" or "x = …" */
bool parse_host_assignment(struct parser *p);
/* "atomic_thread_fence(acquire)" */
bool parse_host_fence(struct parser *p);
/* A call, a launch or an atomic operation as a statement: what it returns goes nowhere. */
bool parse_host_effect(struct parser *p);

#endif
