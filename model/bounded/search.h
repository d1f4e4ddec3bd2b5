/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_SEARCH_H
#define MODEL_BOUNDED_SEARCH_H

#include "model/bounded/consistent.h"

/* Looks for a program and an execution of it that PTX allows, after a mapping, and C++ forbids: no other
 * execution with the same final state is allowed there either. Accesses that conflict are in each other's
 * scope, so no program has a data race. */
struct bounded_question {
    const struct mapping_table *mapping;
    bool split;           /* C++ as cpp+split reads it, else as cpp */
    bool mixed_scopes;    /* an object may be accessed with several scopes */
    uint32_t events;      /* of a program, exactly */
    bool cycles_only;     /* see shape.h */
    bool counts_only;     /* nothing is asked */
    uint32_t part, parts; /* every 'parts'-th shape, from 'part' on */
    /* Shapes from this number on are not asked; shared by those who search at the same time, and lowered
     * to the shape in which one of them finds something. */
    volatile int *end;
};
struct bounded_answer {
    uint64_t shapes, programs; /* asked: programs are shapes with orders and scopes */
    bool found;
    int shape; /* the number of the shape */
    struct bounded_program program;
    struct bounded_execution execution;
};
void bounded_search(const struct bounded_question *question, struct bounded_answer *answer);

/* Can the mapping be searched at this size? It may not have weak accesses or too many instructions. */
bool bounded_can_search(const struct mapping_table *mapping, uint32_t events);

/* The name of a location, and the value that an operation writes: 1, 2 … at each location. */
const char *bounded_location(uint32_t location);
uint32_t bounded_value(const struct bounded_program *program, uint32_t operation);
/* The program as a test in C++ that asks for what the execution reads; in 'arena'. */
const char *bounded_write(struct arena *arena, const char *name,
                          const struct bounded_program *program,
                          const struct bounded_execution *execution);

#endif
