/* SPDX-License-Identifier: MIT */
#include "cli/work/batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/show/failure.h"
#include "cli/work/progress.h"
#include "cli/work/shard.h"
#include "model/models/models.h"

/* A command over its tests, in the parent. */
struct session {
    const struct options *options;
    enum batch_depth depth;
    test_work *work;
    struct arena *arena;
    struct diag_list diags;
    struct input_list inputs;
    const struct cat_model *model;
    const struct hardware *hardware;
    struct progress progress;
    batch_summary *summary; /* or NULL */
    batch_take *take;       /* or NULL: results are printed */
    void *take_context;
    struct journal *journal; /* or NULL */
    void *drawing;           /* in a worker: job.drawing points to it */
    const char **keys;       /* in it: a test */
    uint32_t unkept;         /* results that it could not take */
    struct tally all;
    VEC(struct tally) families;
};

static uint32_t microseconds(double milliseconds)
{
    return (uint32_t)MIN(milliseconds * 1e3, (double)UINT32_MAX);
}

/* ---- in a worker ---------------------------------------------------------------------------- */

static bool load(struct job *job, const struct input *input, enum batch_depth depth)
{
    job->note->stage = "reading it";
    const struct source *source = input_read(job->arena, input, &job->diags);
    return source && job_read(job, source, depth == BATCH_UNFOLDED);
}

/* A diagnostic without a place says who speaks. */
static const char *render(struct arena *arena, const struct diag *diag)
{
    const char *text = diag_render(arena, diag);
    return diag->source ? text : arena_printf(arena, "ptxlit: %s", text);
}

static void print_diagnostics(struct job *job)
{
    for (uint32_t i = 0; i < job->diags.items.len; i++)
        g_string_append(job->result->err, render(job->arena, &job->diags.items.at[i]));
    if (job->diags.errors > job->diags.items.len)
        g_string_append_printf(job->result->err, "%s: %u more errors\n", job->path,
                               job->diags.errors - job->diags.items.len);
}

/* The first error is what the result says; standard error has all of them. */
enum verdict batch_fail(struct job *job)
{
    const struct diag *first = NULL;
    for (uint32_t i = 0; !first && i < job->diags.items.len; i++)
        if (diag_severity(job->diags.items.at[i].id) == SEVERITY_ERROR)
            first = &job->diags.items.at[i];
    struct failure failure = {job->path, job->note->test, VERDICT_ERROR,
                              first ? diag_headline(job->arena, first) : "unknown error",
                              job_milliseconds(job)};
    failure_print(job->options, &failure, job->result->out);
    return VERDICT_ERROR;
}

static void work_on(void *context, uint32_t index, struct note *note, struct result *result)
{
    struct session *session = context;
    const struct input *input = &session->inputs.items.at[index];
    struct job job = {.options = session->options,
                      .model = session->model,
                      .hardware = session->hardware,
                      .path = input->path,
                      .arena = arena_new(),
                      .note = note,
                      .result = result,
                      .drawing = &session->drawing,
                      .started = job_clock()};
    job.diags.arena = job.arena;
    bool loaded = load(&job, input, session->depth);
    note->stage = "searching its executions";
    result->tally = loaded ? session->work(&job) : batch_fail(&job);
    result->counts[RESULT_MICROSECONDS] = microseconds(job_milliseconds(&job));
    print_diagnostics(&job);
    arena_free(job.arena);
}

/* ---- in the parent -------------------------------------------------------------------------- */

static void lost(void *context, uint32_t index, const struct loss *loss, struct result *result)
{
    struct session *session = context;
    const struct options *options = session->options;
    const struct note *note = loss->note;
    const char *path = session->inputs.items.at[index].path;
    const char *stage = note->stage ? note->stage : "starting";
    struct failure failure = {path, note->test, VERDICT_UNDECIDED, NULL, loss->seconds * 1e3};
    if (loss->cause == LOSS_TIME) {
        failure.message =
            arena_printf(session->arena, "time: more than %g s while %s", options->timeout, stage);
    } else if (loss->cause == LOSS_MEMORY) {
        failure.message = arena_printf(session->arena, "memory: more than %u MiB while %s",
                                       options->memory_limit, stage);
    } else if (loss->cause == LOSS_SYSTEM_MEMORY) {
        failure.message =
            arena_printf(session->arena, "memory: the system gave no more while %s", stage);
    } else if (loss->cause == LOSS_KILLED) {
        failure.message =
            arena_printf(session->arena, "killed: somebody ended its process while %s", stage);
    } else if (loss->cause == LOSS_UNSTARTED) {
        failure.message = arena_printf(session->arena, "not started: no worker process: %s",
                                       g_strerror(loss->error));
    } else {
        failure.verdict = VERDICT_ERROR;
        failure.message =
            arena_printf(session->arena, "%s: %s: a defect of ptxlit: %s while %s", path,
                         diag_code(DIAG_worker_died),
                         loss->signal ? g_strsignal(loss->signal) : "early exit", stage);
        g_string_append_printf(result->err, "%s\n", failure.message);
    }
    result->tally = failure.verdict;
    result->counts[RESULT_MICROSECONDS] = microseconds(failure.milliseconds);
    failure_print(options, &failure, result->out);
    if (session->journal)
        journal_miss(session->journal);
}

static struct tally *family_named(struct session *session, const char *name)
{
    for (uint32_t i = session->families.len; i-- > 0;)
        if (strcmp(session->families.at[i].family, name) == 0)
            return &session->families.at[i];
    struct tally family = {.family = name};
    vec_push(session->arena, &session->families, family);
    return &session->families.at[session->families.len - 1];
}

static void add_to(struct tally *tally, const struct result *result)
{
    tally->tests++;
    tally->verdicts[result->tally]++;
    for (int i = 0; i < RESULT_COUNTS; i++)
        tally->counts[i] += result->counts[i];
}

/* Of many tests that are compared with what they expect, those that give it are in the summary. */
static bool is_shown(const struct session *session, const struct result *result)
{
    const struct options *options = session->options;
    return !options->expect || options->json || session->inputs.items.len < 2 ||
           result->tally != VERDICT_HOLDS;
}

static void done(void *context, uint32_t index, const struct result *result)
{
    struct session *session = context;
    progress_clear(&session->progress);
    add_to(&session->all, result);
    add_to(family_named(session, session->inputs.items.at[index].family), result);
    fwrite(result->err->str, 1, result->err->len, stderr);
    if (session->take) {
        session->take(session->take_context, result);
        return;
    }
    if (is_shown(session, result))
        fwrite(result->out->str, 1, result->out->len, stdout);
    fflush(stdout);
}

static bool known(void *context, uint32_t index, struct result *result)
{
    struct session *session = context;
    bool found = session->journal && journal_recall(session->journal, session->keys[index], result);
    session->progress.before += found;
    return found;
}

static void answered(void *context, uint32_t index, const struct result *result)
{
    struct session *session = context;
    bool worth = result->tally != VERDICT_ERROR; /* what went wrong may be mended */
    if (!session->journal || !worth ||
        journal_keep(session->journal, session->keys[index], result) || session->unkept++)
        return;
    fprintf(stderr,
            "ptxlit: %s: the journal cannot be written: %s; what is not in it cannot be resumed\n",
            diag_code(DIAG_file_unwritable), g_strerror(errno));
}

static void make_keys(struct session *session)
{
    uint32_t count = session->inputs.items.len;
    const char *run = journal_run(session->arena, session->options, session->model);
    session->keys = ARENA_ARRAY(session->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        session->keys[i] = journal_key(session->arena, run, &session->inputs.items.at[i]);
}

static void progress(void *context, uint32_t finished, uint32_t count)
{
    progress_show(&((struct session *)context)->progress, finished, count);
}

static uint32_t print_errors(struct session *session)
{
    for (uint32_t i = 0; i < session->diags.items.len; i++)
        fputs(render(session->arena, &session->diags.items.at[i]), stderr);
    if (session->diags.errors > session->diags.items.len)
        fprintf(stderr, "ptxlit: %u more errors\n",
                session->diags.errors - session->diags.items.len);
    return session->diags.errors;
}

static int exit_status(const struct session *session)
{
    if (session->diags.errors || session->all.verdicts[VERDICT_ERROR])
        return EXIT_WRONG_INPUT;
    if (session->all.verdicts[VERDICT_FAILS])
        return EXIT_FAILS;
    return session->all.verdicts[VERDICT_UNDECIDED] ? EXIT_UNDECIDED : EXIT_HOLDS;
}

static void print_verdicts(const struct options *options, const struct tally *all,
                           const struct tally *families, uint32_t family_count)
{
    (void)options, (void)families, (void)family_count;
    fprintf(stderr, "%u tests: %u hold, %u fail, %u undecided, %u in error\n", all->tests,
            all->verdicts[VERDICT_HOLDS], all->verdicts[VERDICT_FAILS],
            all->verdicts[VERDICT_UNDECIDED], all->verdicts[VERDICT_ERROR]);
}

static void run_tests(struct session *session)
{
    const struct options *options = session->options;
    struct pool pool = {
        .jobs = options->jobs ? options->jobs : g_get_num_processors(),
        .timeout = options->timeout,
        .memory_limit = options->memory_limit,
        .context = session,
        .work = work_on,
        .lost = lost,
        .done = done,
        .known = known,
        .answered = answered,
        .progress = progress,
    };
    session->progress = progress_start(session->inputs.items.len);
    pool_run(&pool, session->inputs.items.len);
    progress_clear(&session->progress);
    if (session->progress.before)
        fprintf(stderr, "%u of %u tests were done before\n", session->progress.before,
                session->inputs.items.len);
}

static int run_session(struct session *session)
{
    const struct options *options = session->options;
    if (session->depth == BATCH_UNFOLDED)
        session->model = model_load(session->arena, options->model, &session->diags);
    if (options->hardware)
        session->hardware = hardware_read(session->arena, options->hardware, &session->diags);
    if (session->diags.errors) {
        print_errors(session);
        return EXIT_WRONG_INPUT;
    }
    walk_inputs(session->arena, options->arguments, options->argument_count, &session->inputs,
                &session->diags);
    print_errors(session);
    struct shard shard;
    if (shard_parse(options->shard, &shard))
        shard_keep(&shard, &session->inputs);
    if (session->journal)
        make_keys(session);
    run_tests(session);
    if (session->summary && session->inputs.items.len > 1)
        session->summary(session->options, &session->all, session->families.at,
                         session->families.len);
    return exit_status(session);
}

int batch_run(const struct options *options, enum batch_depth depth, test_work *work)
{
    return batch_run_counting(options, depth, work, print_verdicts);
}

int batch_run_counting(const struct options *options, enum batch_depth depth, test_work *work,
                       batch_summary *summary)
{
    struct session session = {
        .options = options, .depth = depth, .work = work, .summary = summary, .arena = arena_new()};
    session.diags.arena = session.arena;
    int status = run_session(&session);
    arena_free(session.arena);
    return status;
}

int batch_run_collecting(const struct options *options, enum batch_depth depth, test_work *work,
                         batch_take *take, void *context, struct journal *journal)
{
    struct session session = {.options = options,
                              .depth = depth,
                              .work = work,
                              .take = take,
                              .take_context = context,
                              .journal = journal,
                              .arena = arena_new()};
    session.diags.arena = session.arena;
    int status = run_session(&session);
    arena_free(session.arena);
    return status;
}
