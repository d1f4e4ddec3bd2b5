/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_GAP_H
#define LITMUS_EDIT_GAP_H

#include "litmus/edit/need.h"
#include "litmus/edit/place.h"

/* The places for new instructions beside an instruction of a body: none where the next gap is the same, and barriers
 * alone where nothing that a fence could order stands on one side: in a host program that is never so. Each has one kind of instruction: a fence of memory, one of each
 * proxy, a barrier. Not compared yet (edit_place.least). */
struct edit_places gap_places(struct arena *arena, const struct test *test, const struct need *need,
                              const struct body *body, uint32_t inst);

/* The same on one side of the instruction only, whatever stands there. */
struct edit_places gap_beside(struct arena *arena, const struct test *test, const struct need *need,
                              const struct body *body, uint32_t inst, enum edit_kind side);

#endif
