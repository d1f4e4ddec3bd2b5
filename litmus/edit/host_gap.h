/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_HOST_GAP_H
#define LITMUS_EDIT_HOST_GAP_H

#include "litmus/edit/place.h"

/* Is the body that of a host thread or a host function? */
bool host_gap_is(const struct test *test, uint32_t body);
/* Is it a call that only waits for work, a statement of its own, which may be left out? */
bool host_gap_can_leave_out(const struct test *test, const struct body *body,
                            const struct inst *inst);
/* The places for new calls before a call of a host thread: to wait for a stream or the device, to record an event
 * of its own, and to let a stream wait for that event; and the call itself, for a record or a wait of another stream. Not compared yet (edit_place.least). */
struct edit_places host_gap_places(struct arena *arena, const struct test *test,
                                   const struct body *body, uint32_t inst);

#endif
