/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_POINTING_H
#define MODEL_MACHINE_STEP_POINTING_H

#include "model/machine/core/state.h"

/* Where the accesses of a lane may go, whatever it reads from memory. Its registers are followed along its program, on
 * every path that a guard which is known does not exclude: a number that the test gives, one that is counted or computed
 * from such, or one that comes from memory or from other lanes. */

enum pointing_kind {
    POINTING_NEVER, /* the lane does not get there */
    POINTING_AT,    /* one address */
    POINTING_INTO,  /* somewhere in one object */
    POINTING_ANYWHERE
};
struct pointing {
    enum pointing_kind kind;
    uint64_t address; /* AT */
    /* INTO: the object whose address the number was added to; NULL: the lane's own local memory. That it stays in there
     * is an assumption about the program, which whoever runs it has to check. */
    const struct region *region;
};

/* By micro of its program; of one that is no access it says only whether the lane may get there. 'state': the
 * initial one. NULL: the lane has no program, or one that is too large. In 'arena'. */
struct pointing *pointing_find(struct arena *arena, const struct machine *machine,
                               struct state *state, uint32_t lane);

#endif
