/* SPDX-License-Identifier: MIT */
#include "cli/job.h"

#include <glib.h>
#include <string.h>

#include "litmus/host.h"
#include "litmus/parse.h"
#include "litmus/print.h"
#include "model/models.h"
#include "model/unfold.h"

double job_clock(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

double job_milliseconds(const struct job *job)
{
    return (job_clock() - job->started) * 1e3;
}

enum { MOST_EVENTS = 20000 };

bool job_unfold(struct job *job, bool liveness)
{
    struct unfold_options options = {
        .unroll = job->options->unroll,
        .max_events = MOST_EVENTS,
        .liveness = liveness,
        .readings = job->readings,
    };
    job->note->stage = "unfolding it";
    job->graphs = unfold(job->arena, job->test, &options, &job->diags, &job->graph_count);
    return job->graphs;
}

static bool model_uses(const struct cat_model *model, const char *base)
{
    for (cat_id i = 0; i < model->node_count; i++) {
        const struct cat_node *node = &model->nodes[i];
        if (node->op != CAT_BASE_REL || strcmp(model_bases[node->base].name, base) != 0)
            continue;
        for (cat_id user = 0; user < model->node_count; user++)
            if (model->nodes[user].a == i || model->nodes[user].b == i)
                return true;
    }
    return false;
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

/* --reading NAME=0|1 */
static bool take_reading(struct job *job, const char *text)
{
    size_t length = strcspn(text, "=");
    const char *value = text[length] ? text + length + 1 : "";
    for (uint32_t i = 0; i < HOST_READING_COUNT; i++) {
        const char *name = host_reading_name((enum host_reading)i);
        if (strlen(name) != length || strncmp(name, text, length) != 0 || strlen(value) != 1 ||
            (*value != '0' && *value != '1'))
            continue;
        job->fixed |= 1u << i;
        job->readings |= *value == '1' ? 1u << i : 0;
        return true;
    }
    diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0, 0},
             "'ptxlit check --help' lists the names; NAME=0 or NAME=1",
             "'--reading' does not know '%s'", text);
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
