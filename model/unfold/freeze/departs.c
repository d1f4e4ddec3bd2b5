/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/step/barrier.h"

/* A barrier of a CTA, a warp's lanes or a cluster waits for a thread that does not come until that thread has exited, and
 * a thread exits when what it decided on has been read (PTX 9.7.13.1, bar: only threads that have not exited count). */

static void wait_for_exit(struct builder *b, uint32_t op, uint32_t thread)
{
    const struct state *final = b->finals[thread];
    const struct barrier_op *own = &b->barriers.at[op];
    const struct deps *decided = final ? final->ctrl : NULL;
    expr_id member = barrier_member(b, own, thread);
    if (!decided || !decided->count || expr_is_false(b->exprs, member))
        return;
    expr_id absent = expr_and(b->exprs, member, barrier_absent(b, op, thread));
    for (uint32_t i = 0; i < decided->count; i++)
        builder_edge(b, FIXED_departs, decided->items[i].event, own->event,
                     expr_and(b->exprs, absent, decided->items[i].guard), NULL);
}

void freeze_departs(struct builder *b)
{
    for (uint32_t i = 0; i < b->whole.len; i++) {
        uint32_t op = b->whole.at[i].op, self = barrier_event(b, &b->barriers.at[op])->thread;
        for (uint32_t t = 0; t < b->device_threads; t++)
            if (t != self)
                wait_for_exit(b, op, t);
    }
}
