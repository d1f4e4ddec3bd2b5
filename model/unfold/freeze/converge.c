/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/converge.h"

#include "model/value/expr_bits.h"

/* Operations of one instruction, each the same time round in its thread, are a place; places are put into one order that is
 * every thread's program order. The claims: whoever comes to a place finds there all that its mask (CTA) names, with the
 * mask that it has itself, but for those that from there on come to no place any more. Where all claims hold the threads
 * pass place after place, and as each thread's uses of a barrier are then as many as those of the others, no other
 * operations can meet. Masks and what guards rest on are computed from what lanes hand to each other at places before, so
 * that nothing rests on itself. Who stays for ever before a place comes no more, too: outcomes are of executions in which
 * every thread ends. */

/* A choice that was delayed, and its value where all claims hold. */
struct stand_in {
    expr_id choice, value;
};

/* Where 'awaited' holds an operation of another thread, 'other', is executed with the mask of 'op'; NONE: there is none. */
struct claim {
    uint32_t op, other;
    expr_id awaited;
};

struct convergence {
    struct builder *b;
    const uint32_t *groups;
    uint32_t group;  /* whose threads take part */
    uint32_t *visit; /* an operation: how many of its thread and instruction are before it */
    uint32_t *place; /* an operation of the group */
    expr_id *number; /* an operation: what it was before */
    VEC(struct stand_in) stand_ins;
    uint32_t depth; /* of their values, one on the other */
    VEC(struct claim) claims;
};

enum {
    DEEPEST = 5000,        /* as far as diagrams follow values that are made of values */
    MOST_CLAIMS = 1 << 16, /* of more it is not even asked */
};

static uint32_t thread_of(const struct convergence *c, uint32_t op)
{
    return barrier_event(c->b, &c->b->barriers.at[op])->thread;
}

static bool takes_part(const struct convergence *c, uint32_t op)
{
    return c->groups[thread_of(c, op)] == c->group;
}

static const struct inst *inst_of(const struct convergence *c, uint32_t op)
{
    return barrier_event(c->b, &c->b->barriers.at[op])->inst;
}

/* ---- places ----------------------------------------------------------------------------------- */

static void count_visits(struct convergence *c)
{
    for (uint32_t i = 0; i < c->b->barriers.len; i++)
        for (uint32_t j = c->b->first_barrier[thread_of(c, i)]; j < i; j++)
            c->visit[i] += inst_of(c, i) == inst_of(c, j);
}

static bool are_alike(const struct convergence *c, uint32_t i, uint32_t j)
{
    return inst_of(c, i) == inst_of(c, j) && c->visit[i] == c->visit[j];
}

/* The operation of the thread, from 'from' on, at the place of 'op'; NONE: it has none. */
static uint32_t counterpart(const struct convergence *c, uint32_t op, uint32_t thread,
                            uint32_t from)
{
    for (uint32_t i = from; i < c->b->first_barrier[thread + 1]; i++)
        if (are_alike(c, op, i))
            return i;
    return NONE;
}

/* Does every thread that has the place come to it next? */
static bool is_next(const struct convergence *c, uint32_t op, const uint32_t *next)
{
    for (uint32_t t = 0; t < c->b->device_threads; t++)
        if (c->groups[t] == c->group) {
            uint32_t own = counterpart(c, op, t, next[t]);
            if (own != NONE && own != next[t])
                return false;
        }
    return true;
}

static void put(struct convergence *c, uint32_t op, uint32_t place, uint32_t *next)
{
    for (uint32_t t = 0; t < c->b->device_threads; t++)
        if (c->groups[t] == c->group && next[t] < c->b->first_barrier[t + 1] &&
            are_alike(c, op, next[t]))
            c->place[next[t]++] = place;
}

/* False: two threads come to places in different orders. */
static bool order_places(struct convergence *c)
{
    const struct builder *b = c->b;
    uint32_t *next = ARENA_ARRAY(b->arena, uint32_t, b->device_threads), place = 0;
    bool moved = true, ended = true;
    for (uint32_t t = 0; t < b->device_threads; t++)
        next[t] = b->first_barrier[t];
    while (moved) {
        moved = false;
        for (uint32_t t = 0; t < b->device_threads; t++) {
            bool waits = c->groups[t] == c->group && next[t] < b->first_barrier[t + 1];
            if (!waits || !is_next(c, next[t], next))
                continue;
            put(c, next[t], place++, next);
            moved = true;
        }
    }
    for (uint32_t t = 0; t < b->device_threads; t++)
        ended &= c->groups[t] != c->group || next[t] == b->first_barrier[t + 1];
    return ended;
}

/* ---- claims ----------------------------------------------------------------------------------- */

/* The thread comes neither to the place of 'op' nor to one behind it. */
static expr_id is_gone(struct convergence *c, uint32_t op, uint32_t thread)
{
    struct builder *b = c->b;
    expr_id gone = expr_true(b->exprs);
    for (uint32_t i = b->first_barrier[thread]; i < b->first_barrier[thread + 1]; i++)
        if (c->place[i] >= c->place[op])
            gone = expr_and(b->exprs, gone,
                            expr_not(b->exprs, barrier_event(b, &b->barriers.at[i])->guard));
    return gone;
}

static void claim(struct convergence *c, uint32_t op, uint32_t thread)
{
    struct builder *b = c->b;
    const struct barrier_op *own = &b->barriers.at[op];
    expr_id named =
        expr_and(b->exprs, barrier_event(b, own)->guard, barrier_member(b, own, thread));
    expr_id awaited = expr_and(b->exprs, named, expr_not(b->exprs, is_gone(c, op, thread)));
    uint32_t other = counterpart(c, op, thread, b->first_barrier[thread]);
    if (other != NONE && !barrier_same_owner(b, own, &b->barriers.at[other]))
        other = NONE;
    if (!expr_is_false(b->exprs, awaited))
        vec_push(b->arena, &c->claims, ((struct claim){op, other, awaited}));
}

static void claim_all(struct convergence *c)
{
    for (uint32_t i = 0; i < c->b->barriers.len; i++)
        for (uint32_t t = 0; t < c->b->device_threads && takes_part(c, i); t++)
            if (t != thread_of(c, i))
                claim(c, i, t);
}

/* ---- proofs ----------------------------------------------------------------------------------- */

/* What was delayed counts as its value: passed at every barrier, and what is handed out there. */
static void substitute(struct convergence *c, uint32_t delayed, expr_id value)
{
    struct expr_pool *exprs = c->b->exprs;
    unsigned width = expr_get(exprs, value)->width;
    expr_id stand_in = expr_choice(exprs, width, c->b->delayed.at[delayed].choice);
    vec_push(c->b->arena, &c->stand_ins, ((struct stand_in){stand_in, value}));
    c->depth += expr_get(exprs, value)->depth;
}

static void substitute_all(struct convergence *c)
{
    struct builder *b = c->b;
    for (uint32_t i = 0; i < b->whole.len; i++)
        if (takes_part(c, b->whole.at[i].op))
            substitute(c, b->whole.at[i].delayed, expr_true(b->exprs));
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *e = &b->exchanges.at[i];
        if (e->op != NONE && takes_part(c, e->op) && e->inst->op != OP_ELECT)
            substitute(c, e->delayed, exchange_value(b, e));
    }
    for (uint32_t i = 0; i < b->reductions.len; i++)
        if (takes_part(c, b->reductions.at[i].op))
            substitute(c, b->reductions.at[i].delayed, barrier_reduced(b, &b->reductions.at[i]));
}

/* One that stands for another is followed to what is none: from the last place to the first. */
static const expr_id *leaves(const struct convergence *c)
{
    uint32_t count = expr_count(c->b->exprs);
    expr_id *leaf_of = ARENA_ARRAY(c->b->arena, expr_id, count);
    for (expr_id id = 0; id < count; id++)
        leaf_of[id] = id;
    for (uint32_t i = 0; i < c->stand_ins.len; i++)
        leaf_of[c->stand_ins.at[i].choice] = c->stand_ins.at[i].value;
    for (expr_id id = 0; id < count; id++)
        while (leaf_of[leaf_of[id]] != leaf_of[id])
            leaf_of[id] = leaf_of[leaf_of[id]];
    return leaf_of;
}

/* Never, or not where some one thing holds that the thread assumes, as which lanes its activemask may have. */
static bool is_nowhere(const struct convergence *c, struct expr_bits *bits, uint32_t thread,
                       bdd where)
{
    const struct builder *b = c->b;
    struct bdd_pool *pool = expr_bits_pool(bits);
    bdd left = where;
    for (uint32_t i = 0; i < b->assumptions.len && left != BDD_FALSE; i++) {
        const struct assumption *a = &b->assumptions.at[i];
        if (a->kind == ASSUME_PLAIN && a->thread == thread)
            left = bdd_and(pool, where, expr_bit(bits, a->condition, 0, false));
    }
    return left == BDD_FALSE && !bdd_full(pool);
}

/* The thread that is awaited comes, and with the same mask: bit by bit, as each may be simple where all are not. */
static bool is_proved(const struct convergence *c, struct expr_bits *bits,
                      const struct claim *claim)
{
    const struct builder *b = c->b;
    struct bdd_pool *pool = expr_bits_pool(bits);
    uint32_t thread = thread_of(c, claim->op);
    bdd awaited = expr_bit(bits, claim->awaited, 0, false);
    if (claim->other == NONE)
        return is_nowhere(c, bits, thread, awaited);
    const struct barrier_op *own = &b->barriers.at[claim->op],
                            *other = &b->barriers.at[claim->other];
    bdd comes = expr_bit(bits, barrier_event(b, other)->guard, 0, false);
    bool proved = is_nowhere(c, bits, thread, bdd_and(pool, awaited, bdd_not(pool, comes)));
    for (unsigned i = 0; i < 32 && proved && own->resource != other->resource; i++) {
        bdd differ = bdd_xor(pool, expr_bit(bits, own->resource, i, false),
                             expr_bit(bits, other->resource, i, false));
        proved = is_nowhere(c, bits, thread, bdd_and(pool, awaited, differ));
    }
    return proved;
}

/* One way to make diagrams, and those made so far: what claims have in common is kept while there is room. */
struct prover {
    struct expr_bits_options options;
    struct arena *scratch;
    struct expr_bits *bits; /* NULL: none yet */
};

static void start_again(const struct convergence *c, struct prover *p, unsigned attempt)
{
    arena_free(p->scratch);
    p->scratch = arena_scratch(c->b->arena);
    expr_bits_attempt(attempt, &p->options);
    p->bits = expr_bits_new(p->scratch, &p->options);
}

/* With the diagrams that are there, then with fresh ones, small ones first. A claim that does not hold is found out where they
 * do not overflow. */
static bool prove(const struct convergence *c, struct prover *p, const struct claim *claim)
{
    if (p->bits && is_proved(c, p->bits, claim))
        return true;
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS; i++) {
        if (p->bits && !bdd_full(expr_bits_pool(p->bits)))
            return false;
        start_again(c, p, i);
        if (is_proved(c, p->bits, claim))
            return true;
    }
    return false;
}

static bool are_proved(const struct convergence *c)
{
    struct prover p = {.options = {.exprs = c->b->exprs, .leaf_of = leaves(c)}};
    bool proved = true;
    for (uint32_t i = 0; i < c->claims.len && proved; i++)
        proved = prove(c, &p, &c->claims.at[i]);
    arena_free(p.scratch);
    return proved;
}

/* ---- the door --------------------------------------------------------------------------------- */

/* Each operation is of a kernel, waits for everybody, and is no half of an arrival and a wait. */
static bool is_simple(const struct convergence *c)
{
    const struct builder *b = c->b;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *op = &b->barriers.at[i];
        if (takes_part(c, i) && (op->counted || op->yields || !inst_of(c, i) ||
                                 barrier_class(b, op) == TAG(CLUSTER_BARRIER)))
            return false;
    }
    return true;
}

static void number_by_place(struct convergence *c)
{
    struct builder *b = c->b;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        c->number[i] = b->barriers.at[i].number;
        if (takes_part(c, i))
            b->barriers.at[i].number = expr_const(b->exprs, 32, c->place[i]);
    }
}

static bool all_meet(struct convergence *c)
{
    substitute_all(c);
    claim_all(c);
    return c->depth <= DEEPEST && are_proved(c);
}

bool barrier_converge(struct builder *b, const uint32_t *groups, uint32_t group)
{
    uint32_t count = b->barriers.len;
    struct convergence c = {.b = b,
                            .groups = groups,
                            .group = group,
                            .visit = ARENA_ARRAY(b->arena, uint32_t, count),
                            .place = ARENA_ARRAY(b->arena, uint32_t, count),
                            .number = ARENA_ARRAY(b->arena, expr_id, count)};
    if ((uint64_t)count * b->device_threads > MOST_CLAIMS || !is_simple(&c))
        return false;
    count_visits(&c);
    if (!order_places(&c))
        return false;
    number_by_place(&c);
    if (all_meet(&c))
        return true;
    for (uint32_t i = 0; i < count; i++)
        b->barriers.at[i].number = c.number[i];
    return false;
}
