/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_HANG_H
#define CLI_ANSWER_HANG_H

#include "cli/answer/ending.h"

/* Does a test hang (of host programs cuda-api-sync 11)? Certainly, when no execution ends; possibly, when a fair one
 * does not, or one in which work that need not run beside other work does not start. */
struct answer_hang {
    const char *name;            /* "hang-certain", "hang-possible"; NULL: no, or nobody knows */
    bool maybe_certain;          /* no end was found, and the search for one stopped early */
    const char *detail;          /* who goes round, or why nobody knows; NULL: it does not hang */
    const struct execution *run; /* one that does, as the axioms have it */
    struct ending *lasso;        /* or as the executor has; NULL: neither has */
};

/* Nobody knows whether it hangs, or whether it is certain to. */
static inline bool hang_open(const struct answer_hang *hang)
{
    return hang->maybe_certain || (hang->detail && !hang->name);
}

/* Does no execution end? Then no outcome is reached, whatever the axioms say. */
bool hang_is_all(const struct job *job, const struct solver_result *found);
/* 'found': what holds of the executions that end. Tests without loops that wait give none. It is asked about host programs,
 * and of other tests, where it is not said for barriers already, when no execution ends, or when 'wanted'. */
struct answer_hang hang_find(struct job *job, const struct solver_result *found, bool wanted);
/* The same, where 'found' are all executions that end: without one it certainly hangs, whether or not the axioms see who does. */
struct answer_hang hang_of_interleavings(struct job *job, const struct solver_result *found,
                                         bool wanted);

#endif
