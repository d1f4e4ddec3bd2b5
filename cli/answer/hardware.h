/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_HARDWARE_H
#define CLI_ANSWER_HARDWARE_H

#include "litmus/base/diag.h"
#include "model/execution/outcome.h"

/* Final states that a GPU showed: what a program of 'ptxlit emit' prints with --json. */
struct hardware;

/* Reads such a file; NULL after an error in 'diags'. Lives in 'arena'. */
struct hardware *hardware_read(struct arena *arena, const char *path, struct diag_list *diags);

struct hardware_seen {
    uint64_t runs;             /* 0: the file says nothing of the test */
    uint64_t asked;            /* of them, those with the outcome that the test asks about */
    struct outcome_set states; /* those that pass the test's filter */
};
/* A test is known by its name and the name of its file, without folders. In 'arena'. */
struct hardware_seen hardware_find(struct arena *arena, const struct hardware *hardware,
                                   const struct test *test, const char *path);

#endif
