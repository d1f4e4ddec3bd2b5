/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_NEED_H
#define LITMUS_EDIT_NEED_H

#include "litmus/test/test.h"

/* What orders between the threads of a test can be about. */
struct need {
    uint32_t scopes; /* bit s: SCOPE s is the narrowest that includes some two threads */
    uint32_t
        proxies; /* bit p: some access goes through PROXY p, ALIAS for two names of one location */
    bool warp;   /* some two threads are of one warp */
    bool shared; /* there is shared memory */
};

struct need need_of(struct arena *arena, const struct test *test);
/* The lanes of the column's warp that the test shows, as a mask; 0 when it is the only one. */
uint32_t need_lanes(const struct test *test, const struct body *body);
/* Is another thread of the body's in the same place, of its own code or of another's? */
bool need_meets(const struct test *test, const struct body *body, enum scope scope);

#endif
