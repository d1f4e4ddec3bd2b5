/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_ISA_ISA_H
#define LITMUS_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The vocabulary of PTX instructions: opcodes, modifiers, types, and functions that look them up in
 * the tables. What an instruction does is not said here. */

/* One row of isa.def each. */
enum op {
#define OP(id, ...) OP_##id,
#include "litmus/isa/isa.def"
    OP_COUNT
};
enum op_group {
#define GROUP(id, ...) GROUP_##id,
#include "litmus/isa/isa.def"
#undef GROUP
    GROUP_COUNT
};

/* One row of words.def each. TYPE_NONE: the dialect's untyped 64-bit signed value. */
enum type {
    TYPE_NONE,
#define TYPE(id, ...) TYPE_##id,
#include "litmus/isa/words.def"
};
/* .volatile decodes to SEM_RELAXED at SCOPE_SYS with FLAG_VOLATILE, .mmio likewise with FLAG_MMIO. */
enum sem {
    SEM_NONE,
#define SEM(id, ...) SEM_##id,
#include "litmus/isa/words.def"
};
enum scope {
    SCOPE_NONE,
#define SCOPE(id, ...) SCOPE_##id,
#include "litmus/isa/words.def"
};
enum space {
    SPACE_GENERIC,
#define SPACE(id, ...) SPACE_##id,
#include "litmus/isa/words.def"
};
enum proxy {
#define PROXY(id, ...) PROXY_##id,
#include "litmus/isa/words.def"
};
enum atom_op {
    ATOM_NONE,
#define ATOMIC(id, ...) ATOM_##id,
#include "litmus/isa/words.def"
};
enum cmp {
    CMP_NONE,
#define CMP(id, ...) CMP_##id,
#include "litmus/isa/words.def"
};
enum bool_op {
    BOOL_NONE,
#define BOOL_OP(id, ...) BOOL_##id,
#include "litmus/isa/words.def"
};
enum geometry {
    GEOMETRY_NONE,
#define GEOMETRY(id, ...) GEOMETRY_##id,
#include "litmus/isa/words.def"
};
enum boundary {
    BOUNDARY_NONE,
#define BOUNDARY(id, ...) BOUNDARY_##id,
#include "litmus/isa/words.def"
};
enum matrix_element {
    ELEMENT_NONE,
#define ELEMENT(id, ...) ELEMENT_##id,
#include "litmus/isa/element.def"
#undef ELEMENT
};
/* How many there are, NONE included. */
enum {
    TYPE_COUNT = 1
#define TYPE(...) +1
#include "litmus/isa/words.def"
    ,
    SEM_COUNT = 1
#define SEM(...) +1
#include "litmus/isa/words.def"
    ,
    SCOPE_COUNT = 1
#define SCOPE(...) +1
#include "litmus/isa/words.def"
    ,
    PLACE_COUNT = 0
#define PLACE(...) +1
#include "litmus/isa/words.def"
    ,
    PROXY_COUNT = 0
#define PROXY(...) +1
#include "litmus/isa/words.def"
    ,
    CMP_COUNT = 1
#define CMP(...) +1
#include "litmus/isa/words.def"
};

/* What OP_FENCE is. Memory fences use inst.sem; proxy fences inst.proxy. */
enum fence_kind {
    FENCE_MEMORY,
    FENCE_PROXY,         /* two-way fence.proxy.X */
    FENCE_PROXY_RELEASE, /* fence.proxy.tensormap::generic.release.scope and other one-way forms */
    FENCE_PROXY_ACQUIRE,
    FENCE_MBARRIER_INIT,    /* fence.mbarrier_init.release.cluster */
    FENCE_RESTRICT_RELEASE, /* fence.release.sync_restrict::shared::cta.cluster */
    FENCE_RESTRICT_ACQUIRE, /* fence.acquire.sync_restrict::shared::cluster.cluster */
};

/* The flags of an instruction: those of words.def, and marks that no word makes. */
enum flag_bit {
#define FLAG(id, ...)     BIT_##id,
#define ROUNDING(id, ...) BIT_##id,
#include "litmus/isa/words.def"
    BIT_COUNT_THREADS,
    BIT_DIALECT,
};
enum {
#define FLAG(id, ...)     FLAG_##id = 1u << BIT_##id,
#define ROUNDING(id, ...) FLAG_##id = 1u << BIT_##id,
#include "litmus/isa/words.def"
    /* a barrier's count is of single threads: the dialect's quorum */
    FLAG_COUNT_THREADS = 1u << BIT_COUNT_THREADS,
};
/* Written in the peer's spelling. An enumerator is an int, which has no bit 31 to set. */
#define FLAG_DIALECT (UINT32_C(1) << BIT_DIALECT)

enum special {
#define SPECIAL(id, name, type) SPECIAL_##id,
#include "litmus/isa/special.def"
#undef SPECIAL
    SPECIAL_COUNT
};

uint32_t type_bytes(enum type type);            /* TYPE_NONE: 8; TYPE_PRED: 1 */
enum type type_with(char kind, uint32_t bytes); /* 'u', 4: TYPE_U32; TYPE_NONE: there is none */
char type_kind(enum type type);      /* the letter of words.def: u s b f p; 0: TYPE_NONE */
bool type_is_signed(enum type type); /* TYPE_NONE and S*: true */
bool type_is_float(enum type type);
bool type_holds_fraction(
    enum type type); /* f16, bf16, f32 and f64, of which a number may be written as 1.5 */
uint64_t type_fraction_bits(enum type type,
                            double number); /* its bits in the type, by default f64 */
bool type_is_half(enum type type);          /* f16, bf16, and pairs of them */
bool type_is_bits(enum type type);
const char *type_name(enum type type);
const char *sem_name(enum sem sem);
const char *scope_name(enum scope scope);
const char *scope_words(void); /* ".cta, .cluster, .gpu or .sys" */
const char *space_name(enum space space);
bool space_is_declared(enum space space); /* may a variable be there? */
const char *proxy_name(enum proxy proxy);
const char *atom_op_name(enum atom_op op);
const char *cmp_name(enum cmp cmp);
const char *geometry_name(enum geometry geometry);
const char *boundary_name(enum boundary boundary);
/* Of matrices. */
enum matrix_element matrix_element_of(const char *word); /* ELEMENT_NONE: there is none */
const char *matrix_element_name(enum matrix_element element);
uint32_t matrix_element_bits(enum matrix_element element);
char matrix_element_kind(enum matrix_element element);
/* What else words.def says of a comparison. */
struct cmp_row {
    char reads;        /* e o u f */
    const char *holds; /* a set of < = > */
    const char *mark;
    enum cmp opposite;
};
const struct cmp_row *cmp_row(enum cmp cmp);
enum cmp cmp_mirrored(enum cmp cmp); /* of the operands the other way round */
/* Of two 64-bit integers. */
bool cmp_holds(enum cmp cmp, bool is_signed, uint64_t a, uint64_t b);
/* What holds exactly where the comparison does not. */
enum cmp cmp_denied(enum cmp cmp, bool floats);
enum cmp cmp_of_mark(const char *mark, size_t length); /* CMP_NONE: it is none */
const char *bool_op_name(enum bool_op op);
const char *special_name(enum special special);
/* Of "….x", "….y", "….z": 0, 1, 2. */
unsigned special_axis(enum special special);
/* What an instruction does to memory and to other threads. */
enum {
    ROLE_READS = 1u << 0,
    ROLE_WRITES = 1u << 1,
    ROLE_ARRIVES = 1u << 2,
    ROLE_WAITS = 1u << 3,
};

/* A row of isa.def. Sets of types, of semantics have the bit of each enumerator. */
struct op_row {
    const char *mnemonic, *signature, *modifiers;
    uint32_t types;
    enum op_group group;
    const char *engines;
    uint32_t ptx;
    const char *section;
    uint32_t role;
    enum sem sem;     /* where none is written */
    enum scope scope; /* the same */
    uint32_t sems;    /* that may be written */
    enum proxy proxy;
    enum type result;      /* of the destination, if not the instruction's type */
    uint32_t source_types; /* of an operation with two types: those of the second */
    bool typed;            /* has no untyped form */
};
const struct op_row *op_row(enum op op);
const char *op_mnemonic(enum op op);
enum op_group op_group(enum op op);
/* Does it accept words of the class? */
bool op_accepts(enum op op, char class);
/* The letter of the signature for an operand, 0 past the last. */
char op_operand(enum op op, uint32_t index);
/* Is its first operand a destination? */
bool op_writes(enum op op);
bool op_is_atomic(enum op op); /* atom, red */

/* A row of words.def: a word that may follow a mnemonic. */
struct isa_word {
    const char *text;
    char class;             /* letter of isa.def's modifiers column; 'F' for flags */
    uint32_t value;         /* the enumerator, or the flag bits */
    const char *operations; /* the mnemonics that accept it; NULL: those with the class */
    uint32_t ptx;           /* the version of PTX that it needs, or 0 */
};
extern const struct isa_word isa_words[]; /* a row without text ends them */
/* The word as the operation understands it; one that it does not accept when there is no other;
 * NULL for an unknown word. */
const struct isa_word *isa_word_find(const char *text, size_t length, enum op op);
/* The word of the class; NULL: there is none. */
const struct isa_word *isa_word_of(char class, const char *text, size_t length);
bool isa_word_fits(const struct isa_word *word, enum op op);

/* A row of spelling.def: a word that stands for the first word of a mnemonic. */
struct isa_spelling {
    const char *word, *stands_for;
    enum proxy proxy;
    enum cmp cmp;
};
/* What to write instead of a word of another language, or NULL; letters of either case are one. A modifier has its point. */
const char *isa_foreign(const char *word);
extern const struct isa_spelling isa_spellings[]; /* a row without a word ends them */

/* Of a texture or surface: how many coordinates, besides the number of a layer. */
struct geometry_row {
    uint8_t axes;
    bool layered;
};
const struct geometry_row *geometry_row(enum geometry geometry);

/* What else words.def says of a proxy and of an atomic operation. */
struct proxy_row {
    uint32_t two_way, one_way; /* versions of PTX that have its fences; 0: there is none */
    const char *one_way_word;
    bool aliases;
};
const struct proxy_row *proxy_row(enum proxy proxy);
struct atom_row {
    uint32_t values;
    char kind;
    uint32_t types, barrier_types;
};
const struct atom_row *atom_row(enum atom_op op);
bool atom_op_fits(enum atom_op atom, enum op op);

/* A function of system.def, which has no code in a module. */
enum system {
    SYSTEM_NONE,
#define SYSTEM(id, ...) SYSTEM_##id,
#include "litmus/isa/system.def"
#undef SYSTEM
};
struct system_row {
    const char *name;
    uint32_t returned;      /* bytes */
    const char *parameters; /* a digit each: its bytes */
};
const struct system_row *system_row(enum system system);
enum system system_find(const char *name, size_t length); /* SYSTEM_NONE: there is none */

#endif
