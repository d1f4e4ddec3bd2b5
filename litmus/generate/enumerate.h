/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_ENUMERATE_H
#define LITMUS_GENERATE_ENUMERATE_H

#include "litmus/generate/bounds.h"

/* Every program within bounds, one of each class (canonical.h), smallest first, always in the same
 * order. Orderly: a thread that no canonical program begins with is not continued, so nothing is
 * kept of what was generated.
 *
 * A program is one test, and of nothing less:
 *   - every thread accesses memory, and threads are connected by locations that they share;
 *   - every location is written, and accessed by two threads (of one thread: twice);
 *   - a fence stands between others of its thread, and not twice in a row;
 *   - a proxy fence names a proxy that an access of the test goes through;
 *   - the threads of a CTA have barriers all equally often, and such a CTA has two threads. */

/* The programs whose first thread is the number-th, or a multiple of 'count' later: no two shares
 * have one in common, all together have every one. */
struct generate_share {
    uint32_t number, count; /* 1 <= number <= count */
};

/* Called for each program; false ends the enumeration. */
typedef bool generate_visit(void *context, const struct generated_program *program);
/* False when 'visit' ended it. */
bool generate_programs(const struct generate_bounds *bounds, struct generate_share share,
                       generate_visit *visit, void *context);
/* Have the threads of a CTA barriers equally often, and such a CTA two threads? */
bool generate_barriers_meet(const struct generated_program *program);
/* Is it one test, as above? (Whether it is canonical is another question.) */
bool generate_is_whole(const struct generated_program *program);

#endif
