/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_SOUNDNESS_H
#define CLI_ANSWER_WHY_SOUNDNESS_H

#include "cli/answer/mapped.h"
#include "cli/answer/why/explanation.h"

/* Is what a mapping makes of a test in C++ right? Every final state that PTX allows, of all variables and
 * locations, must be one that C++ allows, unless the test is undefined in C++. */

enum soundness_verdict {
    SOUNDNESS_SOUND,
    SOUNDNESS_UNSOUND,
    SOUNDNESS_UNDEFINED, /* in C++: racy, so there is nothing to compare */
    SOUNDNESS_EXCLUDED,  /* an object is accessed with several scopes */
    SOUNDNESS_OPEN,      /* a search did not finish, or the test is undefined in PTX only */
    SOUNDNESS_ERROR,     /* in the job's diagnostics */
};

struct soundness {
    enum soundness_verdict verdict;
    const char *profile, *target; /* the models of C++ and of PTX */
    const char *detail;           /* UNDEFINED, EXCLUDED, OPEN: what or why */
    uint32_t source_states, ptx_states, wrong_states;
    struct mapped_test mapped;
    /* UNSOUND: a state that only PTX allows, one that satisfies the test's condition if there is one; and
     * as the questions of both sides why it is allowed and why forbidden */
    const char *state;
    struct job *ptx, *source;
    struct answer ptx_answer, source_answer;
    struct explanation allowed, forbidden;
    const uint64_t *values; /* of source->test->observed */
};

/* 'profile' is a model of C++, 'target' one of PTX. All in the job's arena. */
struct soundness soundness_new(struct job *job, const struct mapping_table *mapping,
                               const char *profile, const char *target, bool mixed_scopes);

#endif
