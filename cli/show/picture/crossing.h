/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_CROSSING_H
#define CLI_SHOW_PICTURE_CROSSING_H

#include "litmus/base/arena.h"
#include "model/machine/core/memory.h"

/* Where the lanes of a timeline waited for each other: barriers of CTAs and clusters, and the phases of mbarrier
 * objects. The memory of a run is told of them; while it listens, a timeline stands in between. */

struct timeline;

/* One generation of a barrier, or one phase of a cluster's. */
struct crossing {
    enum sync_kind kind; /* of those that leave */
    uint32_t place, id, generation;
    uint32_t row; /* of the last arrival */
    VEC(uint32_t) arrived, left;
};
struct crossing_list {
    VEC(struct crossing) items;
};

struct listener {
    struct memory_ops ops; /* the memory's, with those of this module in front */
    const struct memory_ops *real;
    struct timeline *timeline;
};
/* From now on the run tells the timeline. */
void listener_attach(struct listener *listener, struct timeline *timeline, struct run *run);
void listener_detach(const struct listener *listener, struct run *run);

#endif
