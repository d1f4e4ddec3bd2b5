/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/abandon.h"

struct unfolded_before abandon_mark(const struct builder *b)
{
    return (struct unfolded_before){b->events.len, b->spins.len, b->assumptions.len};
}

/* Is the event part of the instruction of the one before it? */
static bool comes_with(const struct event *event, const struct event *last)
{
    bool second_half = event->kind == EVENT_WRITE && event->rmw != NONE;
    return second_half || event->thread != last->thread || event->position == last->position;
}

void abandon_anywhere(struct builder *b, uint32_t thread, struct unfolded_before before)
{
    struct expr_pool *exprs = b->exprs;
    expr_id goes_on = expr_true(exprs);
    const struct event *last = NULL;
    for (event_id e = before.events; e < b->events.len; e++) {
        struct event *event = &b->events.at[e];
        if (!last || !comes_with(event, last))
            goes_on = expr_and(exprs, goes_on, builder_choice(b, "goes on", 1));
        event->guard = expr_and(exprs, goes_on, event->guard);
        last = event;
    }
    for (uint32_t i = before.spins; i < b->spins.len; i++)
        b->spins.at[i].condition = expr_and(exprs, goes_on, b->spins.at[i].condition);
    for (uint32_t i = before.assumptions; i < b->assumptions.len; i++) {
        struct assumption *a = &b->assumptions.at[i];
        a->condition = expr_or(exprs, expr_not(exprs, goes_on), a->condition);
    }
    b->ended[thread] = expr_and(exprs, goes_on, b->ended[thread]);
}
