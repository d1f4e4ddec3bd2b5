/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/idle.h"

#include <string.h>

#include "cli/answer/ending.h"
#include "litmus/isa/isa.h"
#include "litmus/test/code_line.h"

static bool goes_through(const struct explanation *explanation, const struct inst *inst)
{
    const struct event *events = explanation->execution->graph->events;
    struct step_list steps = explanation_steps(explanation);
    for (uint32_t i = 0; i < steps.items.len; i++)
        if (events[steps.items.at[i].from].inst == inst ||
            events[steps.items.at[i].to].inst == inst)
            return true;
    return false;
}

static bool takes_part(const struct explanation *whole, const struct inst *inst)
{
    for (uint32_t i = 0; i < whole->reason->example_count; i++) {
        struct explanation example = explanation_of_example(whole, i);
        if (goes_through(&example, inst))
            return true;
    }
    return false;
}

/* Does any thread come to it? A file may hold kernels that are not launched. */
static bool is_reached(const struct job *job, const struct inst *inst)
{
    for (uint32_t g = 0; g < job->graph_count; g++)
        for (uint32_t e = 0; e < job->graphs[g]->event_count; e++)
            if (job->graphs[g]->events[e].inst == inst)
                return true;
    return false;
}

/* Has it no value that another instruction could depend on? What host code writes to a variable is none of it: the
 * program needs it, and nobody takes it for synchronization. */
static bool is_candidate(const struct test *test, const struct body *body, const struct inst *inst)
{
    if (inst->op == OP_ST && test->host && body->dialect)
        return false;
    static const enum op ops[] = {OP_FENCE,         OP_BAR_SYNC, OP_BAR_ARRIVE,
                                  OP_BAR_WARP_SYNC, OP_ST,       OP_RED};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (inst->op == ops[i])
            return true;
    return false;
}

/* The test without the instruction. */
static const struct test *test_without(struct arena *arena, const struct test *test, uint32_t body,
                                       uint32_t index)
{
    struct test *copy = ARENA_NEW(arena, struct test);
    *copy = *test;
    copy->bodies = ARENA_ARRAY(arena, struct body, test->body_count);
    memcpy(copy->bodies, test->bodies, test->body_count * sizeof *test->bodies);
    struct body *changed = &copy->bodies[body];
    changed->insts = ARENA_ARRAY(arena, struct inst, changed->inst_count);
    memcpy(changed->insts, test->bodies[body].insts, changed->inst_count * sizeof *changed->insts);
    struct inst *inst = &changed->insts[index];
    *inst = (struct inst){.op = OP_NOP, .vector = 1, .guard = NONE, .span = inst->span};
    return copy;
}

static bool may_wait(const struct job *job)
{
    for (uint32_t i = 0; i < job->graph_count; i++)
        if (job->graphs[i]->spin_count || job->graphs[i]->barrier_count)
            return true;
    return false;
}

/* Does every execution end? */
static enum verdict ends(const struct job *job)
{
    struct job again = *job;
    again.diags = (struct diag_list){.arena = again.arena};
    return job_unfold(&again, true) ? ending_find(&again, ending_scheduler(&again)).verdict
                                    : VERDICT_UNDECIDED;
}

/* Is it known that the job's test does not hang, or that the explained one does too? */
static bool still_ends(const struct explanation *explanation, const struct job *job)
{
    return !may_wait(job) || ends(job) == VERDICT_HOLDS || ends(explanation->job) == VERDICT_FAILS;
}

static uint32_t count_races(const struct solver_result *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < found->race_count; i++)
        count += answer_is_race(&found->races[i]);
    return count;
}

static bool adds_races(const struct explanation *explanation, const struct solver_result *found)
{
    const struct solver_result *before = explanation->answer->found;
    return !found->races_complete || count_races(found) > count_races(before);
}

/* Forbidden by the model, not by values that are missing or a barrier that nobody reaches, and that is sure? Without a
 * race or a hang that was not there, too. */
static bool is_forbidden(const struct explanation *explanation, const struct test *test)
{
    struct job again = *explanation->job;
    again.test = test;
    again.diags = (struct diag_list){.arena = again.arena};
    again.trace = NULL;
    if (!job_unfold(&again, false))
        return false;
    struct solver_options options = job_solver_options(&again, false);
    options.states = false;
    const struct solver_result *found = solve(again.arena, &options);
    bool clean = !found->undefined_count && !found->mixed_size_race && !found->bound_reached &&
                 !found->unattainable_count &&
                 (!found->can_hang || explanation->answer->found->can_hang);
    bool gone = explanation->negate ? found->negation_decided && !found->negation_reachable
                                    : found->condition_decided && !found->condition_reachable;
    return clean && gone && !adds_races(explanation, found) && still_ends(explanation, &again);
}

struct idle_list idle_find(const struct explanation *explanation)
{
    struct idle_list idle = {0};
    const struct test *test = explanation->job->test;
    struct arena *arena = explanation->job->arena;
    uint32_t tried = 0;
    if (explanation->kind != EXPLANATION_FORBIDDEN || explanation->reason->by_values)
        return idle;
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count && tried < IDLE_MOST; i++) {
            const struct inst *inst = &test->bodies[b].insts[i];
            if (!is_candidate(test, &test->bodies[b], inst) ||
                !is_reached(explanation->job, inst) || takes_part(explanation, inst))
                continue;
            tried++;
            if (is_forbidden(explanation, test_without(arena, test, b, i)))
                vec_push(arena, &idle.items, ((struct idle){&test->bodies[b], inst}));
        }
    return idle;
}

void idle_text(const struct explanation *explanation, GString *out)
{
    const struct source *source = explanation->job->test->source;
    struct idle_list idle = idle_find(explanation);
    for (uint32_t i = 0; i < idle.items.len; i++) {
        const struct idle *one = &idle.items.at[i];
        struct span span = one->inst->span;
        g_string_append_printf(
            out, "Removing %s changes nothing: without '%.*s' of %s it is forbidden too\n",
            test_line_mark(explanation->job->arena, explanation->job->test, span.offset),
            (int)span.length, source->text + span.offset, one->body->name);
    }
}
