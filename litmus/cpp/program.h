/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_PROGRAM_H
#define LITMUS_CPP_PROGRAM_H

#include "litmus/base/diag.h"
#include "litmus/test/names.h"
#include "litmus/test/test.h"

/* The part of a test in C++ between its name and its question: "{ int x = 0; }" and the threads, as the
 * locations, bodies, columns and launches of a struct test. Their instructions are those of PTX, with the orders of
 * C++: plain accesses are weak; ld, st and atom may be .sc; scope NONE is that of the thread;
 * failed_sem is the second order of a compare and exchange. Accesses and fences have FLAG_DIALECT: what
 * PTX requires of them beyond has been seen to here.
 *
 * Local variables are registers of their names, as are names that are only assigned; an inner variable
 * that hides another gets a '$' and a number behind its name. Values of expressions are in registers
 * called %1, %2, …, which no question can name. */

/* Of objects that the library counts in one atomic integer. */
enum cpp_class { CPP_CLASS_NONE, CPP_CLASS_LATCH, CPP_CLASS_SEMAPHORE, CPP_CLASS_BINARY };

/* What C++ knows of a location besides. */
struct cpp_kind {
    enum type type; /* of the integer, or of what a pointer points to; TYPE_NONE: void */
    bool is_bool;
    bool is_pointer; /* then the rest is about what it points to */
    bool is_atomic;
    bool is_flag;    /* an atomic_flag */
    bool is_barrier; /* a cuda::barrier: three integers */
    bool is_const;
    bool is_volatile;
    enum cpp_class class;
    enum scope scope; /* of an atomic object */
    const struct cpp_kind
        *held; /* of an atomic object that holds a pointer: the pointer's; or NULL */
};

struct cpp_program {
    VEC(struct location) locations;
    VEC(struct cpp_kind) kinds;  /* of the locations */
    struct names location_names; /* by (NONE, name), or (body, name) for what a kernel declares */
    VEC(struct body) bodies;
    VEC(struct names *) reg_names; /* a body's registers by (0, name) */
    VEC(struct column) columns;    /* or launches */
    VEC(struct launch) launches;
};

/* Reads from '*offset' to the question, where '*offset' stands then. False after errors, of which there
 * may be several. What 'program' holds is made in 'arena'. */
bool cpp_read_program(struct arena *arena, const struct source *source, uint32_t *offset,
                      struct diag_list *diags, struct cpp_program *program);

/* The type as nvcc reads it: "cuda::atomic<int, cuda::thread_scope_device>"; NULL where the library has no such type, or keeps an
 * object of it in another way. In 'arena'. */
const char *cpp_kind_spelled(struct arena *arena, const struct cpp_kind *kind);

/* The instructions of a body, one a line, for tests and for finding out what was made. */
const char *cpp_show_body(struct arena *arena, const struct cpp_program *program,
                          const struct body *body);

#endif
