/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CHECK_CHECK_H
#define LITMUS_CHECK_CHECK_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* Completes and checks a parsed test: places its threads, decides the types of locations and
 * registers, refuses what PTX does not allow, sorts what is observed. Errors go to 'diags'. */
void check_test(struct arena *arena, struct test *test, struct diag_list *diags);

/* The parts, in this order; private to check*.c. */
struct checker {
    struct arena *arena;
    struct test *test;
    struct diag_list *diags;
};
void check_placement(struct checker *checker);
void check_launches(struct checker *checker);
void check_locations(struct checker *checker);
void check_instructions(struct checker *checker);
void check_types(struct checker *checker, const struct inst *inst); /* part of the above */
void check_host(struct checker *checker);
void check_registers(struct checker *checker);
void check_question(struct checker *checker);
void check_silence(struct checker *checker);
#define check_error(checker, id, span, hint, ...)                                                  \
    diag_add((checker)->diags, DIAG_##id, (checker)->test->source, span, hint, __VA_ARGS__)

#endif
