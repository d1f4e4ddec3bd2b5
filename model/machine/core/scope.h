/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_SCOPE_H
#define MODEL_MACHINE_CORE_SCOPE_H

#include "model/machine/core/machine.h"

/* Which threads the scope of another one holds. */

/* Where a thread stands: by scope the number of its CTA, its cluster … in the whole launch. All
 * threads of the system have one number there, UNIT_ANY is everybody's. */
struct scope_place {
    uint32_t unit[SCOPE_COUNT];
};
#define UNIT_ANY UINT32_MAX
/* More than there are devices and host threads. */
enum { SCOPE_DOMAIN = 1 << 28 };

/* The threads of a CTA of the machine, after it has stood for 'round' other sets of clusters: each
 * time on the same device, but in other places of it. */
static inline struct scope_place scope_place_of(const struct machine *machine, uint32_t cta,
                                                uint32_t round)
{
    const struct cta_place *place = &machine->ctas[cta];
    struct scope_place units = {{0}};
#define PLACE(scope, member) units.unit[SCOPE_##scope] = round * machine->cta_count + place->member;
#include "litmus/isa/words.def"
    /* of a kernel in a memory synchronization domain of its own: the threads of that domain only */
    uint32_t domain = place->launch == NONE ? 0 : machine->test->launches[place->launch].domain;
    units.unit[SCOPE_GPU] = place->gpu + domain * SCOPE_DOMAIN;
    return units;
}

/* Does 'scope' of a thread at 'from' hold the one at 'to'? SCOPE_NONE, of a weak access, none. */
static inline bool scope_holds(uint32_t scope, const struct scope_place *from,
                               const struct scope_place *to)
{
    uint32_t a = from->unit[scope], b = to->unit[scope];
    return scope != SCOPE_NONE && (a == b || a == UNIT_ANY || b == UNIT_ANY);
}

/* Do both scopes hold the thread of the other? */
static inline bool scope_inclusive(const struct scope_place *a, uint32_t scope_a,
                                   const struct scope_place *b, uint32_t scope_b)
{
    return scope_holds(scope_a, a, b) && scope_holds(scope_b, b, a);
}

#endif
