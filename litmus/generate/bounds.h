/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_BOUNDS_H
#define LITMUS_GENERATE_BOUNDS_H

#include "litmus/base/diag.h"
#include "litmus/generate/program.h"

/* What generated programs may be made of. */

struct generate_range {
    uint32_t least, most;
};

/* Sets have the bit of each enumerator. */
struct generate_bounds {
    struct generate_range threads, instructions, accesses;
    uint32_t locations; /* at most */
    uint32_t sems;      /* of accesses: enum sem */
    uint32_t forms;     /* FORM_… besides FORM_PLAIN */
    uint32_t fences;    /* enum sem */
    uint32_t scopes;    /* enum scope */
    uint32_t apart; /* places that threads may share or not: enum scope; empty: none shares a CTA */
    uint32_t atomics; /* enum atom_op */
    bool red;
    uint32_t proxies; /* enum proxy */
    bool barriers;
    uint32_t dependencies; /* enum step_dependency */
};

/* As the options of 'ptxlit generate' write them; NULL: what is so when the option is not given. */
struct generate_words {
    const char *threads, *instructions, *accesses, *locations, *strengths, *fences, *scopes,
        *placements, *atomics, *proxies, *deps;
    bool barriers;
};
/* The word that an option has which was given without words: all of them. */
#define GENERATE_ALL "all"

/* False after an error in 'diags' (DIAG_option_value), which names the option. */
bool generate_read_bounds(struct arena *arena, const struct generate_words *words,
                          struct generate_bounds *bounds, struct diag_list *diags);

/* The steps within the bounds, accesses with location 0, sorted; in 'arena'. */
struct generate_alphabet {
    VEC(struct generated_step) steps;
};
void generate_alphabet(struct arena *arena, const struct generate_bounds *bounds,
                       struct generate_alphabet *alphabet);

#endif
