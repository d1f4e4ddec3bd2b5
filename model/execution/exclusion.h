/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_EXCLUSION_H
#define MODEL_EXECUTION_EXCLUSION_H

#include "model/graph/graph.h"
#include "model/value/rel.h"
#include "model/value/fact.h"

/* Choices that no consistent execution makes, whatever its others are. The first two may be NULL: not looked for. */
struct exclusion {
    bool **origin;       /* a read: the writes that it takes no byte from; NULL: none is known */
    bool *overwritten;   /* a write: another comes after it in all its bytes, in every execution */
    struct fact_list co; /* that do not hold */
    struct rel *total; /* writes that coherence relates, one way or the other, where both execute */
};

#endif
