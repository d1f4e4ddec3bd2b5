/* SPDX-License-Identifier: MIT */
#include "cli/answer/interleavings.h"

#include "cli/answer/mapped.h"
#include "model/machine/memory/sc.h"
#include "model/machine/search/explore.h"
#include "model/machine/search/interleaving.h"
#include "model/machine/setup/setup.h"

/* As the verdict depends on it, a number of states, and not a time. Of a question that is answered anyhow the states
 * are only a list, which need not be complete. */
enum { MOST_STATES = 1 << 16, MOST_TO_LIST = 1 << 12 };
/* So many events of strong accesses that are ordered by their values alone take the axioms longer, unless there are so
 * many threads, too, that their states are many: a state costs about the product of both. */
enum { MANY_EVENTS = 20, MOST_COST = 1 << 20 };
/* Where the axioms have found out nothing: seconds, as a state costs more the more lanes there are. */
enum { LAST_STATES = 1 << 18, LAST_COST = 1 << 20 };

/* What it shows holds of every bundled model, not of every text: interleavings are allowed. */
static bool is_on_board(const struct job *job)
{
    return !g_str_has_suffix(job->settings->model, ".cat");
}

bool interleavings_run(const struct job *job, struct run *run)
{
    const struct machine_options options = {.tearing = job_tearing(job)};
    struct diag_list refusals = {.arena = job->arena};
    if (job->test->host || !is_on_board(job))
        return false;
    struct machine *machine = machine_new(job->arena, job->test, &options, &refusals);
    if (!machine)
        return false;
    struct report_list *reports = ARENA_NEW(job->arena, struct report_list);
    reports->arena = job->arena;
    *run = (struct run){.machine = machine,
                        .reports = reports,
                        .state = arena_alloc(job->arena, machine->state_bytes + 1),
                        .memory = memory_sc_new(job->arena, machine)};
    return true;
}

/* ---- tests in C++ --------------------------------------------------------------------------- */

static bool is_atomic_of_thread(const struct inst *inst)
{
    bool atomic = inst->sem != SEM_NONE && inst->sem != SEM_WEAK && inst->op != OP_FENCE;
    return atomic && inst->scope == SCOPE_NONE;
}

/* PTX has no scope of a thread: mappings widen it, and what races in C++ would not race there. */
static bool has_scope_of_thread(const struct test *test)
{
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++)
            if (is_atomic_of_thread(&test->bodies[b].insts[i]))
                return true;
    return false;
}

/* The compiled test as a part of its source: each instruction stands where what it comes from does. */
static const struct test *in_source(const struct job *job, const struct mapped_test *mapped)
{
    struct test *test = ARENA_NEW(job->arena, struct test);
    *test = *mapped->test;
    test->source = mapped->source->source;
    test->bodies = ARENA_ARRAY(job->arena, struct body, test->body_count + 1);
    for (uint32_t i = 0; i < test->body_count; i++) {
        struct body *body = &test->bodies[i];
        *body = mapped->test->bodies[i];
        body->insts = ARENA_ARRAY(job->arena, struct inst, body->inst_count + 1);
        for (uint32_t k = 0; k < body->inst_count; k++) {
            body->insts[k] = mapped->test->bodies[i].insts[k];
            body->insts[k].span = mapped->made->bodies[i].insts[k].span;
        }
    }
    return test;
}

bool interleavings_compile(struct job *job)
{
    if (job->test->language != LANGUAGE_CPP)
        return true;
    job->diags = (struct diag_list){.arena = job->arena};
    const struct mapping_table *mapping = mapping_load(job->arena, "paper", &job->diags);
    struct mapped_test mapped;
    if (!mapping || has_scope_of_thread(job->test) ||
        !mapped_read(job, job->test, mapping, &mapped))
        return false;
    job->test = in_source(job, &mapped);
    return true;
}

/* ---- every state ---------------------------------------------------------------------------- */

/* Nothing was met that the axioms judge otherwise than by what follows. A loop that waits for ever is part of the answer. */
static bool is_clean(const struct explore_result *explored, const struct report_list *reports)
{
    for (uint32_t i = 0; i < reports->items.len; i++) {
        enum report_id id = reports->items.at[i].id;
        if (report_severity(id) != REPORT_note && id != REPORT_SPIN_FOREVER)
            return false;
    }
    return explored->finished && !explored->stops;
}

/* Every state was found; accesses that conflict are morally strong, so there is no race. */
static struct solver_result *result_of(const struct job *job, struct explore_result *explored)
{
    struct solver_result *result = ARENA_NEW(job->arena, struct solver_result);
    result->outcomes = explored->outcomes;
    result->condition_decided = result->negation_decided = result->complete = true;
    result->bound_decided = result->undefined_decided = result->outside_decided = true;
    result->hang_decided = result->races_complete = true;
    for (uint32_t i = 0; i < result->outcomes.items.len; i++) {
        struct outcome *state = &result->outcomes.items.at[i];
        bool satisfies = outcome_satisfies(job->test, job->test->condition, state->values);
        result->condition_reachable |= satisfies;
        result->negation_reachable |= !satisfies;
        state->race_free = true;
    }
    return result;
}

static uint64_t most_states(const struct job *job, const struct machine *machine,
                            enum interleavings_spent spent)
{
    uint64_t most = spent == INTERLEAVINGS_LISTED ? MOST_TO_LIST : MOST_STATES;
    uint64_t affordable = MOST_COST / ((uint64_t)job_event_count(job) * machine->lane_count + 1);
    if (spent == INTERLEAVINGS_MANY)
        return MIN(LAST_STATES, LAST_COST / machine->lane_count + 1);
    return job_has_open_loop(job) || most < affordable ? most : affordable + 1;
}

/* What the runs will show; NULL: not every execution is one of them. */
static struct interleaved *look_at(const struct job *job, struct run *run)
{
    struct job asked = *job;
    if ((!job_has_open_loop(job) && job_event_count(job) < MANY_EVENTS) ||
        !interleavings_compile(&asked) || !interleavings_run(&asked, run))
        return NULL;
    struct interleaved *shown = interleaving_new(job->arena, run->machine);
    return interleaving_is_all(shown) ? shown : NULL;
}

bool interleavings_tell(const struct job *job)
{
    struct run run;
    return look_at(job, &run);
}

struct solver_result *interleavings_find(const struct job *job, enum interleavings_spent spent)
{
    struct run run;
    struct explore_result explored;
    struct interleaved *shown = look_at(job, &run);
    if (!shown)
        return NULL;
    const struct explore_options options = {.max_states = most_states(job, run.machine, spent),
                                            .memory_limit = (size_t)job->settings->memory_limit
                                                            << 19,
                                            .reduce = true,
                                            .tracer = &shown->tracer};
    explore(job->arena, run.machine, run.memory, &options, run.reports, &explored);
    return is_clean(&explored, run.reports) && !shown->leaves ? result_of(job, &explored) : NULL;
}
