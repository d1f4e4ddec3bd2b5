/* SPDX-License-Identifier: MIT */
#include "cli/answer/comparison.h"

#include <string.h>

#include "model/machine/memory/weak/weak.h"
#include "model/machine/setup/setup.h"

struct explore_options comparison_exploration(const struct job *job, const uint64_t *until)
{
    return (struct explore_options){.max_states = job->most_states,
                                    .timeout_seconds = job_time_left(job),
                                    .memory_limit = (size_t)job->settings->memory_limit << 19,
                                    .reduce = true,
                                    .issue_loads = true,
                                    .until = until};
}

static bool run_machine(struct comparison *c, struct diag_list *diags)
{
    struct machine_options options = {.tearing = job_tearing(c->job)};
    c->machine = machine_new(c->job->arena, c->job->test, &options, diags);
    if (c->machine)
        c->memory = weak_memory_new(c->job->arena, c->machine, diags);
    if (!c->memory)
        return false;
    struct explore_options every = comparison_exploration(c->job, NULL);
    c->reports.arena = c->job->arena;
    explore(c->job->arena, c->machine, c->memory, &every, &c->reports, &c->reached);
    return true;
}

/* The states of 'a' that are not in 'b'. */
static struct outcome_set difference(const struct job *job, const struct outcome_set *a,
                                     const struct outcome_set *b)
{
    struct outcome_set result = {.test = job->test, .arena = job->arena};
    uint32_t index;
    for (uint32_t i = 0; i < a->items.len; i++)
        if (!outcome_find(b, a->items.at[i].values, &index))
            outcome_add(&result, a->items.at[i].values);
    return result;
}

/* ---- what is not allowed -------------------------------------------------------------------- */

struct beyond beyond_find(const struct answer *answer, struct job *job,
                          const struct outcome_set *shown, uint32_t fixed)
{
    const struct solver_result *found = answer->found;
    struct beyond beyond = {.forbidden = {.test = job->test, .arena = job->arena},
                            .open = {.test = job->test, .arena = job->arena}};
    struct outcome_set all = difference(job, shown, &found->outcomes);
    if (!found->complete || found->bound_reached || !all.items.len)
        return beyond; /* what was not listed may be allowed */
    beyond.others = unspecified_readings(job, fixed);
    for (uint32_t i = 0; i < all.items.len; i++)
        outcome_add(unspecified_state(&beyond.others, all.items.at[i].values) ? &beyond.open
                                                                              : &beyond.forbidden,
                    all.items.at[i].values);
    return beyond;
}

const char *beyond_word(const struct beyond *beyond, struct arena *arena, const uint64_t *values)
{
    const char *name = unspecified_state(&beyond->others, values)->name;
    return name ? arena_printf(arena, "Unspecified(%s)", name) : "Undecided";
}

/* ---- outside the model ---------------------------------------------------------------------- */

const char *comparison_excluded(const struct answer *answer)
{
    return answer->found->mixed_size_race ? "a mixed-size data race: outside the model (8.7.2)"
           : answer->undefined.len        ? "undefined behaviour"
                                          : NULL;
}

static bool reports_undefined(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->reports.items.len; i++) {
        enum report_severity severity = report_severity(c->reports.items.at[i].id);
        if (severity == REPORT_undefined || severity == REPORT_error)
            return true;
    }
    return false;
}

/* Of a test without host nothing is misuse of the CUDA API. */
static void name_misuse(struct comparison *c)
{
    for (uint32_t i = 0; c->job->test->host && i < c->reports.items.len; i++)
        if (report_severity(c->reports.items.at[i].id) == REPORT_error)
            answer_name(c->job->arena, &c->misuse, report_name(c->reports.items.at[i].id));
}

bool comparison_misuse_differs(const struct comparison *c)
{
    bool open = !c->memory || !comparison_complete(c) || c->answer.found->mixed_size_race;
    return c->job->test->host && !open && (c->misuse.len > 0) != (c->answer.undefined.len > 0);
}

static const char *hang_word(bool hangs, bool ends)
{
    return !hangs ? "no" : ends ? "possible" : "certain";
}

static const char *executor_hangs(const struct comparison *c)
{
    return hang_word(c->reached.hangs, c->reached.outcomes.items.len || c->reached.stops);
}

/* Is there an execution that goes round a loop for ever? Asked only where the executor met one: of host
 * programs the answer says it. */
static const char *axioms_spin(const struct comparison *c)
{
    struct job again = *c->job;
    again.diags = (struct diag_list){.arena = c->job->arena};
    if (!c->reached.hangs)
        return "no";
    if (c->job->test->host || !job_unfold(&again, true))
        return c->job->test->host && !hang_open(&c->answer.hang) ? "no" : "unknown";
    struct solver_options options = job_solver_options(&again, false);
    enum solver_status status;
    struct execution *stuck;
    bool terminates = solver_terminates(c->job->arena, &options, &status, &stuck);
    return status != SOLVER_DONE ? "unknown" : terminates ? "no" : "possible";
}

/* Without an execution that ends nothing is allowed. */
static const char *axioms_hang(const struct comparison *c)
{
    const struct solver_result *found = c->answer.found;
    bool ends = found->outcomes.items.len || c->answer.undefined.len || !found->complete ||
                found->bound_reached || c->job->test->filter;
    bool hangs = found->can_hang || c->answer.hang.name || !ends;
    return hangs ? hang_word(hangs, ends) : axioms_spin(c);
}

bool comparison_hangs_differ(const struct comparison *c)
{
    bool executor = strcmp(c->executor_hangs, "no") != 0;
    bool every = strcmp(c->executor_hangs, "certain") == 0;
    if (!c->memory || c->outside || !comparison_complete(c) || !strcmp(c->axioms_hang, "unknown"))
        return false;
    return (executor && !strcmp(c->axioms_hang, "no")) ||
           every != (strcmp(c->axioms_hang, "certain") == 0);
}

bool comparison_complete(const struct comparison *c)
{
    return c->reached.finished && c->answer.found->complete && !c->answer.found->bound_reached;
}

/* What the executor is told of; the order of host calls it takes one way whatever --reading says. */
enum { TOLD = 1u << HOST_READING_TEARING | 1u << HOST_READING_DEPENDENCIES };

bool comparison_new(struct comparison *c, struct job *job, const struct answer *answer)
{
    *c = (struct comparison){.job = job, .answer = *answer};
    struct diag_list refusals = {.arena = job->arena};
    bool host = job->test->host;
    if (!run_machine(c, host ? &refusals : &job->diags) && !host)
        return false;
    c->reached.finished |= !c->memory; /* nothing to search */
    c->outside = refusals.errors        ? refusals.items.at[0].message
                 : reports_undefined(c) ? "undefined behaviour"
                                        : NULL;
    if (!refusals.errors && comparison_excluded(answer))
        c->outside = comparison_excluded(answer);
    name_misuse(c);
    c->executor_hangs = executor_hangs(c);
    c->axioms_hang = axioms_hang(c);
    c->not_reached = difference(job, &answer->found->outcomes, &c->reached.outcomes);
    c->seen = hardware_find(job->arena, job->hardware, job->test, job->path);
    hardware_tell_unfit(&c->seen, &job->diags);
    c->unsound = beyond_find(answer, job, &c->reached.outcomes, job->fixed & TOLD);
    c->not_allowed = beyond_find(answer, job, &c->seen.states, job->fixed);
    return true;
}
