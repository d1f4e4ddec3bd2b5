/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_THREADS_H
#define LITMUS_CPP_THREADS_H

#include "litmus/cpp/lower.h"
#include "litmus/cpp/parser.h"

/* Private to the files that read a test in C++: what is read before anything is lowered. */

/* "P0:r0 = 1;" of the initial state. */
struct cpp_register_entry {
    struct cpp_token thread;
    const char *name;
    const struct cpp_expr *value; /* or NULL */
    struct span span;
};
/* The value of an element of a location. */
struct cpp_pending {
    uint32_t location, element;
    const struct cpp_expr *value;
};
/* "P0 (int *x)": a name of the location called so. */
struct cpp_parameter {
    const struct cpp_type *type;
    const char *name;
    struct span span;
};
/* A column, or a kernel. */
struct cpp_thread {
    const char *name;
    struct span span;
    VEC(struct cpp_parameter) parameters;
    VEC(const struct cpp_stmt *) stmts;
    bool is_kernel; /* this and what follows */
    struct cpp_declarator *formals;
    uint32_t formal_count;
    VEC(struct cpp_kind) kinds; /* of the formals, once they are lowered */
    struct launch_rules rules;
};

/* "class T", "int N = 2", "cuda::memory_order O" */
struct cpp_template {
    const char *name;
    const struct cpp_type *type; /* of a value; NULL: a type */
    struct cpp_argument given;   /* what it is unless a call says; both NULL: nothing */
    struct span span;
};
/* "__device__ int take(int *x) { … }" */
struct cpp_function {
    const char *name;
    struct span span;
    struct cpp_template *parameters; /* of a template */
    uint32_t parameter_count;
    const struct cpp_type *result;
    struct cpp_declarator *formals;
    uint32_t formal_count;
    const struct cpp_stmt *code;
    struct span definition; /* all of it */
    bool is_called;         /* by the thread that is lowered */
};
/* "[&](int i) { … }", and what it captures. */
struct cpp_closure {
    struct cpp_function function;
    VEC(struct cpp_variable) captured;
};

struct cpp_reader {
    struct cpp_parser p;
    struct cpp_program *program;
    VEC(struct cpp_register_entry) registers;
    VEC(struct cpp_pending) pending;
    VEC(struct cpp_thread) threads;
    VEC(const struct cpp_expr *) launches;
    VEC(struct cpp_function) functions;
    VEC(struct cpp_operand) constants;
    VEC(const struct cpp_type *) types;
    struct names
        constant_names; /* by (0, name); those of types by (1, name), objects of structures by (2, name) */
};

/* init.c: "{ int x = 0; }"; then the values, once all locations are known. */
void cpp_read_init(struct cpp_reader *reader);
void cpp_finish_init(struct cpp_reader *reader);
void cpp_add_location(struct cpp_reader *reader, const struct cpp_declarator *one,
                      struct location location);
/* structure.c: its name; the locations that an object of it is. */
bool cpp_add_structure(struct cpp_reader *reader, const struct cpp_stmt *stmt);
void cpp_add_members(struct cpp_reader *reader, const struct cpp_declarator *one,
                     const struct cpp_type *type, struct location location);
/* The location that "P0 (atomic_int *x)" points to, unless it is declared. */
void cpp_add_pointed(struct cpp_reader *reader, const struct cpp_parameter *parameter);
/* "P3" and "3" name thread 3. */
bool cpp_thread_number(const struct cpp_reader *reader, struct span word, uint32_t *number);
/* constant.c: enumerators, what is constexpr, and names of types. */
void cpp_add_constants(struct cpp_reader *reader, const struct cpp_stmt *stmt);
/* At what defines such, in a statement of its own? Reads it. */
bool cpp_at_naming(const struct cpp_parser *p);
bool cpp_read_naming(struct cpp_reader *reader);
/* A number of 32 bits, of which 'most' is the largest. */
bool cpp_expect_count(struct cpp_parser *p, const char *what, uint64_t most, uint32_t *value);
/* An empty thread for what is constant. */
struct cpp_code cpp_new_code(struct cpp_reader *reader, const char *name);
/* A number or an address: what needs no instruction. False after a report. */
bool cpp_constant(struct cpp_reader *reader, const struct cpp_expr *expr, struct cpp_operand *to);

/* threads.c: heads, columns, blocks. */
void cpp_read_threads(struct cpp_reader *reader);
bool cpp_at_question(const struct cpp_parser *p);
/* "exsts (", where no thread or statement can begin so: read as a question, which reports it. */
bool cpp_at_misspelt_question(const struct cpp_parser *p);

/* template.c: "template <class T, int N>" before a function. */
bool cpp_template_head(struct cpp_parser *p, struct cpp_function *to);

/* function.c: at a definition of a function, and no kernel? Reads one, or an enumeration. */
bool cpp_at_function(const struct cpp_reader *reader);
void cpp_read_definition(struct cpp_reader *reader);
/* A function that the library has, from its text. */
bool cpp_function_of_text(struct cpp_code *code, const char *text, struct cpp_function *to);

/* kernel.c: kernels and launches up to the question; then, when all locations are known, the
 * parameters of a kernel, and the launches when all kernels are. */
bool cpp_at_launch(const struct cpp_parser *p);
void cpp_read_kernels(struct cpp_reader *reader);
void cpp_lower_formals(struct cpp_code *code, struct cpp_thread *kernel, struct body *body);
void cpp_lower_launch(struct cpp_reader *reader, const struct cpp_expr *expr);

#endif
