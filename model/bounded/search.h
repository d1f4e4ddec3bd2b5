/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_SEARCH_H
#define MODEL_BOUNDED_SEARCH_H

#include "model/bounded/consistent.h"

/* What those share who search for the same at the same time: each takes the next beginning of shapes that nobody has. */
struct bounded_shared {
    _Atomic uint32_t next;
    _Atomic uint64_t
        end; /* shapes from this place on are not asked: lowered to where something is found */
};
#define BOUNDED_NO_END UINT64_MAX

/* Looks for a program and an execution of it that PTX allows, after a mapping, and C++ forbids: no other
 * execution with the same final state is allowed there either, and no execution has a data race. Where accesses are
 * plain or not in each other's scope the program has what guards it needs, branches on what was read. */
struct bounded_question {
    const struct mapping_table *mapping;
    bool split;           /* C++ as cpp+split reads it, else as cpp */
    bool mixed_scopes;    /* an object may be accessed with several scopes */
    uint32_t events;      /* of a program, exactly */
    uint32_t cycles;      /* see shape.h */
    bool counts_only;     /* nothing is asked */
    uint32_t part, parts; /* the shapes of every 'parts'-th beginning, from 'part' on */
    struct bounded_shared *shared;
};
struct bounded_answer {
    uint64_t shapes, programs; /* asked: programs are shapes with orders and scopes */
    bool found;
    uint64_t place; /* of the shape in the enumeration */
    struct bounded_program program;
    struct bounded_execution execution;
};
void bounded_search(const struct bounded_question *question, struct bounded_answer *answer);

/* Can the mapping be searched at this size? It may not have too many instructions. */
bool bounded_can_search(const struct mapping_table *mapping, uint32_t events);

/* The name of a location, and the value that an operation writes: 1, 2 … at each location. */
const char *bounded_location(uint32_t location);
uint32_t bounded_value(const struct bounded_program *program, uint32_t operation);
/* The program as a test in C++ that asks for what the execution reads; in 'arena'. */
const char *bounded_write(struct arena *arena, const char *name,
                          const struct bounded_program *program,
                          const struct bounded_execution *execution);

#endif
