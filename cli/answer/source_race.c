/* SPDX-License-Identifier: MIT */
#include "cli/answer/source_race.h"

#include "model/models/models.h"

enum { EFFORT = 1000000 }; /* in Z3's measure, so that the answer does not depend on the machine */

static struct span span_of(const struct job *about, const struct race *race, event_id id)
{
    return about->graphs[race->graph]->events[id].span;
}

static void warn(struct job *job, const struct job *about, const struct race *race)
{
    const struct source *source = about->test->source;
    struct span a = span_of(about, race, race->a), b = span_of(about, race, race->b);
    diag_add(
        &job->diags, DIAG_source_race, source, a,
        "what follows is about the PTX that it is compiled to; 'ptxlit explain' shows the race",
        "'%s' is undefined in C++ (racy): this races with '%s' in line %u", about->test->name,
        source_words(job->arena, source, b), source_place(source, b.offset).line);
}

void source_race_warn(struct job *job)
{
    struct job about = *job;
    if (!job->compiled)
        return;
    about.test = job->compiled;
    about.diags = (struct diag_list){.arena = job->arena};
    about.trace = NULL;
    about.model = model_load(job->arena, "cpp", &about.diags);
    if (!about.model || !job_unfold(&about, false))
        return;
    struct solver_options options = job_solver_options(&about, false);
    options.states = false;
    options.effort = EFFORT;
    const struct solver_result *found = solve(job->arena, &options);
    for (uint32_t i = 0; i < found->race_count; i++)
        if (found->races[i].kind == FLAG_RACY) {
            warn(job, &about, &found->races[i]);
            return;
        }
}
