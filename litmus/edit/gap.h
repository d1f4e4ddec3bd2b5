/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_GAP_H
#define LITMUS_EDIT_GAP_H

#include "litmus/edit/need.h"
#include "litmus/edit/place.h"

/* The places for new instructions beside an instruction of a body: none where nothing that they could order stands
 * on both sides, or where the next gap is the same. Each has one kind of instruction: a fence of memory, one of each
 * proxy, a barrier. Not compared yet (edit_place.least). */
struct edit_places gap_places(struct arena *arena, const struct test *test, const struct need *need,
                              const struct body *body, uint32_t inst);

#endif
