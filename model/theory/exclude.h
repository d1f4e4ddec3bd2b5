/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_EXCLUDE_H
#define MODEL_THEORY_EXCLUDE_H

#include "model/execution/exclusion.h"
#include "model/theory/theory.h"

/* Found from the bounds of every relation before anything is searched. All axioms but flags count. 'total_only': no
 * more than which writes are ordered, which costs little. */
struct exclusion theory_exclude(struct theory *theory, struct arena *arena, bool total_only);

#endif
