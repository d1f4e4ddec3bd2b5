/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_CODE_H
#define LITMUS_HOST_CODE_H

#include "litmus/host/shape.h"

/* Code as it was read: functions, classes, macros; and where its reading stands. */

/* "typename T = int", "int N" of a template. */
struct template_parameter {
    const char *name;
    bool is_type, is_pack;
    const struct cpp_type *of;    /* of a number; or NULL */
    const struct cpp_type *type;  /* unless it is given; or NULL */
    const struct cpp_expr *value; /* the same of a number */
};
struct template_head {
    struct template_parameter *at;
    uint32_t count;
    bool is_special; /* "template <>": of a template that is there */
};
struct structure {
    const char *name;
    const struct cpp_stmt *members; /* a block of declarations */
    uint32_t from;                  /* where its text begins */
    bool has_functions;             /* "NAME::function", in eval.functions */
    bool is_own; /* ... which are all that it has: of a file, or of standard.hpp */
    struct template_head head;
    const struct cpp_type **bases;
    uint32_t base_count;
    bool inherits;          /* "using Base::Base;" */
    bool is_one_of_several; /* another class has its name, in another namespace or class */
};
/* Another name of a type. */
struct type_name {
    const char *name;
    const struct cpp_type *type;
    const struct code_shape *
        shape; /* of a template's parameter, for as long as its code is read; then 'type' is NULL */
};
/* Which names of types are seen: those of the file, and of the templates from 'floor' to 'visible' and from 'own' on. */
struct type_view {
    uint32_t floor, visible, own;
};
/* A macro: an expression, or statements. */
struct code_macro {
    const char *name;
    bool is_function; /* it has parameters */
    const char **parameters;
    uint32_t parameter_count;
    bool takes_more; /* "..." behind them */
    const struct cpp_expr *value;
    const struct cpp_stmt *body;
    struct span text;
};
struct parameter {
    const char *name;
    const struct cpp_type *type;
    const struct cpp_expr *value; /* unless it is given; or NULL */
};
/* "n(k)" or "Base{1}" before the code of a constructor. */
struct member_value {
    const char *name;
    const struct cpp_expr **given;
    uint32_t given_count;
    bool is_braced;
    struct span span;
};
/* A function of the text, a lambda, "host" or "hostfn". */
struct code_function {
    const char *name;
    const struct cpp_type *result; /* NULL: none is known */
    struct parameter *parameters;
    uint32_t parameter_count;
    const struct cpp_stmt *body;
    const struct cpp_lambda *lambda; /* or NULL */
    const struct structure *of;      /* the class of which it is a function, "W::go"; or NULL */
    const char *region;              /* the namespace where it stands, or NULL */
    struct template_head head;
    struct type_view types;      /* of a lambda: where it was made */
    struct member_value *values; /* of a constructor */
    uint32_t value_count;
    bool is_static, is_virtual, is_deleted, is_default, is_constructor;
    const struct cpp_argument *called_as; /* by the std::function that holds it; or NULL */
    struct binding *captured;             /* of a lambda: what it copied when it was made */
    uint32_t captured_count;
    uint32_t visible; /* bindings that it sees: those of the test, or of where a lambda stands */
    uint32_t host;    /* its index in parser->host_threads, if it stands there; else NONE */
    bool is_task;     /* "hostfn" */
    const struct host_call *of_stream; /* the code of this call, or NULL: stream_value.c */
    struct span fault;                 /* where its code could not be read; then 'body' is NULL */
    struct span span;
};

/* Where jumps go: an instruction once it is placed, with what is known on the way to it. */
struct aim {
    uint32_t at; /* NONE: not yet placed */
    struct code_value *known;
    uint32_t known_count;
    bool is_reached;
};

struct switch_case {
    const struct cpp_stmt *stmt;
    uint32_t aim;
};

/* Functions that are being read at their calls. */
struct code_frame {
    const struct code_function *function;
    uint32_t floor;   /* bindings from here on are its own, */
    uint32_t visible; /* and those below this are seen too */
    struct type_view types;
    uint32_t return_to; /* aim */
    struct code_cell *result;
    uint32_t break_to, continue_to;       /* aims or NONE, and */
    uint32_t break_scope, continue_scope; /* how many bindings are seen there */
    struct switch_case *cases;            /* of the switch around, or NULL */
    uint32_t case_count;
};

struct binding {
    const char *name;
    struct code_cell *cell;
    bool refers;       /* the variable lives elsewhere: it does not end with the name */
    bool is_parameter; /* by value */
};

/* A static variable of a function. */
struct static_variable {
    const struct cpp_declarator *one;
    struct code_cell *cell;
};

struct goto_label {
    const char *name;
    uint32_t aim;
    bool is_placed;
    struct span used;
};

/* What is known of a host thread's order; NONE: no thread, not yet. */
struct thread_past {
    uint32_t maker, joined_by;
    uint32_t ended; /* the location of the flag that its end raises */
};

/* Memory of a list, and how many elements it may get at most. */
struct list_growth {
    uint32_t location, count;
};

/* A name of a statement that is not read: what it is nobody knows. */
struct gap_word {
    const char *word;
    uint32_t gap;
};

#endif
