/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PLAN_H
#define CLI_SHOW_PICTURE_PLAN_H

#include "cli/answer/stall.h"
#include "cli/answer/why/explanation.h"
#include "cli/show/picture/grid.h"
#include "cli/show/picture/picture.h"

/* The picture of an execution before it is painted. picture_plan_* fill it in, in the order below;
 * what they make is in its arena. */

enum arrow_kind {
#define ARROW(kind, ...) ARROW_##kind,
#include "cli/show/picture/arrow.def"
#undef ARROW
    ARROW_KINDS
};

/* A row of arrow.def. */
struct arrow_row {
    const char *relation, *label;
};
extern const struct arrow_row arrow_rows[ARROW_KINDS];

/* All that relates two events in one direction. */
struct arrow {
    event_id from, to;
    uint32_t kinds;    /* bit k: enum arrow_kind */
    const char *label; /* names them all */
    bool in_cycle;     /* part of what breaks the axiom */
    /* its way, a Bezier curve of 3n + 1 points, and where its head ends */
    struct point *way, tip;
    uint32_t points;
    struct point label_at; /* the middle */
};

struct picture_node {
    event_id event; /* or NONE: a title */
    struct rectangle at;
    const char *text; /* lines separated by '\n' */
    uint32_t box;     /* innermost box around it, or NONE */
};

struct picture_plan {
    struct picture_view view;
    const struct explanation *explanation; /* given, with an execution, and what is in it */
    const struct execution *execution;
    const struct graph *graph;
    struct arena *arena; /* the job's */

    struct stall_list stalls; /* threads that never end, with what they do for ever */
    VEC(struct arrow) arrows; /* sorted by 'from', then 'to' */
    bool *shown;              /* an event: drawn at all, by itself */
    event_id *with;           /* an event: the end of its task, drawn in its node, or NONE */
    bool *in_cycle;           /* an event: on the cycle */
    const char **text;        /* an event that is drawn */

    uint32_t *row; /* an event that is drawn: from 0 at the top */
    uint32_t row_count;
    bool timed; /* time runs downwards */

    struct picture_lane *lanes; /* from left to right */
    uint32_t lane_count;
    uint32_t *lane_of; /* a thread: its lane, or NONE when it has nothing to show */

    struct picture_grid grid;
    VEC(struct picture_node) nodes;
    uint32_t *node_of; /* an event that is drawn */
};

/* The arrow between two events, made when there is none. */
struct arrow *picture_arrow(struct picture_plan *plan, event_id from, event_id to);
/* What breaks the axiom: the edges of its cycle or, of 'empty r', the ways in which r relates two
 * events; each from the outermost relation inwards to one that readers know. */
void picture_plan_cycle(struct picture_plan *plan);
/* Which edges are shown: enough to follow the argument, no more. Orders without what follows from
 * other edges; initial writes only where the cycle needs them; causality where the cycle has it,
 * beside the edges that make it; of a host program's calls those that order something; a task in
 * which nothing happens as one event. */
void picture_plan_arrows(struct picture_plan *plan);
/* An event's letter, what it does and which value it moves: one or two lines. */
void picture_plan_texts(struct picture_plan *plan);
/* In a test of columns the row of an event is its place in its thread, so that threads begin side
 * by side. With a host program, whose tasks come one after the other, it is as far down as the
 * longest way of program order and synchronization that leads to it. */
void picture_plan_rows(struct picture_plan *plan);
/* A thread each; the tasks of a stream share as few as are needed for those that run at a time. */
void picture_plan_lanes(struct picture_plan *plan);
/* The nodes, on the grid. */
void picture_plan_nodes(struct picture_plan *plan);
/* The ways of the arrows around the nodes, as Graphviz's library finds them; false when it does
 * not. */
bool picture_plan_ways(struct picture_plan *plan);
/* Labels stand beside their arrow, clear of nodes and other labels unless there is no other place,
 * and across as few lines as possible. Short arrows choose first. */
void picture_plan_labels(struct picture_plan *plan);

/* The way so much to the left of the arrow's: as many points, and the tip. */
struct point *picture_way_aside(const struct picture_plan *plan, const struct arrow *arrow,
                                double distance);
/* Below what was painted: a line for each kind of arrow in the plan, and what it means. */
void picture_legend(const struct picture_plan *plan, struct painting *painting);
/* What is seen, for those who do not see it: the arrows that break the axiom, or all. */
const char *picture_words(const struct picture_plan *plan);
/* The plan as text for Graphviz: every position is in it, so that 'neato -n2' draws what 'ptxlit'
 * would. The caller frees it. */
GString *picture_dot(const struct picture_plan *plan, const char *title);
/* "ld.acquire.gpu [flag]" of "ld.acquire.gpu.u32 %r1, [flag]". */
const char *picture_brief(struct arena *arena, const char *text);

#endif
