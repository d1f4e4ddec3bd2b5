/* SPDX-License-Identifier: MIT */
#ifndef TESTS_CONFIRM_KNOWLEDGE_H
#define TESTS_CONFIRM_KNOWLEDGE_H

#include "model/relation/base.h"

/* What some facts alone say about the base relations. Written apart from the reasons
 * (model/relation/kind.h), so that each can be held against the other. */
struct knowledge {
    const struct bases *bases;
    const struct fact_list *facts;
    struct rel *possible;            /* may execute */
    struct rel *certain;             /* execute */
    struct rel *before, *not_before; /* coherence, as far as it is said */
    struct rel *sc_before, *not_sc_before;
};

struct knowledge *knowledge_new(struct arena *arena, const struct bases *bases,
                                const struct fact_list *facts);
/* Members, and pairs, that are there in every execution in which the facts hold and they execute
 * (lower), and that are in some (upper). Operations that are not counted have the completion they
 * have in the execution looked at, once the facts say what it hangs on. */
void knowledge_set(const struct knowledge *knowledge, enum base base, struct rel *lower,
                   struct rel *upper);
void knowledge_rel(const struct knowledge *knowledge, enum base base, struct rel *lower,
                   struct rel *upper);

#endif
