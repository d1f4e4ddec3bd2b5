/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_SHAPE_H
#define MODEL_BOUNDED_SHAPE_H

#include "model/bounded/program.h"

/* Shapes: programs without orders and scopes. One of each class that permuting threads and renaming
 * locations and blocks makes, and only those in which every operation can matter: each location is
 * shared and written, no fence stands first or last, and the threads hang together. */
struct shape_bounds {
    uint32_t events; /* exactly */
    bool
        cycles_only; /* at most two accesses a thread, and two threads a location, but for those that
                         are one read-modify-write: what simple cycles are made of */
    bool failing;    /* with compare and exchange that fails */
};
/* Gets each shape, in a fixed order; stops when it returns false. */
typedef bool shape_visit(void *context, const struct bounded_program *shape);
bool shapes_enumerate(const struct shape_bounds *bounds, shape_visit *visit, void *context);

/* Is the shape the first of its class? */
bool shape_is_canonical(const struct bounded_program *shape);

#endif
