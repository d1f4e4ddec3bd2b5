/* SPDX-License-Identifier: MIT */
#include "solver/encode/restated.h"

#include "model/graph/conflict.h"
#include "model/graph/depends.h"

bool restated_is_at(const struct event *a, const struct event *b)
{
    return a->address_count == 1 && b->address_count == 1 && a->addresses[0] == b->addresses[0] &&
           a->bytes == b->bytes && a->tags & b->tags & TAG(GEN);
}

bool restated_may_race(const struct encoding *encoding, event_id e)
{
    for (event_id other = 0; other < encoding->graph->event_count; other++)
        if (conflict_possible(encoding->graph, e, other))
            return true;
    return false;
}

/* ---- the same again ------------------------------------------------------------------------- */

static bool depends_on_no_more(const struct graph *graph, event_id earlier, event_id write)
{
    struct fixed_edges edges[FIXED_COUNT];
    for (int i = 0; i < FIXED_COUNT; i++)
        edges[i] = (struct fixed_edges){graph->fixed[i], graph->fixed_count[i]};
    return depends_no_more(graph->exprs, edges, earlier, write);
}

/* What the thread does between the two is ordered differently for who reads the earlier one: it must not race. */
static bool races_between(const struct encoding *encoding, event_id earlier, event_id write)
{
    const struct graph *graph = encoding->graph;
    for (event_id e = earlier; e < write; e++)
        if (graph->events[e].thread == graph->events[write].thread &&
            event_is_memory(&graph->events[e]) && restated_may_race(encoding, e))
            return true;
    return false;
}

static bool is_same_again(const struct encoding *encoding, event_id earlier, event_id write)
{
    const struct graph *graph = encoding->graph;
    const struct event *from = &graph->events[earlier], *to = &graph->events[write];
    return from->kind == EVENT_WRITE && from->thread == to->thread && from->inst == to->inst &&
           from->position < to->position && restated_is_at(from, to) &&
           depends_on_no_more(graph, earlier, write) && !races_between(encoding, earlier, write);
}

/* ---- nothing between them ------------------------------------------------------------------- */

/* The other write is there, and is neither before the earlier one nor after the later one. */
static lit comes_between(struct encoding *encoding, event_id earlier, event_id other,
                         event_id write)
{
    struct session *session = encoding->session;
    lit outside = session_or2(session, encode_co(encoding, other, earlier),
                              encode_co(encoding, write, other));
    return session_and2(session, encoding->executed[other], session_not(session, outside));
}

static lit restates(struct encoding *encoding, event_id earlier, event_id write)
{
    struct session *session = encoding->session;
    const struct event *events = encoding->graph->events;
    lit same = encode_equal(encoding, encoding->of[events[earlier].value],
                            encoding->of[events[write].value]);
    same = session_and2(session, same, encoding->executed[earlier]);
    for (event_id e = 0; e < encoding->graph->event_count; e++)
        if (events[e].kind == EVENT_WRITE && e != earlier && e != write &&
            encode_may_overlap(encoding, e, write))
            same = session_and2(session, same,
                                session_not(session, comes_between(encoding, earlier, e, write)));
    return same;
}

lit encode_news(struct encoding *encoding, event_id write)
{
    struct session *session = encoding->session;
    lit restated = session->no;
    for (event_id e = 0; e < write; e++)
        if (is_same_again(encoding, e, write))
            restated = session_or2(session, restated, restates(encoding, e, write));
    return session_not(session, restated);
}
