/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_HARDWARE_H
#define CLI_ANSWER_HARDWARE_H

#include <jansson.h>

#include "litmus/base/diag.h"
#include "model/execution/outcome.h"

/* Final states that a GPU showed: what a program of 'ptxlit emit' prints with --json. */
struct hardware;

/* Reads such a file; NULL after an error in 'diags', which are told of lines and runs that are not right, too. Lives in 'arena'. */
struct hardware *hardware_read(struct arena *arena, const char *path, struct diag_list *diags);

/* What the file says of the machines that it comes from, each once: {"device", "compute", "driver", "kernel_driver", "compiler", "flags",
 * "version", "date"}, strings, as far as it says them. The caller owns the array. */
json_t *hardware_origins(const struct hardware *hardware);

/* Behind the name of a test in C++ that nvcc compiled as it is written. */
#define HARDWARE_NVCC "@nvcc"

struct hardware_seen {
    uint64_t runs;  /* 0: the file says nothing of the test */
    uint64_t asked; /* of them, those with the outcome that the test asks about */
    uint64_t unfit; /* beside them: runs whose states lack a value that the test asks for */
    double seconds; /* that they took; 0: the file does not say */
    struct outcome_set states; /* those that pass the test's filter */
    VEC(uint64_t) times;       /* how often each of them was seen */
};
/* A test is known by its name and the name of its file, without folders. One in C++ has its states from nvcc, too, where the mapping
 * is what nvcc does. In 'arena'. */
struct hardware_seen hardware_find(struct arena *arena, const struct hardware *hardware,
                                   const struct test *test, const char *path);

/* Says that the file of that path is asked about, and at last warns of the results of files that nobody asked about. */
void hardware_ask(struct hardware *hardware, const char *path);
void hardware_tell_strangers(const struct hardware *hardware, struct diag_list *diags);

/* Warns of runs that are unfit, as after a change of the test's question. */
void hardware_tell_unfit(const struct hardware_seen *seen, struct diag_list *diags);

#endif
