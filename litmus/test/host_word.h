/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_HOST_WORD_H
#define LITMUS_TEST_HOST_WORD_H

#include "litmus/test/test.h"

/* Words and marks of host code that stand for something of an instruction. */
enum { HOST_METHODS = 10, HOST_ORDERS = 5, HOST_MARKS = 10 };
extern const struct host_method {
    const char *word; /* ".load" */
    enum op op;
    enum atom_op atom_op;
} host_methods[HOST_METHODS];
extern const struct host_memory_order {
    const char *word;
    enum sem sem;
} host_memory_orders[HOST_ORDERS];
extern const struct host_mark {
    const char *mark;
    enum op op;
} host_marks[HOST_MARKS];

#endif
