/* SPDX-License-Identifier: MIT */
#include "cli/answer/unspecified.h"

#include "cli/answer/answer.h"
#include "litmus/test/host.h"
#include "model/models/models.h"
#include "model/graph/semantic.h"

/* Of a model whose text leaves it open what a dependency is. */
static bool has_open_dependencies(const struct job *job)
{
    bool open = false;
    for (uint32_t i = 0; job->model->chosen && i < job->graph_count && !open; i++)
        open = semantic_matters(job->graphs[i]);
    return open;
}

static uint32_t open_points(const struct job *job)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < job->graph_count; i++)
        open |= job->graphs[i]->open;
    if (!(job->fixed >> HOST_READING_DEPENDENCIES & 1) && has_open_dependencies(job))
        open |= 1u << HOST_READING_DEPENDENCIES;
    return open & ~job->fixed;
}

/* Is the answer another one than it was found to be? *open: one of the two was not decided. */
static bool differs(const struct job *job, const struct solver_result *found,
                    const struct solver_result *other, bool *open)
{
    bool forall = job->test->quantifier == QUANTIFIER_FORALL;
    bool there = forall ? other->negation_reachable : other->condition_reachable;
    bool here = forall ? found->negation_reachable : found->condition_reachable;
    *open |= !(forall ? other->negation_decided && found->negation_decided
                      : other->condition_decided && found->condition_decided);
    return !*open && there != here;
}

static const struct solver_result *ask(const struct job *job)
{
    struct solver_options options = answer_options(job, false);
    options.states = options.races = false;
    return solve(job->arena, &options);
}

bool unspecified_dependency(struct job *job, const struct solver_result *found)
{
    bool some = false, cut = false, open = false;
    bool reachable = job->test->quantifier == QUANTIFIER_FORALL ? found->negation_reachable
                                                                : found->condition_reachable;
    if (!model_uses(job->model, "semantic_dep"))
        return false;
    for (uint32_t i = 0; i < job->graph_count; i++) {
        struct graph *graph = job->graphs[i];
        cut |= !reachable && semantic_cut_short(graph);
        some |= graph->fixed_count[FIXED_SEMANTIC] > graph->semantic_decided;
        graph->fixed_count[FIXED_SEMANTIC] = graph->semantic_decided;
    }
    return cut || (some && (differs(job, found, ask(job), &open) || open));
}

/* The same when the point is read the other way. */
static bool depends_on(struct job *job, const struct solver_result *found, uint32_t point,
                       bool *open)
{
    struct job again = *job;
    again.diags = (struct diag_list){.arena = job->arena};
    again.readings ^= 1u << point;
    if (!job_unfold(&again, false))
        return false;
    const struct solver_result *other = ask(&again);
    return differs(job, found, other, open) || unspecified_dependency(&again, other);
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
