/* SPDX-License-Identifier: MIT */
#ifndef TESTS_MUTATION_SUBJECT_H
#define TESTS_MUTATION_SUBJECT_H

#include "cli/work/walk.h"
#include "solver/solver.h"

/* What a model says of a test, as far as the corpus expects anything of it. */
struct verdict {
    bool known; /* the search ended in time */
    bool reachable, outside, undefined;
    bool reachable_torn; /* when accesses mix byte by byte */
    uint32_t flags;      /* kinds of flags that were raised: bits of enum flag_kind */
};

/* A corpus test, unfolded once: the graphs do not depend on the model. */
struct subject {
    struct graph **graphs;
    uint32_t graph_count;
    struct graph *
        *torn; /* where it matters, those with accesses that mix byte by byte, else NULL */
    uint32_t torn_count;
    /* the test says something about races or misuse, so look for them in every execution */
    bool races;
};

/* Reads and unfolds the test into 'arena'. It is left out, without graphs, when it expects nothing
 * of that model or cannot be read. */
void subject_load(struct subject *subject, struct arena *arena, const struct input *input,
                  const char *model);
struct verdict subject_ask(const struct subject *subject, const struct cat_model *model);
bool verdict_differs(struct verdict a, struct verdict b); /* both known and not the same */

#endif
