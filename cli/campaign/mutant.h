/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAMPAIGN_MUTANT_H
#define CLI_CAMPAIGN_MUTANT_H

#include "cli/repair/variant.h"

/* A test whose outcome is forbidden, with one access, fence or barrier in a weaker form, so that the outcome is allowed:
 * of the weaker forms at one place the strongest that do so. A run that never sees the outcome of the mutant tells
 * nothing when it does not see that of the test (Levine et al., MC Mutants, ASPLOS 2023). */
struct mutant {
    const struct test *test; /* "NAME~K", the K-th of the test called NAME, from 1 on */
    const char *change; /* "P0, line 5: 'st.release.gpu.u32 [y], 1' becomes 'st.relaxed.gpu.u32'" */
    struct job *job;    /* read and unfolded, with this test */
};
typedef void mutant_visit(void *context, const struct mutant *mutant);

/* What is known of a test that may have mutants. */
enum mutant_origin {
    MUTANT_FORBIDDEN, /* its outcome is: all of its mutants were visited */
    MUTANT_ALLOWED,   /* its outcome is allowed: it has none */
    MUTANT_OPEN       /* that is not decided, of it or of a mutant: others were visited */
};

/* Calls 'visit' for each mutant of the job's test, which is read and unfolded; a mutant lives until the call returns.
 * The same mutants come in the same order every time. */
enum mutant_origin mutants_each(struct job *job, mutant_visit *visit, void *context);

#endif
