/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_CLOCK_H
#define MODEL_MACHINE_RACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The clocks of the race detector: for single threads, warps or whole CTAs the last time of which a
 * thread knows. Clocks are immutable and reference-counted; joining two makes a new one. NULL is
 * the clock that knows nothing. */
struct clock;

/* Names of what a clock tells the time of; 'id' is a thread, warp or CTA number of the whole grid.
 * COPIES: of the asynchronous copies that the thread started. */
#define CLOCK_THREAD(id) ((uint64_t)(id))
#define CLOCK_WARP(id)   (UINT64_C(1) << 60 | (uint64_t)(id))
#define CLOCK_CTA(id)    (UINT64_C(2) << 60 | (uint64_t)(id))

#define CLOCK_COPIES(id) (UINT64_C(3) << 60 | (uint64_t)(id))

struct clock_entry {
    uint64_t key;
    uint32_t time;
};

/* The later of both, entry by entry; a new reference. */
struct clock *clock_join(struct clock *a, struct clock *b);
/* 'a' with entries (sorted by key) added; a new reference. */
struct clock *clock_with(struct clock *a, const struct clock_entry *entries, uint32_t count);
/* Joins 'news' to the clock at 'to', a reference of its owner's. */
void clock_add(struct clock **to, struct clock *news);
uint32_t clock_time(const struct clock *clock, uint64_t key); /* 0: never heard of it */
struct clock *clock_ref(struct clock *clock);
void clock_unref(struct clock *clock);

#endif
