/* SPDX-License-Identifier: MIT */
#include "cli/answer/ending.h"

#include <string.h>

#include "cli/answer/interleavings.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/search/interleaving.h"

/* ---- the executor --------------------------------------------------------------------------- */

static bool set_up(const struct job *job, struct ending *ending)
{
    if (!interleavings_run(job, &ending->run))
        return false;
    ending->reports = ending->run.reports;
    return true;
}

/* A state graph may take half of what the test may, and leaves the rest to the axioms. */
static bool explore_states(const struct job *job, struct ending *ending, uint64_t states)
{
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    const struct state_graph_limits limits = {
        .states = states,
        .seconds = job_time_left(job) / 2,
        .memory_bytes = (size_t)job->settings->memory_limit << 19,
        .fair = progress_is_fair(&progress),
    };
    ending->graph = state_graph_new(job->arena, &ending->run, &limits);
    return ending->graph;
}

/* Looks for a hang near the start, then everywhere: one that was found stands, although the states may be
 * without end. */
static bool explore_all(const struct job *job, struct ending *ending,
                        const struct guarantee *progress)
{
    enum { FEW_STATES = 1 << 13, MOST_STATES = 1 << 17 };
    for (uint64_t states = FEW_STATES;; states = MOST_STATES) {
        if (!explore_states(job, ending, states))
            return false;
        ending->hang = liveness_find(job->arena, ending->run.machine, ending->graph, progress);
        if (ending->hang.timed && !ending->graph->limit)
            ending->graph->limit = "clocks";
        if (ending->hang.kind != HANG_NONE || !ending->graph->limit || states == MOST_STATES)
            return true;
    }
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

/* A test in C++ ends if what it is compiled to does, where interleavings are all there is, so that nothing races; and
 * goes on for ever as that does. */
static void ask_executor_of_cpp(const struct job *job, struct ending *ending)
{
    struct job asked = *job;
    struct ending compiled = *ending;
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    if (!interleavings_compile(&asked) || !set_up(&asked, &compiled))
        return;
    struct interleaved *shown = interleaving_new(job->arena, compiled.run.machine);
    compiled.run.tracer = &shown->tracer;
    bool explored = interleaving_is_all(shown) && explore_all(&asked, &compiled, &progress);
    compiled.run.tracer = NULL;
    if (!explored || is_undefined(&compiled) || shown->leaves)
        return;
    if (compiled.hang.kind != HANG_NONE) {
        *ending = compiled;
        ending->verdict = VERDICT_FAILS;
    } else if (!compiled.graph->limit) {
        ending->verdict = VERDICT_HOLDS;
    }
}

/* Decides what interleavings decide: a hang that was found stands, and that there is none holds where
 * they are all there is. */
static void ask_executor(const struct job *job, struct ending *ending)
{
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    if (!set_up(job, ending))
        return;
    struct interleaved *shown = interleaving_new(job->arena, ending->run.machine);
    ending->run.tracer = &shown->tracer;
    bool explored = explore_all(job, ending, &progress);
    ending->run.tracer = NULL;
    if (!explored)
        return;
    if (ending->hang.kind != HANG_NONE)
        ending->verdict = VERDICT_FAILS;
    else if (!ending->graph->limit && !is_undefined(ending) && interleaving_tells_ends(shown))
        ending->verdict = VERDICT_HOLDS;
}

/* A loop that the axioms leave open may go on for ever in a run that is no interleaving. That there is none says
 * nothing: not every run is there. */
static void ask_weak(const struct job *job, struct ending *ending)
{
    enum { MOST_STATES = 1 << 14 };
    struct ending weak = *ending;
    struct diag_list refusals = {.arena = job->arena};
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    if (strcmp(job->settings->model, "ptx") != 0 || !set_up(job, &weak))
        return;
    weak.run.memory = weak_memory_new(job->arena, weak.run.machine, &refusals);
    if (!weak.run.memory || !explore_states(job, &weak, MOST_STATES))
        return;
    weak.hang = liveness_find(job->arena, weak.run.machine, weak.graph, &progress);
    if (weak.hang.kind == HANG_NONE)
        return;
    *ending = weak;
    ending->verdict = VERDICT_FAILS;
    ending->open = NULL;
    ending->stuck = NULL;
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

/* A loop that may go on past the bound: the one that does in 'beyond', or, when that is NULL, the first. */
static const struct spin *open_loop(const struct job *job, const struct execution *beyond)
{
    const struct spin *first = NULL;
    for (uint32_t g = 0; g < job->graph_count; g++)
        for (uint32_t i = 0; i < job->graphs[g]->spin_count; i++) {
            const struct spin *spin = &job->graphs[g]->spins[i];
            uint64_t goes_on;
            if (!spin->open)
                continue;
            first = first ? first : spin;
            if (beyond && beyond->graph == job->graphs[g] &&
                execution_eval(beyond, spin->condition, &goes_on) && goes_on)
                return spin;
        }
    return first;
}

/* "loop at :7 can go round more often than it was unrolled". */
static const char *open_bound(const struct job *job, const struct execution *beyond)
{
    const struct spin *spin = open_loop(job, beyond);
    if (!spin)
        return job_stopped(job, SOLVER_BOUND);
    return job_open_loop(job, spin->span);
}

static const char *out_of_effort(const struct job *job)
{
    for (uint32_t g = 0; g < job->graph_count && !job->endless && job_time_left(job) > 0; g++)
        if (job->graphs[g]->spin_count)
            return arena_printf(job->arena, "loop at %s goes round in more ways than were searched",
                                job_line(job, job->graphs[g]->spins[0].span));
    return job_stopped(job, SOLVER_TIMEOUT);
}

static void ask_axioms(struct job *job, struct ending *ending, const struct guarantee *progress)
{
    struct solver_options options = job_solver_options(job, false);
    enum solver_status status;
    options.progress = progress;
    /* A search that takes longer than that of four threads for a lock says so, and does not use up the time. */
    options.effort = options.effort ? options.effort : job_rounds_effort(job);
    bool ends = solver_terminates(job->arena, &options, &status, &ending->stuck);
    const char *why = status == SOLVER_BOUND     ? open_bound(job, ending->stuck)
                      : status == SOLVER_TIMEOUT ? out_of_effort(job)
                                                 : job_stopped(job, status);
    ending->open = NULL;
    if (status == SOLVER_DONE) {
        ending->verdict = ends ? VERDICT_HOLDS : VERDICT_FAILS;
        return;
    }
    ending->verdict = VERDICT_UNDECIDED;
    ending->stuck = NULL;
    ending->open = why ? why : "the search stopped before it knew";
}

/* Barriers whose threads are left standing, and accesses that may go astray on the way there, are for the
 * executor. */
static bool may_be_abandoned(const struct job *job)
{
    if (job->test->host)
        return false;
    for (uint32_t g = 0; g < job->graph_count; g++) {
        const struct graph *graph = job->graphs[g];
        if (graph->barrier_count)
            return false;
        for (uint32_t i = 0; i < graph->assumption_count; i++)
            if (graph->assumptions[i].kind == ASSUME_DEFINED)
                return false;
    }
    return true;
}

/* Without a loop that may go on for ever every run is finite, whoever gets a turn. */
static bool may_go_round(const struct job *job)
{
    for (uint32_t g = 0; g < job->graph_count; g++)
        if (job->graphs[g]->spin_count)
            return true;
    return false;
}

/* What goes on for ever under the fair scheduler does under every other. */
static void ask_below_fair(struct job *job, struct ending *ending)
{
    struct job again = *job;
    struct guarantee progress;
    progress_parse(ending->scheduler, &progress);
    if (may_be_abandoned(job) && job_unfold_abandoned(&again)) {
        ask_axioms(&again, ending, &progress);
    } else if (ending->verdict == VERDICT_HOLDS && may_go_round(job)) {
        ending->verdict = VERDICT_UNDECIDED;
        ending->open = open_below_fair(ending);
    }
}

/* Of a host program the axioms assume of the fair scheduler what CUDA promises, and no more: that tasks, clusters and
 * host functions which have started go on (model/host/progress.c). Of any other test each graph has the same threads. */
static bool is_decided_as_fair(const struct job *job, const char *scheduler)
{
    struct guarantee progress;
    progress_parse(scheduler, &progress);
    return job->test->host ? progress.unit == PROGRESS_CUDA || strcmp(scheduler, "fair") == 0
                           : solver_is_fair(job->graphs[0], &progress);
}

const char *ending_scheduler(const struct job *job)
{
    struct guarantee progress = {.threads = PROGRESS_FAIR};
    const char *said = job->settings->progress ? job->settings->progress : job->test->progress;
    if (said)
        progress_parse(said, &progress);
    return progress_name(job->arena, &progress);
}

/* Of a test in C++ the axioms say more: who waits for what. Where they find no run soon, that of what it is compiled to is
 * shown. */
static struct ending in_its_own_words(struct job *job, const struct ending *compiled)
{
    struct ending ending = {.verdict = VERDICT_UNDECIDED, .scheduler = compiled->scheduler};
    unsigned effort = job->effort;
    job->effort = effort ? effort : JOB_DETAIL_EFFORT;
    ask_axioms(job, &ending, NULL);
    job->effort = effort;
    return ending.verdict == VERDICT_FAILS ? ending : *compiled;
}

struct ending ending_of_executor(const struct job *job, const char *scheduler)
{
    struct ending ending = {.verdict = VERDICT_UNDECIDED, .scheduler = scheduler};
    (job->test->language == LANGUAGE_CPP ? ask_executor_of_cpp : ask_executor)(job, &ending);
    return ending;
}

struct ending ending_find(struct job *job, const char *scheduler)
{
    const char *gap = job_first_gap(job);
    if (gap)
        return (struct ending){.verdict = VERDICT_UNDECIDED, .scheduler = scheduler, .open = gap};
    struct ending ending = ending_of_executor(job, scheduler);
    if (ending.verdict == VERDICT_FAILS && job->test->language == LANGUAGE_CPP)
        return in_its_own_words(job, &ending);
    if (ending.verdict != VERDICT_UNDECIDED)
        return ending;
    ask_axioms(job, &ending, NULL);
    if (ending.verdict != VERDICT_FAILS && !is_decided_as_fair(job, scheduler))
        ask_below_fair(job, &ending);
    if (ending.verdict == VERDICT_UNDECIDED)
        ask_weak(job, &ending);
    return ending;
}
