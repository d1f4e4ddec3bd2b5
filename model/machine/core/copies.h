/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_COPIES_H
#define MODEL_MACHINE_CORE_COPIES_H

#include "model/machine/core/state.h"

/* Groups of asynchronous copies: cp.async has its own, and so have bulk copies (PTX 9.7.9.25.3, 9.7.9.25.4). A
 * bulk copy that tells an mbarrier is in none. */

/* Of what kind are the copies that a commit, or a wait, is about? */
static inline unsigned copy_kind(enum op op)
{
    return op == OP_CP_ASYNC_BULK_COMMIT || op == OP_CP_ASYNC_BULK_WAIT ? COPY_BULK : COPY_SMALL;
}

/* Is it to be in the next group of this kind that is committed? */
static inline bool copy_joins(const struct copy *copy, unsigned kind)
{
    return copy->kind == kind && !copy->mbarrier && copy->group == 0;
}

/* Does a wait for the groups up to 'last' name it? UINT32_MAX: also one of no group. */
static inline bool copy_is_awaited(const struct copy *copy, unsigned kind, uint32_t last)
{
    return copy->kind == kind && !copy->mbarrier &&
           (last == UINT32_MAX || (copy->group && copy->group <= last));
}

#endif
