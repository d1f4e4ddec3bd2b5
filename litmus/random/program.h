/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_PROGRAM_H
#define LITMUS_RANDOM_PROGRAM_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Random litmus programs within bounds, as values that can be shrunk and printed as litmus text. */

enum { RANDOM_THREADS = 4, RANDOM_INSTS = 5 };

enum random_kind {
    RANDOM_NONE,
    RANDOM_LOAD,
    RANDOM_STORE,
    RANDOM_ATOM,
    RANDOM_RED,
    RANDOM_FENCE,
    RANDOM_PROXY_FENCE,
    RANDOM_BARRIER,
    RANDOM_COUNTED, /* 'op': barrier.sync, .arrive or .red; 'value': its count in warps; 'sem': its
                    number */
    RANDOM_ARRIVE,  /* at the program's mbarrier */
    RANDOM_WAIT,    /* for its first phase: asks once */
    RANDOM_COPY,    /* cp.async of a word from x to shared memory */
    RANDOM_COPY_WAIT
};

/* What an access is made to; the last three by threads of CTA 0 only. */
enum random_location {
    RANDOM_X,
    RANDOM_Y,
    RANDOM_Z,
    RANDOM_ALIAS,
    RANDOM_UPPER_HALF,
    RANDOM_W,
    RANDOM_W4,
    RANDOM_SHARED
};

/* How strong: later words only loads and stores have. */
enum random_sem { RANDOM_WEAK, RANDOM_RELAXED, RANDOM_ORDERED, RANDOM_VOLATILE, RANDOM_MMIO };

enum { EXPECT_REGISTER = UINT8_MAX };

struct random_inst {
    enum random_kind kind;
    uint8_t location; /* enum random_location */
    uint8_t sem, scope, op, proxy;
    uint8_t value; /* stored; 0: a register (a data dependency), 'back' before the last one */
    uint8_t back;
    enum {
        RANDOM_REAL,
        RANDOM_NO_BITS,
        RANDOM_ALL_BITS,
        RANDOM_ITSELF
    } formal;         /* of a register that is stored or tested: what is
                                                                        made of it is always the same */
    uint8_t expected; /* compared by atom.cas; EXPECT_REGISTER: with the last register */
    bool wide;        /* both words of w, as a vector */
    /* Executes only if the last load returned something other than 0: by a branch, by a predicate.
     */
    enum { RANDOM_ALWAYS, RANDOM_BRANCH, RANDOM_PREDICATE } guard;
};

struct random_program {
    uint64_t seed;
    uint32_t threads;
    uint32_t cta[RANDOM_THREADS], gpu[RANDOM_THREADS], warp[RANDOM_THREADS];
    uint32_t count[RANDOM_THREADS];
    bool mixed;        /* half-word accesses occur */
    bool torn;         /* what is stored differs in two bytes, and accesses mix byte by byte */
    bool counted;      /* barriers count warps, and columns share CTA and warps */
    bool clustered;    /* both CTAs of a device are one cluster */
    bool shared;       /* CTA 0 has a word of shared memory */
    uint32_t expected; /* arrivals a phase of the mbarrier; 0: there is none */
    uint8_t initial[RANDOM_Z + 1];
    struct random_inst insts[RANDOM_THREADS][RANDOM_INSTS];
};

struct random_bounds {
    uint32_t threads, insts; /* at most, a program and a thread */
    bool proxies, aliases, barriers, mixed_sizes, counts, vectors, mbarriers, copies, tearing;
    /* Mostly atomics, several a thread, whose operands are what earlier accesses returned, and
     * atom.cas that compares with all sorts of values. */
    bool atomics;
    bool dependencies; /* loads and stores that depend on them, half of them in form only */
};

void random_draw(struct random_program *program, uint64_t seed, const struct random_bounds *bounds);
/* Litmus text that observes every register and location. */
GString *random_write(const struct random_program *program);
/* Registers that an instruction writes. */
uint32_t random_registers(const struct random_inst *inst);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool random_shrink(const struct random_program *program, uint32_t step,
                   struct random_program *smaller);

#endif
