/* SPDX-License-Identifier: MIT
 *
 * ptxlit explain: why a condition cannot be met, or an execution that meets it, as text, JSON or a
 * picture. */
#include <stdio.h>

#include "cli/work/batch.h"
#include "cli/command/commands.h"
#include "cli/answer/why/explanation.h"
#include "cli/answer/why/idle.h"
#include "cli/answer/code.h"
#include "cli/answer/why/runs.h"
#include "cli/show/json.h"
#include "cli/show/picture/file.h"
#include "cli/show/text.h"
#include "cli/answer/names.h"
#include "cli/show/witness_json.h"

static json_t *json_steps(const struct explanation *explanation)
{
    const struct job *job = explanation->job;
    const struct execution *example = explanation->execution;
    struct step_list list = explanation_steps(explanation);
    json_t *array = json_array();
    for (uint32_t i = 0; i < list.items.len; i++) {
        const struct step *step = &list.items.at[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:o, s:o, s:i, s:b}", "from",
                                        name_event(job->arena, example, step->from), "to",
                                        name_event(job->arena, example, step->to), "relation",
                                        json_text(explanation_relation(job, step->node)), "section",
                                        json_text(explanation_rule(job, step->node)), "depth",
                                        step->depth, "absent", step->absent));
    }
    return array;
}

static json_t *json_event_name(const struct explanation *explanation, event_id event)
{
    return event == NONE
               ? json_null()
               : json_text(name_event(explanation->job->arena, explanation->execution, event));
}

static json_t *json_lacks(const struct explanation *explanation, const struct missing_order *order)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < order->lacks.len; i++) {
        const struct shortcoming *lack = &order->lacks.at[i];
        json_array_append_new(array, json_pack("{s:s, s:o, s:o, s:o}", "kind", lack->kind, "a",
                                               json_event_name(explanation, lack->a), "b",
                                               json_event_name(explanation, lack->b), "text",
                                               json_text(lack->text)));
    }
    return array;
}

/* Why nothing forbids it; null of what is forbidden or undecided. */
static json_t *json_allowed(const struct explanation *explanation)
{
    const struct allowed *allowed = &explanation->allowed;
    if (explanation->kind != EXPLANATION_ALLOWED || !explanation->execution)
        return json_null();
    json_t *order = json_array(), *missing = json_array();
    for (uint32_t i = 0; i < allowed->order.len; i++)
        json_array_append_new(order, json_event_name(explanation, allowed->order.at[i]));
    for (uint32_t i = 0; i < allowed->missing.len; i++) {
        const struct missing_order *one = &allowed->missing.at[i];
        json_array_append_new(missing,
                              json_pack("{s:o, s:o, s:o, s:o}", "axiom", json_text(one->axiom),
                                        "from", json_event_name(explanation, one->from), "to",
                                        json_event_name(explanation, one->to), "lacks",
                                        json_lacks(explanation, one)));
    }
    return json_pack("{s:s, s:o, s:o}", "kind", allowed_word(allowed->kind), "order", order,
                     "missing", missing);
}

/* An execution for each axiom of the reason, the most telling first. */
static json_t *json_examples(const struct explanation *explanation)
{
    const struct job *job = explanation->job;
    const struct reason *reason = explanation->reason;
    json_t *array = json_array();
    for (uint32_t i = 0; reason && i < reason->example_count; i++) {
        struct explanation example = explanation_of_example(explanation, i);
        const char *axiom = job->model->axioms[example.example->violation.axiom].name;
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "axiom", json_text(axiom),
                                               "cycle", json_steps(&example), "witness",
                                               witness_json(job, example.execution)));
    }
    return array;
}

/* Fences that the outcome is forbidden without. */
static json_t *json_idle(const struct explanation *explanation)
{
    const struct source *source = explanation->job->test->source;
    struct idle_list idle = idle_find(explanation);
    json_t *array = json_array();
    for (uint32_t i = 0; i < idle.items.len; i++) {
        const struct idle *one = &idle.items.at[i];
        struct span span = one->inst->span;
        json_array_append_new(array,
                              json_pack("{s:s, s:i, s:s%}", "thread", one->body->name, "line",
                                        (int)source_place(source, span.offset).line, "text",
                                        source->text + span.offset, (size_t)span.length));
    }
    return array;
}

/* Runs that have the races, the undefined behaviour and the hangs that the witness has not. */
static json_t *json_runs(const struct explanation *explanation)
{
    const struct job *job = explanation->job;
    struct run_list runs = runs_find(explanation);
    json_t *array = json_array();
    for (uint32_t i = 0; i < runs.items.len; i++) {
        const struct run_shown *shown = &runs.items.at[i];
        json_t *state =
            shown->state ? json_state(job->arena, job->test, shown->state) : json_null();
        json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "of", json_words(&shown->of),
                                               "state", state, "reason", json_words(&shown->reason),
                                               "witness", witness_json(job, shown->run)));
    }
    return array;
}

static void print_json(const struct explanation *explanation, GString *out)
{
    const struct job *job = explanation->job;
    json_t *allowed = explanation->kind == EXPLANATION_OPEN
                          ? json_null()
                          : json_boolean(explanation->kind == EXPLANATION_ALLOWED);
    json_line(
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "file",
                  json_text(job->path), "test", json_text(job->test->name), "model",
                  json_text(job->settings->model), "allowed", allowed, "axioms",
                  json_axioms(job, explanation->reason), "by_values",
                  explanation->reason && explanation->reason->by_values, "cycle",
                  json_steps(explanation), "examples", json_examples(explanation), "removable",
                  json_idle(explanation), "why_allowed", json_allowed(explanation), "runs",
                  json_runs(explanation), "witness",
                  explanation->execution ? witness_json(job, explanation->execution) : json_null()),
        out);
}

static void print_text(const struct explanation *explanation, const struct answer *answer,
                       GString *out)
{
    size_t start = out->len;
    explanation_text(explanation, out);
    text_remarks(answer, out);
    runs_text(explanation, out);
    code_lines(answer->job->test, start, out);
    g_string_append_c(out, '\n');
}

/* A format: the file that was asked for, or NULL. */
static void picture_targets(const struct options *options, const char *targets[PICTURE_FORMATS])
{
    targets[PICTURE_SVG] = options->svg;
    targets[PICTURE_PDF] = options->pdf;
    targets[PICTURE_TIKZ] = options->tikz;
    targets[PICTURE_DOT] = options->dot;
    targets[PICTURE_PART] = NULL;
}

static bool draw(struct batch_job *one, const struct explanation *explanation)
{
    const struct options *options = one->options;
    const struct picture_view view = {options->legend, options->cycle_only, options->brief,
                                      options->beside};
    const char *targets[PICTURE_FORMATS];
    bool good = true;
    picture_targets(options, targets);
    for (int format = 0; format < PICTURE_FORMATS; format++)
        good = good && picture_write(&one->job, explanation, format, view, targets[format],
                                     one->result->err);
    return good;
}

static enum verdict explain_one(struct batch_job *one)
{
    struct answer answer = batch_answer(one, ANSWER_WITNESSES | ANSWER_HANGS);
    struct explanation explanation = explanation_new(&one->job, &answer);
    if (one->options->json) {
        print_json(&explanation, one->result->out);
    } else {
        print_text(&explanation, &answer, one->result->out);
    }
    if (answer.verdict == VERDICT_ERROR || !draw(one, &explanation))
        return VERDICT_ERROR;
    return explanation.kind == EXPLANATION_OPEN ? VERDICT_UNDECIDED : VERDICT_HOLDS;
}

int command_explain(const struct options *options)
{
    const char *targets[PICTURE_FORMATS];
    picture_targets(options, targets);
    for (int format = 0; format < PICTURE_FORMATS; format++)
        if (!picture_folder(targets[format], batch_is_many(options))) {
            perror("ptxlit: no folder for the pictures of several tests");
            return EXIT_WRONG_INPUT;
        }
    return batch_run(&(struct batch){.options = options, .unfolded = true, .work = explain_one});
}
