/* SPDX-License-Identifier: MIT */
#include "cli/campaign/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/answer/why/explanation.h"
#include "cli/campaign/mutant.h"
#include "cli/emit/emit.h"
#include "cli/show/json.h"
#include "litmus/print/print.h"

enum { COUNT_LEFT_OUT, COUNT_ORIGINS, COUNT_MUTANTS, COUNT_RUN, COUNT_SEEN, COUNT_AGAIN };
enum { AGAIN_UNIT = 1000000 }; /* probabilities are counted in millionths */

struct at_work {
    struct batch_job *one;
    const char *axioms; /* that forbid the outcome of the test: "causality, coherence"; "" */
};

/* ---- all steps ------------------------------------------------------------------------------- */

static enum verdict do_step(struct batch_job *one, mutant_visit *visit)
{
    struct job *job = &one->job;
    struct at_work step = {.one = one};
    if (!emit_can_start(job) || !emit_can_write(job, emit_layout(job->arena, job->test))) {
        one->result->counts[COUNT_LEFT_OUT]++;
        return VERDICT_HOLDS;
    }
    enum mutant_origin origin = mutants_each(job, visit, &step);
    one->result->counts[COUNT_ORIGINS] = origin != MUTANT_ALLOWED;
    return origin == MUTANT_OPEN ? VERDICT_UNDECIDED : VERDICT_HOLDS;
}

static void print_mutant(void *context, const struct mutant *mutant)
{
    struct at_work *step = context;
    step->one->result->counts[COUNT_MUTANTS]++;
    g_string_append_printf(step->one->result->out, "%s\n",
                           print_test(mutant->job->arena, mutant->test));
}

enum verdict campaign_plan(struct batch_job *one)
{
    return do_step(one, print_mutant);
}

/* A form that ptxas does not have is left out, and named. */
static void emit_mutant(void *context, const struct mutant *mutant)
{
    struct at_work *step = context;
    struct batch_job emitted = {
        .job = *mutant->job, .options = step->one->options, .result = step->one->result};
    step->one->result->counts[COUNT_MUTANTS]++;
    if (emit_test(&emitted) == VERDICT_HOLDS)
        return;
    for (uint32_t i = 0; i < emitted.job.diags.items.len; i++)
        g_string_append_printf(step->one->result->err, "%s: %s", mutant->test->name,
                               diag_render(mutant->job->arena, &emitted.job.diags.items.at[i]));
}

enum verdict campaign_emit(struct batch_job *one)
{
    return do_step(one, emit_mutant);
}

/* ---- ingest ---------------------------------------------------------------------------------- */

/* What forbids the outcome of the test, so that a mutant that is never seen leaves it untried. */
static const char *find_axioms(struct at_work *step)
{
    struct job *job = &step->one->job;
    bool negate;
    if (step->axioms)
        return step->axioms;
    step->axioms = "";
    struct answer answer = answer_new(job, ANSWER_NO_RACES);
    if (!answer_unreachable(&answer, &negate))
        return step->axioms;
    struct explanation why = explanation_new(job, &answer);
    for (uint32_t i = 0; why.kind == EXPLANATION_FORBIDDEN && i < why.reason->axiom_count; i++)
        step->axioms = arena_printf(job->arena, "%s%s%s", step->axioms, i ? ", " : "",
                                    job->model->axioms[why.reason->axioms[i]].name);
    return step->axioms;
}

static void show_text(struct at_work *step, const struct mutant *mutant,
                      const struct hardware_seen *seen, double again)
{
    GString *out = step->one->result->out;
    g_string_append_printf(out, "Mutant %s\n%s\n", mutant->test->name, mutant->change);
    if (!seen->runs)
        g_string_append(out, "Not run\n\n");
    else if (seen->asked)
        g_string_append_printf(out,
                               "Seen %" PRIu64 " times in %" PRIu64
                               " runs; as many runs again see it with %.1f %%\n\n",
                               seen->asked, seen->runs, 100 * again);
    else
        g_string_append_printf(out, "Never seen in %" PRIu64 " runs; it questions %s\n\n",
                               seen->runs, find_axioms(step));
}

static void show_json(struct at_work *step, const struct mutant *mutant,
                      const struct hardware_seen *seen, double again)
{
    const char *axioms = seen->runs && !seen->asked ? find_axioms(step) : NULL;
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:s?}", "file", step->one->job.path, "test",
                  step->one->job.test->name, "mutant", mutant->test->name, "change", mutant->change,
                  "runs", (json_int_t)seen->runs, "seen", (json_int_t)seen->asked, "again", again,
                  "questions", axioms);
    json_line(object, step->one->result->out);
}

/* Sightings that are independent of each other come k times where k - 1 or k + 1 were as likely: as many runs again
 * see none with exp(-k) (MC Mutants, 4.3). */
static void ingest_mutant(void *context, const struct mutant *mutant)
{
    struct at_work *step = context;
    uint32_t *counts = step->one->result->counts;
    struct hardware_seen seen = hardware_find(mutant->job->arena, step->one->job.hardware,
                                              mutant->test, step->one->job.path);
    hardware_tell_unfit(&seen, &step->one->job.diags);
    double again = -expm1(-(double)seen.asked);
    counts[COUNT_MUTANTS]++;
    counts[COUNT_RUN] += seen.runs > 0;
    counts[COUNT_SEEN] += seen.asked > 0;
    counts[COUNT_AGAIN] += (uint32_t)lround(again * AGAIN_UNIT);
    (step->one->options->json ? show_json : show_text)(step, mutant, &seen, again);
}

enum verdict campaign_ingest(struct batch_job *one)
{
    return do_step(one, ingest_mutant);
}

void campaign_score(const struct options *options, const struct tally *all,
                    const struct tally *families, uint32_t family_count)
{
    const uint64_t *counts = all->counts;
    double run = counts[COUNT_RUN] ? (double)counts[COUNT_RUN] : 1;
    (void)families, (void)family_count;
    fprintf(stderr,
            "%u tests: %" PRIu64 " with a forbidden outcome, %" PRIu64
            " left out, %u undecided, %u in error; %" PRIu64 " mutants\n",
            all->tests, counts[COUNT_ORIGINS], counts[COUNT_LEFT_OUT],
            all->verdicts[VERDICT_UNDECIDED], all->verdicts[VERDICT_ERROR], counts[COUNT_MUTANTS]);
    if (options->hardware)
        fprintf(stderr,
                "Mutation score: %.1f %%, %" PRIu64 " of the %" PRIu64
                " mutants that ran were seen; as many runs again are expected to see %.1f %%\n",
                100 * (double)counts[COUNT_SEEN] / run, counts[COUNT_SEEN], counts[COUNT_RUN],
                100 * (double)counts[COUNT_AGAIN] / AGAIN_UNIT / run);
}
