/* SPDX-License-Identifier: MIT
 *
 * ptxlit outcomes: every final state that the model allows, with an execution for each if asked for. */
#include "cli/work/batch.h"
#include "cli/command/commands.h"
#include "cli/answer/code.h"
#include "cli/show/json.h"
#include "cli/show/text.h"
#include "cli/answer/witness.h"
#include "cli/show/witness_json.h"

static void print_state(const struct options *options, const struct answer *answer, uint32_t index,
                        GString *out)
{
    const struct job *job = answer->job;
    const struct outcome *state = &answer->found->outcomes.items.at[index];
    bool satisfies = outcome_satisfies(job->test, job->test->condition, state->values);
    g_string_append_printf(out, "%c %s%s\n", satisfies ? '*' : ' ',
                           outcome_print(job->arena, job->test, state->values),
                           !state->race       ? ""
                           : state->race_free ? "  (data race in some executions)"
                                              : "  (data race)");
    if (options->witness && answer->found->witnesses[index])
        witness_text(job, answer->found->witnesses[index], out);
}

static void print_text(const struct options *options, const struct answer *answer, GString *out)
{
    const struct job *job = answer->job;
    uint32_t count = answer->found->outcomes.items.len;
    size_t start = out->len;
    g_string_append_printf(out, "Test %s (%s): %u state%s%s; * satisfies %s\n", job->test->name,
                           job->settings->model, count, count == 1 ? "" : "s",
                           answer->found->complete ? "" : " found so far", job_question(job));
    for (uint32_t i = 0; i < count; i++)
        print_state(options, answer, i, out);
    text_remarks(answer, out);
    code_lines(job->test, start, out);
    g_string_append_c(out, '\n');
}

static json_t *known(bool found, bool open)
{
    return open ? json_null() : json_boolean(found);
}

static void print_json(const struct options *options, const struct answer *answer, GString *out)
{
    const struct job *job = answer->job;
    for (uint32_t i = 0; i < answer->found->outcomes.items.len; i++) {
        const struct outcome *state = &answer->found->outcomes.items.at[i];
        const struct execution *witness = options->witness ? answer->found->witnesses[i] : NULL;
        json_line(json_pack("{s:o, s:o, s:b, s:o, s:o, s:b, s:o*}", "test",
                            json_text(job->test->name), "state",
                            json_state(job->arena, job->test, state->values), "condition",
                            outcome_satisfies(job->test, job->test->condition, state->values),
                            "race", known(state->race, state->race_open), "race_free",
                            known(state->race_free, state->race_free_open), "complete",
                            answer->found->complete, "witness",
                            witness ? witness_json(job, witness) : NULL),
                  out);
    }
}

/* What counts here is whether the list is whole, not whether the condition holds. */
static enum verdict outcomes_one(struct batch_job *one)
{
    const struct options *options = one->options;
    struct answer answer =
        batch_answer(one, ANSWER_STATE_RACES | (options->witness ? ANSWER_WITNESSES : 0));
    if (options->json)
        print_json(options, &answer, one->result->out);
    else
        print_text(options, &answer, one->result->out);
    if (answer.verdict == VERDICT_ERROR)
        return VERDICT_ERROR;
    const struct solver_result *found = answer.found;
    return found->complete && !found->bound_reached && !found->mixed_size_race ? VERDICT_HOLDS
                                                                               : VERDICT_UNDECIDED;
}

int command_outcomes(const struct options *options)
{
    return batch_run(&(struct batch){.options = options, .unfolded = true, .work = outcomes_one});
}
