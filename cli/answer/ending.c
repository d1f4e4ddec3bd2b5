/* SPDX-License-Identifier: MIT */
#include "cli/answer/ending.h"

#include <string.h>

#include "model/machine/memory/sc.h"
#include "model/machine/search/interleaving.h"
#include "model/machine/setup/setup.h"

/* ---- the executor --------------------------------------------------------------------------- */

/* What it shows holds of every model on board, not of any text: interleavings are allowed. */
static bool is_on_board(const struct job *job)
{
    return !g_str_has_suffix(job->settings->model, ".cat");
}

static bool set_up(const struct job *job, struct ending *ending)
{
    const struct machine_options options = {.tearing = job_tearing(job)};
    struct diag_list refusals = {.arena = job->arena};
    if (job->test->host || !is_on_board(job))
        return false;
    struct machine *machine = machine_new(job->arena, job->test, &options, &refusals);
    if (!machine)
        return false;
    ending->reports = ARENA_NEW(job->arena, struct report_list);
    ending->reports->arena = job->arena;
    ending->run = (struct run){.machine = machine,
                               .reports = ending->reports,
                               .state = arena_alloc(job->arena, machine->state_bytes + 1),
                               .memory = memory_sc_new(job->arena, machine)};
    return true;
}

/* The state graph may take half of what the test may, and leaves the rest to the axioms. */
static bool explore_all(const struct job *job, struct ending *ending)
{
    enum { MOST_STATES = 1 << 20 };
    const struct state_graph_limits limits = {
        .states = MOST_STATES,
        .seconds = job_time_left(job) / 2,
        .memory_bytes = (size_t)job->settings->memory_limit << 19,
    };
    ending->graph = state_graph_new(job->arena, &ending->run, &limits);
    return ending->graph;
}

static bool is_undefined(const struct ending *ending)
{
    for (uint32_t i = 0; i < ending->reports->items.len; i++) {
        enum report_severity severity = report_severity(ending->reports->items.at[i].id);
        if (severity == REPORT_undefined || severity == REPORT_error)
            return true;
    }
    return ending->graph->stops;
}

/* Decides what interleavings decide: a hang that was found stands, and that there is none holds where
 * they are all there is. */
static void ask_executor(const struct job *job, struct ending *ending)
{
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    if (!set_up(job, ending) || !explore_all(job, ending))
        return;
    const struct machine *machine = ending->run.machine;
    if (!ending->graph->limit)
        ending->hang = liveness_find(job->arena, machine, ending->graph, &progress);
    if (ending->hang.kind != HANG_NONE)
        ending->verdict = VERDICT_FAILS;
    else if (!ending->graph->limit && !is_undefined(ending) &&
             interleaving_is_all(job->arena, machine))
        ending->verdict = VERDICT_HOLDS;
}

/* ---- the axioms ----------------------------------------------------------------------------- */

/* Why they leave a scheduler open that guarantees less than they assume. */
static const char *open_below_fair(const struct ending *ending)
{
    if (!ending->graph)
        return "the executor, which alone knows this scheduler, does not run the test";
    if (ending->graph->limit)
        return "the executor has not reached every state";
    return is_undefined(ending)
               ? "undefined behaviour: whatever follows is possible"
               : "no interleaving goes on for ever, but the weak memory may let one";
}

/* They know the fair scheduler: what goes on for ever under it does under every other. */
static void ask_axioms(struct job *job, struct ending *ending)
{
    struct solver_options options = job_solver_options(job, false);
    enum solver_status status;
    bool ends = solver_terminates(job->arena, &options, &status, &ending->stuck);
    if (status == SOLVER_DONE)
        ending->verdict = ends ? VERDICT_HOLDS : VERDICT_FAILS;
    const char *why = job_stopped(job, status);
    if (status != SOLVER_DONE)
        ending->open = why ? why : "the search stopped before it knew";
    if (ending->verdict == VERDICT_HOLDS && strcmp(ending->scheduler, "fair") != 0) {
        ending->verdict = VERDICT_UNDECIDED;
        ending->open = open_below_fair(ending);
    }
}

const char *ending_scheduler(const struct job *job)
{
    struct guarantee progress = {.threads = PROGRESS_FAIR};
    const char *said = job->settings->progress ? job->settings->progress : job->test->progress;
    if (said)
        progress_parse(said, &progress);
    return progress_name(job->arena, &progress);
}

struct ending ending_find(struct job *job, const char *scheduler)
{
    struct ending ending = {.verdict = VERDICT_UNDECIDED, .scheduler = scheduler};
    ask_executor(job, &ending);
    if (ending.verdict == VERDICT_UNDECIDED)
        ask_axioms(job, &ending);
    return ending;
}
