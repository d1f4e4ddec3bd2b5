/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_EVAL_H
#define LITMUS_HOST_EVAL_H

#include "litmus/cpp/ast.h"
#include "litmus/parse/parser.h"
#include "litmus/test/host_call.h"

/* Private to what turns host code into calls and instructions. The code is run as far as it can be
 * while it is read: a number, a stream, a pointer that is known becomes what it stands for, a loop
 * whose condition is known is unrolled, a function is read at its call. What depends on memory or on the result
 * of a query is left to the instructions of the thread's body. A function that returns bool is false
 * after a report. */

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
    SHAPE_LOCK, /* std::lock_guard and its like */
};
struct code_shape {
    enum shape_kind kind;
    enum type type;
    bool is_atomic, is_bool;
    enum scope scope; /* of an atomic object */
    enum host_object_kind object;
    const struct code_shape *of;
    uint32_t count;
    const struct structure *structure; /* its declaration in the text, or NULL */
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
    VALUE_OBJECT,   /* object */
    VALUE_FUNCTION, /* function: host code */
    VALUE_KERNEL,   /* a name that nothing else has: 'name' */
    VALUE_UNKNOWN,  /* it depends on what stands at 'name', which is not modelled */
};
struct code_value {
    enum value_kind kind;
    enum type type;
    enum type holds; /* of a register: the type of the memory that it was read from, or NONE */
    uint64_t number; /* also the offset of an address */
    struct raw_operand operand;
    enum host_constant constant;
    uint32_t location, object;
    const struct code_shape *shape; /* of what an address points to, or NULL */
    struct code_cell *cell;
    const struct code_function *function;
    struct span name;
};

/* A variable, or a part of one. */
struct code_cell {
    const char *name;
    const char *member; /* its name in the structure that it is a part of, or NULL */
    const struct code_shape *shape;
    struct code_value value;
    uint32_t id;
    uint32_t host;     /* whose variable it is; NONE: everybody's */
    uint32_t variable; /* the register that holds it, a number of raw_body.variables; or NONE */
    uint32_t location; /* the memory that holds it, 'offset' bytes further; or NONE */
    uint64_t offset;
    VEC(struct code_cell *) parts; /* elements, or members by their names */
    bool is_const;
    bool is_shared; /* another thread has read it */
    bool is_inner;  /* no question names it: of a loop, a function, a structure */
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
};

/* ---- code ----------------------------------------------------------------------------------- */

struct structure {
    const char *name;
    const struct cpp_stmt *members; /* a block of declarations */
};
struct parameter {
    const char *name;
    const struct cpp_type *type;
};
/* A function of the text, a lambda, "host" or "hostfn". */
struct code_function {
    const char *name;
    const struct cpp_type *result; /* NULL: none is known */
    struct parameter *parameters;
    uint32_t parameter_count;
    const struct cpp_stmt *body;
    uint32_t visible;  /* bindings that it sees: those of the test, or of where a lambda stands */
    uint32_t host;     /* its index in parser->host_threads, if it stands there; else NONE */
    bool is_task;      /* "hostfn" */
    struct span fault; /* where its code could not be read; then 'body' is NULL */
    struct span span;
};

/* Where jumps go: an instruction once it is placed, with what is known on the way to it. */
struct aim {
    uint32_t at; /* NONE: not yet placed */
    struct code_value *known;
    uint32_t known_count;
    bool is_reached;
};

/* Functions that are being read at their calls. */
struct code_frame {
    const struct code_function *function;
    uint32_t floor;     /* bindings from here on are its own, */
    uint32_t visible;   /* and those below this are seen too */
    uint32_t return_to; /* aim */
    struct code_cell *result;
    uint32_t break_to, continue_to; /* aims or NONE */
};

struct binding {
    const char *name;
    struct code_cell *cell;
};

struct goto_label {
    const char *name;
    uint32_t aim;
    bool is_placed;
    struct span used;
};

/* One test's host code on its way to instructions. */
struct eval {
    struct parser *p;
    struct arena *arena;
    VEC(struct code_function *) functions;
    VEC(struct structure *) structures;
    VEC(const struct cpp_stmt *) globals; /* declarations of a file */
    VEC(struct code_cell *) cells;        /* by id */
    VEC(struct binding) scope;
    VEC(struct binding)
    made_by_use;          /* names that nothing declares: of the thread or, objects, of all */
    VEC(struct aim) aims; /* of the body that is being made */
    struct code_frame frame;
    unsigned calls;              /* that are open */
    bool in_loop_head;           /* where a loop declares its variable */
    unsigned branches;           /* open ones that depend on something */
    uint32_t host;               /* the thread whose code is read */
    uint32_t device;             /* the current one of the thread, as far as it is known */
    uint32_t end;                /* the aim behind its last instruction */
    const struct cpp_stmt *code; /* the function's body */
    VEC(struct goto_label) labels;
    bool is_dead;          /* no run comes to what is read now */
    bool is_file;          /* C++ of a file: what is not modelled is noted, not reported */
    VEC(uint32_t) made_by; /* by object: the thread whose call made it, or NONE */
    uint32_t untyped;      /* memory of malloc that no pointer of a type has got yet; 0: none */
};

/* eval.c: reports */
/* The function's code could not be read: reports where; false. */
bool eval_has_code(struct eval *e, const struct code_function *function);
#define eval_error(e, id, span, hint, ...) parse_error((e)->p, id, span, hint, __VA_ARGS__)
const char *eval_text(const struct eval *e, struct span span);
/* A value that depends on what is not modelled was needed: reports that; false. */
bool eval_needs(struct eval *e, const struct code_value *value, struct span span, const char *what);

/* type.c */
const struct code_shape *eval_shape(struct eval *e, const struct cpp_type *type);
const struct code_shape *eval_number_shape(struct eval *e, enum type type);
uint64_t eval_bytes(const struct code_shape *shape);
const struct structure *eval_structure(const struct eval *e, const char *name);
/* The number as a value of the type has it. */
uint64_t eval_fit(uint64_t bits, enum type type);
enum type eval_common_type(enum type a, enum type b);
/* The type of an integer's value: at least int. */
enum type eval_promoted(enum type type);

/* scope.c: variables */
struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape);
void eval_bind(struct eval *e, const char *name, struct code_cell *cell);
struct code_cell *eval_find(const struct eval *e, const char *name);
void eval_close_scope(struct eval *e, uint32_t count);
/* The part of the name or number; made when it is new. */
struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name);
struct code_cell *eval_part(struct eval *e, struct code_cell *cell, uint64_t index);
/* Cells whose value is known only in a register from now on: those that the code may assign. */
void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
/* Does the loop's code change a variable that is known and that its condition names? */
bool eval_counts(struct eval *e, const struct cpp_expr *condition, const struct cpp_stmt *body,
                 const struct cpp_expr *step);
/* Does one of the functions assign the variable, or take its address? */
bool eval_is_changed(const struct eval *e, const char *name);
bool eval_takes_address(const struct cpp_stmt *body, const char *name);
void eval_forget(struct eval *e, struct code_cell *cell, struct span why);

/* state.c: what is known where ways meet */
uint32_t eval_new_aim(struct eval *e);
void eval_place(struct eval *e, uint32_t aim);
/* A way leads from here to the aim. */
void eval_reach(struct eval *e, uint32_t aim);
struct code_value *eval_save(const struct eval *e, uint32_t *count);
bool eval_same_value(const struct code_value *a, const struct code_value *b);

/* emit.c: instructions */
void eval_emit(struct eval *e, struct raw_inst inst, const struct raw_operand *operands,
               uint32_t count, struct span span);
struct raw_operand eval_number_operand(uint64_t number, struct span span);
struct raw_operand eval_temporary(struct eval *e, struct span span);
struct raw_operand eval_variable(struct eval *e, struct code_cell *cell, struct span span);
/* A register with a name of its own. */
struct code_value eval_new_variable(struct eval *e, enum type type, struct span span);
struct raw_operand eval_memory(const struct lvalue *place, struct span span);
/* The value as an operand: of a number or register. */
bool eval_operand(struct eval *e, const struct code_value *value, struct span span,
                  struct raw_operand *to);
void eval_jump(struct eval *e, uint32_t aim, struct span span);
void eval_jump_if(struct eval *e, enum cmp cmp, const struct raw_operand *left,
                  const struct raw_operand *right, uint32_t aim, struct span span);
void eval_fence(struct eval *e, enum sem sem, enum scope scope, struct span span);
/* Jumps get their targets, and what nobody reads is left out. */
void eval_finish_body(struct eval *e);
/* The last instruction writes the register instead of a temporary. */
bool eval_retarget(struct eval *e, const struct raw_operand *from, struct raw_operand to);

/* value.c: expressions */
struct code_value eval_number(uint64_t number, enum type type);
struct code_value eval_in_register(struct raw_operand operand, enum type type);
bool eval_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* As a statement: the value is not needed. */
bool eval_effect(struct eval *e, const struct cpp_expr *expr);
bool eval_assign(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_binary(struct eval *e, enum cpp_mark mark, struct code_value *left,
                 const struct code_value *right, struct span span);
bool eval_cast(struct eval *e, struct code_value *value, const struct code_shape *shape,
               struct span span);
bool eval_is_known(const struct code_value *value);
/* Does reading the expression emit statements? Then what was read before it is kept in a register that
 * has a name. */
bool eval_has_effects(const struct cpp_expr *expr);
void eval_keep(struct eval *e, struct code_value *value, struct span span);
uint64_t eval_float_bits(const struct code_value *value, enum type type);
/* A number that is known. */
bool eval_known_number(struct eval *e, const struct cpp_expr *expr, const char *what,
                       uint64_t *number);

/* condition.c */
enum eval_truth { EVAL_FALSE, EVAL_TRUE, EVAL_DEPENDS, EVAL_FAILED };
/* Jumps to the aim where the condition is 'when', unless it is known here. */
enum eval_truth eval_branch(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim);
bool eval_truth_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_conditional(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* place.c: what can be read, written and pointed to */
/* NULL, cudaSuccess, …: no variable has such a name. */
bool eval_is_runtime_word(const char *word);
bool eval_place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
/* The same for what is assigned: a name that nothing declares becomes a register. */
bool eval_target(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
bool eval_read(struct eval *e, const struct lvalue *place, struct span span, struct code_value *to);
/* Of what is read there: that of a location that a test declares is the dialect's, 64 bits with a sign. */
enum type eval_read_type(const struct eval *e, const struct lvalue *place);
bool eval_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                struct span span);
bool eval_point_to(struct eval *e, const struct lvalue *place, struct code_value *to);
bool eval_pointed_to(struct eval *e, const struct code_value *pointer, uint64_t index,
                     struct span span, struct lvalue *to);
bool eval_set(struct eval *e, struct code_cell *cell, const struct code_value *value,
              struct span span);
/* An address that a call of the runtime is given: of a location also by its name alone. */
bool eval_address(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
uint64_t eval_unit(const struct eval *e, uint32_t location);
/* A name that nothing declares. */
struct code_cell *eval_find_made_by_use(const struct eval *e, const char *name); /* or NULL */
struct code_cell *eval_made_by_use(struct eval *e, const char *name, bool everybodys);
bool eval_is_location(const struct eval *e, const struct cpp_expr *expr, uint32_t *location);
const char *eval_word(const struct cpp_expr *expr);

/* atomic.c */
bool eval_method(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to);
bool eval_fence_call(struct eval *e, const struct cpp_expr *expr);
bool eval_atomic_read(struct eval *e, const struct lvalue *place, enum sem sem, struct span span,
                      struct code_value *to);
bool eval_atomic_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                       enum sem sem, struct span span);
bool eval_atomic_update(struct eval *e, const struct lvalue *place, enum atom_op op,
                        const struct code_value *value, enum sem sem, bool used, struct span span,
                        struct code_value *to);
bool eval_atomic_reference(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);

/* flow.c */
bool eval_statement(struct eval *e, const struct cpp_stmt *stmt);
/* The global variables of a file, at the start of its main. */
bool eval_globals(struct eval *e);

bool eval_start_thread(struct eval *e, const struct cpp_expr *expr, const char *name,
                       struct code_value *to);
/* A name that no host thread has yet. */
const char *eval_thread_name(const struct eval *e, const char *name);

/* function.c */
const struct code_function *eval_function(const struct eval *e, const char *name);
bool eval_call_function(struct eval *e, const struct code_function *function,
                        const struct cpp_expr *expr, uint32_t first, struct code_value *to);
/* Reads a function as the code of a host thread of its own; its index in 'host'. */
bool eval_thread_body(struct eval *e, const struct code_function *function, const char *name,
                      bool is_function, const struct code_value *arguments, uint32_t count,
                      uint32_t started, uint32_t ended, uint32_t *host);

/* thread.c: std::thread, mutexes */
bool eval_thread_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
bool eval_thread_method(struct eval *e, struct code_cell *cell, const char *word,
                        const struct cpp_expr *expr, struct code_value *to);
void eval_unlock_scope(struct eval *e, uint32_t count);

/* memory.c: locations that host code makes */
uint32_t eval_new_location(struct eval *e, const char *name, enum type type, uint64_t elements,
                           enum memory_kind kind, struct span span);
/* Memory of malloc or new gets the name of the first variable that points to it. */
void eval_name_memory(struct eval *e, uint32_t location, const char *name);
bool eval_declare_memory(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* The pointer variable gets new memory of so many bytes. */
bool eval_allocate(struct eval *e, struct code_cell *pointer, uint64_t bytes, enum memory_kind kind,
                   struct span span, uint32_t *location);

/* call.c: calls of functions, first of the runtime */
bool eval_is_call_of(const struct cpp_expr *expr, const char *word);
bool eval_call(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to);
bool eval_is_runtime_call(const struct eval *e, const struct cpp_expr *expr);
/* runtime.c */
bool eval_runtime_call(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                       bool used, struct code_value *to);
struct host_call eval_blank_call(const struct eval *e, const struct host_call_row *row);
bool eval_add_call(struct eval *e, struct host_call call, bool used, struct span span,
                   struct code_value *to);
uint32_t eval_object_named(struct eval *e, struct span name, enum host_object_kind kind);
bool eval_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                 uint32_t *object);
const struct host_call_row *eval_runtime_row(const char *word);
uint32_t eval_default_stream(const struct eval *e);
/* The function that a call is given, with its data or NULL: its index among the host threads. */
bool eval_function_argument(struct eval *e, const struct cpp_expr *expr,
                            const struct code_value *data, bool is_callback, uint32_t *host);
bool eval_memory_of(struct eval *e, const struct code_value *address, struct span span,
                    struct host_memory *to);

/* library.c: functions of the runtime and of C++ that order nothing */
bool eval_library(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                  struct code_value *to);

/* launch.c */
bool eval_launch(struct eval *e, const struct cpp_expr *expr, uint32_t *index, uint32_t *stream);
bool eval_launch_call(struct eval *e, const struct cpp_expr *expr, bool used,
                      struct code_value *to);
/* "cudaLaunchKernel(…)" and its like; *found: it is one. */
bool eval_launching_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                         struct code_value *to);
bool eval_launch_parameters(struct eval *e, struct code_cell *parameters, struct span span,
                            uint32_t *index);

#endif
