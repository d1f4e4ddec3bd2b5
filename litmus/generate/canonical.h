/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_CANONICAL_H
#define LITMUS_GENERATE_CANONICAL_H

#include "litmus/generate/outcome.h"

/* Which of the programs that renaming makes of one is generated. Threads, CTAs, clusters, devices
 * and locations may be renamed; values follow. A program is read as its lengths, longest thread
 * first, then its places, then its steps, thread by thread; names count in the order in which they
 * occur. The canonical program is the one that reads smallest. */

/* An order of threads: the thread that comes k-th. */
struct thread_order {
    uint8_t at[GENERATED_THREADS];
};
enum { THREAD_ORDERS = 24 };
struct thread_orders {
    uint32_t count;
    struct thread_order at[THREAD_ORDERS];
};

/* The places with names in the order in which 'order' meets them. */
void canonical_places(const struct generated_program *program, const struct thread_order *order,
                      struct generated_place *places);
/* The orders that leave lengths and places as they are; false when some order makes places that
 * read smaller. */
bool canonical_orders(const struct generated_program *program, struct thread_orders *orders);
/* Does no order of the first 'threads' threads, among those given, make steps that read smaller?
 * What holds of all threads holds of the first of them. */
bool canonical_steps(const struct generated_program *program, const struct thread_orders *orders,
                     uint32_t threads);
/* The canonical program of the class. */
void canonical_form(const struct generated_program *program, struct generated_program *canonical);
/* The same of a program with an outcome ('values': as generated_observe has them). */
void canonical_test(const struct generated_program *program, const uint32_t *values,
                    struct generated_program *canonical, uint32_t *canonical_values);
/* Of the tests that an order of threads makes of this one, without changing which accesses there are and where,
 * is this the one that reads smallest? How strong accesses are and what stands between them may change. */
bool canonical_outcome(const struct generated_program *program, const uint32_t *values);

#endif
