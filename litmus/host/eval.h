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
    SHAPE_LOCK,   /* std::lock_guard and its like */
    SHAPE_SIGNAL, /* std::condition_variable */
};
/* What a parameter of a template stands for. */
struct bound_argument {
    const char *name;
    const struct code_shape *shape; /* NULL: it is the number */
    uint64_t number;
};
struct code_shape {
    enum shape_kind kind;
    enum type type;
    bool is_atomic, is_bool;
    uint8_t bits;     /* of a bit-field; 0: as many as the type has */
    enum scope scope; /* of an atomic object */
    enum host_object_kind object;
    const struct code_shape *of;
    uint32_t count;
    const struct structure *structure;  /* its declaration in the text, or NULL */
    const char *word;                   /* the name of a structure, or NULL */
    const struct bound_argument *bound; /* of a class that a template makes */
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
    VALUE_OBJECT,   /* object */
    VALUE_FUNCTION, /* function: host code */
    VALUE_KERNEL,   /* a name that nothing else has: 'name' */
    VALUE_UNKNOWN,  /* it depends on what stands at 'name', which is not modelled */
};
struct code_value {
    enum value_kind kind;
    enum type type;
    enum type
        holds; /* of a register: the type of the memory that it was read from, of a float that of its bits, or NONE */
    uint64_t number; /* also the offset of an address; of what is unknown, the gap (gap.h) or 0 */
    struct raw_operand operand;
    enum host_constant constant;
    uint32_t location, object;
    const struct code_shape *shape; /* of what an address points to, or NULL */
    struct code_cell *cell;
    const struct code_function *function;
    struct span name;
    /* of VALUE_CELL and VALUE_ADDRESS */
    bool is_reference; /* what is meant stands there: a function returned a reference to it */
    bool is_object;    /* the structure itself, not its address */
    bool is_temporary; /* ... which nothing else names: it is taken, not copied */
    bool is_moved;     /* "std::move(x)" */
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
};

/* ---- code ----------------------------------------------------------------------------------- */

/* "typename T = int", "int N" of a template. */
struct template_parameter {
    const char *name;
    bool is_type, is_pack;
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
    bool has_functions;             /* "NAME::function", in eval.functions */
    bool is_own;                    /* ... which are all that it has: of a file, or of library.h */
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
    struct binding *captured; /* of a lambda: what it copied when it was made */
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
    bool refers; /* the variable lives elsewhere: it does not end with the name */
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

/* A name of a statement that is not read: what it is nobody knows. */
struct gap_word {
    const char *word;
    uint32_t gap;
};

/* One test's host code on its way to instructions. */
struct eval {
    struct parser *p;
    struct arena *arena;
    VEC(struct code_function *) functions;
    VEC(struct structure *) structures;
    VEC(struct type_name) type_names;
    VEC(struct code_cell *) temporaries; /* objects that end with the statement */
    VEC(struct code_macro) macros;
    unsigned macro_depth, macro_calls;    /* calls that are open, and all */
    VEC(const struct cpp_stmt *) globals; /* declarations of a file */
    VEC(struct static_variable) statics;
    VEC(struct code_cell *) cells; /* by id */
    VEC(struct binding) scope;
    VEC(struct binding)
    made_by_use;          /* names that nothing declares: of the thread or, objects, of all */
    VEC(struct aim) aims; /* of the body that is being made */
    struct code_frame frame;
    unsigned calls;                  /* that are open */
    bool in_loop_head;               /* where a loop declares its variable */
    unsigned branches;               /* open ones that depend on something */
    uint32_t host;                   /* the thread whose code is read */
    uint32_t device;                 /* the current one of the thread, as far as it is known */
    enum host_constant capture_mode; /* of the thread; NONE: global */
    uint32_t leave_to;               /* the aim behind the last instruction of the thread */
    const struct cpp_stmt *code;     /* the function's body */
    VEC(struct goto_label) labels;
    bool is_dead;          /* no run comes to what is read now */
    bool is_file;          /* C++ of a file: what is not modelled is noted, not reported */
    VEC(uint32_t) made_by; /* by object: the thread whose call made it, or NONE */
    uint32_t untyped;      /* memory of malloc that no pointer of a type has got yet; 0: none */
    /* gap.h; of a file only */
    VEC(struct host_gap) gaps;
    VEC(struct gap_word) gap_words;
    uint32_t gap_of_all,
        gap_of_threads; /* a gap behind which nothing is known; if there are several threads */
    uint32_t cause;     /* the gap that the last report comes from, or 0 */
    uint32_t left;      /* the gap behind which the thread may have left what is read, or 0 */
    unsigned waiting;   /* loops that wait, that are open */
    uint32_t covered;   /* how many statements were not modelled */
    uint32_t library_from, library_to; /* where the text of library.h stands in the source; or 0 */
    uint32_t first_location;           /* that host code makes */
    uint32_t main_host;                /* the thread that runs a file's main, or NONE */
    VEC(struct binding) last_scope;    /* what main's names mean when it ends */
};

/* eval.c: reports */
/* The function's code could not be read: reports where; false. */
bool eval_has_code(struct eval *e, const struct code_function *function);
#define eval_error(e, id, span, hint, ...) parse_error((e)->p, id, span, hint, __VA_ARGS__)
const char *eval_text(const struct eval *e, struct span span);
/* A value that depends on what is not modelled was needed: reports that; false. */
bool eval_needs(struct eval *e, const struct code_value *value, struct span span, const char *what);

/* symbol.c: the memory of a variable of the device is of the type that the file says */
void eval_type_symbol(struct eval *e, const struct cpp_declarator *one);

/* size.c: what sizeof says; 0: not known */
uint64_t eval_size(struct eval *e, const struct code_shape *shape);
/* Where the member lies in a structure of data, and what it is; false: not known. */
bool eval_member_offset(struct eval *e, const struct code_shape *shape, const char *name,
                        uint64_t *offset, const struct code_shape **member);
/* The type of the numbers that the structure consists of, if all have one size; else TYPE_NONE. */
enum type eval_member_type(struct eval *e, const struct code_shape *shape);

/* type.c */
const struct code_shape *eval_shape(struct eval *e, const struct cpp_type *type);
const struct code_shape *eval_number_shape(struct eval *e, enum type type);
/* How far apart elements of the type lie in memory: 8 bytes where the size is not known. */
uint64_t eval_bytes(struct eval *e, const struct code_shape *shape);
uint64_t eval_vector_bytes(const char *word); /* of float4 and its like; 0: it is none */
const struct structure *eval_structure(const struct eval *e, const char *name);
/* False after a report: several have its name. */
bool eval_is_only_class(struct eval *e, const struct structure *structure, struct span span);
void eval_name_type(struct eval *e, const char *name, const struct cpp_type *type);
/* For as long as a template's code is read. */
void eval_name_shape(struct eval *e, const char *name, const struct code_shape *shape);
const struct type_name *eval_type_named(const struct eval *e, const char *name); /* or NULL */
void eval_define_structure(struct eval *e, const struct cpp_type *type);
/* A variable of the type is made without code of the program or of an unknown library. */
bool eval_is_plain_type(struct eval *e, const char *word);
/* The number as a value of the type has it. */
uint64_t eval_fit(uint64_t bits, enum type type);
enum type eval_common_type(enum type a, enum type b);
/* The type of an integer's value: at least int. */
enum type eval_promoted(enum type type);

/* scope.c: variables */
struct code_cell *eval_new_cell(struct eval *e, const char *name, const struct code_shape *shape);
void eval_bind(struct eval *e, const char *name, struct code_cell *cell);
void eval_bind_reference(struct eval *e, const char *name, struct code_cell *cell);
struct code_cell *eval_find(const struct eval *e, const char *name);
void eval_close_scope(struct eval *e, uint32_t count);
/* The part of the name or number; made when it is new. */
struct code_cell *eval_member(struct eval *e, struct code_cell *cell, const char *name);
struct code_cell *eval_part(struct eval *e, struct code_cell *cell, uint64_t index);

/* assigned.c: which variables code assigns */
/* Cells whose value is known only in a register from now on: those that the code may assign. */
void eval_forget_assigned(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
void eval_forget(struct eval *e, struct code_cell *cell, struct span why);
bool eval_assigns_known(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
/* Does it call functions of the program, or of objects of its classes? */
bool eval_calls_code(struct eval *e, const struct cpp_stmt *stmt, const struct cpp_expr *expr);
/* Does the loop's code change a variable that is known and that its condition names? */
bool eval_counts(struct eval *e, const struct cpp_expr *condition, const struct cpp_stmt *body,
                 const struct cpp_expr *step);
/* Does one of the functions assign the variable, or take its address? */
bool eval_is_changed(const struct eval *e, const char *name);

/* walk.c */
/* Does the code name it? */
bool eval_mentions(const struct cpp_stmt *stmt, const char *name);
bool eval_returns_value(const struct cpp_stmt *stmt); /* "return n;" stands in it */

/* given.c: whose address code gives away */
/* Is the variable that the lambda names a copy? */
bool eval_is_copied(const struct cpp_lambda *lambda, const char *name);
/* Does a function give the variable's address away, as eval_takes_address finds? */
bool eval_is_given(struct eval *e, const char *name);
bool eval_takes_address(struct eval *e, const struct cpp_stmt *body, const char *name);

/* indexed.c: does the code use the array only by its elements, each of them as a value? */
bool eval_is_only_indexed(const struct cpp_stmt *body, const char *name);

/* shared.c: what several threads use */
/* May some of the program's code run in another thread, or in a host function? */
bool eval_has_threads(const struct eval *e);
/* Does code that another thread or a host function may run assign members of the name? */
bool eval_is_shared_member(struct eval *e, const char *name);
/* Is the address of a member of the name given to a call of the runtime, as "&p->out"? */
bool eval_is_given_member(struct eval *e, const char *name);

/* state.c: what is known where ways meet */
uint32_t eval_new_aim(struct eval *e);
void eval_place(struct eval *e, uint32_t aim);
/* Some run of the thread does not come here: it jumped to an aim that is still to be placed. */
bool eval_is_conditional(const struct eval *e);
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
void eval_jump_if_floats(struct eval *e, enum cmp cmp, enum type type,
                         const struct raw_operand operands[2], uint32_t aim, struct span span);
void eval_fence(struct eval *e, enum sem sem, enum scope scope, struct span span);
/* Jumps get their targets, and what nobody reads is left out. */
void eval_finish_body(struct eval *e);
/* The last instruction writes the register instead of a temporary. */
bool eval_retarget(struct eval *e, const struct raw_operand *from, struct raw_operand to);

/* value.c: expressions */
struct code_value eval_number(uint64_t number, enum type type);
enum op eval_operation_of(enum cpp_mark mark); /* of integers or floats; OP_MOV: none */
struct code_value eval_in_register(struct raw_operand operand, enum type type);
bool eval_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* As a statement: the value is not needed. */
bool eval_effect(struct eval *e, const struct cpp_expr *expr);
/* assign.c */
bool eval_assign(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* heap.c */
bool eval_new(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_delete(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_binary(struct eval *e, enum cpp_mark mark, struct code_value *left,
                 const struct code_value *right, struct span span);
bool eval_cast(struct eval *e, struct code_value *value, const struct code_shape *shape,
               struct span span);
bool eval_is_known(const struct code_value *value);
/* Does reading the expression emit statements? Then what was read before it is kept in a register that
 * has a name. */
bool eval_has_effects(const struct cpp_expr *expr);
/* The value in a register of its own, which nobody else writes. */
void eval_keep_copy(struct eval *e, struct code_value *value, struct span span);
void eval_keep(struct eval *e, struct code_value *value, struct span span);
double eval_double(const struct code_value *value);
struct code_value eval_float(double number, enum type type);
uint64_t eval_float_bits(const struct code_value *value, enum type type);
/* A number that is known. */
bool eval_known_number(struct eval *e, const struct cpp_expr *expr, const char *what,
                       uint64_t *number);

/* condition.c */
enum eval_truth { EVAL_FALSE, EVAL_TRUE, EVAL_DEPENDS, EVAL_FAILED };
/* Jumps to the aim where the condition is 'when', unless it is known here. */
enum eval_truth eval_branch(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim);
/* Is the condition known, without anything that it does? */
bool eval_is_certain(struct eval *e, const struct cpp_expr *expr);
bool eval_truth_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_conditional(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* float.c: what is computed of floating-point numbers */
/* Of two that are known, or one that is read: VALUE_UNKNOWN where the two readings do not both compute it. */
bool eval_is_float(const struct code_value *value);
bool eval_float_operation(struct eval *e, enum cpp_mark mark, struct code_value *left,
                          const struct code_value *right, struct span span);
bool eval_float_sign(struct eval *e, enum op op, struct code_value *value, struct span span);
/* What is known, into a register. */
void eval_float_move(struct eval *e, struct raw_operand to, const struct code_value *value,
                     struct span span);
void eval_float_cast(struct code_value *value, enum type type, struct span span);
/* One of the two is read. */
enum eval_truth eval_float_comparison(struct eval *e, enum cmp cmp, const struct code_value *left,
                                      const struct code_value *right, bool when, uint32_t aim,
                                      struct span span);
/* Of its bits in a register, or of the constant; TYPE_NONE: it is no float. */
enum type eval_float_type(const struct code_value *value);
/* The bits in the register are those of the type, if it is a float or the value one. */
bool eval_float_fits(const struct code_value *value, enum type type);

/* place.c: what can be read, written and pointed to */
/* NULL, cudaSuccess, …: no variable has such a name. */
bool eval_is_runtime_word(const char *word);
bool eval_place_of(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
struct lvalue eval_place_of_cell(struct code_cell *cell);
/* The object before the '.' or "->" of a member. */
bool eval_object_of(struct eval *e, const struct cpp_expr *member, struct lvalue *to);
/* The same for what is assigned: a name that nothing declares becomes a register. */
bool eval_target(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);
bool eval_read(struct eval *e, const struct lvalue *place, struct span span, struct code_value *to);
/* Is the access of the type and within the memory? */
bool eval_fits_location(struct eval *e, const struct lvalue *place, struct span span);
bool eval_is_in_bounds(struct eval *e, const struct lvalue *place, struct span span);
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
bool eval_atomic_function(struct eval *e, const struct cpp_expr *expr, const char *word, bool used,
                          bool *found, struct code_value *to);
bool eval_fence_call(struct eval *e, const struct cpp_expr *expr);
bool eval_atomic_read(struct eval *e, const struct lvalue *place, enum sem sem, struct span span,
                      struct code_value *to);
bool eval_atomic_write(struct eval *e, const struct lvalue *place, const struct code_value *value,
                       enum sem sem, struct span span);
bool eval_atomic_update(struct eval *e, const struct lvalue *place, enum atom_op op,
                        const struct code_value *value, enum sem sem, bool used, struct span span,
                        struct code_value *to);
bool eval_atomic_reference(struct eval *e, const struct cpp_expr *expr, struct lvalue *to);

/* question.c: the block of main ends; the question may name its variables */
void eval_keep_names(struct eval *e, const struct cpp_stmt *block);
/* The question has a word that the register's name begins with: of "plan$2" or "plan_0__count" it is "plan". */
bool eval_is_asked(const struct eval *e, const char *name);

/* initial.c: the cell has no value yet */
bool eval_initialize(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* Of the file or of the runtime, with members that are known. */
bool eval_is_structure(struct eval *e, const char *word);
/* "W{1, 2}" */
bool eval_new_structure(struct eval *e, const struct code_shape *shape,
                        const struct cpp_expr *const *list, uint32_t count, struct code_value *to);

/* declare.c */
/* Does no code of the program run when a variable of the type is made? */
bool eval_is_made_plainly(struct eval *e, const struct cpp_type *type,
                          const struct code_shape *shape, struct span span);
bool eval_declaration(struct eval *e, const struct cpp_stmt *stmt);
/* The global variables of a file, at the start of its main. */
bool eval_globals(struct eval *e);

/* flow.c */
bool eval_statement(struct eval *e, const struct cpp_stmt *stmt);

bool eval_start_thread(struct eval *e, const struct cpp_expr *expr, const char *name,
                       struct code_value *to);
/* "std::async(std::launch::async, f)" */
bool eval_start_future(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* A name that no host thread has yet. */
const char *eval_thread_name(const struct eval *e, const char *name);

/* function.c */
const struct code_function *eval_function(const struct eval *e, const char *name);
bool eval_call_function(struct eval *e, const struct code_function *function,
                        const struct cpp_expr *expr, uint32_t first, struct code_value *to);
/* The same of a function of the class of the object 'self'. */
bool eval_call_member(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct cpp_expr *expr, uint32_t first, struct code_value *to);
/* The same of a function that belongs to the class. */
bool eval_call_static(struct eval *e, const struct code_function *function,
                      const struct code_shape *class, const struct cpp_expr *expr,
                      struct code_value *to);
/* The same with arguments that are known. */
bool eval_call_values(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct code_value *values, uint32_t count, struct span span,
                      struct code_value *to);
/* A function as the code of a host thread of its own. */
struct thread_code {
    const struct code_function *function;
    const char *name;
    bool is_function; /* that a task runs */
    const struct code_value *arguments;
    uint32_t count;
    uint32_t started, ended;  /* flags in memory: it waits for one and raises the other; or NONE */
    struct code_cell *result; /* memory that gets what it returns; or NULL */
};
/* Its index in 'host'. */
bool eval_thread_body(struct eval *e, const struct thread_code *code, uint32_t *host);

/* lambda.c */
bool eval_lambda(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* What a lambda copied are variables of its code. */
void eval_bind_captured(struct eval *e, const struct code_function *function);

/* class.c: objects of classes, and their functions */
/* The class of the object and those that it is made of, the innermost base first. */
struct class_levels {
    VEC(const struct code_shape *) of;
};
struct class_levels eval_levels(struct eval *e, const struct code_shape *shape);
/* What the parameters of the class's template stand for is known until the matching call. */
struct class_opening {
    uint32_t types, bindings;
};
struct class_opening eval_open_class(struct eval *e, const struct code_shape *shape);
void eval_close_class(struct eval *e, struct class_opening opening);
/* The object whose function is being read; or NULL. */
struct code_cell *eval_self(const struct eval *e);
void eval_bind_self(struct eval *e, struct code_cell *self);
/* Is there more to making, copying or ending an object than setting its members? */
bool eval_is_class(struct eval *e, const struct code_shape *shape);
/* ... or is it an array or vector of such objects? */
bool eval_holds_objects(struct eval *e, const struct code_shape *shape);
/* "W w(1);" */
bool eval_make_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* Of another object, or of what is not to be copied: "W w = v;". */
bool eval_copy_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                      struct span span);
/* Part 'index' of a structure, pair, tuple or array, as "auto [a, b] = p" takes it. */
bool eval_part_of(struct eval *e, const struct code_value *whole, uint32_t index, struct span span,
                  struct lvalue *to);
bool eval_bind_parts(struct eval *e, const struct cpp_declarator *one, struct code_cell *cell);
/* By the value, which may be of another type: "W w = 5;". */
bool eval_set_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                     struct span span);
bool eval_is_of(struct eval *e, const struct code_value *value, const struct code_shape *shape);
/* What belongs to the class and not to its objects. */
void eval_bind_statics(struct eval *e, const struct structure *of);
bool eval_assign_object(struct eval *e, struct code_cell *cell, const struct code_value *value,
                        struct span span);
/* Bases and members before the code of a constructor, which is NULL where the program writes none. */
bool eval_make_members(struct eval *e, struct code_cell *self, const struct code_shape *level,
                       const struct code_function *constructor, bool zero, struct span span);
void eval_end_object(struct eval *e, struct code_cell *cell);
/* "W(1)": an object without a name. */
bool eval_temporary_object(struct eval *e, const struct code_shape *shape,
                           const struct cpp_expr *expr, struct code_value *to);
/* A lock is given back, a thread joined, an object ended. */
void eval_end_member(struct eval *e, struct code_cell *cell);
/* Those from 'count' on end. */
bool eval_end_temporaries(struct eval *e, uint32_t count);
/* A name keeps it. */
void eval_keep_temporary(struct eval *e, const struct code_cell *cell);

/* operator.c: operators and conversions that classes define */
/* "a @ b" where one is an object whose class, or the file, says what that is; *found: it is so. */
bool eval_operator(struct eval *e, const char *sign, struct code_value *left,
                   const struct code_value *right, struct span span, bool *found);
/* The object as what 'shape' holds, if its class has a conversion; NULL: as a condition. */
bool eval_convert(struct eval *e, struct code_value *value, const struct code_shape *shape,
                  struct span span);
const struct structure *eval_class_of(const struct code_value *value); /* of an object; or NULL */

/* overload.c: which of the functions of a name is called */
/* Of the class 'of' and its bases, or of the file if it is NULL; the arguments are expressions from 'first' on.
 * NULL: none, or *good is false after a report. */
const struct code_function *eval_choose(struct eval *e, const char *word,
                                        const struct code_shape *of, const struct cpp_expr *expr,
                                        uint32_t first, bool *good);
/* The same by values. */
const struct code_function *eval_choose_by_values(struct eval *e, const char *word,
                                                  const struct code_shape *of,
                                                  const struct code_value *values, uint32_t count,
                                                  struct span span, bool *good);
/* Is there one, whatever it takes? */
bool eval_has_member_function(struct eval *e, const struct code_shape *of, const char *word);

/* template.c */
/* Names of the template's parameters mean this from now on. */
bool eval_bind_template(struct eval *e, const struct code_function *function,
                        const struct cpp_part *named, const struct code_value *values,
                        uint32_t count);
/* The function for so many arguments: "A... a" becomes as many parameters. */
const struct code_function *eval_expanded(struct eval *e, const struct code_function *function,
                                          uint32_t count);
bool eval_bound_arguments(struct eval *e, const struct cpp_part *part,
                          const struct structure *structure, struct code_shape *shape);
/* A constant, which may look like a type: "Ring<N>". */
bool eval_number_of_argument(struct eval *e, const struct cpp_argument *argument, const char *what,
                             uint64_t *number);
const struct code_shape *eval_shape_of_value(struct eval *e, const struct code_value *value);

/* own_library.c: classes of the library of C++ that are written in it */
/* Reads them if the word is one of theirs. */
bool eval_read_library(struct eval *e, const char *word);

/* thread.c: std::thread, mutexes */
bool eval_thread_object(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
bool eval_thread_method(struct eval *e, struct code_cell *cell, const char *word,
                        const struct cpp_expr *expr, struct code_value *to);
bool eval_lock_several(struct eval *e, const struct cpp_expr *expr); /* "std::lock(a, b)" */
/* "while (!done) c.wait(l);"; *found: it is such a loop. */
bool eval_signal_loop(struct eval *e, const struct cpp_stmt *stmt, bool *found);
/* "auto f = std::async(…)": the variable that holds the thread. */
struct code_cell *eval_thread_of(struct code_cell *cell);
/* What the end of the variables from 'count' on does: mutexes are unlocked, threads joined. */
void eval_unlock_scope(struct eval *e, uint32_t count);
bool eval_ends_scope(const struct eval *e, uint32_t count); /* does it do anything? */

/* node.c. What a node does, of the structure in 'cell': a set, a copy, an allocation or a host function. */
bool eval_node_parameters(struct eval *e, struct code_cell *cell, struct span span,
                          struct host_call *call);

/* How many bytes an element of a set may have; false after a report. */
bool eval_element_size(struct eval *e, uint64_t size, struct span span);

/* structured.c: cudaGraphAddNode with its structure, cuStreamBatchMemOp and cudaMemcpy3D; *found: it is one. */
bool eval_structured_call(struct eval *e, const struct cpp_expr *expr, const char *word,
                          bool *found, struct code_value *to);

/* stream_value.c: cuStreamWaitValue and its like. The call's code is a function that a task runs. */
bool eval_stream_value(struct eval *e, struct span span, struct host_call *call);
bool eval_stream_value_code(struct eval *e, const struct host_call *call);

/* memory.c: locations that host code makes */
uint32_t eval_new_location(struct eval *e, const char *name, enum type type, uint64_t elements,
                           enum memory_kind kind, struct span span);
/* Memory of malloc or new gets the name of the first variable that points to it. */
void eval_name_memory(struct eval *e, uint32_t location, const char *name);
bool eval_declare_memory(struct eval *e, struct code_cell *cell, const struct cpp_declarator *one);
/* "malloc(n * sizeof(cudaStream_t))", for variables of the shape. */
bool eval_is_room(const struct cpp_expr *expr);
/* Its bytes. */
bool eval_room(struct eval *e, const struct cpp_expr *expr, uint64_t *bytes);
bool eval_is_of_variables(const struct code_shape *shape);
void eval_name_room(struct eval *e, struct code_cell *room, const char *name);
bool eval_make_room(struct eval *e, const struct code_shape *shape, const struct cpp_expr *expr,
                    struct code_value *to);
/* An array in a structure, an atomic object, or what threads share is in memory. */
void eval_place_member(struct eval *e, struct code_cell *member, bool shared);
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
/* "{a, b}", "&a", an array or vector, NULL: 'count' of them. */
bool eval_node_list(struct eval *e, const struct cpp_expr *expr, uint32_t count,
                    struct host_call *call);
/* asked.c: cudaGraphGetNodes; and what a call writes that asks whether a stream is captured */
bool eval_ask_nodes(struct eval *e, const struct cpp_expr *expr);
bool eval_tell_capture(struct eval *e, const struct cpp_expr *expr, uint32_t stream);
/* edges.c: the call lists edges in the runtime's form; a call for each. */
bool eval_lists_edges(const struct host_call_row *row, const struct cpp_expr *expr);
bool eval_edges(struct eval *e, const struct cpp_expr *expr, const struct host_call_row *row,
                bool used, struct code_value *to);
struct host_call eval_blank_call(const struct eval *e, const struct host_call_row *row);
bool eval_add_call(struct eval *e, struct host_call call, bool used, struct span span,
                   struct code_value *to);
uint32_t eval_object_named(struct eval *e, struct span name, enum host_object_kind kind);
bool eval_object(struct eval *e, const struct cpp_expr *expr, enum host_object_kind kind,
                 uint32_t *object);
const struct host_call_row *eval_runtime_row(const char *word);
/* What to write instead of a name that is refused; or NULL. */
const char *eval_instead(const struct eval *e, const char *word);
uint32_t eval_default_stream(const struct eval *e);
/* The function that a call is given, with its data or NULL: its index among the host threads. */
bool eval_function_argument(struct eval *e, const struct cpp_expr *expr,
                            const struct code_value *data, bool is_callback, uint32_t *host);
bool eval_memory_of(struct eval *e, const struct code_value *address, struct span span,
                    struct host_memory *to);

/* library.c: functions of the runtime and of C++ that order nothing */
bool eval_orders_nothing(const char *word);
bool eval_ends(const char *word); /* exit and its like */
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
