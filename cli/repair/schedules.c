/* SPDX-License-Identifier: MIT */
#include "cli/repair/schedules.h"

#include <inttypes.h>
#include <string.h>

#include "cli/answer/comparison.h"
#include "cli/answer/mapped.h"
#include "model/machine/memory/sc.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/race/race.h"
#include "model/machine/search/explore.h"
#include "model/machine/search/schedule.h"
#include "model/machine/setup/setup.h"

/* States that the executor looks at for a proposal, and random schedules that races are looked for in, with their steps
 * in all: about a second. */
enum { MOST_STATES = 50000, RACE_RUNS = 100, MOST_STEPS = 1000000 };

/* ---- the test that runs --------------------------------------------------------------------- */

static bool is_cpp(const struct variant *variant)
{
    return variant->job.test->language == LANGUAGE_CPP;
}

/* The edited test with a limit of its own; in C++ compiled. False: no mapping knows what is in it. */
static bool begin(const struct variant *variant, struct job *job)
{
    *job = variant->job;
    job->most_states = MOST_STATES;
    job->diags = (struct diag_list){.arena = job->arena};
    if (is_cpp(variant))
        job->test = mapped_by_settings(job, variant->job.test);
    return job->test;
}

static const char *refused(const struct job *job)
{
    return job->diags.items.len ? arena_printf(job->arena, "does not run this test: %s",
                                               diag_headline(job->arena, &job->diags.items.at[0]))
                                : "does not run this test";
}

/* ---- what was to go ------------------------------------------------------------------------- */

static bool is_bad(const struct test *test, const uint64_t *values)
{
    return outcome_satisfies(test, test->condition, values) !=
           (test->quantifier == QUANTIFIER_FORALL);
}

static bool aborts(const struct report_list *reports)
{
    for (uint32_t i = 0; i < reports->items.len; i++)
        if (reports->items.at[i].id == REPORT_TRAP ||
            reports->items.at[i].id == REPORT_ASSERTION_FAILED)
            return true;
    return false;
}

static bool reaches(const struct repair *repair, const struct job *job,
                    const struct explore_result *reached, const struct report_list *reports)
{
    if (repair->weakens)
        return false;
    switch (repair->goal) {
    case GOAL_OUTCOME:
        for (uint32_t i = 0; i < reached->outcomes.items.len; i++)
            if (is_bad(job->test, reached->outcomes.items.at[i].values))
                return true;
        return false;
    case GOAL_ASSERT:
        return aborts(reports);
    case GOAL_HANG:
        return reached->hangs;
    case GOAL_RACE:
        break;
    }
    return false;
}

/* ---- every schedule ------------------------------------------------------------------------- */

static const char *agrees(struct arena *arena, const struct explore_result *reached)
{
    return reached->finished
               ? "agrees, on every schedule"
               : arena_printf(arena, "agrees, in the first %" PRIu64 " states", reached->states);
}

static bool run(const struct repair *repair, struct job *job, const struct answer *answer,
                const char **words)
{
    struct comparison c;
    bool asked = comparison_new(&c, job, answer) && c.memory && !c.outside;
    *words = asked       ? agrees(job->arena, &c.reached)
             : c.outside ? arena_printf(job->arena, "was not asked: %s", c.outside)
                         : refused(job);
    return !asked ||
           (!reaches(repair, job, &c.reached, &c.reports) && !c.unsound.forbidden.items.len);
}

static void run_compiled(const struct repair *repair, struct job *job, const char **words)
{
    const struct machine_options options = {.tearing = job_tearing(job)};
    const struct machine *machine = machine_new(job->arena, job->test, &options, &job->diags);
    struct memory *memory = machine ? weak_memory_new(job->arena, machine, &job->diags) : NULL;
    struct explore_options every = comparison_exploration(job, NULL);
    struct report_list reports = {.arena = job->arena};
    struct explore_result reached = {0};
    if (!memory) {
        *words = refused(job);
        return;
    }
    explore(job->arena, machine, memory, &every, &reports, &reached);
    bool there = reaches(repair, job, &reached, &reports);
    *words =
        arena_printf(job->arena, "%s, of what the mapping '" MAPPING_DEFAULT "' compiles it to",
                     there ? "still finds it on a schedule" : agrees(job->arena, &reached));
}

/* ---- races ---------------------------------------------------------------------------------- */

static bool has_race(const struct report_list *reports)
{
    for (uint32_t i = 0; i < reports->items.len; i++)
        if (reports->items.at[i].id == REPORT_DATA_RACE ||
            reports->items.at[i].id == REPORT_MIXED_SIZE_RACE)
            return true;
    return false;
}

/* Random schedules until a race is seen or there were steps enough. Returns how many. */
static uint64_t race_runs(struct run *run, const struct job *job)
{
    struct histogram histogram = {.set = {.test = job->test, .arena = job->arena}};
    struct scheduler *scheduler = scheduler_new(run->machine);
    uint64_t done = 0, steps = 0;
    for (; done < RACE_RUNS && steps < MOST_STEPS && !has_race(run->reports); done++) {
        struct histogram_options options = {.seed = done + 1, .runs = 1};
        schedule_histogram(&histogram, scheduler, run, &options);
        steps += run->steps;
    }
    return done;
}

static bool names_no_race(struct job *job, const char **words)
{
    const struct machine_options options = {.max_steps = MOST_STEPS};
    const struct machine *machine = machine_new(job->arena, job->test, &options, &job->diags);
    struct report_list reports = {.arena = job->arena};
    if (!machine) {
        *words = refused(job);
        return true;
    }
    struct run run = {.machine = machine,
                      .reports = &reports,
                      .state = arena_alloc(job->arena, machine->state_bytes + 1),
                      .memory = memory_sc_new(job->arena, machine)};
    struct race_detector *race = race_new(machine);
    memory_sc_watch(run.memory, race);
    uint64_t done = race_runs(&run, job);
    race_free(race);
    *words = arena_printf(job->arena, "names no race in %" PRIu64 " schedules", done);
    return !has_race(&reports);
}

bool schedules_agree(const struct repair *repair, const struct variant *variant,
                     const struct answer *answer, const char **words)
{
    struct job job;
    if (!begin(variant, &job)) {
        *words = refused(&job);
        return true;
    }
    if (repair->goal == GOAL_RACE)
        return names_no_race(&job, words) || is_cpp(variant);
    if (!is_cpp(variant))
        return run(repair, &job, answer, words);
    run_compiled(repair, &job, words);
    return true;
}
