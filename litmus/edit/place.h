/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_PLACE_H
#define LITMUS_EDIT_PLACE_H

#include "litmus/edit/edit.h"

/* Where the code of a test may be edited, and the choices at each place. */

/* One choice at a place. */
struct edit_option {
    struct inst inst; /* what would stand there; of a place that is left empty, op is OP_COUNT */
    struct edit edit; /* that makes it so */
    const struct edit
        *also; /* of code in C++: what it changes in the PTX that was compiled from it */
    uint32_t also_count;
    bool edits; /* false: it is what stands there already */
};

/* An instruction, or a gap beside one for new instructions of one kind. */
enum { EDIT_MOST_OPTIONS = 64 };
struct edit_place {
    const struct body *body;
    const struct inst *inst; /* that stands there or that the gap is beside */
    bool gap;
    bool
        shy; /* what is chosen here may undo what another place does: barriers meet by their number, and a
                 call may use what another has changed */
    VEC(struct edit_option) options; /* no more than EDIT_MOST_OPTIONS, the weakest first */
    /* So many orders all that the first does; those behind have a stronger order in a narrower scope. */
    uint32_t wide;
    uint64_t *least; /* of those: bit i is set when it orders all that option i does */
};
struct edit_places {
    VEC(struct edit_place) items;
};

/* Adds a place, when there is a choice, and compares its options; each includes the first. */
void edit_places_add(struct arena *arena, struct edit_places *places, struct edit_place place);
/* Each barrier, and each call of a host thread that waits for work, to be left out, for what waits too long. Option 0
 * leaves it as it is. */
struct edit_places edit_places_fewer(struct arena *arena, const struct test *test);
/* To order more: every stronger form of each access and fence, in the scopes that tell threads of the test apart;
 * between accesses, fences and barriers that the test could need. Option 0 leaves the place as it is. */
struct edit_places edit_places_stronger(struct arena *arena, const struct test *test);
/* Of those, new calls of host threads alone, and all but those. */
struct edit_places edit_places_host(struct arena *arena, const struct test *test);
struct edit_places edit_places_kernels(struct arena *arena, const struct test *test);
/* To order less: every weaker form of each access, fence and barrier, without it where it can be left out. Option 0
 * is the weakest, the last option what stands there; a place has at least two. */
struct edit_places edit_places_weaker(struct arena *arena, const struct test *test);

#endif
