/* SPDX-License-Identifier: MIT */
#include "cli/unspecified.h"

#include "cli/answer.h"
#include "litmus/host.h"

static uint32_t open_points(const struct job *job)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < job->graph_count; i++)
        open |= job->graphs[i]->open;
    return open & ~job->fixed;
}

/* Is the answer another one when the point is read the other way? *open: that was not decided. */
static bool depends_on(struct job *job, const struct solver_result *found, uint32_t point,
                       bool *open)
{
    struct job again = *job;
    again.diags = (struct diag_list){.arena = job->arena};
    again.readings ^= 1u << point;
    if (!job_unfold(&again, false))
        return false;
    struct solver_options options = answer_options(&again, false);
    options.states = options.races = false;
    const struct solver_result *other = solve(job->arena, &options);
    bool forall = job->test->quantifier == QUANTIFIER_FORALL;
    bool there = forall ? other->negation_reachable : other->condition_reachable;
    bool here = forall ? found->negation_reachable : found->condition_reachable;
    *open |= !(forall ? other->negation_decided && found->negation_decided
                      : other->condition_decided && found->condition_decided);
    return !*open && there != here;
}

const char *unspecified_find(struct job *job, const struct solver_result *found, bool *open)
{
    uint32_t points = open_points(job);
    *open = false;
    for (uint32_t i = 0; i < HOST_READING_COUNT; i++)
        if (points >> i & 1 && depends_on(job, found, i, open))
            return host_reading_name((enum host_reading)i);
    return NULL;
}
