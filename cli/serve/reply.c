/* SPDX-License-Identifier: MIT */
#include "cli/serve/reply.h"

#include <string.h>

#include "cli/answer/why/explanation.h"
#include "cli/answer/why/runs.h"
#include "cli/editor/complete.h"
#include "cli/editor/hover.h"
#include "cli/editor/lens.h"
#include "cli/editor/position.h"
#include "cli/editor/problem.h"
#include "cli/show/json.h"
#include "cli/show/picture/picture.h"
#include "cli/show/picture/timeline.h"
#include "cli/show/text.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/setup/setup.h"
#include "model/models/models.h"

enum { MOST_RUNS = 2000 }; /* that a timeline is chosen from */

/* ---- the texts ------------------------------------------------------------------------------ */

/* The question as it is worked on. */
struct reply {
    const json_t *asked;
    struct options options;
    struct note *note;
    struct editor_reading how;
    struct editor_text *model; /* the text of the page's model, or NULL */
    struct editor_text *test;
    json_t *said;
};

static struct source_file refuse_file(const struct source_files *files, struct arena *arena,
                                      const char *path)
{
    (void)files, (void)arena;
    return (struct source_file){.name = path,
                                .fault = "a playground reads no files",
                                .hint = "paste the code into the test"};
}
static const struct source_files no_files = {.read = refuse_file, .read_text = refuse_file};

static const char *text_of(const struct reply *r, const char *key, size_t *length)
{
    const json_t *text = json_object_get(r->asked, key);
    *length = json_string_length(text);
    return *length ? json_string_value(text) : "";
}

/* The model that the page has a text of, or one that it names; a page that names none leaves it to the test. */
static void read_model(struct reply *r)
{
    size_t length;
    const char *cat = text_of(r, "cat", &length), *name = json_text_at(r->asked, "model");
    struct settings *settings = &r->options.settings;
    if (*name)
        settings->model = name;
    settings->model_named |= *name || length;
    if (!length)
        return;
    r->model = editor_read(&r->how, "model.cat", cat, length);
    r->how.model = r->model->job.model;
    json_object_set_new(r->said, "model_problems", problem_list(r->model));
    if (r->how.model)
        settings->model = "model.cat";
}

static bool is_bundled(const char *name)
{
    for (uint32_t i = 0; i < model_text_count; i++)
        if (strcmp(model_texts[i].name, name) == 0)
            return true;
    return !*name;
}

/* Only what is bundled goes by a name: any other would be a file. */
static bool read_texts(struct reply *r)
{
    size_t length;
    const char *test = text_of(r, "test", &length);
    if (!is_bundled(json_text_at(r->asked, "model")))
        return false;
    read_model(r);
    r->test = editor_read(&r->how, "test.litmus", test, length);
    r->test->job.note = r->note;
    r->test->job.started = job_clock();
    return true;
}

/* Is there a test to judge, and a model to judge it by? */
static bool is_test(const struct reply *r)
{
    bool judged = !r->model || r->how.model;
    return judged && r->test->job.test && r->test->job.graphs && !r->test->job.diags.errors;
}

/* ---- check ---------------------------------------------------------------------------------- */

static json_t *states(const struct answer *answer)
{
    const struct job *job = answer->job;
    const struct outcome_set *set = &answer->found->outcomes;
    json_t *array = json_array();
    for (uint32_t i = 0; i < set->items.len; i++) {
        const struct outcome *state = &set->items.at[i];
        json_array_append_new(
            array,
            json_pack("{s:o, s:b, s:o}", "text",
                      json_text(outcome_print(job->arena, job->test, state->values)), "condition",
                      outcome_satisfies(job->test, job->test->condition, state->values), "race",
                      state->race || !state->race_open ? json_boolean(state->race) : json_null()));
    }
    return array;
}

static void check(struct reply *r)
{
    struct job *job = &r->test->job;
    g_autoptr(GString) remarks = g_string_new(NULL);
    if (!is_test(r))
        return;
    struct answer answer = answer_new(job, ANSWER_STATE_RACES);
    text_remarks(&answer, remarks);
    json_object_update_new(
        r->said, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "title",
                           json_text(lens_words(&answer)), "question", json_text(job_question(job)),
                           "place", position_range(r->test->source, job->test->condition->span),
                           "result", json_answer(&r->options, &answer, NULL, NULL), "states",
                           states(&answer), "remarks", json_text(remarks->str)));
}

/* ---- explain -------------------------------------------------------------------------------- */

static void add_picture(struct reply *r, GString *svg, const char *refused)
{
    json_object_set_new(r->said, svg ? "svg" : "no_picture", json_text(svg ? svg->str : refused));
    if (svg)
        g_string_free(svg, TRUE);
}

static void explain(struct reply *r)
{
    struct job *job = &r->test->job;
    const char *refused;
    if (!is_test(r))
        return;
    struct answer answer = answer_new(job, ANSWER_WITNESSES);
    struct explanation explanation = explanation_new(job, &answer);
    g_autoptr(GString) text = g_string_new(NULL);
    explanation_text(&explanation, text);
    runs_text(&explanation, text);
    json_object_set_new(r->said, "explanation", json_text(text->str));
    job->note->stage = "drawing it";
    GString *svg =
        picture_draw(&explanation, PICTURE_SVG, (struct picture_view){.legend = true}, &refused);
    add_picture(r, svg, refused);
}

/* ---- timeline ------------------------------------------------------------------------------- */

/* A run that reaches what the test asks about, or else the first of the seed. */
static void draw_run(struct reply *r, struct run *run, uint64_t seed)
{
    struct job *job = &r->test->job;
    struct scheduler *scheduler = scheduler_new(run->machine);
    struct histogram histogram = {.set.arena = job->arena};
    struct histogram_options options = {
        .seed = seed, .runs = MOST_RUNS, .until = job->test->condition};
    uint64_t which = schedule_histogram(&histogram, scheduler, run, &options);
    const char *refused;
    bool reached = which != UINT64_MAX;
    GString *svg = timeline_of_run(job, scheduler, run, seed, reached ? which : 0, &refused);
    add_picture(r, svg, refused);
    json_object_set_new(r->said, "reached", json_boolean(reached));
    json_object_set_new(r->said, "runs", json_integer((json_int_t)histogram.runs));
}

static void timeline(struct reply *r)
{
    struct job *job = &r->test->job;
    const struct machine_options options = {.mode = MACHINE_ITS, .tearing = TEARING_WHOLE};
    if (!is_test(r))
        return;
    job->note->stage = "running it";
    struct report_list reports = {.arena = job->arena};
    struct machine *machine = machine_new(job->arena, job->test, &options, &job->diags);
    struct memory *memory = machine ? weak_memory_new(job->arena, machine, &job->diags) : NULL;
    json_int_t seed = json_integer_value(json_object_get(r->asked, "seed"));
    struct run run = {.machine = machine, .memory = memory, .reports = &reports};
    if (!memory)
        return;
    run.state = arena_alloc(job->arena, machine->state_bytes + 1);
    draw_run(r, &run, (uint64_t)seed);
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The text that the word stands in, and where. */
static const struct editor_text *text_asked(const struct reply *r, uint32_t *offset)
{
    bool is_cat = r->model && strcmp(json_text_at(r->asked, "of"), "cat") == 0;
    const struct editor_text *text = is_cat ? r->model : r->test;
    *offset = position_offset(text->source, position_read(r->asked));
    return text;
}

static void hover(struct reply *r)
{
    uint32_t offset;
    const struct editor_text *text = text_asked(r, &offset);
    json_object_set_new(r->said, "hover", hover_at(text, offset));
}

static void complete(struct reply *r)
{
    uint32_t offset;
    const struct editor_text *text = text_asked(r, &offset);
    json_object_set_new(r->said, "items", complete_at(text, NULL, offset));
}

/* ---- all of it ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    void (*answer)(struct reply *r);
} questions[] = {
#define QUESTION(name, function) {name, function},
#include "cli/serve/question.def"
};

uint32_t question_find(const char *name)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(questions); i++)
        if (strcmp(questions[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

/* The executor runs PTX: a test in C++ is compiled first. */
static void begin(struct reply *r, const struct page_question *question, struct note *note)
{
    r->options = *question->options;
    r->options.settings.compiled = questions[question->kind].answer == timeline;
    r->note = note;
    r->how = (struct editor_reading){
        .settings = &r->options.settings, .files = &no_files, .no_includes = true};
    r->said = json_object();
}

void reply_make(const struct page_question *question, struct note *note, struct result *result)
{
    struct reply r = {0};
    json_t *asked = json_loadb(question->body, question->length, JSON_ALLOW_NUL, NULL);
    begin(&r, question, note);
    r.asked = asked;
    note->stage = "reading it";
    if (read_texts(&r)) {
        note->stage = "searching its executions";
        questions[question->kind].answer(&r);
    }
    if (r.test)
        json_object_set_new(r.said, "problems", problem_list(r.test));
    json_line(r.said, result->out);
    editor_forget(r.test);
    editor_forget(r.model);
    json_decref(asked);
}
