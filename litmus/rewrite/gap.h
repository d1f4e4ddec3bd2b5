/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_GAP_H
#define LITMUS_REWRITE_GAP_H

#include "litmus/edit/edit.h"
#include "litmus/rewrite/statement.h"

/* Places for new statements: between two neighbours, and at the ends of a block. */

struct statement_gap {
    const struct statement *before,
        *after; /* the ordered neighbours, or NULL at an end of the block */
};
struct statement_gaps {
    VEC(struct statement_gap) items;
};

/* Marks the innermost statement of the offset, and those that it is in, as ordered. */
void statement_mark(const struct statements *statements, uint32_t offset);
/* The gaps between statements that are marked; of several that nothing ordered lies between, one. */
struct statement_gaps statement_gaps(struct arena *arena, const struct statements *statements);
/* The statement "words;" in the gap, on a line of its own where the neighbour has one. */
struct rewording *gap_write(struct arena *arena, const struct source *source,
                            const struct statement_gap *gap, const char *words, uint32_t rank);
/* The text without the statement. */
struct rewording *gap_remove(struct arena *arena, const struct source *source,
                             const struct statement *statement);

#endif
