/* SPDX-License-Identifier: MIT */
#include "cli/answer/hang.h"

#include "cli/answer/stall.h"
#include "litmus/test/code_line.h"

/* Or go round for ever a loop that writes. */
static bool may_spin(const struct job *job)
{
    for (uint32_t i = 0; i < job->graph_count; i++)
        if (job->graphs[i]->spin_count)
            return true;
    return job_has_open_loop(job);
}

/* "K1[0,0] goes round for ever at line 5; it waits for …". */
static const char *who_spins(struct job *job, const struct execution *stuck)
{
    struct stall_list stalls = stall_find(job, stuck);
    for (uint32_t i = 0; i < stalls.items.len; i++) {
        const struct stall *stall = &stalls.items.at[i];
        if (stall->kind == STALL_ROUND)
            return arena_printf(job->arena, "%s %s", stuck->graph->threads[stall->thread].name,
                                stall->words);
    }
    return "a thread waits for ever at a barrier";
}

bool hang_is_all(const struct job *job, const struct solver_result *found)
{
    return !job->test->filter && !found->outcomes.items.len && !found->bound_reached;
}

/* An execution waits for ever. Does none end? That is not known when not all were looked at. */
static void call_hang(struct answer_hang *hang, const struct job *job,
                      const struct solver_result *found)
{
    bool none = hang_is_all(job, found);
    bool whole = found->complete && found->status == SOLVER_DONE;
    hang->name = none && whole ? "hang-certain" : "hang-possible";
    hang->maybe_certain = none && !whole;
}

static bool is_asked(const struct job *job, const struct solver_result *found, bool wanted)
{
    return may_spin(job) && (job->test->host || (!found->can_hang && !found->undefined_count &&
                                                 (wanted || hang_is_all(job, found))));
}

/* ---- as the executor has it ----------------------------------------------------------------- */

/* The first jump back of each lane in a run. */
struct back_jumps {
    struct tracer tracer;
    const struct micro **of;
};

static void look_for_jump(const struct tracer *tracer, struct run *run, uint32_t lane,
                          const struct micro *micro, const struct memory_access *access)
{
    struct back_jumps *jumps = (struct back_jumps *)(uintptr_t)tracer;
    const struct micro *first = machine_program(run->machine, lane)->micros;
    (void)access;
    if (!jumps->of[lane] && micro->inst && micro->kind == MICRO_BRANCH &&
        micro->target <= (uint32_t)(micro - first))
        jumps->of[lane] = micro;
}

static void follow(struct ending *lasso, const uint32_t *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        state_graph_follow(lasso->reports->arena, &lasso->run, &lasso->graph->edges.at[edges[i]]);
}

static const struct micro **jumps_of(struct ending *lasso)
{
    struct arena *arena = lasso->reports->arena;
    struct back_jumps jumps = {
        {look_for_jump}, ARENA_ARRAY(arena, const struct micro *, lasso->run.machine->lane_count)};
    state_graph_start(arena, &lasso->run);
    follow(lasso, lasso->hang.stem, lasso->hang.stem_length);
    lasso->run.tracer = &jumps.tracer;
    follow(lasso, lasso->hang.loop, lasso->hang.loop_length);
    lasso->run.tracer = NULL;
    return jumps.of;
}

/* "P0 goes round for ever at line 5, P1 at line 7", of the first few that do. */
static const char *who_goes_round(const struct job *job, struct ending *lasso)
{
    enum { MOST_NAMED = 3 };
    const struct machine *machine = lasso->run.machine;
    const struct micro **jumps = jumps_of(lasso);
    const char *words = NULL;
    uint32_t named = 0;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        if (!jumps[lane] || named++ >= MOST_NAMED)
            continue;
        const char *name = run_lane_name(job->arena, machine, lane);
        const char *at = test_line_words(job->arena, machine->test, jumps[lane]->inst->span.offset);
        words = words ? arena_printf(job->arena, "%s, %s at %s", words, name, at)
                      : arena_printf(job->arena, "%s goes round for ever at %s", name, at);
    }
    if (named > MOST_NAMED)
        words = arena_printf(job->arena, "%s, and %u more", words, named - MOST_NAMED);
    return words ? words : "every thread that has not ended waits at a barrier";
}

/* ---- whether it does ------------------------------------------------------------------------ */

/* Whether a launch goes wrong is asked as 'check --property termination' does, which names the loop that it leaves open. */
static struct answer_hang hang_of_ending(const struct job *job, struct job *again,
                                         const struct solver_result *found)
{
    struct answer_hang hang = {0};
    struct ending *ending = ARENA_NEW(job->arena, struct ending);
    *ending = ending_find(again, "fair");
    if (ending->verdict == VERDICT_HOLDS)
        return hang;
    if (ending->verdict == VERDICT_UNDECIDED) {
        hang.detail = ending->open;
        return hang;
    }
    call_hang(&hang, job, found);
    hang.run = ending->stuck;
    hang.lasso = ending->hang.kind == HANG_NONE ? NULL : ending;
    hang.detail = hang.lasso ? who_goes_round(job, ending) : who_spins(again, hang.run);
    return hang;
}

static struct answer_hang hang_of_axioms(struct job *job, struct job *again,
                                         const struct solver_result *found)
{
    struct answer_hang hang = {0};
    struct solver_options options = job_solver_options(again, false);
    enum solver_status status;
    struct execution *stuck = NULL;
    if (!solver_terminates(job->arena, &options, &status, &stuck) && stuck) {
        call_hang(&hang, job, found);
        hang.detail = who_spins(job, stuck);
        hang.run = stuck;
    } else if (status != SOLVER_DONE && job->test->host) {
        hang.detail = "the search stopped before it knew";
    } else if (status != SOLVER_DONE) {
        hang.maybe_certain = hang_is_all(job, found);
    }
    return hang;
}

static struct answer_hang hang_of_executor(const struct job *job)
{
    struct ending *lasso = ARENA_NEW(job->arena, struct ending);
    *lasso = ending_of_executor(job, "fair");
    if (lasso->hang.kind == HANG_NONE)
        return (struct answer_hang){0};
    return (struct answer_hang){
        .name = "hang-certain", .detail = who_goes_round(job, lasso), .lasso = lasso};
}

/* What the axioms leave open the executor may know; 'open' says what they know. */
static struct answer_hang hang_of_run(const struct job *job, const struct solver_result *found,
                                      const struct answer_hang *open)
{
    struct answer_hang hang = hang_of_executor(job);
    if (!hang.lasso)
        return *open;
    call_hang(&hang, job, found);
    return hang;
}

struct answer_hang hang_find(struct job *job, const struct solver_result *found, bool wanted)
{
    struct answer_hang hang = {0};
    if (!is_asked(job, found, wanted))
        return hang;
    struct job again = *job;
    again.diags = (struct diag_list){.arena = job->arena};
    if (job_unfold(&again, true)) {
        hang = job_is_unasked(job) ? hang_of_ending(job, &again, found)
                                   : hang_of_axioms(job, &again, found);
        return hang.maybe_certain && !hang.name ? hang_of_run(job, found, &hang) : hang;
    }
    if (job->test->host || job_is_unasked(job))
        hang.detail = again.diags.items.len ? again.diags.items.at[0].message : "it is too large";
    return hang;
}

struct answer_hang hang_of_interleavings(struct job *job, const struct solver_result *found,
                                         bool wanted)
{
    struct job asked = *job;
    asked.effort = job->effort ? job->effort : JOB_DETAIL_EFFORT;
    struct answer_hang none = {.name = "hang-certain", .detail = "no execution ends"}, hang = none;
    bool all = hang_is_all(job, found);
    if (all)
        hang = hang_of_executor(job);
    if (!all || !hang.lasso)
        hang = hang_find(&asked, found, wanted);
    return all && !hang.name ? none : hang;
}
