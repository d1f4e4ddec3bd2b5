/* SPDX-License-Identifier: MIT */
#include "cli/repair/plain.h"

#include <inttypes.h>

#include "model/brute/brute.h"
#include "model/models/flags.h"

/* Combinations of choices that are tried: so many of a graph of a few events. To judge one takes time with the third power
 * of the events, so that larger graphs get fewer, and all about as long: below a second. */
enum { MOST_COMBINATIONS = 10000, FEW_EVENTS = 16 };

static uint64_t most_combinations(const struct job *job)
{
    uint64_t events = FEW_EVENTS, few = FEW_EVENTS;
    for (uint32_t i = 0; i < job->graph_count; i++)
        events = MAX(events, job->graphs[i]->event_count);
    return MAX(1, MOST_COMBINATIONS * few * few * few / (events * events * events));
}

static bool has_race(const struct cat_model *model, const struct brute_result *found)
{
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        const struct cat_axiom *axiom = &model->axioms[i];
        enum flag_kind kind = axiom->flag ? flag_kind(axiom->name) : FLAG_WARNING;
        if (found->flags[i] && (flag_is_race(kind)))
            return true;
    }
    return false;
}

static bool has_trap(const struct brute_result *found)
{
    for (uint32_t i = 0; i < found->undefined_count; i++)
        if (goal_aborts(found->undefined[i]))
            return true;
    return false;
}

static bool has_outcome(const struct test *test, const struct brute_result *found)
{
    for (uint32_t i = 0; i < found->outcomes.items.len; i++)
        if (outcome_satisfies(test, test->condition, found->outcomes.items.at[i].values) !=
            (test->quantifier == QUANTIFIER_FORALL))
            return true;
    return false;
}

/* Is what was to go there? Of a weakened test all that counts is that both find the same. */
static bool is_there(const struct repair *repair, const struct job *job,
                     const struct brute_result *found)
{
    if (repair->weakens)
        return false;
    switch (repair->goal) {
    case GOAL_OUTCOME:
        return has_outcome(job->test, found);
    case GOAL_RACE:
        return has_race(job->model, found);
    case GOAL_ASSERT:
        return has_trap(found);
    case GOAL_HANG:
        return found->hangs;
    }
    return false;
}

/* Are all final states among the answer's, where that has all of them? */
static bool are_known(const struct answer *answer, const struct brute_result *found)
{
    uint32_t index;
    for (uint32_t i = 0; answer->found->complete && i < found->outcomes.items.len; i++)
        if (!outcome_find(&answer->found->outcomes, found->outcomes.items.at[i].values, &index))
            return false;
    return true;
}

bool plain_agrees(const struct repair *repair, const struct variant *variant,
                  const struct answer *answer, const char **words)
{
    const struct job *job = &variant->job;
    uint64_t most = most_combinations(job);
    struct brute_result found =
        brute(variant->arena, job->graphs, job->graph_count, job->model, most);
    *words = found.complete && !found.judged
                 ? "has nothing to judge: no execution ends while its loops are unrolled"
             : found.complete
                 ? arena_printf(variant->arena, "agrees, in each of %" PRIu64 " executions",
                                found.judged)
                 : arena_printf(variant->arena, "agrees so far: more than %" PRIu64 " combinations",
                                most);
    return !is_there(repair, job, &found) && are_known(answer, &found);
}
