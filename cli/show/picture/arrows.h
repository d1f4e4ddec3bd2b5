/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_ARROWS_H
#define CLI_SHOW_PICTURE_ARROWS_H

#include "cli/answer/explanation.h"

/* Which edges of an execution a picture shows: enough to follow the argument, no more. Orders
 * without what follows from other edges; initial writes only where the cycle needs them; causality
 * where the cycle has it, beside the edges that make it; of a host program's calls those that order
 * something; a task in which nothing happens as one event. */

enum arrow_kind {
#define ARROW(kind, ...) ARROW_##kind,
#include "cli/show/picture/arrow.def"
#undef ARROW
    ARROW_KINDS
};

/* A row of arrow.def. */
struct arrow_style {
    const char *relation, *label;
};
extern const struct arrow_style arrow_styles[ARROW_KINDS];

/* All that relates two events in one direction. */
struct arrow {
    event_id from, to;
    uint32_t kinds;    /* bit k: enum arrow_kind */
    const char *label; /* names them all */
    bool in_cycle;     /* part of what breaks the axiom */
};
struct arrow_list {
    VEC(struct arrow) items;
    bool *shown;    /* an event: drawn at all, by itself */
    event_id *with; /* an event: the end of its task, drawn in its node, or NONE */
    bool *in_cycle; /* an event: on the cycle */
};

/* Needs explanation->execution; in the job's arena. Sorted by 'from', then 'to'. */
struct arrow_list arrows_new(const struct explanation *explanation);

#endif
