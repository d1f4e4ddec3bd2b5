/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

const struct arrow_row arrow_rows[ARROW_KINDS] = {
#define ARROW(kind, relation, label, ...) {relation, label},
#include "cli/show/picture/arrow.def"
#undef ARROW
};

struct arrow *picture_arrow(struct picture_plan *p, event_id from, event_id to)
{
    for (uint32_t i = 0; i < p->arrows.len; i++)
        if (p->arrows.at[i].from == from && p->arrows.at[i].to == to)
            return &p->arrows.at[i];
    vec_push(p->arena, &p->arrows, ((struct arrow){.from = from, .to = to}));
    return &p->arrows.at[p->arrows.len - 1];
}
