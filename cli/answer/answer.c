/* SPDX-License-Identifier: MIT */
#include "cli/answer/answer.h"

#include "cli/answer/interleavings.h"
#include "cli/answer/unspecified.h"
#include "cli/answer/race_pair.h"
#include "litmus/print/print.h"
#include "model/execution/tautology.h"

#include <string.h>

const char *verdict_word(enum verdict verdict)
{
    static const char *const words[] = {"holds", "fails", "undecided", "error"};
    return words[verdict];
}

static void count_states(struct answer *answer)
{
    const struct outcome_set *set = &answer->found->outcomes;
    const struct test *test = answer->job->test;
    for (uint32_t i = 0; i < set->items.len; i++)
        answer->positive += outcome_satisfies(test, test->condition, set->items.at[i].values);
    answer->negative = set->items.len - answer->positive;
}

/* Found in the program, or a missing order that a flag of the model names. */
static bool is_undefined(const struct solver_result *found)
{
    for (uint32_t i = 0; i < found->race_count; i++)
        if (flag_undefines(found->races[i].kind))
            return true;
    return found->undefined_count;
}

/* Whether a statement "some allowed state …" is known. A loop that can run past the bound leaves
 * states unseen, and after undefined behaviour any may come, so then only "yes" is knowledge. */
static bool is_known(const struct solver_result *found, bool reachable, bool decided)
{
    return reachable || (decided && found->bound_decided && found->undefined_decided &&
                         !found->bound_reached && !is_undefined(found));
}

/* Whether it is known that, or that not, some allowed state satisfies the condition, or with 'negate' does not. No state
 * satisfies what contradicts itself, however many were not seen. */
static bool tells(const struct job *job, const struct solver_result *found, bool negate)
{
    return (negate ? is_known(found, found->negation_reachable, found->negation_decided)
                   : is_known(found, found->condition_reachable, found->condition_decided)) ||
           (!is_undefined(found) && tautology_excludes(job->arena, job->test, negate));
}

/* Else it need not be read in other ways as well. */
static bool is_answered(const struct job *job, const struct solver_result *found)
{
    return tells(job, found, job->test->quantifier == QUANTIFIER_FORALL);
}

/* The condition decides it, whatever the test does. */
static bool is_trivial(const struct job *job)
{
    return tautology_excludes(job->arena, job->test, job->test->quantifier == QUANTIFIER_FORALL);
}

/* 'forall': whatever states there are, it is true of all of them, if it can be false of none. */
static const char *observe(bool some, bool some_known, bool other, bool other_known, bool forall)
{
    return some && other                               ? "sometimes"
           : !some && some_known                       ? "never"
           : !other && other_known && (some || forall) ? "always"
                                                       : "unknown";
}

static const char *why_open(const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    const char *stopped = job_stopped(answer->job, found->status), *name = answer->unspecified;
    enum host_reading reading;
    if (job_gap(answer->job))
        return job_gap(answer->job);
    if (name && host_reading_find(name, &reading) && reading == HOST_READING_GAP)
        return job_first_gap(answer->job);
    if (name && host_reading_find(name, &reading))
        return arena_printf(answer->job->arena,
                            "unspecified(%s): --reading %s=%s or =%s decides it", name, name,
                            host_reading_word(reading, false), host_reading_word(reading, true));
    if (answer->open_dependency)
        return "a dependency without effect that this search does not see through";
    if (found->mixed_size_race)
        return "a mixed-size data race: the model says nothing about this test (8.7.2)";
    if (is_undefined(found))
        return job_stopped(answer->job, SOLVER_UNDEFINED);
    if (stopped)
        return stopped;
    if (found->bound_reached)
        return job_open_loop(answer->job, found->bound_span);
    return "the search stopped before it knew";
}

static void decide(struct answer *answer)
{
    const struct solver_result *found = answer->found;
    bool some = found->condition_reachable, other = found->negation_reachable;
    const struct job *job = answer->job;
    bool some_known = tells(job, found, false), other_known = tells(job, found, true);
    enum quantifier quantifier = job->test->quantifier;
    bool forall = quantifier == QUANTIFIER_FORALL;
    bool trivial = is_trivial(job);
    bool clear = !job_gap(job) && (found->outside_decided || trivial) && !found->mixed_size_race &&
                 !answer->unspecified && !answer->readings_open && !answer->open_dependency;
    bool known = (forall ? other_known : some_known) && clear;
    bool holds = forall ? !other : quantifier == QUANTIFIER_EXISTS ? some : !some;
    answer->observation =
        job_gap(job) ? "unknown" : observe(some, some_known, other, other_known, forall);
    answer->condition_possible = some;
    answer->condition_known = some_known && clear;
    answer->verdict = !known ? VERDICT_UNDECIDED : holds ? VERDICT_HOLDS : VERDICT_FAILS;
    if (!known)
        answer->open = why_open(answer);
}

void answer_name(struct arena *arena, struct text_list *names, const char *name)
{
    uint32_t i = 0;
    while (i < names->len && strcmp(names->at[i], name) < 0)
        i++;
    if (i < names->len && strcmp(names->at[i], name) == 0)
        return;
    vec_push(arena, names, name);
    memmove(&names->at[i + 1], &names->at[i], (names->len - 1 - i) * sizeof *names->at);
    names->at[i] = name;
}

static void name_misuse(struct answer *answer)
{
    const struct solver_result *found = answer->found;
    struct arena *arena = answer->job->arena;
    for (uint32_t i = 0; i < found->undefined_count; i++)
        answer_name(arena, &answer->undefined, found->undefined[i]->name);
    for (uint32_t i = 0; i < found->race_count; i++) {
        enum flag_kind kind = found->races[i].kind;
        answer->race_count += answer_is_race(&found->races[i]) && race_is_new(answer, i);
        if (kind != FLAG_RACE)
            answer_name(arena, kind == FLAG_WARNING ? &answer->warnings : &answer->undefined,
                        found->races[i].flag);
    }
}

/* Has something been said of a part of it already? */
static bool is_said(const struct job *job, struct span span)
{
    for (uint32_t i = 0; i < job->diags.items.len; i++)
        if (job->diags.items.at[i].span.offset - span.offset < span.length)
            return true;
    return false;
}

const char *answer_never_met(const struct job *job, const struct unattainable *found)
{
    const char *what = print_condition(job->arena, job->test, found->conjunct);
    const char *why = "no execution gives it, whatever the model";
    if (found->location != NONE)
        why = arena_printf(job->arena, "nothing writes %s to '%s'",
                           print_term(job->arena, job->test, &found->conjunct->right),
                           job->test->locations[found->location].name);
    return arena_printf(job->arena, "'%s' is never met: %s", what, why);
}

static void warn_of_unattainable(struct job *job, const struct solver_result *result)
{
    for (uint32_t i = 0; i < result->unattainable_count && !is_undefined(result); i++) {
        const struct unattainable *found = &result->unattainable[i];
        if (is_said(job, found->conjunct->span))
            continue;
        diag_add(&job->diags, DIAG_never_met, job->test->source, found->conjunct->span, NULL, "%s",
                 answer_never_met(job, found));
    }
}

struct answer_access answer_access(const struct answer *answer, const struct race *race,
                                   event_id id)
{
    const struct graph *graph = answer->job->graphs[race->graph];
    const struct event *event = &graph->events[id];
    return (struct answer_access){
        .thread = event->thread == NONE ? "init" : graph->threads[event->thread].name,
        .text = event->text,
        .offset = event->span.offset,
        .place = source_place(answer->job->test->source, event->span.offset)};
}

bool answer_is_race(const struct race *race)
{
    return flag_is_race(race->kind);
}

bool answer_is_misuse(const struct race *race)
{
    return race->kind == FLAG_WARNING || flag_undefines(race->kind);
}

struct answer answer_of_states(const struct job *job, const struct solver_result *found)
{
    struct answer answer = {.job = job, .found = found, .milliseconds = job_milliseconds(job)};
    count_states(&answer);
    decide(&answer);
    return answer;
}

static const struct solver_result *ask_once(struct job *job, uint32_t wanted)
{
    struct solver_options options = job_solver_options(job, wanted & ANSWER_WITNESSES);
    options.state_races = wanted & ANSWER_STATE_RACES;
    options.states = !(wanted & ANSWER_NO_STATES);
    options.races = !(wanted & ANSWER_NO_RACES);
    return solve(job->arena, &options);
}

static bool something_is_wrong(const struct answer *answer)
{
    return answer->race_count || answer->undefined.len || answer->hang.name ||
           answer->found->can_hang;
}

/* What else the sources may mean matters to a verdict that rests on what is reached. */
static bool rests_on_states(const struct answer *answer)
{
    const struct job *job = answer->job;
    return is_answered(job, answer->found) && !is_trivial(job) &&
           !(job_is_unasked(job) && something_is_wrong(answer));
}

static struct answer ask_solver(struct job *job, uint32_t wanted)
{
    const struct solver_result *found = ask_once(job, wanted);
    while (found->status == SOLVER_TIMEOUT && job_unroll_less(job))
        found = ask_once(job, wanted);
    struct answer answer = {.job = job, .found = found, .milliseconds = job_milliseconds(job)};
    count_states(&answer);
    name_misuse(&answer);
    answer.hang = hang_find(job, found, wanted & ANSWER_HANGS);
    if (rests_on_states(&answer)) {
        answer.unspecified = unspecified_find(job, found, &answer.readings_open);
        answer.open_dependency = unspecified_dependency(job, found);
    }
    decide(&answer);
    warn_of_unattainable(job, found);
    if (found->status == SOLVER_INTERNAL) {
        answer.verdict = VERDICT_ERROR;
        answer.open = NULL;
        answer.error = arena_printf(job->arena, "%s: %s: a defect of ptxlit: %s", job->path,
                                    diag_code(DIAG_witness_rejected), found->internal);
    }
    return answer;
}

static struct answer answer_of_interleavings(struct job *job, const struct solver_result *found,
                                             uint32_t wanted)
{
    struct answer answer = answer_of_states(job, found);
    answer.hang = hang_of_interleavings(job, found, wanted & ANSWER_HANGS);
    answer.interleaved = true;
    return answer;
}

/* Those that the solver has; further states have none. */
static void keep_witnesses(const struct job *job, const struct solver_result *from,
                           struct solver_result *to)
{
    uint32_t count = to->outcomes.items.len;
    to->witnesses = ARENA_ARRAY(job->arena, struct execution *, count + 1);
    for (uint32_t i = 0, at; i < count; i++)
        if (from->witnesses && outcome_find(&from->outcomes, to->outcomes.items.at[i].values, &at))
            to->witnesses[i] = from->witnesses[at];
}

/* What the program does without the statement would be no answer about the program. */
static struct answer answer_of_gap(const struct job *job)
{
    struct solver_result *nothing = ARENA_NEW(job->arena, struct solver_result);
    nothing->outcomes = (struct outcome_set){.test = job->test, .arena = job->arena};
    return answer_of_states(job, nothing);
}

/* Of what interleavings have answered already. */
static struct answer ask_for_witnesses(struct job *job, uint32_t wanted)
{
    unsigned effort = job->effort;
    job->effort = effort ? effort : JOB_DETAIL_EFFORT;
    struct answer answer = ask_solver(job, wanted & ~ANSWER_HANGS);
    job->effort = effort;
    return answer;
}

/* The executor may find out soon what takes the axioms long, if it is asked for more states than at first. */
static struct answer ask_in_turn(struct job *job, uint32_t wanted)
{
    if (job->effort || !interleavings_tell(job))
        return ask_solver(job, wanted);
    job->effort = JOB_DETAIL_EFFORT;
    struct answer answer = ask_solver(job, wanted);
    job->effort = 0;
    if (answer.found->status != SOLVER_TIMEOUT)
        return answer;
    struct solver_result *all = interleavings_find(job, INTERLEAVINGS_MANY);
    return all ? answer_of_interleavings(job, all, wanted) : ask_solver(job, wanted);
}

struct answer answer_new(struct job *job, uint32_t wanted)
{
    if (job_gap(job))
        return answer_of_gap(job);
    struct solver_result *all =
        interleavings_find(job, is_trivial(job) ? INTERLEAVINGS_LISTED : INTERLEAVINGS_FEW);
    if (all && !(wanted & ANSWER_WITNESSES))
        return answer_of_interleavings(job, all, wanted);
    if (!all)
        return ask_in_turn(job, wanted);
    struct answer answer = ask_for_witnesses(job, wanted);
    if (answer.verdict == VERDICT_ERROR)
        return answer;
    keep_witnesses(job, answer.found, all);
    return answer_of_interleavings(job, all, wanted);
}

struct reason *answer_reason(struct job *job, const struct answer *answer, bool witnesses,
                             bool negate)
{
    struct solver_options options = job_solver_options(job, witnesses);
    if (answer->interleaved && !options.effort)
        options.effort = JOB_DETAIL_EFFORT;
    return solver_explain(job->arena, &options, negate);
}

const struct execution *answer_stuck(const struct answer *answer)
{
    const struct execution *stuck = answer->hang.run ? answer->hang.run : answer->found->hang_run;
    return stuck && hang_is_all(answer->job, answer->found) ? stuck : NULL;
}

bool answer_unreachable(const struct answer *answer, bool *negate)
{
    const struct solver_result *found = answer->found;
    *negate = answer->job->test->quantifier == QUANTIFIER_FORALL;
    if (answer->verdict == VERDICT_UNDECIDED || answer->verdict == VERDICT_ERROR)
        return false;
    return *negate ? !found->negation_reachable : !found->condition_reachable;
}

/* Nothing was found, and everything was looked at. */
static bool nothing_is_left(const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    return found->races_complete && found->undefined_decided && found->outside_decided &&
           found->bound_decided && !found->bound_reached && found->hang_decided &&
           !hang_open(&answer->hang);
}

void answer_judge_unasked(struct answer *answer)
{
    if (answer->verdict == VERDICT_ERROR)
        return;
    if (something_is_wrong(answer)) {
        answer->verdict = VERDICT_FAILS;
        answer->open = NULL;
    } else if (answer->verdict == VERDICT_HOLDS && !nothing_is_left(answer)) {
        answer->verdict = VERDICT_UNDECIDED;
        answer->open = why_open(answer);
    }
}
