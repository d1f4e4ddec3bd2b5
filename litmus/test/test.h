/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_TEST_H
#define LITMUS_TEST_TEST_H

#include <stdbool.h>

#include "litmus/base/arena.h"
#include "litmus/base/source.h"
#include "litmus/isa/isa.h"

/* A litmus test as a value. Made by litmus_parse (litmus/read/read.h), never changed afterwards;
 * everything it points to lives in the arena given to the parser. The language is described in
 * docs/litmus-language.md. References are indexes into the arrays of their owner. */

#define NONE UINT32_MAX

/* ---- memory --------------------------------------------------------------------------------- */

/* Host programs place memory; without a host everything is MEMORY_DEVICE. */
enum memory_kind { MEMORY_DEVICE, MEMORY_MAPPED, MEMORY_MANAGED, MEMORY_PINNED, MEMORY_PAGEABLE };
const char *memory_kind_name(enum memory_kind kind); /* the word that declares it */
/* On the host and not on a device. */
static inline bool memory_is_on_host(enum memory_kind kind)
{
    return kind == MEMORY_MAPPED || kind == MEMORY_PINNED || kind == MEMORY_PAGEABLE;
}

struct location {
    const char *name;
    enum space space; /* SPACE_GLOBAL unless declared: SHARED, LOCAL, CONST */
    enum type type;   /* of one element; TYPE_NONE until check/locations.c decides: see docs */
    uint32_t element_bytes; /* after checking: 1, 2, 4, 8 or 16 */
    uint32_t elements;      /* 1 for a scalar */
    uint32_t vector;        /* declared .v2 or .v4: elements of one vector; else 0 */
    uint32_t alias_of;      /* location index whose bytes this name shares, or NONE */
    enum proxy alias_proxy; /* PROXY_GENERIC: another virtual address. TEXTURE, SURFACE, CONSTANT:
                                the same virtual address as the aliased name, reached through that proxy */
    uint32_t *replicas;     /* of a multi-device address: the locations that it stands for */
    uint32_t replica_count; /* 0: it is none */
    uint32_t cta, cluster,
        gpu;         /* owner of SHARED (its CTA) and of device memory (gpu); NONE: shared by
                                   every CTA of the launch separately, or gpu 0 */
    uint32_t kernel; /* body whose declaration it is (one instance per CTA or thread), or NONE */
    uint32_t align;  /* of the first byte; 0: the element's size */
    enum memory_kind memory;
    bool array; /* written with [] */
    /* of "a[4][8]": the sizes, the outermost first; NULL: it has one at most */
    const uint32_t *dims;
    uint32_t dim_count;
    bool dynamic;     /* '.extern .shared': its size is the launch's dynamic shared memory */
    bool declared;    /* false: made by use */
    bool initialized; /* false: starts at 0, but SHARED starts undefined in the executor */
    bool unset;       /* a call allocates it, and it has no initial value: it holds anything */
    struct location_init *init; /* 'elements' entries, or NULL for all zero */
    struct texture *texture;    /* texture.h: what its name is a handle of, or NULL */
    uint32_t gap;               /* host.h: code that is not modelled may write it */
    const char *cpp_type; /* in C++: of one element, as nvcc reads it; NULL: it has no such type */
    const char *cpp_path; /* in C++: of a member, "sent.data"; else NULL */
    struct span span;
};

struct location_init {
    uint64_t value;
    uint32_t address_of; /* location whose address is the value, or NONE */
};

/* ---- code ----------------------------------------------------------------------------------- */

struct reg {
    const char *name; /* as written, with its '%' if it had one; a column has not both %r0 and r0,
                         and the question may call %r0 r0: leave the '%' out when showing a state;
                         "": the value of an expression of a host program, written once, read once */
    /* TYPE_NONE: undeclared, 64-bit signed as the dialect wants; TYPE_PRED for predicates */
    enum type type;
    struct span span;
    uint32_t gap; /* host.h: its last value is not known */
    /* In C++: where the statement that declares it begins and ends, in the source's text; 0: there is none. */
    uint32_t declared_from, declared_to;
    const char *cpp_path; /* in C++: of an array's element, "seen[1]"; else NULL */
    const char
        *implicit; /* in C++: its type, where it is assigned and nothing declares it; else NULL */
};

/* The initial value of a register in a column ("P0:r0 = 1;"). */
struct reg_init {
    uint32_t reg;
    uint64_t value;
    uint32_t address_of; /* location whose address is the value, or NONE */
};

enum operand_kind {
    OPERAND_REG,     /* reg, negated for a predicate used as !p */
    OPERAND_IMM,     /* value: the bits; floats as their IEEE bits of the instruction's type */
    OPERAND_SYMBOL,  /* address of location 'location' + 'value' */
    OPERAND_MEMORY,  /* [base + value]: base is 'reg' (not NONE) or 'location' */
    OPERAND_SPECIAL, /* special register 'special' */
    OPERAND_VECTOR,  /* parts[0..part_count): { a, b }, first element lowest */
    OPERAND_PAIR,    /* d|p: parts[0], parts[1] */
    OPERAND_SINK,    /* _ */
    OPERAND_LABEL,   /* 'target': index of the instruction jumped to (== inst_count: the end) */
    OPERAND_PARAM,   /* kernel parameter 'param' as a memory operand [name+value], of ld.param */
    OPERAND_FRAME,   /* variable 'param' of the body's frame: [name+value], or passed by a call */
    /* body 'target', which a call enters; NONE: enum system 'value'. A call through a register has that instead */
    OPERAND_FUNCTION,
    OPERAND_FRACTION, /* value: the bits of a .f64; of launches that were not checked */
};

struct operand {
    enum operand_kind kind;
    bool negated;
    uint32_t reg, location, target, param;
    enum special special;
    uint64_t value;
    struct operand *parts;
    uint32_t part_count;
    struct span span;
};

enum { MAX_OPERANDS = 6 };

/* What the words of a matrix instruction say (PTX 9.7.14); 0: nothing. */
struct matrix {
    uint16_t m, n, k;            /* m16n8k16 */
    uint8_t count;               /* ldmatrix and stmatrix: x1, x2 or x4 matrices */
    bool transposed, columns[2]; /* of the first and the second matrix that has a layout: .col */
    uint8_t layouts, element_count;
    enum matrix_element elements[4];
    enum atom_op bitwise; /* of single bits: .xor or .and of each two, which .popc counts */
    bool counts;
};

/* One decoded instruction, every default of ptx-model.md 1.3 filled in. Which fields an opcode uses
 * is said by its row in isa.def. Destinations come first among the operands. */
struct inst {
    enum op op;
    enum type type, source_type; /* source_type: cvt, and mul.wide's narrow type */
    enum sem sem;
    enum sem failed_sem; /* C++: of the read of a cas that fails; else SEM_NONE */
    enum scope scope;
    enum space space;
    enum space source_space; /* cp.async, cp.async.bulk: where it reads; space: where it writes */
    enum proxy proxy;        /* of a memory access; of a proxy fence: the proxy named */
    enum atom_op atom_op;    /* atom, red, redux, barrier.red, cp.reduce */
    enum cmp cmp;            /* setp, set and the dialect's conditional branches */
    enum bool_op bool_op;    /* setp's combining operation; BOOL_NONE */
    enum fence_kind fence_kind;
    enum geometry geometry;   /* of a texture or surface */
    enum boundary boundary;   /* of a surface */
    uint32_t relu, satfinite; /* of a conversion: says so */
    uint32_t wide_sum;        /* multimem.ld_reduce: sums of halves are rounded at the end */
    uint32_t flags;           /* FLAG_… of isa.h */
    uint32_t vector;          /* 1, 2, 4 or 8 */
    uint32_t guard;           /* predicate register of @p, or NONE */
    bool guard_negated;       /* @!p */
    bool
        may_ignore_source; /* cp.async: the fourth operand is a predicate; where it holds, zeros are written */
    struct matrix *matrix;
    uint32_t
        multicast; /* a copy goes to the CTAs that an operand names (1), or to all of the cluster (2) */
    const char *hints; /* of a prefetch or a priority: '.L2', which changes nothing; or NULL */
    struct operand operands[MAX_OPERANDS];
    uint32_t operand_count;
    struct span span; /* the whole instruction */
};

struct label {
    const char *name;
    uint32_t target; /* instruction index */
    struct span span;
};

struct param {
    const char *name;
    enum type type;
    uint32_t bytes, offset; /* size and place in the parameter space, or in the frame */
    struct span span;
    uint32_t
        location; /* 1 + that of constant memory with its bytes, where a kernel takes its address; else 0 */
};

struct dim3 {
    uint32_t x, y, z;
};

/* How a kernel may be launched (PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension
 * Directives"). What is 0 was not said. */
struct launch_rules {
    struct dim3 most_threads, threads, cluster; /* .maxntid, .reqntid, .reqnctapercluster */
    uint32_t most_ctas;                         /* .maxclusterrank */
    bool explicit_cluster, blocks_are_clusters;
};

/* Of "P0 (atomic_int *x)": what it points to, and its type as location.cpp_type is written. */
struct pointer_param {
    uint32_t location;
    const char *cpp_type;
};

/* The code of a column, kernel, host function or, with 'function', of what a call enters. */
struct body {
    const char *name; /* "P0", "K1", … */
    /* of a column or a host program: a name that is written is a register, one in an address a location */
    bool dialect;
    bool function;
    bool addressed; /* a function whose address is a value of the test */
    struct reg *regs;
    uint32_t reg_count;
    struct inst *insts;
    uint32_t inst_count;
    struct label *labels; /* sorted by target */
    uint32_t label_count;
    struct param *params; /* this and the rules: kernels only */
    uint32_t param_count;
    struct launch_rules rules;
    /* The .param variables that exist once a call of the body (PTX 7.1): a function's return values
     * and parameters first, then what it passes to others. */
    struct param *frame;
    uint32_t frame_count, return_count, formal_count, frame_bytes;
    struct reg_init *inits; /* columns only */
    uint32_t init_count;
    struct span *statements; /* in C++: as they are written */
    uint32_t statement_count;
    struct pointer_param *pointers; /* in C++ */
    uint32_t pointer_count;
    struct span span;
};

/* ---- who runs it ---------------------------------------------------------------------------- */

/* A column: one thread, placed. Other threads of its CTA that the test does not show may exist, which
 * is why a barrier without a count in a column test is assumed to complete (ptx-model.md 11). */
struct column {
    uint32_t body;
/* numbers that are unique per gpu; a cluster NONE: the CTA's own */
#define PLACE(scope, member) uint32_t member;
#include "litmus/isa/words.def"
    uint32_t warp; /* NONE: a warp of its own */
    uint32_t lane; /* NONE: the next free lane of the warp */
    struct span span;
};

/* A grid of threads running one kernel: a device-only test starts it at once, a host program from a
 * call. Its threads are all there are, so barrier counts are exact. */
struct launch {
    const char *label; /* names it in conditions; the kernel's name when launched once */
    uint32_t kernel;   /* body */
    struct dim3 grid, block, cluster; /* cluster {1,1,1} unless given */
    uint32_t gpu;
    bool cooperative, programmatic;
    uint32_t
        domain; /* memory synchronization domain: .gpu holds only threads of the same one; default 0 */
    struct operand *args; /* OPERAND_IMM or OPERAND_SYMBOL, one per parameter */
    uint32_t arg_count;
    uint32_t dynamic_shared_bytes;
    uint32_t gap; /* host.h: it may read what is not known */
    struct span span;
};

struct host_program; /* litmus/test/host.h; NULL in device-only tests */

/* ---- what is asked -------------------------------------------------------------------------- */

enum quantifier { QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS, QUANTIFIER_FORALL };

enum cond_kind { COND_TRUE, COND_FALSE, COND_NOT, COND_AND, COND_OR, COND_COMPARE };

/* A value a condition can name. */
struct cond_term {
    enum { TERM_CONST, TERM_REG, TERM_LOCATION, TERM_ADDRESS } kind;
    uint64_t value;            /* CONST; ADDRESS: bytes beyond the element */
    uint32_t column;           /* REG of a column; NONE when of a launch or host thread */
    uint32_t launch, cta, tid; /* REG of a kernel thread: launch index, linear CTA, linear thread */
    uint32_t host;             /* REG of host thread 'host' (or host function), else NONE */
    uint32_t reg;              /* index into the body's regs */
    uint32_t location, element; /* LOCATION, ADDRESS */
    struct span span;
};

struct cond {
    enum cond_kind kind;
    enum cmp cmp; /* COMPARE: CMP_EQ … on the signed or unsigned reading of the wider term's type */
    struct cond_term left, right;
    struct cond **kids;
    uint32_t kid_count;
    struct span span;
};

/* "expect ptx: forbidden (ptx-model.md row 3)". Words for 'verdict': docs/litmus-language.md. */
struct expectation {
    const char *model;   /* "ptx", "ptx-6.0", … */
    const char *verdict; /* "allowed", "forbidden", "holds", "fails", "undecided", … */
    const char *source;  /* the text in parentheses, or "" */
    struct span span;
};

enum language { LANGUAGE_PTX, LANGUAGE_CPP };

/* From here to the next of them in the text, code comes from this line of CUDA C++. */
struct code_line {
    uint32_t offset; /* in the test's text */
    uint32_t file;   /* NONE: from no line */
    uint32_t line, column;
    uint32_t caller; /* inlined: the code_line where the function is called, else NONE */
};

struct test {
    const struct source *source;
    enum language language;
    struct code_line *code_lines; /* sorted by offset */
    uint32_t code_line_count;
    const char **code_files; /* as '.file' names them; NULL: it does not */
    uint32_t code_file_count;
    const char *name;
    const char **comments; /* the quoted strings, without quotes */
    uint32_t comment_count;
    struct expectation *expectations;
    uint32_t expectation_count;
    const char
        *progress; /* the scheduler that it is asked about, as --progress takes it; or NULL */
    struct location *locations;
    uint32_t location_count;
    struct body *bodies;
    uint32_t body_count;
    struct column *columns;
    uint32_t column_count;
    struct launch *launches;
    uint32_t launch_count;
    struct host_program *host;
    enum quantifier quantifier;
    struct cond *condition; /* never NULL: COND_TRUE when the test asks nothing */
    struct cond *filter;    /* or NULL */
    /* what a state shows: terms of the condition, then of locations [...], without repeats,
     * sorted as printed (see outcome.h) */
    struct cond_term *observed;
    uint32_t observed_count;
};

/* One in global memory, of no type yet, that nothing names. */
struct location test_location(void);
/* A declared array whose initial values are given: its maker adds them, or they are 0. */
struct location test_array(const char *name, enum type type, uint32_t elements);
/* What cooperative_groups counts in when the threads of a cooperative grid meet: zero at first, at the address
 * that %envreg1 and %envreg2 hold. */
struct location test_grid_workspace(void);
bool body_reads_special(const struct body *body, enum special special);
/* Does some instruction jump there? */
bool body_is_target(const struct body *body, uint32_t at);
/* Its first operand of the kind, or NULL. */
const struct operand *inst_operand(const struct inst *inst, enum operand_kind kind);
/* The type that the values of its sources have. */
enum type inst_value_type(const struct inst *inst);
/* Calls 'see' for every operand of the code, those of vectors too, and without an instruction for every
 * other place that holds the address of a location: arguments and initial values. */
void test_each_operand(const struct test *test,
                       void (*see)(void *context, const struct inst *inst,
                                   const struct operand *operand),
                       void *context);
void cond_each_term(const struct cond *cond,
                    void (*see)(void *context, const struct cond_term *term), void *context);
/* What the address of the function is, of whatever module: above all memory. */
uint64_t test_function_address(const char *name, size_t length);
/* The function of that address, if some value of the test is one; or NULL. */
const struct body *test_function_at(const struct test *test, uint64_t address);
/* Can a call through a register, with these operands, enter the function? Its address is used, and it takes and
 * returns what the call passes. */
bool test_may_enter(const struct body *caller, const struct inst *call,
                    const struct body *function);
/* The location whose bytes this one names: itself, if it is no alias. */
uint32_t test_root_location(const struct test *test, uint32_t location);
/* Whose register a TERM_REG is. */
const struct body *test_term_body(const struct test *test, const struct cond_term *term);

#endif
