/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_REPAIR_MINIMAL_H
#define SOLVER_REPAIR_MINIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/base/arena.h"

/* Minimal choices that suffice, cheapest first. At each place one option is chosen, 0 unless anything is edited there;
 * a choice that includes one that suffices is taken to suffice, and one that is included in one that does not, not to.
 *
 * A choice that does not suffice is grown, place by place, while it does not; then whatever suffices has at some
 * place an option that the grown choice does not include. The choices that satisfy all such clauses are looked
 * through from the cheapest on: minimal hitting sets. */

enum { MINIMAL_MOST_OPTIONS = 64 };
struct minimal_place {
    uint32_t count;        /* options, 0 the first; at most MINIMAL_MOST_OPTIONS */
    const uint32_t *cost;  /* of each; an option costs at least 1 more than any that it includes */
    const uint64_t *least; /* of each: bit i, it includes option i */
    bool shy; /* an option may undo what one at another place does: choices are not grown here */
};

enum minimal_answer {
    MINIMAL_SHORT,  /* it does not suffice */
    MINIMAL_ENOUGH, /* it does */
    MINIMAL_OPEN,   /* nobody knows: it is neither grown from nor given as a result */
};

enum minimal_use {
    MINIMAL_REFUSED,  /* no result; it may be part of one */
    MINIMAL_TAKEN,    /* a result: what includes it is none */
    MINIMAL_REPEATED, /* the same as a result in other words: so is what includes it */
};

struct minimal_set {
    const uint8_t *choice; /* an option a place */
    uint32_t cost, size;   /* size: places that are not at option 0 */
};

struct minimal_question {
    const struct minimal_place *places;
    uint32_t place_count;
    uint32_t most_edits, most_sets; /* of a set; of sets */
    /* Does the choice suffice? 'context' is handed on. */
    enum minimal_answer (*ask)(void *context, const uint8_t *choice);
    /* Of a choice that suffices and is minimal: is it a result? */
    enum minimal_use (*accept)(void *context, const struct minimal_set *set);
    /* Is there time for more? 'shy': choices with options at shy places are looked through, which comes last: as nothing is
     * learned of those, there may be many. */
    bool (*go_on)(void *context, bool shy);
    void *context;
    /* The strongest choice suffices, and often one that is much weaker: begin with minimal choices below it. They are
     * results too where the search stops before it comes to them, cheapest first or not. */
    bool descends;
};

struct minimal_result {
    VEC(struct minimal_set)
    sets;          /* those with few options at shy places first; then the cheapest first */
    bool possible; /* choosing the strongest at every place suffices, or some place is shy */
    bool larger;   /* sets of more edits than asked for were left out */
    bool more;     /* most_sets were found, and there may be more */
    bool open;     /* some choice was not decided, or the time ran out */
    uint32_t asked, clauses;
    uint8_t *strongest; /* what was asked for 'possible' */
};

/* All in 'arena'. */
struct minimal_result minimal_find(struct arena *arena, const struct minimal_question *question);

#endif
