/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/timeline.h"

#include <string.h>

#include "cli/show/picture/file.h"
#include "cli/answer/code.h"
#include "cli/show/lasso.h"
#include "litmus/test/host.h"
#include "model/machine/core/run.h"

enum { MOST_STEPS = 300, MOST_RUNS = 1000 };

/* ---- what happens when ---------------------------------------------------------------------- */

/* The latest execution of the task: a place is used again. */
static struct timeline_task *latest(const struct timeline *t, uint32_t index)
{
    for (uint32_t i = t->tasks.len; i-- > 0;)
        if (t->tasks.at[i].index == index)
            return &t->tasks.at[i];
    return NULL;
}

static void note_task(struct timeline *t, uint32_t index, struct api_task_view now, uint32_t row)
{
    const struct api_task_view *before = &t->views[index];
    if (now.called && (!before->called || (before->ended && !now.ended)))
        vec_push(t->arena, &t->tasks, ((struct timeline_task){index, row, NONE, NONE}));
    struct timeline_task *task = latest(t, index);
    if (task && now.started && task->started == NONE)
        task->started = row;
    if (task && now.ended && task->ended == NONE)
        task->ended = row;
    t->views[index] = now;
}

/* What the step before this one changed. */
static void note_tasks(struct timeline *t, struct state *state)
{
    uint32_t row = t->steps.len ? t->steps.len - 1 : 0;
    for (uint32_t i = 0; i < api_task_count(t->machine); i++)
        note_task(t, i, api_task_view(t->machine, state, i), row);
}

static const char *task_text(const struct timeline *t, uint32_t lane)
{
    const struct api_task_view *task = &t->views[t->machine->lanes[lane].task];
    if (task->call->launch != NONE)
        return arena_printf(t->arena, "%s ends",
                            t->machine->test->launches[task->call->launch].label);
    bool starts = host_call_is(task->call, HOST_ENQUEUES, HOST_SUBJECT_GRAPH) && !task->join;
    return arena_printf(t->arena, "%s\n%s", run_lane_name(t->arena, t->machine, lane),
                        starts ? "starts" : "ends");
}

/* A call that waits has two steps. */
static bool is_return(const struct timeline *t, uint32_t lane, const struct micro *micro,
                      const char *text)
{
    for (uint32_t i = t->steps.len; micro->kind == MICRO_HOST_CALL && i-- > 0;)
        if (t->steps.at[i].lane == lane)
            return strcmp(t->steps.at[i].text, text) == 0;
    return false;
}

static const char *step_text(const struct timeline *t, uint32_t lane, const struct micro *micro,
                             const struct memory_access *access)
{
    struct span span = micro->inst->span;
    const char *code = t->machine->test->source->text + span.offset;
    if (api_is_driver(t->machine, lane))
        return task_text(t, lane);
    if (machine_is_engine(t->machine, lane))
        code = run_lane_name(t->arena, t->machine, lane), span.length = (uint32_t)strlen(code);
    const char *text = arena_printf(t->arena, "%.*s", (int)span.length, code);
    const struct code_line *line = test_code_line(t->machine->test, span.offset);
    if (line)
        text = arena_printf(t->arena, "%s (%s)", text,
                            code_line_words(t->arena, t->machine->test, line));
    if (is_return(t, lane, micro, text))
        return arena_printf(t->arena, "%s\nreturns", text);
    if (!access)
        return text;
    g_autoptr(GString) values = g_string_new(NULL);
    trace_access(access, values);
    return arena_printf(t->arena, "%s\n%s", text, values->str);
}

static void record(const struct tracer *tracer, struct run *run, uint32_t lane,
                   const struct micro *micro, const struct memory_access *access)
{
    struct timeline *t = (struct timeline *)tracer;
    note_tasks(t, run->state);
    if (!micro->inst || t->steps.len > MOST_STEPS)
        return;
    const struct timeline_step step = {lane, step_text(t, lane, micro, access)};
    vec_push(t->arena, &t->steps, step);
}

/* ---- the run -------------------------------------------------------------------------------- */

static void clear(struct timeline *t)
{
    t->steps.len = t->tasks.len = t->crossings.items.len = 0;
    t->views = ARENA_ARRAY(t->arena, struct api_task_view, api_task_count(t->machine) + 1);
}

/* Runs that lead nowhere are left out, as the histogram does. */
static void run_again(struct timeline *t, struct scheduler *scheduler, struct run *run,
                      uint64_t seed, uint64_t which)
{
    struct report_list *reports = run->reports, unheard = {.arena = t->arena};
    run->reports = &unheard;
    struct listener listener;
    bool hangs = false;
    run->tracer = &t->tracer;
    listener_attach(&listener, t, run);
    for (uint64_t end = which + MOST_RUNS; which < end; which++) {
        struct random_chooser random;
        schedule_random(&random, schedule_seed(seed, which));
        run->chooser = &random.chooser;
        clear(t);
        enum run_end how = schedule_run(scheduler, run);
        hangs = how == RUN_HANG;
        if (how != RUN_PRUNED)
            break;
    }
    listener_detach(&listener, run);
    note_tasks(t, run->state);
    run->tracer = NULL;
    run->reports = reports;
    t->title =
        arena_printf(t->arena, "%s, run %" G_GUINT64_FORMAT " of seed %" G_GUINT64_FORMAT "%s",
                     t->machine->test->name, which, seed, hangs ? ", which hangs" : "");
}

/* Draws the steps that were recorded. NULL: *refused says why not. */
static GString *picture(struct timeline *t, enum picture_format format, const char **refused)
{
    *refused = t->steps.len ? "too many steps to be read in a picture" : "nothing is executed";
    if (!t->steps.len || t->steps.len > MOST_STEPS)
        return NULL;
    timeline_place(t);
    GString *drawn = timeline_draw(t, picture_form(format));
    *refused = drawn ? NULL : PICTURE_NO_PDF;
    return drawn;
}

static bool save(struct timeline *t, struct job *job, const char *target, GString *err)
{
    const char *refused;
    enum picture_format format = picture_format_of(target);
    GString *drawn = picture(t, format, &refused);
    if (!drawn) {
        g_string_append_printf(err, "%s: no timeline: %s\n", job->path, refused);
        return true;
    }
    bool written = picture_save(job, target, format, drawn);
    g_string_free(drawn, TRUE);
    return written;
}

GString *timeline_of_run(struct job *job, struct scheduler *scheduler, struct run *run,
                         uint64_t seed, uint64_t first, const char **refused)
{
    struct timeline t = {
        .tracer.step = record, .arena = job->arena, .machine = run->machine, .loop = NONE};
    run_again(&t, scheduler, run, seed, first);
    return picture(&t, PICTURE_SVG, refused);
}

bool timeline_write(struct job *job, struct scheduler *scheduler, struct run *run, uint64_t seed,
                    uint64_t first, const char *target, GString *err)
{
    struct timeline t = {
        .tracer.step = record, .arena = job->arena, .machine = run->machine, .loop = NONE};
    run_again(&t, scheduler, run, seed, first);
    return save(&t, job, target, err);
}

bool timeline_write_hang(struct job *job, struct ending *ending, const char *target, GString *err)
{
    struct timeline t = {
        .tracer.step = record, .arena = job->arena, .machine = ending->run.machine, .loop = NONE};
    clear(&t);
    struct listener listener;
    listener_attach(&listener, &t, &ending->run);
    lasso_follow_stem(ending, &t.tracer);
    if (ending->hang.loop_length) {
        t.loop = t.steps.len;
        lasso_follow_loop(ending, &t.tracer);
    }
    listener_detach(&listener, &ending->run);
    t.title = arena_printf(t.arena, "%s never ends: %s", t.machine->test->name,
                           hang_kind_name(ending->hang.kind));
    t.notes = lasso_standing(ending);
    return save(&t, job, target, err);
}
