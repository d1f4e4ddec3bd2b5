/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_SHADOW_H
#define MODEL_MACHINE_RACE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* The accesses to a piece of memory that a later one may still race with, for the race detector. */

/* Who, when and how. Accesses of one warp at one time and of one kind share a stamp. */
struct stamp {
    uint32_t warp;  /* of the whole grid, plus 1; 0: none */
    uint32_t lanes; /* a bit each */
    uint32_t time;
    uint32_t how; /* stamp_how */
};

/* The time of an access by a copy of which nobody knows yet that it is over. */
#define STAMP_PENDING UINT32_MAX
/* By an asynchronous copy that its thread has not waited for; through the async proxy. */
enum { STAMP_COPY = 1 << 9, STAMP_ASYNC = 1 << 10 };

/* Instruction, direction, size and strength of an access. */
static inline uint32_t stamp_how(uint32_t pc, bool writes, uint32_t bytes, uint32_t scope)
{
    return pc << 11 | (uint32_t)writes << 8 | (bytes & 31) << 3 | (scope & 7);
}
static inline uint32_t stamp_pc(const struct stamp *s)
{
    return s->how >> 11;
}
static inline bool stamp_writes(const struct stamp *s)
{
    return s->how >> 8 & 1;
}
static inline uint32_t stamp_bytes(const struct stamp *s)
{
    return s->how >> 3 & 31;
}
static inline uint32_t stamp_scope(const struct stamp *s) /* SCOPE_NONE: weak */
{
    return s->how & 7;
}
static inline bool stamp_same_kind(const struct stamp *a, const struct stamp *b)
{
    return a->warp == b->warp && a->time == b->time && a->how == b->how;
}

/* Those beside the last write and the last read. Of a lane's accesses of one kind only the newest
 * is kept: what comes after it comes after the others. */
struct stamps {
    uint32_t count, capacity;
    uint32_t loose;   /* the first ones: weak, or by copies */
    uint32_t weakest; /* the least scope among the others */
    uint32_t bytes;   /* the size of all others, or 0 when they differ */
    bool writes;      /* some of all write */
    struct stamp at[];
};

struct cell {
    struct stamp write, read;
    struct stamps *more; /* or NULL */
    uint32_t value;      /* what 'write' stored there, if that is 'known' */
    uint32_t known : 1;
    uint32_t chain : 31; /* since then every write was an atomic that observed the one before it */
};

/* A region in cells of one size, each the accesses to its bytes. Every access so far covers whole
 * cells: they are large where accesses are, and split before the first that is smaller. {0}: none
 * yet. */
struct cells {
    struct cell *at;
    uint32_t count, shift; /* log2 of a cell's bytes */
};

/* Remembers one more; *stamps is NULL or was made here (g_free). */
void shadow_add(struct stamps **stamps, const struct stamp *stamp);
void shadow_clear(struct stamps *stamps);
/* The same where there is room for it: after shadow_clear, for those that were there before, in their order. */
void shadow_keep(struct stamps *stamps, const struct stamp *stamp);

void cells_start(struct cells *cells, uint32_t bytes, uint32_t shift);
/* Into cells of 1 << shift bytes, no more than they have. */
void cells_split(struct cells *cells, uint32_t shift);
void cells_free(struct cells *cells);

#endif
