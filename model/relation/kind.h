/* SPDX-License-Identifier: MIT */
#ifndef MODEL_RELATION_KIND_H
#define MODEL_RELATION_KIND_H

#include "model/relation/base.h"

typedef bool relation_test(const struct bases *bases, enum base base, event_id a, event_id b);

/* What the kinds of base relations (base.def) have in common: each says the same things of its relations, in a file
 * of its own. PLACED has none: its relations hang on nothing but which events execute. */
struct relation_kind {
    /* Does it hang on more than which events execute? NULL: yes. */
    bool (*is_open)(const struct bases *bases, enum base base);
    /* Of a pair that some execution relates: is it there whenever both events execute? */
    relation_test *must;
    /* Of a pair whose events execute: is it there? NULL: 'fill' says it of all pairs, and finds 'to' full of those
     * that may be there and whose events execute. */
    relation_test *holds;
    void (*fill)(const struct bases *bases, enum base base, struct rel *to);
    /* base_why of a pair whose events execute. */
    void (*why)(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
                struct fact_sink *sink);
    /* Facts that fix every relation of the kind. */
    void (*why_all)(const struct bases *bases, struct fact_sink *sink);
};
extern const struct relation_kind relation_edges, relation_located, relation_completed,
    relation_chosen;

/* Fills 'writers' and 'co' of an execution just looked at. */
void relation_note_writes(struct bases *bases);
/* Removes the pairs of which 'holds' is false. */
void relation_keep(const struct bases *bases, enum base base, relation_test *holds, struct rel *to);

/* ---- facts ---------------------------------------------------------------------------------- */

/* The value of the expression, unless it is always the same. */
void relation_say_expr(const struct bases *bases, expr_id expr, struct fact_sink *sink);
/* The address of a memory event, unless it is always the same. */
void relation_say_address(const struct bases *bases, event_id e, struct fact_sink *sink);
/* A pair of relation 'fixed' has the edge, or none of its edges is there. */
void relation_say_edge(const struct bases *bases, enum fixed_relation fixed, event_id a, event_id b,
                       bool present, struct fact_sink *sink);
/* Does an edge of the pair hold in the execution looked at? */
bool relation_has_edge(const struct bases *bases, enum fixed_relation fixed, event_id a,
                       event_id b);
/* Does one hold in all? */
bool relation_must_have_edge(const struct bases *bases, enum fixed_relation fixed, event_id a,
                             event_id b);

#endif
