/* SPDX-License-Identifier: MIT
 *
 * ptxlit_check, and what can be asked about its result. */

#include "cli/library/library.h"

/* ptxlit_check: the verdict, states, races and warnings of a test as values. */

struct job *library_job(ptxlit_test *test, struct arena *arena)
{
    const struct settings *limits = &test->context->options.settings;
    struct job *job = ARENA_NEW(arena, struct job);
    *job = test->job;
    job->arena = arena;
    job->started = job_clock();
    test->settings.timeout = limits->timeout;
    test->settings.memory_limit = limits->memory_limit;
    test->settings.states = limits->states;
    return job;
}

/* ---- the parts of a result ------------------------------------------------------------------ */

static void list_outcomes(const struct answer *answer, struct checked *checked)
{
    const struct job *job = answer->job;
    const struct test *test = job->test;
    const struct outcome_set *set = &answer->found->outcomes;
    const char **names = ARENA_ARRAY(job->arena, const char *, test->observed_count);
    for (uint32_t i = 0; i < test->observed_count; i++)
        names[i] = outcome_term_name(job->arena, test, &test->observed[i]);
    checked->outcomes = ARENA_ARRAY(job->arena, struct ptxlit_outcome, set->items.len);
    for (uint32_t i = 0; i < set->items.len; i++) {
        const struct outcome *state = &set->items.at[i];
        checked->outcomes[i] = (struct ptxlit_outcome){
            .text = outcome_print(job->arena, test, state->values),
            .positive = outcome_satisfies(test, test->condition, state->values),
            .race = state->race,
            .count = test->observed_count,
            .names = names,
            .values = state->values,
            .race_free = state->race_free,
            .races_decided = !state->race_open && !state->race_free_open,
        };
    }
}

static struct ptxlit_access access_of(const struct answer *answer, const struct race *race,
                                      event_id id)
{
    struct answer_access access = answer_access(answer, race, id);
    return (struct ptxlit_access){access.thread, access.text, access.place.line,
                                  access.place.column};
}

static void list_races(const struct answer *answer, struct checked *checked)
{
    const struct job *job = answer->job;
    const struct solver_result *found = answer->found;
    checked->races = ARENA_ARRAY(job->arena, struct ptxlit_race, found->race_count);
    for (uint32_t i = 0; i < found->race_count; i++) {
        const struct race *race = &found->races[i];
        checked->races[i] = (struct ptxlit_race){race->flag, access_of(answer, race, race->a),
                                                 access_of(answer, race, race->b)};
    }
    checked->result.races = found->race_count;
    checked->result.races_complete = found->races_complete;
}

static void list_undefined(const struct answer *answer, struct checked *checked)
{
    const struct job *job = answer->job;
    const struct solver_result *found = answer->found;
    uint32_t count = 0;
    checked->undefined =
        ARENA_ARRAY(job->arena, struct ptxlit_undefined, found->undefined_count + 1);
    for (; count < found->undefined_count; count++) {
        const struct undefined *undefined = found->undefined[count];
        struct place place = source_place(job->test->source, undefined->span.offset);
        checked->undefined[count] =
            (struct ptxlit_undefined){undefined->name, undefined->detail, place.line, place.column};
    }
    if (found->mixed_size_race)
        checked->undefined[count++] = (struct ptxlit_undefined){
            "mixed-size-race", "the model gives no meaning to it (8.7.2)", 0, 0};
    checked->result.undefined = count;
}

static void conclude(const struct answer *answer, struct checked *checked)
{
    static const enum ptxlit_verdict verdicts[] = {[VERDICT_HOLDS] = PTXLIT_HOLDS,
                                                   [VERDICT_FAILS] = PTXLIT_FAILS,
                                                   [VERDICT_UNDECIDED] = PTXLIT_UNDECIDED,
                                                   [VERDICT_ERROR] = PTXLIT_DEFECT};
    const struct solver_result *found = answer->found;
    struct ptxlit_result *result = &checked->result;
    result->verdict = verdicts[answer->verdict];
    result->why = answer->open ? answer->open : answer->error;
    result->condition = job_question(answer->job);
    result->observation = answer->observation;
    result->complete = found->complete && !answer->open;
    result->outcomes = found->outcomes.items.len;
    result->positive = answer->positive;
    if (found->can_hang)
        result->hang = found->hang ? found->hang : "a barrier may wait for ever";
}

/* ---- the check ------------------------------------------------------------------------------ */

static void check(void *task)
{
    ptxlit_test *test = task;
    struct checked *checked = &test->checked;
    checked->arena = arena_scratch(test->arena);
    struct job *job = library_job(test, checked->arena);
    struct answer answer = answer_new(job, ANSWER_STATE_RACES);
    list_outcomes(&answer, checked);
    list_races(&answer, checked);
    list_undefined(&answer, checked);
    conclude(&answer, checked);
}

/* A check that a limit ended in the middle has nothing to show. */
static void give_up(ptxlit_test *test, enum ptxlit_status status)
{
    struct checked *checked = &test->checked;
    arena_free(checked->arena);
    *checked = (struct checked){
        .result = {.verdict = PTXLIT_UNDECIDED, .condition = "", .observation = "unknown"}};
    checked->result.why = library_stopped(test->context, status, checked->stopped);
}

const struct ptxlit_result *ptxlit_check(ptxlit_test *test)
{
    double started = job_clock();
    arena_free(test->checked.arena);
    test->checked = (struct checked){0};
    enum ptxlit_status status = library_run(test->context, check, test);
    if (status != PTXLIT_OK)
        give_up(test, status);
    test->checked.result.seconds = job_clock() - started;
    return &test->checked.result;
}

bool ptxlit_outcomes(const ptxlit_test *test, ptxlit_each_outcome *each, void *data)
{
    for (size_t i = 0; i < test->checked.result.outcomes; i++)
        if (!each(&test->checked.outcomes[i], data))
            return false;
    return true;
}

const struct ptxlit_race *ptxlit_race(const ptxlit_test *test, size_t index)
{
    return index < test->checked.result.races ? &test->checked.races[index] : NULL;
}

const struct ptxlit_undefined *ptxlit_undefined(const ptxlit_test *test, size_t index)
{
    return index < test->checked.result.undefined ? &test->checked.undefined[index] : NULL;
}
