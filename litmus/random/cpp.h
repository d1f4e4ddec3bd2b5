/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_CPP_H
#define LITMUS_RANDOM_CPP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "litmus/random/program.h"

/* Random tests in CUDA C++, as values that can be shrunk and printed as litmus text. */

enum { RANDOM_OBJECTS = 3 };

/* How the initial state declares an object, and so what threads may do to it. */
enum random_object_kind {
    RANDOM_INT,        /* accessed plainly, and by atomic_ref of any scope */
    RANDOM_ATOMIC,     /* cuda::atomic, of one scope */
    RANDOM_STD_ATOMIC, /* of the system's */
    RANDOM_OBJECT_KINDS
};

enum random_cpp_kind {
    RANDOM_CPP_LOAD,
    RANDOM_CPP_STORE,
    RANDOM_CPP_RMW,
    RANDOM_CPP_CAS,
    RANDOM_CPP_FENCE,
    RANDOM_CPP_SPIN, /* until the object is not 0 */
    RANDOM_CPP_BARRIER
};

struct random_statement {
    enum random_cpp_kind kind;
    uint8_t object, order, failed, scope;
    uint8_t op;       /* of a read-modify-write */
    uint8_t value;    /* 0: the last variable, plus one */
    uint8_t expected; /* by compare and exchange */
    bool plain;       /* where the object allows it */
    bool brief;       /* as operators, calls of CUDA and defaults spell it, where they can */
    bool twice;       /* in a loop */
    /* Only after the last variable is 1: a branch around it, a return before it. */
    enum { RANDOM_CPP_ALWAYS, RANDOM_CPP_IF, RANDOM_CPP_RETURN } guard;
};

struct random_cpp {
    uint64_t seed;
    struct {
        enum random_object_kind kind;
        uint8_t scope;
    } objects[RANDOM_OBJECTS];
    uint32_t threads, block[RANDOM_THREADS], gpu[RANDOM_THREADS], count[RANDOM_THREADS];
    struct random_statement statements[RANDOM_THREADS][RANDOM_INSTS];
};

/* Of the bounds those of size count, and 'atomics' and 'barriers'. */
void random_cpp_draw(struct random_cpp *program, uint64_t seed, const struct random_bounds *bounds);
/* Litmus text that observes every variable and object. */
GString *random_cpp_write(const struct random_cpp *program);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool random_cpp_shrink(const struct random_cpp *program, uint32_t step, struct random_cpp *smaller);

#endif
