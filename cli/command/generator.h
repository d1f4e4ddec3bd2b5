/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_GENERATOR_H
#define CLI_COMMAND_GENERATOR_H

#include "cli/options/options.h"
#include "litmus/generate/relax.h"

/* What the command line says about generated tests. */
struct generator {
    struct arena *arena;
    struct diag_list diags; /* of what is no cycle */
    struct generate_bounds bounds;
    struct generate_range cycle_threads;
    struct generate_share share;
    VEC(struct cycle_words) cycles; /* of --cycle */
    struct cycle_words relax;       /* of --relax-list */
    uint32_t least_size, size;      /* of its cycles: edges */
    const char *scope_tree;         /* or NULL */
    const char *name;               /* of the first test of 'cycles', or NULL */
    bool places;                    /* cycles: everywhere that the bounds let threads be */
    bool each_outcome;              /* of a program, that is not sequentially consistent */
    bool tests_of_programs;         /* no cycles were asked for */
};
/* False after an error, which standard error has. */
bool generator_read(struct arena *arena, const struct options *options,
                    struct generator *generator);

/* A model that may judge generated tests, which are in PTX. NULL after an error in 'diags'. */
struct cat_model *generator_model(struct arena *arena, const char *name, struct diag_list *diags);

/* A test: a program and the outcome that it asks for. */
struct generated_test {
    const char *name, *comment; /* comment: or NULL */
    const struct generated_program *program;
    const uint32_t *values;
};
/* The name of a test for one outcome of several: the program's, and the values. */
const char *generator_name(struct arena *arena, const struct generated_program *program,
                           const uint32_t *values);
/* Called for each test, which lasts until it returns; false ends the enumeration. */
typedef bool generator_visit(void *context, const struct generated_test *test);
/* Every test, always in the same order. False after an error, which standard error has. */
bool generator_run(struct generator *generator, generator_visit *visit, void *context);

#endif
