/* SPDX-License-Identifier: MIT */
#include "solver/encode.h"

/* Completions of counted barriers: the rules that model/graph.h states at struct barrier_op. */

static uint32_t thread_of(const struct graph *graph, const struct barrier_op *op)
{
    return graph->events[op->event].thread;
}

static uint32_t class_of(const struct graph *graph, const struct barrier_op *op)
{
    return graph->events[op->event].tags &
           (TAG_CTA_BARRIER | TAG_CLUSTER_BARRIER | TAG_WARP_BARRIER);
}

/* Both execute on the same barrier of the same owner. */
static lit same_barrier(struct encoding *encoding, const struct barrier_op *a,
                        const struct barrier_op *b)
{
    struct session *session = encoding->session;
    lit both;

    if (a->owner != b->owner || class_of(encoding->graph, a) != class_of(encoding->graph, b))
        return session->no;
    both = session_and2(session, encoding->executed[a->event], encoding->executed[b->event]);
    return session_and2(
        session, both,
        encode_equal(encoding, encoding->of[a->resource], encoding->of[b->resource]));
}

/* No owner sees more completions than this. */
static uint32_t most_completions(const struct encoding *encoding, uint32_t owner)
{
    const struct graph *graph = encoding->graph;
    uint64_t least = UINT64_MAX, weight = 0;
    uint32_t ops = 0;

    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        const struct barrier_op *op = &graph->barriers[i];
        const struct domain *need = &encoding->domains->of[op->need];
        uint64_t low = op->counted && need->count ? need->at[0] : 1;

        if (!op->counted || op->owner != owner)
            continue;
        ops++;
        weight += op->weight;
        least = MIN(least, MAX(low, 1));
    }
    return ops ? (uint32_t)MIN(weight / least, ops) : 0;
}

static void number(struct encoding *encoding, uint32_t i)
{
    struct session *session = encoding->session;
    const struct barrier_op *op = &encoding->graph->barriers[i];
    uint32_t count = most_completions(encoding, op->owner);
    lit *lits = ARENA_ARRAY(encoding->arena, lit, count + 1), passed, some;

    encoding->completion[i] = lits;
    encoding->completion_count[i] = count;
    for (uint32_t k = 0; k < count; k++) {
        lits[k] = session_bool(session);
        session_clause2(session, session_not(session, lits[k]), encoding->executed[op->event]);
    }
    session_at_most_one(session, lits, count);
    some = session_or(session, lits, count);
    passed = encode_is(encoding, encoding->of[op->passed], 1);
    session_clause2(session, session_not(session, passed), some);
    session_clause2(session, passed, session_not(session, some));
}

static lit at_most(struct encoding *encoding, struct value *value, uint32_t most)
{
    struct session *session = encoding->session;
    Z3_ast limit = session_number(session, value->width, most);

    return session_name(session, Z3_mk_bvule(session->z3, encode_word(encoding, value), limit));
}

/* when -> the weights in completion k of the barrier of op i sum up to what it needs. */
static void gather(struct encoding *encoding, uint32_t i, uint32_t k)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    struct value *need = encoding->of[graph->barriers[i].need];
    lit *in = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count),
        when = encoding->completion[i][k];
    int *weights = ARENA_ARRAY(encoding->arena, int, graph->barrier_count);
    uint32_t n = 0, most = 0;

    for (uint32_t j = 0; j < graph->barrier_count; j++) {
        const struct barrier_op *other = &graph->barriers[j];
        lit both;

        if (!other->counted || k >= encoding->completion_count[j])
            continue;
        both = i == j ? when
                      : session_and2(session, encoding->completion[j][k],
                                     same_barrier(encoding, &graph->barriers[i], other));
        session_clause3(session, session_not(session, when), session_not(session, both),
                        encode_equal(encoding, need, encoding->of[other->need]));
        in[n] = both;
        most += other->weight;
        weights[n++] = (int)other->weight;
    }
    for (uint32_t sum = 0; need->any && sum <= most; sum++)
        session_sum(session, session_and2(session, when, encode_is(encoding, need, sum)), in,
                    weights, n, (int)sum);
    if (need->any)
        session_clause2(session, session_not(session, when), at_most(encoding, need, most));
    for (uint32_t v = 0; v < need->count; v++)
        session_sum(session, session_and2(session, when, need->is[v]), in, weights, n,
                    (int)MIN(need->at[v], INT32_MAX));
}

/* Numbers grow along a thread: 'a' stands before 'b'. */
static void grow(struct encoding *encoding, uint32_t a, uint32_t b)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    const struct barrier_op *x = &graph->barriers[a], *y = &graph->barriers[b];
    bool waits = graph->events[x->event].tags & TAG_SYNC;
    lit bound, *lits;

    if (thread_of(graph, x) != thread_of(graph, y) || x->owner != y->owner)
        return;
    bound = waits ? encoding->executed[x->event] : same_barrier(encoding, x, y);
    lits = ARENA_ARRAY(encoding->arena, lit, encoding->completion_count[b] + 2);
    for (uint32_t k = 0; k < encoding->completion_count[b]; k++) {
        uint32_t n = 0;

        lits[n++] = session_not(session, bound);
        lits[n++] = session_not(session, encoding->completion[b][k]);
        for (uint32_t earlier = 0; earlier < k; earlier++)
            lits[n++] = encoding->completion[a][earlier];
        session_clause(session, lits, n);
    }
}

/* Numbers without gaps: one way to number what else could be numbered in many. */
static void leave_no_gap(struct encoding *encoding, uint32_t i)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count + 1);

    for (uint32_t k = 1; k < encoding->completion_count[i]; k++) {
        uint32_t n = 0;

        lits[n++] = session_not(session, encoding->completion[i][k]);
        for (uint32_t j = 0; j < graph->barrier_count; j++)
            if (graph->barriers[j].counted && graph->barriers[j].owner == graph->barriers[i].owner)
                lits[n++] = encoding->completion[j][k - 1];
        session_clause(session, lits, n);
    }
}

void encode_barriers(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;

    encoding->completion = ARENA_ARRAY(encoding->arena, lit *, graph->barrier_count);
    encoding->completion_count = ARENA_ARRAY(encoding->arena, uint32_t, graph->barrier_count);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        if (graph->barriers[i].counted)
            number(encoding, i);
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        if (!graph->barriers[i].counted)
            continue;
        leave_no_gap(encoding, i);
        for (uint32_t k = 0; k < encoding->completion_count[i]; k++)
            gather(encoding, i, k);
        for (uint32_t j = 0; j < i; j++)
            if (graph->barriers[j].counted)
                grow(encoding, j, i);
    }
}

lit encode_completion(struct encoding *encoding, uint32_t op, uint64_t number_of)
{
    struct session *session = encoding->session;
    const struct barrier_op *barrier = &encoding->graph->barriers[op];

    if (number_of == NONE)
        return session_and2(
            session, encoding->executed[barrier->event],
            session_not(session, encode_is(encoding, encoding->of[barrier->passed], 1)));
    return number_of < encoding->completion_count[op] ? encoding->completion[op][number_of]
                                                      : session->no;
}
