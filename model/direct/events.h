/* SPDX-License-Identifier: MIT */
#ifndef MODEL_DIRECT_EVENTS_H
#define MODEL_DIRECT_EVENTS_H

#include "litmus/generate/program.h"
#include "model/relation/base.h"

/* The events of a generated program: initial writes first, then thread by thread; an atomic operation
 * is two. */

enum { DIRECT_EVENTS = 32, DIRECT_WRITES = 5 };
typedef uint32_t direct_set;
/* A set is the first row. */
struct direct_rel {
    direct_set row[DIRECT_EVENTS];
};

enum direct_kind { DIRECT_INIT, DIRECT_READ, DIRECT_WRITE, DIRECT_FENCE };
struct direct_event {
    uint8_t kind, thread, step, location, scope;
    uint8_t partner; /* the other half of an atomic operation, or itself */
    bool adds;       /* writes what its partner reads, and more */
    uint32_t constant;
    event_tags tags;
};
struct direct_events {
    uint32_t count;
    struct direct_event at[DIRECT_EVENTS];
    /* writes to a location, but for the initial one, and fence.sc */
    uint32_t write_count[GENERATED_LOCATIONS], fence_count;
    uint8_t writes[GENERATED_LOCATIONS][DIRECT_WRITES], fences[DIRECT_EVENTS];
    struct direct_rel base[BASE_COUNT]; /* what no choice changes; the rest is empty */
};

/* Has any program something in it? */
bool direct_has(enum base base);
/* The program can be asked about (direct.h). */
void direct_events(const struct generated_program *program, struct direct_events *events);

#endif
