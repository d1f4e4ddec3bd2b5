/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_GENERATE_H
#define TESTS_AGREE_GENERATE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Random litmus programs within bounds, as values that can be shrunk and printed as litmus text. */

enum { MAX_THREADS = 4, MAX_INSTS = 5 };

enum gen_kind {
    GEN_NONE,
    GEN_LOAD,
    GEN_STORE,
    GEN_ATOM,
    GEN_RED,
    GEN_FENCE,
    GEN_PROXY_FENCE,
    GEN_BARRIER,
    GEN_COUNTED, /* 'op': barrier.sync, .arrive or .red; 'value': its count in warps; 'sem': its
                    number */
    GEN_ARRIVE,  /* at the program's mbarrier */
    GEN_WAIT,    /* for its first phase: asks once */
    GEN_COPY,    /* cp.async of a word from x to shared memory */
    GEN_COPY_WAIT
};

/* What an access is made to; the last three by threads of CTA 0 only. */
enum gen_location { GEN_X, GEN_Y, GEN_Z, GEN_ALIAS, GEN_UPPER_HALF, GEN_W, GEN_W4, GEN_SHARED };

/* How strong: later words only loads and stores have. */
enum gen_sem { GEN_WEAK, GEN_RELAXED, GEN_ORDERED, GEN_VOLATILE, GEN_MMIO };

enum { EXPECT_REGISTER = UINT8_MAX };

struct gen_inst {
    enum gen_kind kind;
    uint8_t location; /* enum gen_location */
    uint8_t sem, scope, op, proxy;
    uint8_t value; /* stored; 0: a register (a data dependency), 'back' before the last one */
    uint8_t back;
    enum {
        GEN_REAL,
        GEN_NO_BITS,
        GEN_ALL_BITS,
        GEN_ITSELF
    } formal;         /* of a register that is stored or tested: what is
                                                                        made of it is always the same */
    uint8_t expected; /* compared by atom.cas; EXPECT_REGISTER: with the last register */
    bool wide;        /* both words of w, as a vector */
    /* Executes only if the last load returned something other than 0: by a branch, by a predicate.
     */
    enum { GEN_ALWAYS, GEN_BRANCH, GEN_PREDICATE } guard;
};

struct gen_program {
    uint64_t seed;
    uint32_t threads;
    uint32_t cta[MAX_THREADS], gpu[MAX_THREADS], warp[MAX_THREADS];
    uint32_t count[MAX_THREADS];
    bool mixed;        /* half-word accesses occur */
    bool torn;         /* what is stored differs in two bytes, and accesses mix byte by byte */
    bool counted;      /* barriers count warps, and columns share CTA and warps */
    bool clustered;    /* both CTAs of a device are one cluster */
    bool shared;       /* CTA 0 has a word of shared memory */
    uint32_t expected; /* arrivals a phase of the mbarrier; 0: there is none */
    uint8_t initial[GEN_Z + 1];
    struct gen_inst insts[MAX_THREADS][MAX_INSTS];
};

struct gen_bounds {
    uint32_t threads, insts; /* at most, a program and a thread */
    bool proxies, aliases, barriers, mixed_sizes, counts, vectors, mbarriers, copies, tearing;
    /* Mostly atomics, several a thread, whose operands are what earlier accesses returned, and
     * atom.cas that compares with all sorts of values. */
    bool atomics;
    bool dependencies; /* loads and stores that depend on them, half of them in form only */
};

void generate(struct gen_program *program, uint64_t seed, const struct gen_bounds *bounds);
/* Litmus text that observes every register and location. */
GString *gen_print(const struct gen_program *program);
/* Registers that an instruction writes. */
uint32_t gen_registers(const struct gen_inst *inst);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool gen_shrink(const struct gen_program *program, uint32_t step, struct gen_program *smaller);

#endif
