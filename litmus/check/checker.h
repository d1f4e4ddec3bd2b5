/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CHECK_CHECKER_H
#define LITMUS_CHECK_CHECKER_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* What the parts of the check share. */
struct checker {
    struct arena *arena;
    struct test *test;
    struct diag_list *diags;
};
#define check_error(c, id, span, hint, ...)                                                        \
    diag_add((c)->diags, DIAG_##id, (c)->test->source, span, hint, __VA_ARGS__)

/* Rows of qualifiers.def, operations.def and types.def as statements. */
#define FAULT_AT(id, place, hint, condition, ...)                                                  \
    if (condition)                                                                                 \
        check_error(c, id, place, hint, __VA_ARGS__);
#define ELSE_AT(...)              else FAULT_AT(__VA_ARGS__)
#define FAULT(id, condition, ...) FAULT_AT(id, inst->span, NULL, condition, __VA_ARGS__)
#define ELSE(id, condition, ...)  ELSE_AT(id, inst->span, NULL, condition, __VA_ARGS__)

/* The parts, in this order. */
void check_placement(struct checker *c);
void check_launches(struct checker *c);
void check_launch_addresses(struct checker *c); /* after check_locations */
void check_locations(struct checker *c);
void check_instructions(struct checker *c);
void check_types(struct checker *c, const struct inst *inst); /* part of the above */
void check_registers(struct checker *c);
void check_question(struct checker *c);
void check_silence(struct checker *c);

#endif
