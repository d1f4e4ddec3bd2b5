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
    GEN_BARRIER, /* bar.sync 0 */
    GEN_COUNTED  /* 'op': barrier.sync, .arrive or .red; 'value': its count in warps; 'sem': its number */
};

struct gen_inst {
    enum gen_kind kind;
    uint8_t location; /* 0 x, 1 y, 2 z, 3 an alias of x, 4 upper half of x (mixed sizes) */
    uint8_t sem, scope, op, proxy;
    uint8_t value; /* stored; 0: the register of the last load (a data dependency) */
    bool guarded;  /* executes only if the last load returned something other than 0 */
};

struct gen_program {
    uint64_t seed;
    uint32_t threads;
    uint32_t cta[MAX_THREADS], gpu[MAX_THREADS], warp[MAX_THREADS];
    uint32_t count[MAX_THREADS];
    bool mixed;   /* half-word accesses occur */
    bool counted; /* barriers count warps, and columns share CTA and warps */
    struct gen_inst insts[MAX_THREADS][MAX_INSTS];
};

struct gen_bounds {
    uint32_t threads, insts; /* at most, a program and a thread */
    bool proxies, aliases, barriers, mixed_sizes, counts;
};

void generate(struct gen_program *program, uint64_t seed, const struct gen_bounds *bounds);
/* Litmus text that observes every register and location. */
GString *gen_print(const struct gen_program *program);
/* The 'step'-th way to make the program smaller; false when there is none. */
bool gen_shrink(const struct gen_program *program, uint32_t step, struct gen_program *smaller);

#endif
