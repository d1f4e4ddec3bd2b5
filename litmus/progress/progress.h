/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PROGRESS_PROGRESS_H
#define LITMUS_PROGRESS_PROGRESS_H

#include "litmus/base/arena.h"

/* What a scheduler guarantees: which threads it owes a turn. Any thread may move at any time; this
 * only says who must not be forgotten. */

enum progress_model {
#define PROGRESS(id, name) PROGRESS_##id,
#include "litmus/progress/progress.def"
#undef PROGRESS
    PROGRESS_COUNT
};

/* A flat scheduler takes all threads for one group, wherever they stand. A scoped one has units: a
 * unit has started when one of its threads has, 'units' says which units are owed a turn, and
 * 'threads' to which of their threads. */
struct guarantee {
    enum progress_model threads, units;
    enum progress_unit { PROGRESS_FLAT, PROGRESS_CTA, PROGRESS_CUDA } unit;
};

/* "fair", "hsa" …; "cta=A,gpu=B", where one that is missing is fair; or "cuda": clusters that have started
 * go on, all of their threads, and every thread of a cooperative launch. False: it is none of these. */
bool progress_parse(const char *text, struct guarantee *progress);
/* Is every thread owed a turn, wherever it stands and whether it has started? */
static inline bool progress_is_fair(const struct guarantee *progress)
{
    return progress->threads == PROGRESS_FAIR && progress->units == PROGRESS_FAIR &&
           progress->unit != PROGRESS_CUDA;
}
const char *progress_words(void); /* what progress_parse takes, for diagnostics */
/* The words that progress_parse takes for it, in one way whatever was written. */
const char *progress_name(struct arena *arena, const struct guarantee *progress);

#endif
