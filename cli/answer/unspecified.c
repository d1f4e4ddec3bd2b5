/* SPDX-License-Identifier: MIT */
#include "cli/answer/unspecified.h"

#include "model/models/models.h"
#include "model/graph/semantic.h"

static bool some_graph(const struct job *job, bool (*is_so)(struct graph *graph))
{
    uint32_t i = 0;
    while (i < job->graph_count && !is_so(job->graphs[i]))
        i++;
    return i < job->graph_count;
}

/* Points that nothing has fixed and that may matter to the test, but for what dependencies are, which takes work to tell. */
static uint32_t open_points(const struct job *job, uint32_t fixed)
{
    uint32_t open = job->model->chosen ? 1u << HOST_READING_DEPENDENCIES : 0;
    for (uint32_t i = 0; i < job->graph_count; i++)
        open |= job->graphs[i]->open;
    return open & ~fixed;
}

/* Does it matter to the test how dependencies are read? */
static bool matters(const struct job *job, uint32_t point)
{
    return point != HOST_READING_DEPENDENCIES || some_graph(job, semantic_matters);
}

/* Does some execution reach what decides the verdict? */
static bool reaches(const struct job *job, const struct solver_result *found)
{
    return job->test->quantifier == QUANTIFIER_FORALL ? found->negation_reachable
                                                      : found->condition_reachable;
}

/* Is the answer another one than it was found to be? *open: one of the two was not decided. */
static bool differs(const struct job *job, const struct solver_result *found,
                    const struct solver_result *other, bool *open)
{
    bool forall = job->test->quantifier == QUANTIFIER_FORALL;
    *open |= !(forall ? other->negation_decided && found->negation_decided
                      : other->condition_decided && found->condition_decided);
    return !*open && reaches(job, other) != reaches(job, found);
}

static const struct solver_result *ask(struct job *job, bool states)
{
    struct solver_options options = job_solver_options(job, false);
    options.states = states;
    options.only_reach = !states;
    options.races = false;
    return solve(job->arena, &options);
}

/* Leaves the graphs only the dependencies that are known to have an effect. Were there others? */
static bool drop_undecided(struct job *job)
{
    bool some = false;
    for (uint32_t i = 0; i < job->graph_count; i++) {
        struct graph *graph = job->graphs[i];
        some |= graph->fixed_count[FIXED_semantic_dep] > graph->semantic_decided;
        graph->fixed_count[FIXED_semantic_dep] = graph->semantic_decided;
    }
    return some;
}

bool unspecified_dependency(struct job *job, const struct solver_result *found)
{
    bool open = false;
    if (!model_uses(job->model, "semantic_dep"))
        return false;
    bool cut = !reaches(job, found) && some_graph(job, semantic_cut_short);
    bool some = drop_undecided(job);
    return cut || (some && (differs(job, found, ask(job, false), &open) || open));
}

static bool read_otherwise(struct job *again, uint32_t point)
{
    again->diags = (struct diag_list){.arena = again->arena};
    again->readings ^= 1u << point;
    if (!job_unfold(again, false))
        return false;
    job_unroll(again);
    return true;
}

/* Is what is asked about reachable whichever way the point is read? In our texts dependencies only exclude executions, and one that
 * has an effect is a syntactic one too; accesses that may tear may also be whole. */
static bool is_reached_anyway(const struct job *job, const struct solver_result *found,
                              uint32_t point)
{
    bool on_board = !g_str_has_suffix(job->settings->model, ".cat");
    bool only_adds = point == HOST_READING_DEPENDENCIES || point == HOST_READING_TEARING;
    return on_board && only_adds && !(job->readings >> point & 1) && reaches(job, found);
}

/* Does another answer come, or none, when the point is read the other way? */
static bool depends_on(struct job *job, const struct solver_result *found, uint32_t point,
                       bool *open)
{
    struct job again = *job;
    if (!read_otherwise(&again, point))
        return true; /* too large when read so, for instance: nothing is known of it */
    const struct solver_result *other = ask(&again, false);
    return differs(job, found, other, open) || unspecified_dependency(&again, other);
}

const char *unspecified_find(struct job *job, const struct solver_result *found, bool *open)
{
    uint32_t points = open_points(job, job->fixed);
    *open = false;
    for (uint32_t i = 0; i < HOST_READING_COUNT; i++)
        if (points >> i & 1 && !is_reached_anyway(job, found, i) && matters(job, i) &&
            depends_on(job, found, i, open))
            return host_reading_name((enum host_reading)i);
    return NULL;
}

/* ---- states --------------------------------------------------------------------------------- */

/* Every state that the job's graphs may have; NULL: that is not known. */
static const struct solver_result *may_allow(struct job *job)
{
    bool semantic = model_uses(job->model, "semantic_dep");
    if (semantic && some_graph(job, semantic_cut_short))
        return NULL;
    if (semantic)
        drop_undecided(job);
    const struct solver_result *found = ask(job, true);
    bool all = found->complete && !found->bound_reached && found->bound_decided &&
               !found->undefined_count && found->undefined_decided && !found->mixed_size_race;
    return all ? found : NULL;
}

struct other_readings unspecified_readings(struct job *job, uint32_t fixed)
{
    struct other_readings others = {0};
    uint32_t points = open_points(job, fixed);
    if (model_uses(job->model, "semantic_dep"))
        others.at[others.count++] = (struct other_reading){NULL, may_allow(job)};
    for (uint32_t i = 0; i < HOST_READING_COUNT; i++) {
        struct job again = *job;
        if (points >> i & 1 && matters(job, i))
            others.at[others.count++] =
                (struct other_reading){host_reading_name((enum host_reading)i),
                                       read_otherwise(&again, i) ? may_allow(&again) : NULL};
    }
    return others;
}

const struct other_reading *unspecified_state(const struct other_readings *others,
                                              const uint64_t *values)
{
    uint32_t index;
    for (uint32_t i = 0; i < others->count; i++)
        if (!others->at[i].found || outcome_find(&others->at[i].found->outcomes, values, &index))
            return &others->at[i];
    return NULL;
}
