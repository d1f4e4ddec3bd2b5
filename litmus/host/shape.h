/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_SHAPE_H
#define LITMUS_HOST_SHAPE_H

#include "litmus/cpp/ast.h"
#include "litmus/parse/parser.h"
#include "litmus/test/host_call.h"

/* What variables are and hold: types, values, variables. */

/* ---- types ---------------------------------------------------------------------------------- */

enum shape_kind {
    SHAPE_VOID,
    SHAPE_AUTO,
    SHAPE_NUMBER,  /* type: an integer or float as memory holds it */
    SHAPE_POINTER, /* to 'of' */
    SHAPE_ARRAY,   /* of 'count' times 'of' */
    SHAPE_VECTOR,  /* std::vector: an array that grows */
    SHAPE_OBJECT,  /* a stream, event, graph, … */
    SHAPE_STRUCT,  /* members are made when they are named */
    SHAPE_THREAD,  /* std::thread */
    SHAPE_MUTEX,
    SHAPE_LOCK,   /* std::lock_guard and its like */
    SHAPE_SIGNAL, /* std::condition_variable */
};
/* What a parameter of a template stands for. */
struct bound_argument {
    const char *name;
    const struct code_shape *shape; /* NULL: it is the number */
    const struct cpp_type *of;      /* of the number; or NULL */
    uint64_t number;
};
struct code_shape {
    enum shape_kind kind;
    enum type type;
    bool is_atomic, is_bool;
    bool is_text;     /* std::string, std::string_view */
    bool is_unknown;  /* a name of a program that nothing declares */
    uint8_t bits;     /* of a bit-field; 0: as many as the type has */
    enum scope scope; /* of an atomic object */
    enum host_object_kind object;
    const struct code_shape *of;
    uint32_t count;
    const struct cpp_argument *signature; /* of std::function, or NULL */
    const struct structure *structure;    /* its declaration in the text, or NULL */
    const char *word;                     /* the name of a structure, or NULL */
    const struct bound_argument *bound;   /* of a class that a template makes */
    uint32_t bound_count;
};

/* ---- values --------------------------------------------------------------------------------- */

enum value_kind {
    VALUE_NOTHING,  /* of a variable that was not assigned, of a function without a result */
    VALUE_NUMBER,   /* number, of the type; TYPE_NONE: 64 bits with a sign */
    VALUE_FLOAT,    /* number: the bits of a double */
    VALUE_CONSTANT, /* constant: a name of the runtime */
    VALUE_REGISTER, /* operand */
    VALUE_STRING,
    VALUE_ADDRESS,  /* of memory: offset bytes into location */
    VALUE_CELL,     /* the address of a variable, or a structure */
    VALUE_CHOICE,   /* the address of one of several places: choice */
    VALUE_OBJECT,   /* object */
    VALUE_FUNCTION, /* function: host code */
    VALUE_KERNEL, /* a name that nothing else has: 'name', of the kernel 'kernel' if that is known */
    VALUE_UNKNOWN, /* it depends on what stands at 'name', which is not modelled */
};
/* Characters that are known. */
struct code_text {
    const char *at;
    uint32_t length;
};
struct code_value {
    enum value_kind kind;
    enum type type;
    enum type
        holds; /* of a register: the type of the memory that it was read from, of a float that of its bits, or NONE */
    uint64_t number; /* also the offset of an address; of what is unknown, the gap (gap.h) or 0 */
    struct raw_operand operand;
    enum host_constant constant;
    uint32_t location, object, kernel;
    const struct code_shape *shape; /* of what an address, or a null pointer, points to; or NULL */
    struct code_cell *cell;
    const struct element_choice *choice;
    const struct code_function *function;
    struct span name;
    const struct code_text *text; /* of VALUE_STRING; or NULL: it is written out at 'name' */
    bool is_string;               /* of VALUE_STRING: a std::string */
    /* of VALUE_CELL, VALUE_ADDRESS and VALUE_CHOICE */
    bool is_reference; /* what is meant stands there: a function returned a reference to it */
    bool is_place;     /* an argument: the variable there, which a reference may refer to */
    bool is_object;    /* the structure itself, not its address */
    bool is_temporary; /* ... which nothing else names: it is taken, not copied */
    bool is_moved;     /* "std::move(x)" */
    const struct code_shape *list; /* it is this vector or std::array itself, which is copied, not
                                      a pointer to its first element; or NULL */
};

/* A variable, or a part of one. */
struct code_cell {
    const char *name;
    const char *member; /* its name in the structure that it is a part of, or NULL */
    const struct code_shape *shape;
    struct code_value value;
    uint32_t id;
    uint32_t host;   /* whose variable it is; NONE: everybody's */
    uint32_t writer; /* the last thread that assigned it, of those that order.c rules; or NONE */
    VEC(uint32_t) readers;
    uint32_t variable; /* the register that holds it, a number of raw_body.variables; or NONE */
    uint32_t location; /* the memory that holds it, 'offset' bytes further; or NONE */
    uint64_t offset;
    VEC(struct code_cell *) parts; /* elements, or members by their names */
    bool is_const;
    bool is_shared;    /* another thread has read it */
    uint32_t gap_seen; /* reach.c is at it */
    bool may_wait;     /* gap.c: an object whose end runs code that is not modelled */
    bool is_opaque;    /* of a type that is not known: what it holds stays unknown */
    bool is_inner;     /* no question names it: of a loop, a function, a structure */
    bool is_class;     /* its class says what happens when it is made and when it ends */
};

/* What can be read and written: a cell, or memory when 'cell' is NULL. */
struct lvalue {
    struct code_cell *cell;
    uint32_t location;
    uint64_t offset;
    const struct code_shape *shape; /* NULL: as the location says */
    struct span span;               /* where the code names it */
    struct code_cell *array;        /* of which the cell is element 'index'; or NULL */
    uint64_t index;
    const struct element_choice *
        choice; /* one of several places (choice.h), or NULL; then 'cell' is NULL and 'location' NONE */
};

#endif
