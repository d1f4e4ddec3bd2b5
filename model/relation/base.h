/* SPDX-License-Identifier: MIT */
#ifndef MODEL_RELATION_BASE_H
#define MODEL_RELATION_BASE_H

#include "model/execution/execution.h"
#include "model/value/fact.h"
#include "model/value/rel.h"

/* What model/graph/base.def promises: the sets and relations that C supplies to a memory model, their
 * value in an execution, the facts that make a pair present or absent, and what holds whatever is
 * chosen. */

/* In the order of base.def; the 'base' of a cat_node. */
enum base {
#define BASESET(name, test, meaning)      BASE_##name,
#define BASEEDGES(name, meaning)          BASE_##name,
#define BASEREL(name, kind, may, meaning) BASE_##name,
#include "model/graph/base.def"
    BASE_COUNT,
};

enum base_kind {
    BASE_SET,
    BASE_EDGES,
    BASE_PLACED,
    BASE_LOCATED,
    BASE_COMPLETED,
    BASE_CHOSEN,
};

static inline enum base_kind base_kind(enum base base)
{
    static const unsigned char kinds[] = {
#define BASESET(name, test, meaning)      BASE_SET,
#define BASEEDGES(name, meaning)          BASE_EDGES,
#define BASEREL(name, kind, may, meaning) BASE_##kind,
#include "model/graph/base.def"
    };
    return (enum base_kind)kinds[base];
}

static inline bool base_is_set(enum base base)
{
    return base_kind(base) == BASE_SET;
}

/* What a graph's base relations have in common over all its executions, and the execution looked
 * at. */
struct bases {
    struct arena *arena;
    const struct graph *graph;
    uint32_t n, words;
    bool *guard_open;   /* an event: executes in some executions only */
    bool *address_open; /* a memory event: its address depends on what is read */
    bool any_guard_open, any_address_open;
    struct rel *live;        /* executes in some execution */
    struct rel *certain;     /* executes in all */
    uint32_t *first, *count; /* a memory event of fixed address: the granules it touches */
    /* members or pairs some execution may have: once used, else NULL */
    struct rel *may[BASE_COUNT];
    bool settled[BASE_COUNT];          /* only hinges on which events execute */
    bool constant[BASE_COUNT];         /* the same in every execution */
    struct execution *kept;            /* a copy of the execution looked at */
    const struct execution *execution; /* the same, NULL before the first */
    struct rel *executed;
    struct rel *co;       /* initial writes included */
    struct rel **writers; /* a granule: who writes it */
};

struct bases *base_new(struct arena *arena, const struct graph *graph);
/* To be called once for a base name before any of the functions below are used with it. */
void base_use(struct bases *bases, enum base base);

/* The pairs that are there in every execution in which both events execute. */
void base_must(const struct bases *bases, enum base base, struct rel *to);

/* Looks at an execution; keeps a copy. */
void base_look(struct bases *bases, const struct execution *execution);
/* The value in the execution looked at. Need base_use. */
void base_set(const struct bases *bases, enum base base, struct rel *to);
void base_rel(const struct bases *bases, enum base base, struct rel *to);

/* Facts that make a (a set: b is ignored) or a -> b present or absent in the execution looked at
 * and in every other where they hold. Needs: it is so in this one. */
void base_why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
              struct fact_sink *sink);
/* Facts that make the event execute or not, as it does in the execution looked at. */
void base_why_executed(const struct bases *bases, event_id e, struct fact_sink *sink);
/* Facts that fix every base relation. */
void base_why_all(const struct bases *bases, struct fact_sink *sink);

#endif
