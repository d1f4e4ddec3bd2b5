/* SPDX-License-Identifier: MIT */
#include "cli/answer/race_pair.h"

#include <string.h>

static const struct event *event_of(const struct answer *answer, const struct race *race,
                                    event_id id)
{
    return &answer->job->graphs[race->graph]->events[id];
}

static bool is_same_inst(const struct event *a, const struct event *b)
{
    return a->span.offset == b->span.offset && strcmp(a->text, b->text) == 0;
}

bool race_is_of_same(const struct answer *answer, const struct race *x, const struct race *y)
{
    return x->kind == y->kind && strcmp(x->flag, y->flag) == 0 &&
           is_same_inst(event_of(answer, x, x->a), event_of(answer, y, y->a)) &&
           is_same_inst(event_of(answer, x, x->b), event_of(answer, y, y->b));
}

static bool has_same_threads(const struct answer *answer, const struct race *x,
                             const struct race *y)
{
    return event_of(answer, x, x->a)->thread == event_of(answer, y, y->a)->thread &&
           event_of(answer, x, x->b)->thread == event_of(answer, y, y->b)->thread;
}

bool race_is_new(const struct answer *answer, uint32_t index)
{
    const struct race *races = answer->found->races;
    for (uint32_t i = 0; i < index; i++)
        if (race_is_of_same(answer, &races[i], &races[index]) &&
            has_same_threads(answer, &races[i], &races[index]))
            return false;
    return true;
}
