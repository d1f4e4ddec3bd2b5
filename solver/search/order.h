/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SEARCH_ORDER_H
#define SOLVER_SEARCH_ORDER_H

#include "solver/encode/encode.h"

/* Coherence and Fence-SC of the model at hand. Pairs without a literal are filled in: coherence is
 * closed transitively, fences are put in a total order that respects the literals; with 'opposite'
 * what is free stands the other way round. False when the literals do not allow it, and then
 * clauses were learned that say why. */
bool order_settle(struct encoding *encoding, struct arena *scratch, struct execution *execution,
                  bool opposite);

#endif
