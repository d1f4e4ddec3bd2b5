/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_WAIT_GAP_H
#define LITMUS_EDIT_WAIT_GAP_H

#include "litmus/edit/need.h"
#include "litmus/edit/place.h"

/* The places for code that waits, of several instructions, beside an instruction of a body: a wait for a phase of each
 * mbarrier that the test names, where the body may ask it, and a barrier of the cluster. Not compared yet
 * (edit_place.least). In 'arena'. */
struct edit_places wait_gap_places(struct arena *arena, const struct test *test,
                                   const struct need *need, const struct body *body, uint32_t inst,
                                   enum edit_kind side);

#endif
