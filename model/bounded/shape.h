/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_SHAPE_H
#define MODEL_BOUNDED_SHAPE_H

#include "model/bounded/program.h"

/* A simple cycle has at most two accesses and a fence a thread, and at a location two accesses, or three of three
 * threads; but for one thread that is one read-modify-write. */
enum { NARROW_CYCLES = 2, WIDE_CYCLES = 3 };

/* Shapes: programs without orders and scopes. One of each class that permuting threads and renaming
 * locations, blocks, clusters and devices makes, and only those in which every operation can matter: each
 * location is shared and written, no fence stands first or last, the threads hang together, and the
 * threads of a block come to as many barriers, each of which has an access before it and one behind it. */
struct shape_bounds {
    uint32_t events; /* exactly */
    uint32_t
        cycles;   /* in simple cycles: how many accesses a location has at most; 0: every shape */
    bool failing; /* with compare and exchange that fails */
    bool barriers;
    bool
        every_place; /* every division into blocks, clusters and devices; else only those that matter where scopes
                         that reach the same threads need not be told apart: blocks of one device, and clusters
                         where a block, a cluster and the device differ by a thread each */
};
/* Gets each shape, in a fixed order; stops when it returns false. */
typedef bool shape_visit(void *context, const struct bounded_program *shape);
/* Asked of each beginning, the first thread and at most two operations of the second: are the shapes that have it
 * wanted? The others are not made. */
typedef bool shape_begin(void *context);
bool shapes_enumerate(const struct shape_bounds *bounds, shape_begin *begin, shape_visit *visit,
                      void *context);

/* Is the shape the first of its class? */
bool shape_is_canonical(const struct bounded_program *shape);

#endif
