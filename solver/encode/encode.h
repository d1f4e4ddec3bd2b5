/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ENCODE_ENCODE_H
#define SOLVER_ENCODE_ENCODE_H

#include <glib.h>

#include "model/execution/execution.h"
#include "solver/encode/domain.h"
#include "solver/session/session.h"

/* A graph as clauses: which executions there are before any axiom is asked. Every choice of an
 * execution (execution.h) has a literal; coherence and Fence-SC literals are made when first named.
 */

/* What an expression, or a part of one, can be. Two forms: a literal for each value of a small
 * domain, or a bit-vector ('any'). No literal of a value holds when the expression rests on a read
 * that does not execute. */
struct value {
    unsigned width;
    bool any;
    bool total; /* some literal always holds */
    uint32_t count;
    uint64_t *at; /* sorted */
    lit *is;      /* parallel */
    Z3_ast word;  /* when 'any', else made on demand */
};

/* One write a read's granule, or a final value, may come from. */
struct candidate {
    event_id write;
    lit is;
};

/* Reads-from of the index-th granule of one place of a read. */
struct origin {
    event_id read;
    uint32_t index, granule;
    lit when; /* the read executes and falls on this place */
    struct candidate *from;
    uint32_t count;
};

struct order_pair {
    event_id a, b;
    lit is; /* a before b */
};

/* The pairs of an order that have a literal. */
struct order_literals {
    GHashTable *table; /* a pair: its literal */
    VEC(struct order_pair) pairs;
};

struct encoding {
    struct arena *arena;
    struct session *session;
    const struct graph *graph;
    struct domains *domains;
    struct value **of;      /* an expression, NULL when nothing asks for it */
    lit *executed;          /* an event */
    lit **at_place;         /* a memory event, a place: executes and falls there */
    struct origin *origins; /* sorted by read, then index */
    uint32_t origin_count;
    uint32_t *first_origin;   /* an event; one more at the end */
    struct candidate **final; /* a granule: NULL when nobody observes it */
    uint32_t *final_count;
    struct value **observed; /* test->observed[i] */
    lit **completion;        /* a barrier op, a number */
    uint32_t *completion_count;
    lit complete;     /* assumed: no barrier waits for ever */
    lit within_bound; /* assumed: no loop runs past its bound */
    lit defined;      /* assumed: no access goes astray */
    struct order_literals co, sc;
    uint32_t circles; /* met so far: proposals whose values rest on themselves */
    struct tie tie;   /* of their tables */
};

/* 'excluded' (or NULL): choices that are left out. */
struct encoding *encoding_new(struct arena *arena, struct session *session,
                              const struct graph *graph, const struct exclusion *excluded);
void encoding_free(struct encoding *encoding); /* the tables; accepts NULL */
/* All assumptions of the kind hold. */
lit encode_assumptions(struct encoding *encoding, enum assumption_kind kind);

/* values.c */
void encode_values(struct encoding *encoding);
lit encode_is(struct encoding *encoding, const struct value *value, uint64_t number);
Z3_ast encode_word(struct encoding *encoding, struct value *value);
/* 'bits' bits of 'value' from bit 'shift' up. */
struct value *encode_part(struct encoding *encoding, struct value *value, unsigned shift,
                          unsigned bits);
/* A value with the given domain and fresh literals, for the caller to define. */
struct value *encode_fresh(struct encoding *encoding, unsigned width, const struct domain *domain,
                           bool total);
/* when -> to = from. */
void encode_transfer(struct encoding *encoding, lit when, struct value *to, struct value *from);
/* Literal: both values are known and equal. */
lit encode_equal(struct encoding *encoding, struct value *a, struct value *b);

/* choice.c: reads-from, final writes, observed values. */
void encode_choices(struct encoding *encoding);
lit encode_rf(struct encoding *encoding, event_id write, event_id read, uint32_t granule);
lit encode_covers(struct encoding *encoding, event_id e, uint32_t granule);

/* founding.c: no value rests on itself. Left out at first, as few graphs propose any. */
void encode_founding(struct encoding *encoding);

/* repeat.c: no iteration of a loop is made in vain. */
void encode_repeats(struct encoding *encoding);

/* barrier.c */
void encode_barriers(struct encoding *encoding);
lit encode_completion(struct encoding *encoding, uint32_t op, uint64_t number);

/* order.c: literals are made when first asked for. */
lit encode_co(struct encoding *encoding, event_id a, event_id b);
lit encode_sc(struct encoding *encoding, event_id a, event_id b);
/* Both execute and touch a common byte. */
lit encode_overlap(struct encoding *encoding, event_id a, event_id b);
/* Both execute and access the same bytes at one virtual address. */
lit encode_same_range(struct encoding *encoding, event_id a, event_id b);
bool encode_may_overlap(const struct encoding *encoding, event_id a, event_id b);

#endif
