/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/again.h"

#include "model/graph/depends.h"

/* Another address that is known, so that no byte is shared: accesses are aligned. */
static bool is_apart(const struct builder *b, const struct event *x, const struct event *y)
{
    uint64_t from, to;
    return expr_is_const(b->exprs, x->address, &from) && expr_is_const(b->exprs, y->address, &to) &&
           (from + x->bytes <= to || to + y->bytes <= from);
}

/* The last write of the thread before 'write' that may share a byte with it, or NONE. */
static event_id last_there(const struct builder *b, event_id write)
{
    const struct event *event = &b->events.at[write];
    for (event_id e = write; e-- > 0;) {
        const struct event *other = &b->events.at[e];
        if (other->kind == EVENT_WRITE && other->thread == event->thread &&
            !is_apart(b, other, event))
            return e;
    }
    return NONE;
}

static bool depends_on_no_more(const struct builder *b, event_id earlier, event_id write)
{
    struct fixed_edges edges[FIXED_COUNT];
    for (int i = 0; i < FIXED_COUNT; i++)
        edges[i] = (struct fixed_edges){b->fixed[i].at, b->fixed[i].len};
    return depends_no_more(b->exprs, edges, earlier, write);
}

/* Read before the write, in the same round: for ever that is the last write, of the round before, which this one is behind. */
static bool is_read_before(const struct builder *b, event_id first, event_id write)
{
    const struct event *event = &b->events.at[write];
    for (event_id e = first; e < write; e++) {
        const struct event *other = &b->events.at[e];
        if (other->kind == EVENT_READ && other->thread == event->thread &&
            !is_apart(b, other, event))
            return true;
    }
    return false;
}

expr_id again_writes(struct builder *b, event_id first, event_id write)
{
    const struct event *event = &b->events.at[write];
    event_id last =
        event->kind == EVENT_WRITE && builder_is_lone(b, event) ? last_there(b, write) : NONE;
    if (last == NONE)
        return expr_false(b->exprs);
    const struct event *before = &b->events.at[last];
    if (before->inst != event->inst || before->address != event->address ||
        !depends_on_no_more(b, last, write) || is_read_before(b, first, write))
        return expr_false(b->exprs);
    return expr_and(b->exprs, before->guard, expr_eq(b->exprs, before->value, event->value));
}
