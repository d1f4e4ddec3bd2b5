/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SEARCH_EXTRACT_H
#define SOLVER_SEARCH_EXTRACT_H

#include "solver/encode/encode.h"

enum proposal {
    PROPOSAL_READY,   /* an execution, complete */
    PROPOSAL_LEARNED, /* not one: clauses were learned that exclude it */
    PROPOSAL_BROKEN,  /* not one, and nothing says why: a mistake of ours */
};

/* The execution that the model of the last check describes, in 'scratch'. 'stuck': spin loops may
 * go round for ever. 'opposite': writes and fences that no literal orders stand the other way
 * round. */
enum proposal extract(struct encoding *encoding, struct arena *scratch, bool stuck, bool opposite,
                      struct execution **execution);

#endif
