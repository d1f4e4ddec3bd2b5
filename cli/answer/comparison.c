/* SPDX-License-Identifier: MIT */
#include "cli/answer/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/base/sort.h"
#include "model/machine/memory/weak/weak.h"

struct explore_options comparison_exploration(const struct comparison *c, const uint64_t *until)
{
    return (struct explore_options){.timeout_seconds = c->job->options->timeout,
                                    .memory_limit = (size_t)c->job->options->memory_limit << 19,
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
    struct explore_options every = comparison_exploration(c, NULL);
    c->reports.arena = c->job->arena;
    explore(c->job->arena, c->machine, c->memory, &every, &c->reports, &c->reached);
    return true;
}

/* The states of 'a' that are not in 'b'. */
static struct outcome_set difference(struct comparison *c, const struct outcome_set *a,
                                     const struct outcome_set *b)
{
    struct outcome_set result = {.test = c->job->test, .arena = c->job->arena};
    uint32_t index;
    for (uint32_t i = 0; i < a->items.len; i++)
        if (!outcome_find(b, a->items.at[i].values, &index))
            outcome_add(&result, a->items.at[i].values);
    return result;
}

static bool is_undefined(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->reports.items.len; i++) {
        enum report_severity severity = report_severity(c->reports.items.at[i].id);
        if (severity == REPORT_undefined || severity == REPORT_error)
            return true;
    }
    return c->answer.undefined_count > 0;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void name_misuse(struct comparison *c)
{
    uint32_t count = 0, all = c->reports.items.len;
    c->misuse = ARENA_ARRAY(c->job->arena, const char *, all + 1);
    for (uint32_t i = 0; i < all && c->job->test->host; i++)
        if (report_severity(c->reports.items.at[i].id) == REPORT_error)
            c->misuse[count++] = report_name(c->reports.items.at[i].id);
    sort_array(c->misuse, count, sizeof *c->misuse, compare_words);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || strcmp(c->misuse[i], c->misuse[i - 1]) != 0)
            c->misuse[c->misuse_count++] = c->misuse[i];
}

bool comparison_misuse_differs(const struct comparison *c)
{
    bool open = !c->memory || !comparison_complete(c) || c->answer.found->mixed_size_race;
    return c->job->test->host && !open && (c->misuse_count > 0) != (c->answer.undefined_count > 0);
}

static const char *hang_word(bool hangs, bool ends)
{
    return !hangs ? "no" : ends ? "possible" : "certain";
}

const char *comparison_executor_hangs(const struct comparison *c)
{
    return hang_word(c->reached.hangs, c->reached.outcomes.items.len || c->reached.stops);
}

/* Without an execution that ends nothing is allowed. */
const char *comparison_axioms_hang(const struct comparison *c)
{
    const struct solver_result *found = c->answer.found;
    bool ends = found->outcomes.items.len || c->answer.undefined_count || !found->complete ||
                found->bound_reached || c->job->test->filter;
    return hang_word(found->can_hang || !ends, ends);
}

static const char *why_outside(const struct comparison *c)
{
    if (c->answer.found->mixed_size_race)
        return "a mixed-size data race: outside the model (8.7.2)";
    return is_undefined(c) ? "undefined behaviour" : NULL;
}

bool comparison_complete(const struct comparison *c)
{
    return c->reached.finished && c->answer.found->complete && !c->answer.found->bound_reached;
}

bool comparison_new(struct comparison *c, struct job *job, const struct answer *answer)
{
    *c = (struct comparison){.job = job, .answer = *answer};
    struct diag_list refusals = {.arena = job->arena};
    bool host = job->test->host;
    if (!run_machine(c, host ? &refusals : &job->diags) && !host)
        return false;
    c->reached.finished |= !c->memory; /* nothing to search */
    c->outside = refusals.errors ? refusals.items.at[0].message : why_outside(c);
    name_misuse(c);
    c->unsound = difference(c, &c->reached.outcomes, &answer->found->outcomes);
    c->not_reached = difference(c, &answer->found->outcomes, &c->reached.outcomes);
    c->seen = hardware_find(job->arena, job->hardware, job->test, job->path);
    c->not_allowed = difference(c, &c->seen.states, &answer->found->outcomes);
    if (!answer->found->complete || answer->found->bound_reached)
        c->unsound.items.len = c->not_allowed.items.len =
            0; /* what was not listed may be allowed */
    return true;
}
