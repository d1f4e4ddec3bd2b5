/* SPDX-License-Identifier: MIT
 *
 * 'ptxlit run FILE.litmus': one test on the executor, on random schedules or on all. */
#include "cli/command/run.h"

#include <inttypes.h>
#include <string.h>

#include "cli/answer/comparison.h"
#include "cli/answer/code.h"
#include "cli/command/run_launches.h"
#include "cli/command/run_schedules.h"
#include "cli/show/json.h"
#include "cli/show/picture/timeline.h"
#include "cli/show/text.h"
#include "cli/show/trace.h"
#include "litmus/test/code_line.h"
#include "litmus/read/read.h"
#include "model/machine/memory/sc.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/race/race.h"
#include "model/machine/search/explore.h"
#include "model/machine/setup/setup.h"

struct test_run {
    struct job *job;
    const struct options *options;
    struct machine *machine;
    struct run run;
    struct report_list reports;
    struct race_detector *race; /* or NULL */
    struct scheduler *scheduler;
    struct histogram histogram;
    struct explore_result explored;
    uint64_t reached; /* number of the run that reached --until, or UINT64_MAX */
    struct run_coverage coverage;
    const char
        *random; /* why these are random schedules, although --all-schedules was asked; or NULL */
    const char *whole;   /* why the launches ran as whole kernels, or NULL */
    const char *printed; /* by printf of whole kernels, or NULL */
    const char *memory;
};

/* The test with its condition replaced by the one of --until: its text is read again. */
static bool apply_until(struct test_run *s)
{
    const struct test *test = s->job->test;
    const char *until = s->options->until;
    struct span at = test->condition->span;
    if (!until)
        return true;
    if (!at.length)
        until = arena_printf(s->job->arena, "\nexists %s", until);
    const struct source *source = source_replace(s->job->arena, test->source, at, until);
    struct test *again = litmus_parse(s->job->arena, source, &s->job->diags);
    if (again && s->job->settings->ptx_lines)
        test_forget_code_lines(again);
    s->job->test = again;
    return again;
}

static struct memory *make_memory(struct test_run *s)
{
    const char *named = s->options->memory;
    if (named ? strcmp(named, "ptx") == 0 : !s->options->races)
        return weak_memory_new(s->job->arena, s->machine, &s->job->diags);
    struct memory *memory = memory_sc_new(s->job->arena, s->machine);
    if (s->options->races)
        s->race = race_new(s->machine);
    memory_sc_watch(memory, s->race);
    return memory;
}

static bool set_up(struct test_run *s)
{
    struct job *job = s->job;
    const struct machine_options options = run_machine_options(s->options);
    if (!apply_until(s))
        return false;
    s->machine = machine_new(job->arena, job->test, &options, &job->diags);
    if (!s->machine)
        return false;
    s->reports.arena = job->arena;
    s->run = (struct run){.machine = s->machine,
                          .reports = &s->reports,
                          .state = arena_alloc(job->arena, s->machine->state_bytes + 1)};
    s->run.memory = make_memory(s);
    return s->run.memory;
}

static void run_random(struct test_run *s)
{
    const struct histogram_options options = {
        .seed = s->options->seed,
        .runs = s->options->runs,
        .until = s->options->until ? s->job->test->condition : NULL,
    };
    s->scheduler = scheduler_new(s->machine);
    s->histogram.set.arena = s->job->arena;
    s->reached = schedule_histogram(&s->histogram, s->scheduler, &s->run, &options);
    s->coverage = (struct run_coverage){s->race, !s->histogram.bounds && !s->histogram.stopped,
                                        s->histogram.runs, false};
}

static bool run_whole(struct test_run *s)
{
    struct run_launches launches = {.histogram = &s->histogram, .reports = &s->reports};
    s->reports.arena = s->job->arena;
    s->memory = "sc";
    if (!run_launches(s->job, s->options, &launches))
        return false;
    s->coverage = launches.coverage;
    s->printed = *launches.printed ? launches.printed : NULL;
    return true;
}

/* The races that whole kernels have besides: those of paths that are taken only where loads return old values, and predicted
 * ones. What refuses a launch there says nothing of these schedules. */
static void add_races_of_whole(struct test_run *s)
{
    struct histogram one = {0};
    struct report_list found = {.arena = s->job->arena};
    struct run_launches launches = {.histogram = &one, .reports = &found};
    struct diag_list before = s->job->diags;
    if (!run_launches(s->job, s->options, &launches)) {
        s->job->diags = before;
        return;
    }
    for (uint32_t i = 0; i < found.items.len; i++)
        if (report_is_race(found.items.at[i].id) &&
            !report_is_known(&s->reports, &found.items.at[i]))
            report_add(&s->reports, &found.items.at[i]);
    s->coverage.schedules += launches.coverage.schedules;
}

/* Every schedule; the states count once each. */
static void run_exhaustive(struct test_run *s)
{
    struct explore_options options = comparison_exploration(s->job, NULL);
    options.issue_loads = weak_memory_is(s->run.memory);
    s->explored.outcomes = (struct outcome_set){.test = s->job->test, .arena = s->job->arena};
    explore(s->job->arena, s->machine, s->run.memory, &options, &s->reports, &s->explored);
    s->histogram.set = s->explored.outcomes;
    for (uint32_t i = 0; i < s->histogram.set.items.len; i++)
        vec_push(s->job->arena, &s->histogram.counts, 1);
}

/* Is there room on the memory for what the first random run writes and reads? */
static bool first_run_fits(struct test_run *s)
{
    struct histogram first = {.set.arena = s->job->arena};
    const struct histogram_options options = {.seed = s->options->seed, .runs = 1};
    schedule_histogram(&first, scheduler_new(s->machine), &s->run, &options);
    s->reports = (struct report_list){.arena = s->job->arena};
    return !first.bounds;
}

static bool run_lanes(struct test_run *s)
{
    if (!set_up(s))
        return false;
    if (!s->race && run_launches_can(s->options, s->job->test) && !first_run_fits(s)) {
        s->whole = "a run on weak memory does not end within its bounds";
        return run_whole(s);
    }
    s->memory = s->run.memory->ops->name;
    if (s->options->exhaustive)
        run_exhaustive(s);
    else
        run_random(s);
    if (s->race && !s->options->memory && run_launches_can(s->options, s->job->test))
        add_races_of_whole(s);
    return true;
}

/* ---- printing ------------------------------------------------------------------------------ */

static void print_states(const struct test_run *s, GString *out)
{
    const struct outcome_set *set = &s->histogram.set;
    const struct test *test = s->job->test;
    uint64_t negative = 0, positive = 0;
    g_string_append_printf(out, "Histogram (%u states)\n", set->items.len);
    for (uint32_t i = 0; i < set->items.len; i++) {
        const uint64_t *values = set->items.at[i].values, count = s->histogram.counts.at[i];
        bool yes = outcome_satisfies(test, test->condition, values);
        *(yes ? &positive : &negative) += count;
        g_string_append_printf(out, "%-8" PRIu64 "%c> %s\n", count, yes ? '*' : ':',
                               outcome_print(s->job->arena, test, values));
    }
    g_string_append_printf(out,
                           "Witnesses\nPositive: %" PRIu64 " Negative: %" PRIu64
                           "\nCondition %s\nObservation %s %s %" PRIu64 " %" PRIu64 "\n",
                           positive, negative, job_question(s->job), test->name,
                           !positive  ? "Never"
                           : negative ? "Sometimes"
                                      : "Always",
                           positive, negative);
}

static void print_search(const struct test_run *s, GString *out)
{
    if (!s->options->exhaustive) {
        g_string_append_printf(out,
                               "Runs %" PRIu64 ", hung %" PRIu64 ", stopped %" PRIu64
                               ", unfinished %" PRIu64 ", seed %u, memory %s\n",
                               s->histogram.runs, s->histogram.hangs, s->histogram.stopped,
                               s->histogram.bounds, s->options->seed, s->memory);
        return;
    }
    const struct explore_result *e = &s->explored;
    g_string_append_printf(out,
                           "Search %s%s%s: %" PRIu64 " states, %" PRIu64
                           " of them with one move by reduction, %" PRIu64 " steps",
                           e->finished ? "finished" : "not finished", e->limit ? ": " : "",
                           e->limit ? e->limit : "", e->states, e->reduced, e->steps);
    if (!s->options->no_time)
        g_string_append_printf(out, ", %.0f states a second",
                               (double)e->states * 1e3 / MAX(job_milliseconds(s->job), 0.01));
    g_string_append_printf(out, ", memory %s\n", s->memory);
}

static void print_text(struct test_run *s, GString *out)
{
    const struct test *test = s->job->test;
    if (s->printed)
        text_printed(s->printed, out);
    size_t start = out->len;
    if (s->whole)
        g_string_append_printf(out, "Schedules: one of the whole launch, as %s\n", s->whole);
    else if (s->random)
        g_string_append_printf(out, "Schedules: random ones on the memory ptx, as %s\n", s->random);
    g_string_append_printf(out, "Test %s %s\n", test->name, text_kind(test->quantifier));
    print_states(s, out);
    print_search(s, out);
    run_reports_text(s->options, test, &s->reports, out);
    if (s->options->until && s->reached == UINT64_MAX)
        g_string_append(out, "No run reached the condition of --until\n");
    text_time(s->options, test->name, job_milliseconds(s->job), out);
    run_races_text(s->job->arena, test, &s->coverage, out);
    code_lines(test, start, out);
    g_string_append_c(out, '\n');
}

static void print_json(struct test_run *s, GString *out)
{
    const struct test *test = s->job->test;
    for (uint32_t i = 0; i < s->histogram.set.items.len; i++) {
        const uint64_t *values = s->histogram.set.items.at[i].values;
        json_line(json_pack("{s:o, s:o, s:b, s:I}", "test", json_text(test->name), "state",
                            json_state(s->job->arena, test, values), "condition",
                            outcome_satisfies(test, test->condition, values), "count",
                            (json_int_t)s->histogram.counts.at[i]),
                  out);
    }
    bool complete = s->options->exhaustive && s->explored.finished;
    json_line(json_pack("{s:o, s:o, s:s, s:s, s:s*, s:s*, s:I, s:I, s:b, s:o, s:o, s:o}", "file",
                        json_text(s->job->path), "test", json_text(test->name), "memory", s->memory,
                        "verdict", run_worst(s->options, &s->reports).word, "schedules",
                        s->whole    ? "one"
                        : s->random ? "random"
                                    : NULL,
                        "printed", s->printed, "runs", (json_int_t)s->histogram.runs, "hangs",
                        (json_int_t)s->histogram.hangs, "complete", complete, "reports",
                        run_reports_json(s->options, test, &s->reports), "races",
                        run_races_json(s->job->arena, test, &s->coverage), "milliseconds",
                        json_milliseconds(s->options, job_milliseconds(s->job))),
              out);
}

/* The run that --trace and --timeline show: the first that says something, or UINT64_MAX. */
static uint64_t shown(const struct test_run *s)
{
    return s->options->until ? s->reached : 0;
}

static bool draw_one(struct test_run *s, GString *err)
{
    if (shown(s) == UINT64_MAX || s->histogram.runs == 0) {
        g_string_append_printf(err, "%s: no timeline: no such run\n", s->job->path);
        return true;
    }
    return timeline_write(s->job, s->scheduler, &s->run, s->options->seed, shown(s),
                          s->options->timeline, err);
}

enum verdict run_test(struct batch_job *one)
{
    struct test_run s = {.job = &one->job, .options = one->options, .reached = UINT64_MAX};
    GString *out = one->result->out;
    if (one->options->all_schedules) {
        enum verdict verdict = run_by_axioms(one, &s.random);
        if (verdict != VERDICT_UNDECIDED)
            return verdict;
    }
    one->job.note->stage = "running it";
    if (run_launches_can(s.options, one->job.test))
        s.whole = run_launches_why(one->job.arena, one->job.test);
    if (!(s.whole ? run_whole : run_lanes)(&s))
        return VERDICT_ERROR;
    if (s.options->trace && s.scheduler && shown(&s) != UINT64_MAX)
        trace_run(one->job.arena, s.scheduler, &s.run, schedule_seed(s.options->seed, shown(&s)),
                  out);
    bool drawn = !s.options->timeline || draw_one(&s, one->result->err);
    if (s.options->json)
        print_json(&s, out);
    else
        print_text(&s, out);
    race_free(s.race);
    enum verdict verdict = run_worst(s.options, &s.reports).verdict;
    bool open = s.options->exhaustive ? !s.explored.finished : s.histogram.bounds > 0;
    return !drawn ? VERDICT_ERROR : verdict == VERDICT_HOLDS && open ? VERDICT_UNDECIDED : verdict;
}
