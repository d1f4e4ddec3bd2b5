/* SPDX-License-Identifier: MIT */
#include "cli/repair/goal.h"

#include <string.h>

#include "cli/answer/ending.h"
#include "cli/answer/interleavings.h"

static const struct {
    const char *word;
    enum repair_goal goal;
} words[] = {{"outcome", GOAL_OUTCOME}, {"race", GOAL_RACE},         {"assert", GOAL_ASSERT},
             {"hang", GOAL_HANG},       {"condition", GOAL_OUTCOME}, {"assertion", GOAL_ASSERT},
             {"deadlock", GOAL_HANG}};

bool goal_parse(const char *word, enum repair_goal *goal)
{
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, word) == 0) {
            *goal = words[i].goal;
            return true;
        }
    return false;
}

const char *goal_words(void)
{
    return "outcome, race, assert or hang";
}

const char *goal_name(enum repair_goal goal)
{
    static const char *const names[] = {[GOAL_OUTCOME] = "the outcome",
                                        [GOAL_RACE] = "a data race",
                                        [GOAL_ASSERT] = "a trap",
                                        [GOAL_HANG] = "a hang"};
    return names[goal];
}

static enum minimal_answer gone(bool there, bool known)
{
    return there ? MINIMAL_SHORT : known ? MINIMAL_ENOUGH : MINIMAL_OPEN;
}

/* Every execution was looked at. */
static bool is_whole(const struct solver_result *found)
{
    return found->bound_decided && !found->bound_reached && found->undefined_decided &&
           found->outside_decided;
}

/* Does the language give a program no meaning once it has a race? Then races have to be known for every goal. */
static bool races_undefine(const struct test *test)
{
    return test->language == LANGUAGE_CPP;
}

static bool has_undefined_race(const struct solver_result *found)
{
    for (uint32_t i = 0; i < found->race_count; i++)
        if (found->races[i].kind == FLAG_RACY)
            return true;
    return false;
}

/* After undefined behaviour, or a race that the model says nothing about, every outcome may come. */
static enum minimal_answer outcome_gone(const struct test *test, const struct solver_result *found)
{
    bool forall = test->quantifier == QUANTIFIER_FORALL;
    bool there = forall ? found->negation_reachable : found->condition_reachable;
    there |= found->undefined_count || found->mixed_size_race || has_undefined_race(found);
    bool decided = forall ? found->negation_decided : found->condition_decided;
    bool races = found->races_complete || !races_undefine(test);
    return gone(there, decided && races && is_whole(found));
}

static enum minimal_answer race_gone(const struct solver_result *found)
{
    for (uint32_t i = 0; i < found->race_count; i++)
        if (answer_is_race(&found->races[i]))
            return MINIMAL_SHORT;
    return gone(false, found->races_complete && found->bound_decided && !found->bound_reached);
}

bool goal_aborts(const struct undefined *undefined)
{
    return strcmp(undefined->name, "trap") == 0 || strcmp(undefined->name, "assertion-failed") == 0;
}

/* A race of C++ may have any effect, an assertion that fails among them. */
static enum minimal_answer assert_gone(const struct test *test, const struct solver_result *found)
{
    bool races = found->races_complete || !races_undefine(test);
    for (uint32_t i = 0; i < found->undefined_count; i++)
        if (goal_aborts(found->undefined[i]))
            return MINIMAL_SHORT;
    return gone(has_undefined_race(found),
                races && found->undefined_decided && found->bound_decided && !found->bound_reached);
}

/* A barrier that is never completed, or a thread that waits for ever. */
static enum minimal_answer hang_gone(const struct job *job, const struct solver_result *found)
{
    struct job again = *job;
    again.diags = (struct diag_list){.arena = job->arena};
    if (found->can_hang)
        return MINIMAL_SHORT;
    if (!found->hang_decided || !job_unfold(&again, true))
        return MINIMAL_OPEN;
    struct ending ending = ending_find(&again, ending_scheduler(&again));
    return gone(ending.verdict == VERDICT_FAILS, ending.verdict == VERDICT_HOLDS);
}

static enum minimal_answer goal_found(enum repair_goal goal, const struct job *job,
                                      const struct solver_result *found)
{
    switch (goal) {
    case GOAL_OUTCOME:
        return outcome_gone(job->test, found);
    case GOAL_RACE:
        return race_gone(found);
    case GOAL_ASSERT:
        return assert_gone(job->test, found);
    case GOAL_HANG:
        return hang_gone(job, found);
    }
    return MINIMAL_OPEN;
}

enum minimal_answer goal_ask(enum repair_goal goal, const struct job *job)
{
    struct job asked = *job;
    const struct solver_result *all = interleavings_find(&asked, false);
    if (all)
        return goal_found(goal, &asked, all);
    struct solver_options options = job_solver_options(&asked, false);
    options.states = false;
    options.races = goal == GOAL_RACE || races_undefine(job->test);
    return goal_found(goal, &asked, solve(job->arena, &options));
}

enum minimal_answer goal_of(enum repair_goal goal, const struct answer *answer)
{
    return goal_found(goal, answer->job, answer->found);
}
