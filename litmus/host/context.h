/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_CONTEXT_H
#define LITMUS_HOST_CONTEXT_H

#include "litmus/host/code.h"

/* The state of what turns host code into calls and instructions, and its reports. */

/* One test's host code on its way to instructions. */
struct eval {
    struct parser *p;
    struct arena *arena;
    VEC(struct code_function *) functions;
    VEC(struct structure *) structures;
    VEC(struct type_name) type_names;
    VEC(struct code_cell *) temporaries; /* objects that end with the statement */
    VEC(struct code_macro) macros;
    unsigned macro_depth, macro_calls; /* calls that are open, and all */
    VEC(struct list_growth) growths;
    VEC(const struct cpp_stmt *) globals; /* declarations of a file */
    VEC(struct static_variable) statics;
    VEC(struct code_cell *) cells; /* by id */
    VEC(struct binding) scope;
    uint32_t file_scope; /* how many of them are of the file */
    VEC(struct binding)
    made_by_use;          /* names that nothing declares: of the thread or, objects, of all */
    VEC(struct aim) aims; /* of the body that is being made */
    struct code_frame frame;
    unsigned calls;                  /* that are open */
    unsigned deductions;             /* results of lambdas that are looked for: result_shape.c */
    bool in_loop_head;               /* where a loop declares its variable */
    unsigned branches;               /* open ones that depend on something */
    uint32_t host;                   /* the thread whose code is read */
    uint32_t device;                 /* the current one of the thread, as far as it is known */
    enum host_constant capture_mode; /* of the thread; NONE: global */
    uint32_t leave_to;               /* the aim behind the last instruction of the thread */
    const struct cpp_stmt *code;     /* the function's body */
    VEC(struct goto_label) labels;
    bool is_dead;          /* no run comes to what is read now */
    bool packs;            /* "#pragma pack" */
    bool is_file;          /* C++ of a file: what is not modelled is noted, not reported */
    VEC(uint32_t) made_by; /* by object: the thread whose call made it, or NONE */
    uint32_t untyped;      /* memory of malloc that no pointer of a type has got yet; 0: none */
    /* gap.h; of a file only */
    VEC(struct host_gap) gaps;
    VEC(struct gap_word) gap_words;
    uint32_t gap_of_all,
        gap_of_threads; /* a gap behind which nothing is known; if there are several threads */
    uint32_t cause;     /* the gap that the last report comes from, or 0 */
    bool
        clashes; /* a statement assigns what another thread, whose code is read, may use at the same time */
    uint32_t left;    /* the gap behind which the thread may have left what is read, or 0 */
    unsigned waiting; /* loops that wait, that are open */
    uint32_t covered; /* how many statements were not modelled */
    uint32_t bodies_from, bodies_to; /* what macros stand for, with "" for "#a"; or 0 */
    /* where the text of standard.hpp stands in the source; or 0 */
    uint32_t library_from, library_to;
    VEC(struct thread_past) pasts;  /* by host thread: order.c */
    VEC(uint32_t) local_classes;    /* where functions define classes that have functions */
    VEC(uint32_t) inner_memory;     /* locations that have the names of variables of functions */
    uint32_t first_location;        /* that host code makes */
    uint32_t main_host;             /* the thread that runs a file's main, or NONE */
    VEC(struct binding) last_scope; /* what main's names mean when it ends */
};

/* eval.c: reports */
/* The function's code could not be read: reports where; false. */
bool eval_has_code(struct eval *e, const struct code_function *function);
#define eval_error(e, id, span, hint, ...) parse_error((e)->p, id, span, hint, __VA_ARGS__)
const char *eval_text(const struct eval *e, struct span span);
/* A value that depends on what is not modelled was needed: reports that; false. */
bool eval_needs(struct eval *e, const struct code_value *value, struct span span, const char *what);

#endif
