/* SPDX-License-Identifier: MIT
 *
 * ptxlit_check: the verdict, states, races and warnings of a test as values. */

#include "cli/library/library.h"
#include "cli/answer/race_pair.h"

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
    uint32_t count = 0;
    checked->races = ARENA_ARRAY(job->arena, struct ptxlit_race, found->race_count);
    for (uint32_t i = 0; i < found->race_count; i++) {
        const struct race *race = &found->races[i];
        if (race_is_new(answer, i))
            checked->races[count++] = (struct ptxlit_race){
                race->flag, access_of(answer, race, race->a), access_of(answer, race, race->b)};
    }
    checked->result.races = count;
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
    struct answer answer = answer_new(library_job(test, &test->check), ANSWER_STATE_RACES);
    *checked = (struct checked){0};
    list_outcomes(&answer, checked);
    list_races(&answer, checked);
    list_undefined(&answer, checked);
    conclude(&answer, checked);
}

const struct ptxlit_result *ptxlit_check(ptxlit_test *test)
{
    double started = job_clock();
    const char *stopped = library_answer(test, &test->check, check);
    if (stopped)
        test->checked = (struct checked){.result = {.verdict = PTXLIT_UNDECIDED,
                                                    .why = stopped,
                                                    .condition = "",
                                                    .observation = "unknown"}};
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
