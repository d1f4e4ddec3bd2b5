/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_ISA_ISA_H
#define LITMUS_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The vocabulary of PTX instructions: opcodes, modifiers, types. Tables, no behaviour. */

/* One row per opcode in isa.def. */
enum op {
#define OP(id, mnemonic, signature, modifiers, engines) OP_##id,
#include "litmus/isa/isa.def"
#undef OP
    OP_COUNT
};

enum type {
    TYPE_NONE, /* the dialect's untyped 64-bit signed value */
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_S8,
    TYPE_S16,
    TYPE_S32,
    TYPE_S64,
    TYPE_B8,
    TYPE_B16,
    TYPE_B32,
    TYPE_B64,
    TYPE_B128,
    TYPE_F16,
    TYPE_F16X2,
    TYPE_BF16,
    TYPE_BF16X2,
    TYPE_F32,
    TYPE_F64,
    TYPE_PRED,
};

/* .volatile decodes to SEM_RELAXED at SCOPE_SYS with FLAG_VOLATILE, .mmio likewise with FLAG_MMIO. */
enum sem { SEM_NONE, SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC };
enum scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };
enum space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_SHARED_CLUSTER,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
};
enum proxy {
    PROXY_GENERIC,
    PROXY_TEXTURE,
    PROXY_SURFACE,
    PROXY_CONSTANT,
    PROXY_ASYNC,
    PROXY_TENSORMAP,
    PROXY_ALIAS,
};
enum atom_op {
    ATOM_NONE,
    ATOM_ADD,
    ATOM_SUB,
    ATOM_MUL,
    ATOM_DIV,
    ATOM_MIN,
    ATOM_MAX,
    ATOM_INC,
    ATOM_DEC,
    ATOM_AND,
    ATOM_OR,
    ATOM_XOR,
    ATOM_EXCH,
    ATOM_CAS,
    ATOM_POPC,
};
/* LO LS HI HS are the unsigned lt le gt ge; the …U forms are float compares true on NaN. */
enum cmp {
    CMP_NONE,
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_LO,
    CMP_LS,
    CMP_HI,
    CMP_HS,
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN,
};
enum bool_op { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

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

enum {
    FLAG_VOLATILE = 1u << 0,
    FLAG_MMIO = 1u << 1,
    FLAG_ALIGNED = 1u << 2, /* bar.*, .aligned */
    FLAG_UNI = 1u << 3,     /* bra.uni */
    FLAG_WIDE = 1u << 4,    /* mul.wide, mad.wide */
    FLAG_HI = 1u << 5,      /* mul.hi, mad.hi */
    FLAG_LO = 1u << 6,
    FLAG_NC = 1u << 7,          /* ld.global.nc */
    FLAG_NO_COMPLETE = 1u << 8, /* mbarrier.arrive.noComplete */
    FLAG_EXPECT_TX = 1u << 9,   /* mbarrier.arrive.expect_tx */
    FLAG_PARITY = 1u << 10,     /* mbarrier wait by parity */
    FLAG_NOINC = 1u << 11,      /* cp.async.mbarrier.arrive.noinc */
    FLAG_COUNT_THREADS =
        1u << 12,            /* barrier count operand counts single threads: the dialect's quorum */
    FLAG_DIALECT = 1u << 13, /* written in the peer's spelling */
    FLAG_WRAP = 1u << 14,    /* shf.wrap */
    FLAG_CLAMP = 1u << 15,
    FLAG_LEFT = 1u << 16, /* shf.l */
    FLAG_RIGHT = 1u << 17,
    FLAG_SHIFTAMT = 1u << 18, /* bfind.shiftamt */
    FLAG_RN = 1u << 19,
    FLAG_RZ = 1u << 20,
    FLAG_RM = 1u << 21,
    FLAG_RP = 1u << 22,
    FLAG_RNI = 1u << 23,
    FLAG_RZI = 1u << 24,
    FLAG_RMI = 1u << 25,
    FLAG_RPI = 1u << 26,
    FLAG_FTZ = 1u << 27,
    FLAG_SAT = 1u << 28,
    FLAG_APPROX = 1u << 29,
    FLAG_READ = 1u << 30, /* cp.async.bulk.wait_group.read */
};
/* cvta.to; an enumerator is an int, which has no bit 31 to set. */
#define FLAG_TO (UINT32_C(1) << 31)

enum special {
#define SPECIAL(id, name, type) SPECIAL_##id,
#include "litmus/isa/special.def"
#undef SPECIAL
    SPECIAL_COUNT
};

uint32_t type_bytes(enum type type); /* TYPE_NONE: 8; TYPE_PRED: 1 */
bool type_is_signed(enum type type); /* TYPE_NONE and S*: true */
bool type_is_float(enum type type);
bool type_is_bits(enum type type);
const char *type_name(enum type type);
const char *sem_name(enum sem sem);
const char *scope_name(enum scope scope);
const char *space_name(enum space space);
const char *proxy_name(enum proxy proxy);
const char *atom_op_name(enum atom_op op);
const char *cmp_name(enum cmp cmp);
const char *bool_op_name(enum bool_op op);
const char *special_name(enum special special);
enum type special_type(enum special special);
/* Of "….x", "….y", "….z": 0, 1, 2. */
unsigned special_axis(enum special special);
/* The columns of isa.def. */
const char *op_mnemonic(enum op op);
const char *op_signature(enum op op);
const char *op_modifiers(enum op op);
const char *op_engines(enum op op);
/* Does it work on an mbarrier object? What its mnemonic says. */
bool op_is_mbarrier(enum op op);
/* Is it executed by the lanes of a warp together? */
bool op_is_collective(enum op op);

/* A row of words.def: a word that may follow a mnemonic. */
struct isa_word {
    const char *text;
    char class;            /* letter of isa.def's modifiers column; 'F' for flags */
    uint32_t value;        /* the enumerator, or the flag bits */
    const char *mnemonics; /* of a flag: the operations that accept it */
};
const struct isa_word *isa_words(size_t *count);
/* The word as the operation understands it; one that it does not accept when there is no other;
 * NULL for an unknown word. */
const struct isa_word *isa_word_find(const char *text, size_t length, enum op op);
bool isa_word_fits(const struct isa_word *word, enum op op);

#endif
