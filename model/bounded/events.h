/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_EVENTS_H
#define MODEL_BOUNDED_EVENTS_H

#include "litmus/mapping/mapping.h"
#include "model/bounded/program.h"

/* The events of a program, of C++ or of what a mapping makes of it; sets and rows of relations are words of
 * bits. Initial writes are no events: what reads from none reads the initial value. */

enum { SMALL_EVENTS = 32 };
typedef uint32_t small_set;
struct small_rel {
    small_set row[SMALL_EVENTS];
};

struct small_events {
    uint32_t count;
    small_set reads, writes, fences, weak;
    small_set acquires, releases, sc; /* an sc access acquires or releases too */
    small_set same_location[BOUNDED_LOCATIONS];
    small_set thread[BOUNDED_THREADS];
    small_set includes[SMALL_EVENTS]; /* events that it and that include each other */
    small_set later[SMALL_EVENTS];    /* in program order */
    small_set released[SMALL_EVENTS]; /* what a barrier lets happen only after it */
    uint8_t scope[SMALL_EVENTS], of_thread[SMALL_EVENTS];
    uint8_t partner[SMALL_EVENTS]; /* the other half of an atomic operation, or itself */
    /* the events of an operation, or UINT8_MAX */
    uint8_t read_of[BOUNDED_OPERATIONS], write_of[BOUNDED_OPERATIONS];
    /* the barriers of a thread: the first event behind each */
    uint8_t barriers[BOUNDED_THREADS], barrier[BOUNDED_THREADS][BOUNDED_OPERATIONS];
};

/* Of the program in C++; 'split': a seq_cst access is a fence and another one (cpp+split). Operations from
 * 'decided' on count as seq_cst, fences of the widest scope; what is plain stays so. */
void events_of_source(const struct bounded_program *program, uint32_t decided, bool split,
                      struct small_events *to);
/* Of what the mapping makes of it. Accesses from 'decided' on count as 'weakest', fences as nothing. */
void events_of_target(const struct bounded_program *program, uint32_t decided,
                      const struct mapping_table *mapping, enum sem weakest,
                      struct small_events *to);

/* Does the mapping treat all scopes alike, and does it make strong accesses only? Then scopes that reach the same
 * threads of a program need not be told apart. */
bool mapping_is_uniform(const struct mapping_table *mapping);

#endif
