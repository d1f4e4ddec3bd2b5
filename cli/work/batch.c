/* SPDX-License-Identifier: MIT */
#include "cli/work/batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer/compose.h"
#include "cli/answer/source_race.h"
#include "cli/show/failure.h"
#include "cli/work/durations.h"
#include "cli/work/loss.h"
#include "cli/work/nvcc.h"
#include "cli/work/shard.h"
#include "cli/work/stream.h"
#include "model/models/models.h"

/* A command over its tests, in the parent. */
struct batch_state {
    const struct batch *batch;
    const struct options *options;
    struct arena *arena;
    struct diag_list diags;
    struct arena *window; /* of the inputs: some of all tests */
    struct input_list inputs;
    struct shard shard;
    struct durations *durations; /* NULL: every N-th test is the shard's, one after the other */
    uint32_t met, tests;         /* inputs so far: of all shards, of this one */
    bool single;                 /* there is one test in all */
    bool wrong;                  /* some argument could not be read */
    const struct cat_model *model;
    struct hardware *hardware;
    const struct sass *sass;
    const char **keys; /* in the journal: a test */
    uint32_t unkept;   /* results that it could not take */
    uint32_t left;     /* tests that were not done when Ctrl-C came */
    struct tally all;
    VEC(struct tally) families;
};

/* ---- in a worker ---------------------------------------------------------------------------- */

/* A diagnostic without a place says who speaks. */
static void print_diagnostics(const struct diag_list *diags, const char *who, GString *out)
{
    for (uint32_t i = 0; i < diags->items.len; i++)
        g_string_append_printf(out, "%s%s", diags->items.at[i].source ? "" : "ptxlit: ",
                               diag_render(diags->arena, &diags->items.at[i]));
    if (diags->errors > diags->items.len)
        g_string_append_printf(out, "%s: %u more errors\n", who, diags->errors - diags->items.len);
}

static void set_time(struct result *result, double milliseconds)
{
    result->counts[RESULT_MICROSECONDS] = (uint32_t)MIN(milliseconds * 1e3, (double)UINT32_MAX);
}

/* The first error is what the result says; standard error has all of them. */
enum verdict batch_fail(struct batch_job *one)
{
    const struct diag_list *diags = &one->job.diags;
    const struct diag *first = NULL;
    for (uint32_t i = 0; !first && i < diags->items.len; i++)
        if (diag_severity(diags->items.at[i].id) == SEVERITY_ERROR)
            first = &diags->items.at[i];
    struct failure failure = {one->job.path, one->job.note->test, VERDICT_ERROR,
                              first ? diag_headline(one->job.arena, first) : "unknown error",
                              job_milliseconds(&one->job)};
    failure_print(one->options, &failure, one->result->out);
    return VERDICT_ERROR;
}

struct answer batch_answer(struct batch_job *one, uint32_t wanted)
{
    const struct job *job = &one->job;
    struct answer answer = answer_new(&one->job, wanted);
    uint32_t events = 0;
    for (uint32_t i = 0; i < job->graph_count; i++)
        events += job->graphs[i]->event_count;
    if (job->trace)
        g_string_append_printf(
            one->result->err,
            "%s: %u events in %u graph%s; %u questions, %u executions tried, %u clauses\n",
            job->path, events, job->graph_count, job->graph_count == 1 ? "" : "s",
            answer.found->checks, answer.found->iterations, answer.found->clauses);
    return answer;
}

static void work_on(void *context, uint32_t index, struct note *note, struct result *result)
{
    struct batch_state *state = context;
    const struct input *input = &state->inputs.items.at[index];
    bool tells = state->options->verbose || state->options->settings.dump.len;
    struct batch_job one = {.options = state->options,
                            .material = state->batch->material,
                            .sass = state->sass,
                            .result = result};
    one.job = (struct job){.settings = &state->options->settings,
                           .model = state->model,
                           .hardware = state->hardware,
                           .path = input->path,
                           .arena = arena_new(),
                           .note = note,
                           .trace = tells ? result->err : NULL,
                           .untimed = state->options->no_time,
                           .started = job_clock()};
    one.job.diags.arena = one.job.arena;
    note->stage = "reading it";
    struct nvcc nvcc = nvcc_new(one.job.trace);
    const struct source *source =
        compose_read(one.job.arena, input, &state->options->settings, &nvcc.files, &one.job.diags);
    bool loaded = source && job_read(&one.job, source, state->batch->unfolded);
    if (!loaded && source && state->batch->or_parsed) {
        one.job.diags = (struct diag_list){.arena = one.job.arena};
        one.job.graph_count = 0;
        loaded = job_read(&one.job, source, false);
    }
    if (loaded)
        source_race_warn(&one.job);
    note->stage = "searching its executions";
    result->tally = loaded ? state->batch->work(&one) : batch_fail(&one);
    set_time(result, job_milliseconds(&one.job));
    print_diagnostics(&one.job.diags, input->path, result->err);
    arena_free(one.job.arena);
}

/* ---- in the parent -------------------------------------------------------------------------- */

static void lost(void *context, uint32_t index, const struct loss *loss, struct result *result)
{
    struct batch_state *state = context;
    const char *path = state->inputs.items.at[index].path;
    bool crashed = loss->cause == LOSS_CRASH;
    struct failure failure = {path, loss->note->test, crashed ? VERDICT_ERROR : VERDICT_UNDECIDED,
                              loss_words(state->arena, loss, &state->options->settings, path),
                              loss->seconds * 1e3};
    if (crashed)
        g_string_append_printf(result->err, "%s\n", failure.message);
    result->tally = failure.verdict;
    set_time(result, failure.milliseconds);
    failure_print(state->options, &failure, result->out);
    if (state->batch->journal)
        journal_miss(state->batch->journal);
}

static struct tally *family_named(struct batch_state *state, const char *name)
{
    uint32_t i = 0;
    while (i < state->families.len && strcmp(state->families.at[i].family, name) != 0)
        i++;
    if (i == state->families.len)
        vec_push(state->arena, &state->families,
                 (struct tally){.family = arena_strdup(state->arena, name)});
    return &state->families.at[i];
}

static void add_to(struct tally *tally, const struct result *result)
{
    tally->tests++;
    tally->verdicts[result->tally]++;
    for (int i = 0; i < RESULT_COUNTS; i++)
        tally->counts[i] += result->counts[i];
}

/* Of many tests that are compared with what they expect, those that give it are in the summary. */
static bool is_shown(const struct batch_state *state, const struct result *result)
{
    const struct options *options = state->options;
    return !options->settings.expect || options->json || state->single ||
           result->tally != VERDICT_HOLDS;
}

static void done(void *context, uint32_t index, const struct result *result)
{
    struct batch_state *state = context;
    add_to(&state->all, result);
    add_to(family_named(state, state->inputs.items.at[index].family), result);
    fwrite(result->err->str, 1, result->err->len, stderr);
    if (state->batch->take) {
        state->batch->take(state->batch->context, &state->inputs.items.at[index], result);
        return;
    }
    if (is_shown(state, result))
        fwrite(result->out->str, 1, result->out->len, stdout);
    fflush(stdout);
}

static bool known(void *context, uint32_t index, struct result *result)
{
    const struct batch_state *state = context;
    return journal_recall(state->batch->journal, state->keys[index], result);
}

static void answered(void *context, uint32_t index, const struct result *result)
{
    struct batch_state *state = context;
    bool worth = result->tally != VERDICT_ERROR; /* what went wrong may be mended */
    if (!worth || journal_keep(state->batch->journal, state->keys[index], result) ||
        state->unkept++)
        return;
    fprintf(stderr,
            "ptxlit: %s: the journal cannot be written: %s; what is not in it cannot be resumed\n",
            diag_code(DIAG_file_unwritable), g_strerror(errno));
}

static void interrupted(void *context, uint32_t left)
{
    struct batch_state *state = context;
    state->left = left;
}

static void make_keys(struct batch_state *state)
{
    uint32_t count = state->inputs.items.len;
    const char *run = journal_run(state->window, state->options, state->model);
    state->keys = ARENA_ARRAY(state->window, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        state->keys[i] = journal_key(state->window, run, &state->inputs.items.at[i]);
}

static int exit_status(const struct batch_state *state)
{
    if (state->left)
        return EXIT_INTERRUPTED;
    if (state->wrong || state->all.verdicts[VERDICT_ERROR])
        return EXIT_WRONG_INPUT;
    if (state->all.verdicts[VERDICT_FAILS])
        return EXIT_FAILS;
    return state->all.verdicts[VERDICT_UNDECIDED] ? EXIT_UNDECIDED : EXIT_HOLDS;
}

static void print_verdicts(const struct options *options, const struct tally *all,
                           const struct tally *families, uint32_t family_count)
{
    (void)options, (void)families, (void)family_count;
    fprintf(stderr, "%u tests: %u hold, %u fail, %u undecided, %u in error\n", all->tests,
            all->verdicts[VERDICT_HOLDS], all->verdicts[VERDICT_FAILS],
            all->verdicts[VERDICT_UNDECIDED], all->verdicts[VERDICT_ERROR]);
}

static void run_tests(struct batch_state *state)
{
    const struct options *options = state->options;
    struct pool pool = {
        .jobs = options->jobs ? options->jobs : g_get_num_processors(),
        .timeout = options->settings.timeout,
        .memory_limit = options->settings.memory_limit,
        .order = state->durations ? durations_order(state->window, state->durations, &state->inputs)
                                  : NULL,
        .context = state,
        .work = work_on,
        .lost = lost,
        .done = done,
        .known = state->batch->journal ? known : NULL,
        .answered = state->batch->journal ? answered : NULL,
        .interrupted = state->batch->journal || state->batch->take ? NULL : interrupted,
    };
    uint32_t before = pool_run(&pool, state->inputs.items.len);
    if (before)
        fprintf(stderr, "%u of %u tests were done before\n", before, state->inputs.items.len);
}

/* What was wrong since it was said last. */
static void print_errors(struct batch_state *state)
{
    g_autoptr(GString) errors = g_string_new(NULL);
    print_diagnostics(&state->diags, "ptxlit", errors);
    fputs(errors->str, stderr);
    state->wrong |= state->diags.errors > 0;
    state->diags = (struct diag_list){.arena = state->arena};
}

/* The tests of the window that are the shard's. */
static void keep_shard(struct batch_state *state)
{
    struct input_list *inputs = &state->inputs;
    uint32_t all = inputs->items.len, kept = 0;
    const uint32_t *shares =
        state->durations ? durations_share(state->window, state->durations, inputs) : NULL;
    for (uint32_t i = 0; i < all; i++, state->met++) {
        uint32_t share = shares ? shares[i] : state->met % state->shard.count + 1;
        inputs->items.at[i].place = state->met;
        if (state->hardware)
            hardware_ask(state->hardware, inputs->items.at[i].path);
        if (share == state->shard.number)
            inputs->items.at[kept++] = inputs->items.at[i];
    }
    inputs->items.len = kept;
    state->tests += kept;
}

static void run_window(struct batch_state *state, bool last)
{
    keep_shard(state);
    state->single = last && state->tests == 1;
    if (state->batch->journal)
        make_keys(state);
    run_tests(state);
    arena_free(state->window);
    state->window = arena_new();
    state->inputs = (struct input_list){0};
}

static void run_stream(struct batch_state *state, bool last)
{
    struct test_stream stream = stream_open(stdin);
    while (!state->left && stream_next(&stream, state->window, &state->inputs, &state->diags))
        run_window(state, last && stream.ended);
    if (!stream.met && !state->diags.errors)
        fprintf(stderr, "No test is on standard input\n");
    print_errors(state);
    stream_close(&stream);
}

/* Files and folders are one window; so is a part of what comes on standard input. What is wrong
 * with any of them is said before the first results. */
static void run_arguments(struct batch_state *state)
{
    const struct options *options = state->options;
    const struct input_list *given = state->batch->given;
    uint32_t count = given ? 0 : options->argument_count;
    state->window = arena_new();
    for (uint32_t i = 0; given && i < given->items.len; i++)
        vec_push(state->window, &state->inputs.items, given->items.at[i]);
    if (given)
        run_window(state, true);
    for (uint32_t i = 0, next; i < count && !state->left; i = next) {
        bool is_stream = strcmp(options->arguments[i], "-") == 0;
        for (next = i + 1; !is_stream && next < count; next++)
            if (strcmp(options->arguments[next], "-") == 0)
                break;
        if (is_stream) {
            run_stream(state, next == count);
            continue;
        }
        walk_inputs(state->window, &options->arguments[i], next - i, &state->inputs, &state->diags);
        print_errors(state);
        run_window(state, next == count);
    }
    arena_free(state->window);
}

static int run(struct batch_state *state)
{
    const struct options *options = state->options;
    if (state->batch->unfolded)
        state->model = model_load(state->arena, options->settings.model, &state->diags);
    if (options->hardware)
        state->hardware = hardware_read(state->arena, options->hardware, &state->diags);
    if (options->sass)
        state->sass = sass_read(state->arena, options->sass, &state->diags);
    if (!shard_parse(options->shard, &state->shard))
        diag_add(&state->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--shard' takes K/N, 1 <= K <= N, and not '%s'", options->shard);
    if (options->times)
        state->durations =
            durations_read(state->arena, options->times, state->shard.count, &state->diags);
    if (state->diags.errors) {
        print_errors(state);
        return EXIT_WRONG_INPUT;
    }
    run_arguments(state);
    if (state->hardware)
        hardware_tell_strangers(state->hardware, &state->diags);
    print_errors(state);
    batch_summary *summary = state->batch->summary ? state->batch->summary : print_verdicts;
    if (!state->batch->take && state->tests > 1)
        summary(state->options, &state->all, state->families.at, state->families.len);
    if (state->left)
        fprintf(stderr, "interrupted: %u of %u tests were not done\n", state->left, state->tests);
    return exit_status(state);
}

bool batch_is_many(const struct options *options)
{
    return options->argument_count > 1 || options->arguments[0][0] == '@' ||
           g_file_test(options->arguments[0], G_FILE_TEST_IS_DIR);
}

int batch_run(const struct batch *batch)
{
    struct batch_state state = {.batch = batch, .options = batch->options, .arena = arena_new()};
    state.diags.arena = state.arena;
    int status = run(&state);
    arena_free(state.arena);
    return status;
}

struct object_taker {
    batch_object *take;
    void *context;
};

static void collect(void *context, const struct input *input, const struct result *result)
{
    const struct object_taker *taker = context;
    json_t *test = json_loadb(result->out->str, result->out->len, 0, NULL);
    taker->take(taker->context, input, test ? test : json_object());
}

int batch_collect(const struct batch *batch, batch_object *take, void *context)
{
    struct object_taker taker = {take, context};
    struct options options = *batch->options;
    struct batch collecting = *batch;
    options.json = true;
    collecting.options = &options;
    collecting.take = collect;
    collecting.context = &taker;
    return batch_run(&collecting);
}
