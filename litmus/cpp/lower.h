/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_LOWER_H
#define LITMUS_CPP_LOWER_H

#include "litmus/cpp/ast.h"
#include "litmus/cpp/program.h"

/* Private to what turns device code into instructions. A function that returns bool is false after a
 * report. */

/* What an expression stands for. */
enum cpp_form {
    CPP_FORM_NOTHING,   /* of type void */
    CPP_FORM_GROUP,     /* of cooperative groups: bits, the operation of its sync */
    CPP_FORM_WORD,      /* of an order or a scope: word */
    CPP_FORM_TYPE,      /* that a template is used with: kind */
    CPP_FORM_LAMBDA,    /* closure */
    CPP_FORM_STRUCT,    /* structure; a pointer to it, if the kind is one */
    CPP_FORM_ARRAY,     /* of the thread: 'bits' registers from reg on */
    CPP_FORM_CHOICE,    /* an element of one, the one that the register 'index' says */
    CPP_FORM_NUMBER,    /* bits: sign or zero extended as its type wants */
    CPP_FORM_REGISTER,  /* reg */
    CPP_FORM_PREDICATE, /* reg: true or false */
    CPP_FORM_ADDRESS,   /* of location, and bits further */
    CPP_FORM_OBJECT,    /* at location, or at the address in reg, and bits further */
};
struct cpp_operand {
    enum cpp_form form;
    struct cpp_kind kind;
    bool is_variable; /* a register that has a name, or a variable of type atomic_ref */
    uint64_t bits;
    uint32_t reg, location, index;
    union {
        const struct cpp_name *word;
        const struct cpp_closure *closure;
        const char *structure; /* the name of the object */
    };
};

struct cpp_variable {
    const char *name;
    uint32_t outer; /* the variable of its name that it hides, and one; or 0 */
    struct cpp_operand operand;
};

/* A label of the text. */
struct cpp_target {
    const char *name;
    uint32_t aim;
    bool is_placed;
    struct span used;
};

/* A case of a switch that is open. */
struct cpp_case {
    const struct cpp_stmt *stmt;
    uint32_t aim;
};

struct cpp_function;
/* A call in whose place the code of the function stands, in that of another or NULL. */
struct cpp_call {
    const struct cpp_function *callee;
    const struct cpp_call *outer;
    bool is_deduced;            /* the first 'return' says of which type the result is */
    struct cpp_operand *result; /* a register, or NOTHING */
};

struct cpp_reader;
/* One thread on its way from statements to instructions. */
struct cpp_code {
    struct arena *arena;
    const struct source *source;
    struct diag_list *diags;
    const struct cpp_program *program;
    const char *name;          /* of the thread */
    struct cpp_reader *reader; /* whose code it is */
    uint32_t kernel;           /* the index of the body, or NONE: the thread is a column */
    VEC(struct reg) regs;
    VEC(struct inst) insts;
    VEC(struct label) labels;
    VEC(struct cpp_variable) variables; /* of the blocks that are open */
    VEC(struct cpp_operand) implicit;   /* names that are only assigned: of the whole thread */
    VEC(const char *)
    refused;            /* names whose declarations were reported: nothing more is said of them */
    struct names scope; /* by (0, name) a variable and one, by (1, name) implicit */
    VEC(struct cpp_target) targets;
    VEC(struct cpp_case) cases;
    VEC(uint32_t) aims; /* what a jump aims at: an instruction, once that is known */
    struct names *reg_names;
    uint32_t temporaries, last_aim; /* last_aim: the latest instruction that is aimed at, and one */
    uint32_t break_to, continue_to; /* aims, or NONE outside of what has them */
    uint32_t end;                   /* the aim behind the last instruction */
    struct cpp_call *call;          /* that the code stands for; or NULL */
    const struct cpp_expr *dropped; /* an expression that is a statement: its value is not needed */
};
#define code_error(code, id, span, hint, ...)                                                      \
    diag_add((code)->diags, DIAG_##id, (code)->source, span, hint, __VA_ARGS__)

/* object.c: is it, or is it a part of, a variable whose declaration was refused? */
bool cpp_is_refused(const struct cpp_code *code, const struct cpp_expr *expr);

/* kind.c: types */
struct cpp_kind cpp_integer_kind(enum type type);
enum type cpp_value_type(struct cpp_kind kind); /* that a register of the kind has */
/* Of what is read from an object of the kind. A type of fewer than 32 bits stays: the register has a value that fits it. */
struct cpp_kind cpp_value_kind(struct cpp_kind kind);
/* Of the result of an operation on two integers. */
enum type cpp_common_type(enum type a, enum type b);
enum type cpp_promoted(enum type type);
uint32_t cpp_kind_bytes(struct cpp_kind kind);
/* Of an object that holds a pointer, and can be atomic. */
struct cpp_kind cpp_pointer_holder(struct cpp_code *code, struct cpp_kind pointer);
/* What the type means in device code; *is_reference: it is an atomic_ref. */
bool cpp_kind_of(struct cpp_code *code, const struct cpp_type *type, struct cpp_kind *kind,
                 bool *is_reference);
/* The number as a value of the type has it. */
uint64_t cpp_fit(uint64_t bits, enum type type);

/* word.c: order and scope words, and constants that stand for one. False: the expression is none. */
bool cpp_scope_word(struct cpp_code *code, const struct cpp_expr *expr, enum scope *scope);
bool cpp_word(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
const struct cpp_name *cpp_scope_name(struct cpp_code *code, enum scope scope);
/* Reports that the expression is no scope; false. */
bool cpp_unknown_scope(struct cpp_code *code, const struct cpp_expr *expr);
bool cpp_scope_argument(struct cpp_code *code, const struct cpp_argument *argument,
                        enum scope *scope);
/* An order that an operation of the kind (a letter of word.def) has; reports one that it has not. */
bool cpp_order(struct cpp_code *code, const struct cpp_expr *expr, char operation, enum sem *sem);

/* emit.c: instructions */
uint32_t cpp_temporary(struct cpp_code *code, enum type type, struct span span);
uint32_t cpp_named_register(struct cpp_code *code, const char *name, enum type type,
                            struct span span);
struct inst *cpp_emit(struct cpp_code *code, enum op op, enum type type, struct span span);
void cpp_add_register(struct inst *inst, uint32_t reg);
void cpp_add_number(struct inst *inst, uint64_t value);
void cpp_add_special(struct inst *inst, enum special special);
void cpp_add_formal(struct inst *inst, uint32_t index); /* parameter of a kernel */
void cpp_add_value(struct inst *inst,
                   const struct cpp_operand *value); /* number, register, address */
void cpp_add_object(struct inst *inst, const struct cpp_operand *object);
uint32_t cpp_new_aim(struct cpp_code *code);
void cpp_place(struct cpp_code *code, uint32_t aim);
void cpp_jump(struct cpp_code *code, uint32_t aim, struct span span);
/* Jumps if the predicate is 'when'. */
void cpp_jump_if(struct cpp_code *code, uint32_t predicate, bool when, uint32_t aim,
                 struct span span);
void cpp_end_jumps(struct cpp_code *code);

/* value.c: expressions */
bool cpp_lower(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
/* The same as a number, register or address: objects are read, predicates become 0 and 1. */
bool cpp_lower_value(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
void cpp_materialize(struct cpp_code *code, struct cpp_operand *value, struct span span);
/* To the type of the kind, which the value fits then. */
bool cpp_convert(struct cpp_code *code, struct cpp_operand *value, struct cpp_kind kind,
                 struct span span);
/* Jumps where the condition is 'when'. */
bool cpp_branch(struct cpp_code *code, const struct cpp_expr *expr, bool when, uint32_t aim);
/* Can it be read, or is it a value? Not a group, word, type, lambda, structure or array. */
bool cpp_has_value(const struct cpp_operand *operand);
struct cpp_operand cpp_number(uint64_t bits, enum type type);
struct cpp_operand cpp_in_register(uint32_t reg, struct cpp_kind kind);

/* operation.c: of two values; '*left' becomes the result. */
bool cpp_binary(struct cpp_code *code, enum cpp_mark mark, struct cpp_operand *left,
                struct cpp_operand right, struct span span);
void cpp_compare(struct cpp_code *code, enum cmp cmp, const struct cpp_operand *left,
                 const struct cpp_operand *right, struct span span, struct cpp_operand *to);

/* object.c: what can be read, written and pointed to */
bool cpp_find_variable(struct cpp_code *code, const char *name, struct cpp_operand *to);
/* Of the innermost one among the variables, or NONE: none is declared. */
uint32_t cpp_variable_index(const struct cpp_code *code, const char *name);
/* Enters a variable of the innermost block; one of the whole thread. */
void cpp_add_variable(struct cpp_code *code, const char *name, struct cpp_operand operand);
void cpp_add_implicit(struct cpp_code *code, const char *name, struct cpp_operand operand);
/* Forgets the variables but the first 'count'. */
void cpp_close_block(struct cpp_code *code, uint32_t count);
void cpp_swap_scopes(struct cpp_code *code, struct names *other);
/* What is called so, and can be read. */
bool cpp_is_object(struct cpp_code *code, const char *name, struct cpp_operand *to);
bool cpp_object(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
bool cpp_read(struct cpp_code *code, struct cpp_operand *object, struct span span);
/* The value is of the object's type afterwards. */
bool cpp_write(struct cpp_code *code, const struct cpp_operand *object, struct cpp_operand *value,
               struct span span);
bool cpp_assign(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
bool cpp_step(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
void cpp_move(struct cpp_code *code, uint32_t reg, const struct cpp_operand *value,
              struct span span);
/* From a pointer to the element that it points to, counted from there; and back to a pointer. */
bool cpp_element(struct cpp_code *code, struct cpp_operand *pointer, struct cpp_operand index,
                 struct span span);
bool cpp_point_to(struct cpp_code *code, struct cpp_operand *object, struct span span);
/* A register of the name that has the value. */
struct cpp_operand cpp_declare(struct cpp_code *code, const char *name, struct cpp_kind kind,
                               const struct cpp_operand *value, struct span span);

/* array.c: "int seen[2];", its elements, and those that a register chooses */
/* The statement, which is lowered, stands in a block, or alone behind a branch: its variables are there from its end on (struct reg). */
void cpp_note_declared(struct cpp_code *code, const struct cpp_stmt *stmt);
bool cpp_declare_array(struct cpp_code *code, const struct cpp_declarator *one);
bool cpp_array_element(struct cpp_code *code, const struct cpp_operand *array,
                       struct cpp_operand index, struct span span, struct cpp_operand *to);
void cpp_read_choice(struct cpp_code *code, struct cpp_operand *choice, struct span span);
bool cpp_write_choice(struct cpp_code *code, const struct cpp_operand *choice,
                      struct cpp_operand *value, struct span span);

/* call.c: functions and methods */
/* "cg::this_thread_block()", or a variable that is one; false: it is none, and nothing is reported. */
bool cpp_group(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
/* group.c: "block.thread_rank()"; '*found': a method of a group, and not of an object. */
bool cpp_group_number(struct cpp_code *code, const struct cpp_expr *expr, bool *found,
                      struct cpp_operand *to);
bool cpp_call(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);

/* atomic.c: atomic operations. The value is of the object's type; what a load returns is in '*to'. */
bool cpp_is_reference(const struct cpp_code *code,
                      const struct cpp_expr *expr); /* "atomic_ref<int>(x)" */
bool cpp_reference(struct cpp_code *code, const struct cpp_part *part,
                   const struct cpp_expr *object, struct cpp_operand *to);
bool cpp_atomic_load(struct cpp_code *code, struct cpp_operand *object, enum sem sem,
                     struct span span);
bool cpp_atomic_store(struct cpp_code *code, const struct cpp_operand *object,
                      struct cpp_operand *value, enum sem sem, struct span span);
bool cpp_atomic_update(struct cpp_code *code, const struct cpp_operand *object, enum atom_op op,
                       struct cpp_operand value, enum sem sem, struct span span,
                       struct cpp_operand *to);
/* Two orders: of an exchange, and of the read of one that fails; '*to' is what was found. */
struct cpp_exchange {
    struct cpp_operand expected, desired;
    enum sem sem, failed_sem;
};
bool cpp_atomic_exchange(struct cpp_code *code, const struct cpp_operand *object,
                         struct cpp_exchange exchange, struct span span, struct cpp_operand *to);

/* barrier.c: a method of a cuda::barrier, and "init(&b, 2)"; '*found': it is one */
enum { BARRIER_FIELDS = 3 }; /* the first two have the number that it is made with */
bool cpp_is_barrier_method(const char *word); /* wait, which atomic objects have too, is none */
bool cpp_barrier(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                 const struct cpp_operand *barrier, struct cpp_operand *to);
bool cpp_barrier_init(struct cpp_code *code, const struct cpp_expr *expr, bool *found);

/* library.c: a method of a latch or semaphore */
bool cpp_is_library_method(const char *word); /* wait, which atomic objects have too, is one */
bool cpp_library(struct cpp_code *code, const struct cpp_expr *expr, const char *word,
                 const struct cpp_operand *object, struct cpp_operand *to);

/* builtin.c: "threadIdx.x" and its like, warpSize */
bool cpp_builtin(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
bool cpp_is_warp_size(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);

/* init.c: "__shared__ int s[32];" in a kernel */
bool cpp_declare_shared(struct cpp_code *code, const struct cpp_stmt *stmt);

/* flow.c */
bool cpp_lower_stmt(struct cpp_code *code, const struct cpp_stmt *stmt);
void cpp_check_targets(struct cpp_code *code);

/* constant.c: what "using T = int;" says of the type; itself, if it is no such name. */
const struct cpp_type *cpp_meant(const struct cpp_code *code, const struct cpp_type *type);
void cpp_add_type(struct cpp_reader *reader, const struct cpp_declarator *one);
/* A name that stands for a number; the value of a constexpr declaration. */
bool cpp_known_constant(struct cpp_code *code, const char *word, struct cpp_operand *to);
/* "is_lock_free" and "is_always_lock_free", which are true: '*to' is then that. */
bool cpp_is_lock_free(const char *word, struct cpp_operand *to);
bool cpp_fixed(struct cpp_code *code, const struct cpp_declarator *one, struct cpp_operand *to);

/* structure.c: "n", "&n", "*p" of a structure n; false: it is none, and nothing is reported. */
bool cpp_structure(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
/* "n.data"; false: it is no member of an object, and nothing is reported. */
bool cpp_member(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);

/* effect.c: may the statement, or one in it, write the variable of the name? Does it name it? */
bool cpp_writes(const struct cpp_stmt *stmt, const char *name);
bool cpp_mentions(const struct cpp_stmt *stmt, const char *name);
/* Reports operands of a binary operator of which one writes what the other uses. */
bool cpp_sequenced(struct cpp_code *code, const struct cpp_expr *expr);

/* function.c: the code of a function in place of a call */
struct cpp_function *cpp_function_named(const struct cpp_code *code, const char *word);
struct cpp_use {
    struct cpp_function *callee;
    const struct cpp_expr *expr;       /* the call: the callee, and its arguments */
    const struct cpp_closure *closure; /* of a lambda; or NULL */
    const struct cpp_operand *self; /* its first argument, if the call does not give it; or NULL */
};
bool cpp_inline(struct cpp_code *code, const struct cpp_use *use, struct cpp_operand *to);
/* What can be named, passed on and captured, and has no value; false: it is none, and nothing is reported. */
bool cpp_nameable(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);

/* template.c: "<int, 2>" of the call, in the scope of its code; then what its arguments say, and at last what
 * the template says of the others. */
bool cpp_template_given(struct cpp_code *code, const struct cpp_use *use, struct names *inside);
void cpp_template_deduce(struct cpp_code *code, const struct cpp_function *callee,
                         const struct cpp_type *type, struct cpp_kind kind);
bool cpp_template_rest(struct cpp_code *code, const struct cpp_use *use);

/* closure.c: of "[&](int i) { … }"; a call of one, or of a variable that is one: '*found' */
bool cpp_closure(struct cpp_code *code, const struct cpp_expr *expr, struct cpp_operand *to);
bool cpp_call_closure(struct cpp_code *code, const struct cpp_expr *expr, bool *found,
                      struct cpp_operand *to);
/* "return 1;" */
bool cpp_return_value(struct cpp_code *code, const struct cpp_stmt *stmt);

/* switch.c */
bool cpp_switch(struct cpp_code *code, const struct cpp_stmt *stmt);
bool cpp_case(struct cpp_code *code, const struct cpp_stmt *stmt);

#endif
