/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

/* Completions of counted barriers: the rules that model/graph/graph.h states at struct barrier_op. */

static uint32_t thread_of(const struct graph *graph, const struct barrier_op *op)
{
    return graph->events[op->event].thread;
}

/* Both execute on the same barrier of the same owner. */
static lit same_barrier(struct encoding *encoding, const struct barrier_op *a,
                        const struct barrier_op *b)
{
    struct session *session = encoding->session;
    if (a->owner != b->owner || event_barrier_class(&encoding->graph->events[a->event]) !=
                                    event_barrier_class(&encoding->graph->events[b->event]))
        return session->no;
    lit both = session_and2(session, encoding->executed[a->event], encoding->executed[b->event]);
    return session_and2(
        session, both,
        encode_equal(encoding, encoding->of[a->resource], encoding->of[b->resource]));
}

static bool same_party(const struct graph *graph, const struct barrier_op *a,
                       const struct barrier_op *b)
{
    return graph_counted_together(graph, a, b) && a->party == b->party;
}

/* How many arrivals of its thread at the owner's barriers come before the operation. */
static uint32_t rank_of(const struct graph *graph, uint32_t op)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < op; i++)
        rank += graph->barriers[i].weight &&
                thread_of(graph, &graph->barriers[i]) == thread_of(graph, &graph->barriers[op]) &&
                graph_counted_together(graph, &graph->barriers[i], &graph->barriers[op]);
    return rank;
}

/* No other thread of its party was counted for this arrival. */
static bool is_first(const struct graph *graph, uint32_t op)
{
    if (!graph->barriers[op].weight)
        return false;
    for (uint32_t i = 0; i < op; i++)
        if (graph->barriers[i].weight &&
            same_party(graph, &graph->barriers[i], &graph->barriers[op]) &&
            rank_of(graph, i) == rank_of(graph, op))
            return false;
    return true;
}

/* The owner of this operation's barrier sees no more completions than this. */
static uint32_t owner_completions(const struct encoding *encoding, uint32_t op)
{
    const struct graph *graph = encoding->graph;
    uint64_t least = UINT64_MAX, weight = 0;
    uint32_t arrivals = 0;
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        const struct barrier_op *other = &graph->barriers[i];
        const struct domain *need = &encoding->domains->of[other->need];
        if (!graph_counted_together(graph, &graph->barriers[op], other))
            continue;
        least = MIN(least, !need->any && need->count ? MAX(need->at[0], 1) : 1);
        if (!is_first(graph, i))
            continue;
        arrivals++;
        weight += other->weight;
    }
    return (uint32_t)MIN(weight / least, arrivals);
}

static bool is_first_of_owner(const struct graph *graph, uint32_t op)
{
    for (uint32_t i = 0; i < op; i++)
        if (graph_counted_together(graph, &graph->barriers[i], &graph->barriers[op]))
            return false;
    return graph->barriers[op].counted;
}

/* So many times tell all completions of a group apart. */
static uint32_t most_completions(const struct encoding *encoding, uint32_t group)
{
    const struct graph *graph = encoding->graph;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        if (graph->barriers[i].group == group && is_first_of_owner(graph, i))
            sum += owner_completions(encoding, i);
    return sum;
}

/* All operations of a group have as many numbers to choose from. */
static uint32_t completions_of(const struct encoding *encoding, uint32_t op)
{
    const struct graph *graph = encoding->graph;
    for (uint32_t i = 0; i < op; i++)
        if (graph->barriers[i].counted && graph->barriers[i].group == graph->barriers[op].group)
            return encoding->completion_count[i];
    return most_completions(encoding, graph->barriers[op].group);
}

/* Makes the literals of the operation's completions: at most one holds, and one does when it passes. */
static void number(struct encoding *encoding, uint32_t i)
{
    struct session *session = encoding->session;
    const struct barrier_op *op = &encoding->graph->barriers[i];
    uint32_t count = completions_of(encoding, i);
    lit *lits = ARENA_ARRAY(encoding->arena, lit, count + 1), passed, some;
    encoding->completion[i] = lits;
    encoding->completion_count[i] = count;
    for (uint32_t k = 0; k < count; k++) {
        lits[k] = session_bool(session);
        SESSION_CLAUSE(session, session_not(session, lits[k]), encoding->executed[op->event]);
    }
    session_at_most_one(session, lits, count);
    some = session_or(session, lits, count);
    passed = encode_is(encoding, encoding->of[op->passed], 1);
    SESSION_CLAUSE(session, session_not(session, passed), some);
    SESSION_CLAUSE(session, passed, session_not(session, some));
}

static lit at_most(struct encoding *encoding, struct value *value, uint32_t most)
{
    struct session *session = encoding->session;
    Z3_ast limit = session_number(session, value->width, most);
    return session_name(session,
                        Z3_mk_bvule(session_z3(session), encode_word(encoding, value), limit));
}

/* The parties of a completion, each with a literal that holds when one of its operations is in. */
struct parties {
    lit *in;
    int *weights;
    const struct barrier_op **of;
    uint32_t count, most;
};

/* A party counts once in a completion, however many of its operations are there. */
static void bring(struct encoding *encoding, struct parties *parties, const struct barrier_op *op,
                  lit in)
{
    for (uint32_t i = 0; i < parties->count; i++)
        if (parties->of[i]->party == op->party) {
            parties->in[i] = session_or2(encoding->session, parties->in[i], in);
            return;
        }
    parties->of[parties->count] = op;
    parties->in[parties->count] = in;
    parties->weights[parties->count++] = (int)op->weight;
    parties->most += op->weight;
}

/* when -> the weights sum up to what is needed. */
static void sum_up(struct encoding *encoding, const struct parties *parties, lit when,
                   struct value *need)
{
    struct session *session = encoding->session;
    for (uint32_t sum = 0; need->any && sum <= parties->most; sum++)
        session_sum(session, session_and2(session, when, encode_is(encoding, need, sum)),
                    parties->in, parties->weights, parties->count, (int)sum, true);
    if (need->any)
        SESSION_CLAUSE(session, session_not(session, when), at_most(encoding, need, parties->most));
    for (uint32_t v = 0; v < need->count; v++)
        session_sum(session, session_and2(session, when, need->is[v]), parties->in,
                    parties->weights, parties->count, (int)MIN(need->at[v], INT32_MAX), true);
}

/* Who is in completion k of the barrier of op i suffices for it. */
static void gather(struct encoding *encoding, uint32_t i, uint32_t k)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    struct value *need = encoding->of[graph->barriers[i].need];
    lit when = encoding->completion[i][k];
    struct parties parties = {
        .in = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count),
        .weights = ARENA_ARRAY(encoding->arena, int, graph->barrier_count),
        .of = ARENA_ARRAY(encoding->arena, const struct barrier_op *, graph->barrier_count)};
    for (uint32_t j = 0; j < graph->barrier_count; j++) {
        const struct barrier_op *other = &graph->barriers[j];
        if (!graph_counted_together(graph, &graph->barriers[i], other))
            continue;
        lit both = i == j ? when
                          : session_and2(session, encoding->completion[j][k],
                                         same_barrier(encoding, &graph->barriers[i], other));
        SESSION_CLAUSE(session, session_not(session, when), session_not(session, both),
                       encode_equal(encoding, need, encoding->of[other->need]));
        if (other->weight)
            bring(encoding, &parties, other, both);
    }
    sum_up(encoding, &parties, when, need);
}

/* Numbers grow along a thread: 'a' stands before 'b'. */
static void grow(struct encoding *encoding, uint32_t a, uint32_t b)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    const struct barrier_op *x = &graph->barriers[a], *y = &graph->barriers[b];
    bool waits = graph->events[x->event].tags & TAG(SYNC);
    bool same_kind = event_barrier_kind(&graph->events[x->event]) ==
                     event_barrier_kind(&graph->events[y->event]);
    if (thread_of(graph, x) != thread_of(graph, y) || (!waits && !same_kind))
        return;
    lit bound = waits ? encoding->executed[x->event] : same_barrier(encoding, x, y);
    lit *lits = ARENA_ARRAY(encoding->arena, lit, encoding->completion_count[b] + 2);
    for (uint32_t k = 0; k < encoding->completion_count[b]; k++) {
        uint32_t n = 0;
        lits[n++] = session_not(session, bound);
        lits[n++] = session_not(session, encoding->completion[b][k]);
        for (uint32_t earlier = 0; earlier < k; earlier++)
            lits[n++] = encoding->completion[a][earlier];
        session_clause(session, lits, n);
    }
}

/* What a party arrives for together completes together. */
static void stay_together(struct encoding *encoding, uint32_t a, uint32_t b)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    const struct barrier_op *x = &graph->barriers[a], *y = &graph->barriers[b];
    if (!same_party(graph, x, y))
        return;
    lit apart = session_not(session, session_and2(session, same_barrier(encoding, x, y),
                                                  encode_equal(encoding, encoding->of[x->number],
                                                               encoding->of[y->number])));
    for (uint32_t k = 0; k < encoding->completion_count[a]; k++) {
        lit left = encoding->completion[a][k], right = encoding->completion[b][k];
        SESSION_CLAUSE(session, apart, session_not(session, left), right);
        SESSION_CLAUSE(session, apart, left, session_not(session, right));
    }
}

/* Ties the choice 'together' to whether the two operations are in one completion. */
static void accompany(struct encoding *encoding, const struct companions *companions)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    uint32_t a = graph->events[companions->a].barrier, b = graph->events[companions->b].barrier;
    uint32_t count = encoding->completion_count[a];
    lit *both = ARENA_ARRAY(encoding->arena, lit, count), are, together;
    for (uint32_t k = 0; k < count; k++)
        both[k] = session_and2(session, encoding->completion[a][k], encoding->completion[b][k]);
    are = session_and2(session, session_or(session, both, count),
                       same_barrier(encoding, &graph->barriers[a], &graph->barriers[b]));
    together = encode_is(encoding, encoding->of[companions->together], 1);
    SESSION_CLAUSE(session, session_not(session, are), together);
    SESSION_CLAUSE(session, are, session_not(session, together));
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
            if (graph->barriers[j].counted && graph->barriers[j].group == graph->barriers[i].group)
                lits[n++] = encoding->completion[j][k - 1];
        session_clause(session, lits, n);
    }
}

/* What a thread that leaves waits for comes before what does not wait for it. */
static void depart(struct encoding *encoding, const struct departure *departure)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    uint32_t op = graph->events[departure->op].barrier, count = encoding->completion_count[op];
    lit *lits = ARENA_ARRAY(encoding->arena, lit, count + 3);
    lit absent = encode_is(encoding, encoding->of[departure->absent], 1);
    for (uint32_t j = 0; j < graph->barrier_count; j++) {
        const struct event *event = &graph->events[graph->barriers[j].event];
        if (!graph->barriers[j].counted || event->thread != departure->thread ||
            !(event->tags & TAG(SYNC)))
            continue;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t n = 0;
            lits[n++] = session_not(session, absent);
            lits[n++] = session_not(session, encoding->completion[op][k]);
            lits[n++] = session_not(session, encoding->executed[graph->barriers[j].event]);
            for (uint32_t earlier = 0; earlier < k; earlier++)
                lits[n++] = encoding->completion[j][earlier];
            session_clause(session, lits, n);
        }
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
        for (uint32_t j = 0; j < i; j++) {
            if (!graph->barriers[j].counted)
                continue;
            grow(encoding, j, i);
            stay_together(encoding, j, i);
        }
    }
    for (uint32_t i = 0; i < graph->companion_count; i++)
        accompany(encoding, &graph->companions[i]);
    for (uint32_t i = 0; i < graph->departure_count; i++)
        depart(encoding, &graph->departures[i]);
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
