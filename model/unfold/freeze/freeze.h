/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_FREEZE_H
#define MODEL_UNFOLD_FREEZE_FREEZE_H

#include "model/unfold/builder.h"
#include "model/graph/values.h"

/* Parts of freezing. */

/* Reports that an address or the number of a barrier cannot be bounded. */
void freeze_refuse(struct builder *b, const struct event *event, const char *what);

/* ---- addresses.c: where accesses can fall ---- */
struct addresses {
    uint64_t *at; /* ascending */
    uint32_t count;
    expr_id inside; /* width 1: the address is one of these */
};
/* An event of the builder: its addresses. From then on it executes only inside of them; what happens
 * elsewhere is among b->undefined. '*values' is made when some address is no constant. After an error
 * b->failed is set. */
struct addresses *addresses_find(struct builder *b, const struct graph *graph,
                                 struct values **values);

/* ---- cuts.c: where accesses cut memory into granules ---- */
struct cuts;
struct cuts *cuts_new(struct arena *arena);
/* An access of [physical, physical + bytes). */
void cuts_add(struct cuts *cuts, uint64_t physical, uint32_t bytes);
/* A cut at 'physical'; a range that is covered stays so. */
void cuts_point(struct cuts *cuts, uint64_t physical);
/* Makes the cuts inside two ranges of 'bytes' the same; true when that added one. */
bool cuts_align(struct cuts *cuts, uint64_t a, uint64_t b, uint32_t bytes);
/* The pieces between neighbouring cuts that some access covers; 'init' and 'location' unset. */
struct granule *cuts_granules(struct cuts *cuts, uint32_t *count);

/* ---- tear.c: where accesses mix byte by byte ---- */
/* Adds the cuts that this needs; graph->open tells whether the reading 'tearing' could matter. Uses up
 * graph->granules. */
void tear_memory(struct builder *b, struct graph *graph, const struct addresses *addresses,
                 struct values **values, struct cuts *cuts);

/* ---- rewrite.c: expressions of the builder to those of the graph ---- */
struct rewrite;
/* 'number': the new number of each event; reads become concatenations of their pieces (0 outside of
 * their addresses), delayed choices their values, and choices that nothing names disappear. */
struct rewrite *rewrite_new(struct builder *b, const struct graph *graph, const event_id *number,
                            const struct addresses *addresses);
expr_id rewrite_expr(struct rewrite *rewrite, expr_id id);
struct expr_pool *rewrite_pool(struct rewrite *rewrite);
struct choice *rewrite_choices(struct rewrite *rewrite, uint32_t *count);
/* A delayed choice depends on itself, or expressions are too deep: a diagnostic was added. */
bool rewrite_failed(const struct rewrite *rewrite);

#endif
