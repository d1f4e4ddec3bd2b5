/* SPDX-License-Identifier: MIT */
#include "cli/answer/job.h"

#include <glib.h>
#include <string.h>

#include "litmus/test/host.h"
#include "litmus/parse/parse.h"
#include "litmus/print/print.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"

double job_clock(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

double job_milliseconds(const struct job *job)
{
    return (job_clock() - job->started) * 1e3;
}

enum { MOST_EVENTS = 20000 };

enum tearing job_tearing(const struct job *job)
{
    if (!job->model || !model_uses(job->model, "single_copy"))
        return TEARING_CUTS;
    return job->readings >> HOST_READING_TEARING & 1 ? TEARING_BYTES : TEARING_WHOLE;
}

/* A text that asks how dependencies are read is read so. */
static void choose_dependencies(struct job *job)
{
    if (job->readings >> HOST_READING_DEPENDENCIES & 1 && job->model && job->model->chosen)
        job->model = job->model->chosen;
}

bool job_unfold(struct job *job, bool liveness)
{
    struct unfold_options options = {
        .unroll = job->options->unroll,
        .max_events = MOST_EVENTS,
        .liveness = liveness,
        .readings = job->readings,
        .tearing = job_tearing(job),
    };
    choose_dependencies(job);
    job->note->stage = "unfolding it";
    job->graphs = unfold(job->arena, job->test, &options, &job->diags, &job->graph_count);
    return job->graphs;
}

/* Only a model that orders calls excludes what could not have been waited for. */
static bool model_has_host(struct job *job)
{
    if (!job->model || model_uses(job->model, "enqueue"))
        return true;
    diag_add(&job->diags, DIAG_host_unsupported, job->test->source,
             job->test->host->threads[0].span, "--model ptx does",
             "this model does not say how the calls of a host program are ordered");
    return false;
}

/* --reading NAME=VALUE: a word of reading.def. */
static bool take_reading(struct job *job, const char *text)
{
    size_t length = strcspn(text, "=");
    const char *value = text[length] ? text + length + 1 : "";
    enum host_reading reading;
    if (host_reading_find(arena_strndup(job->arena, text, length), &reading))
        for (uint32_t one = 0; one < 2; one++)
            if (strcmp(value, host_reading_word(reading, one)) == 0) {
                job->fixed |= 1u << reading;
                job->readings |= one << reading;
                return true;
            }
    diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0, 0},
             "'ptxlit check --help' lists the names and values", "'--reading' does not know '%s'",
             text);
    return false;
}

static bool take_readings(struct job *job)
{
    for (uint32_t i = 0; i < job->options->reading.len; i++)
        if (!take_reading(job, job->options->reading.at[i]))
            return false;
    return true;
}

bool job_read(struct job *job, const struct source *source, bool unfolded)
{
    if (!take_readings(job))
        return false;
    job->test = litmus_parse(job->arena, source, &job->diags);
    if (!job->test)
        return false;
    g_strlcpy(job->note->test, job->test->name, sizeof job->note->test);
    return !unfolded || ((!job->test->host || model_has_host(job)) &&
                         job_unfold(job, strcmp(job->options->property, "termination") == 0));
}

const char *job_question(const struct job *job)
{
    return print_question(job->arena, job->test);
}

const char *job_proposition(const struct job *job)
{
    const char *question = job_question(job);
    return strchr(question, ' ') + 1;
}
