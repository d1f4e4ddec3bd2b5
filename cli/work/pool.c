/* SPDX-License-Identifier: MIT */
#include "cli/work/pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/answer/job.h"
#include "cli/work/interrupt.h"
#include "cli/work/worker.h"

/* While no worker can be started: how often to try again, and the microseconds between two
 * attempts. */
enum { START_ATTEMPTS = 10, START_PAUSE = 100000 };
enum { ONE_BY_ONE = 5 }; /* milliseconds for each, where poll takes one only */

/* ---- progress ------------------------------------------------------------------------------- */

/* A line on the terminal of standard error that says how far long work is; nothing elsewhere. */
struct progress {
    bool shown;      /* standard error is a terminal and there are several tests */
    bool standing;   /* the line is on the screen */
    uint32_t before; /* jobs that were done before: no measure of what is left */
    double started, last;
};

static struct progress progress_start(uint32_t count)
{
    double start = job_clock();
    return (struct progress){isatty(STDERR_FILENO) && count > 1, false, 0, start, start};
}

/* Ten times a second is enough for an eye, and the first moment needs none. */
static void progress_show(struct progress *progress, uint32_t finished, uint32_t count)
{
    double time = job_clock();
    if (!progress->shown || time - progress->last < 0.1 || finished <= progress->before)
        return;
    double left = (time - progress->started) / (finished - progress->before) * (count - finished);
    fprintf(stderr, "\r\033[K%u of %u tests, about %.0f s left", finished, count, left);
    fflush(stderr);
    progress->last = time;
    progress->standing = true;
}

/* Takes the line away, before anything else is printed. */
static void progress_clear(struct progress *progress)
{
    if (progress->standing)
        fputs("\r\033[K", stderr);
    progress->standing = false;
}

/* ---- jobs ----------------------------------------------------------------------------------- */

struct pool_state {
    const struct pool *pool;
    struct pool_worker *workers;
    uint32_t worker_count;
    struct result *results; /* a job: its result, between its end and its turn */
    bool *finished;
    uint32_t count, ordered, finished_count, shown;
    int error; /* why the last worker could not be started, as errno */
    struct progress progress;
    struct interrupt interrupt;
    bool interrupted;
};

/* A job's turn has come. */
static void show(struct pool_state *run, uint32_t job)
{
    struct result *result = &run->results[job];
    progress_clear(&run->progress);
    run->pool->done(run->pool->context, job, result);
    g_string_free(result->out, TRUE);
    g_string_free(result->err, TRUE);
}

static void finish(struct pool_state *run, uint32_t job, struct result result)
{
    run->results[job] = result;
    run->finished[job] = true;
    run->finished_count++;
    while (run->shown < run->count && run->finished[run->shown])
        show(run, run->shown++);
    progress_show(&run->progress, run->finished_count, run->count);
}

static void lose(struct pool_state *run, uint32_t job, const struct loss *loss)
{
    struct result result = {.out = g_string_new(NULL), .err = g_string_new(NULL)};
    run->pool->lost(run->pool->context, job, loss, &result);
    finish(run, job, result);
}

/* The end of a worker, expected or not; the job it had is lost. */
static void bury(struct pool_state *run, struct pool_worker *worker, bool killed)
{
    double seconds = job_clock() - worker->started;
    struct loss loss = worker_bury(worker, run->pool);
    loss.seconds = seconds;
    if (killed)
        loss.cause = LOSS_TIME;
    if (worker->job != UINT32_MAX)
        lose(run, worker->job, &loss);
}

/* The job that is begun next, or the number of jobs. */
static uint32_t next_job(struct pool_state *run)
{
    const uint32_t *order = run->pool->order;
    while (run->ordered < run->count &&
           run->finished[order ? order[run->ordered] : run->ordered]) /* known */
        run->ordered++;
    return order && run->ordered < run->count ? order[run->ordered] : run->ordered;
}

/* The worker was gone before it could be told: the job is still to be done. */
static void order(struct pool_state *run, struct pool_worker *worker, uint32_t job)
{
    if (worker_order(worker, job, job_clock())) {
        run->ordered++;
        return;
    }
    run->error = errno;
    worker_bury(worker, run->pool);
}

/* Starts workers that are missing while there is work for them. False: none runs. */
static bool give_orders(struct pool_state *run)
{
    bool any = false;
    for (uint32_t i = 0; i < run->worker_count; i++) {
        struct pool_worker *worker = &run->workers[i];
        uint32_t job = next_job(run);
        if (!worker->pid && job < run->count &&
            !worker_start(worker, run->pool, run->workers, run->worker_count))
            run->error = errno;
        if (worker->pid && worker->job == UINT32_MAX && job < run->count)
            order(run, worker, job);
        any |= worker->pid != 0;
    }
    return any;
}

/* One that does nothing any more; it need not go by itself, as it may stand still for ever. */
static void end_idle(struct pool_state *run, struct pool_worker *worker)
{
    kill(worker->pid, SIGKILL);
    worker_bury(worker, run->pool);
}

static void collect(struct pool_state *run, struct pool_worker *worker)
{
    if (!worker_receive(worker)) {
        bury(run, worker, false);
        return;
    }
    struct result result = {0};
    uint32_t job;
    if (!worker_answer(worker, &result, &job))
        return;
    if (run->pool->answered)
        run->pool->answered(run->pool->context, job, &result);
    if (worker->retiring)
        end_idle(run, worker);
    finish(run, job, result);
}

static bool is_working(const struct pool_worker *worker)
{
    return worker->pid && worker->job != UINT32_MAX;
}

static void kill_overdue(struct pool_state *run)
{
    for (uint32_t i = 0; run->pool->timeout > 0 && i < run->worker_count; i++) {
        struct pool_worker *worker = &run->workers[i];
        if (!is_working(worker) || job_clock() < worker_deadline(worker, run->pool))
            continue;
        kill(worker->pid, SIGKILL);
        bury(run, worker, true);
    }
}

static int wait_milliseconds(const struct pool_state *run)
{
    double left = 3600;
    for (uint32_t i = 0; run->pool->timeout > 0 && i < run->worker_count; i++)
        if (is_working(&run->workers[i]))
            left = MIN(left, worker_deadline(&run->workers[i], run->pool) - job_clock());
    return left < 0 ? 0 : (int)(left * 1000) + 1;
}

/* poll refuses more entries than there may be descriptors; when fewer are allowed than there are by
 * now, it is asked about one after the other. */
static bool wait_for_any(struct pollfd *fds, nfds_t count, int milliseconds)
{
    int ready = poll(fds, count, milliseconds);
    bool any = ready > 0, refused = ready < 0 && errno == EINVAL;
    for (nfds_t i = 0; refused && i < count; i++)
        any |= poll(&fds[i], 1, ONE_BY_ONE) > 0;
    return any;
}

static void wait_for_workers(struct pool_state *run)
{
    g_autofree struct pollfd *fds = g_new0(struct pollfd, run->worker_count + 1);
    g_autofree struct pool_worker **running = g_new0(struct pool_worker *, run->worker_count);
    nfds_t count = 0;
    for (uint32_t i = 0; i < run->worker_count; i++)
        if (run->workers[i].pid) {
            fds[count] = (struct pollfd){run->workers[i].channel, POLLIN, 0};
            running[count++] = &run->workers[i];
        }
    struct pollfd *interrupt = &fds[count];
    *interrupt = (struct pollfd){run->interrupt.fd, POLLIN, 0}; /* none is watched when it is -1 */
    if (wait_for_any(fds, count + 1, wait_milliseconds(run)))
        for (nfds_t i = 0; i < count; i++)
            if (fds[i].revents)
                collect(run, running[i]);
    run->interrupted = interrupt->revents & POLLIN;
    kill_overdue(run);
}

static void abandon(struct pool_state *run)
{
    static const struct note nothing;
    struct loss loss = {.cause = LOSS_UNSTARTED, .error = run->error, .note = &nothing};
    for (uint32_t job = 0; job < run->count; job++)
        if (!run->finished[job])
            lose(run, job, &loss);
}

static void take_known(struct pool_state *run)
{
    struct result result = {0};
    for (uint32_t job = 0; run->pool->known && job < run->count; job++)
        if (run->pool->known(run->pool->context, job, &result)) {
            run->progress.before++;
            finish(run, job, result);
        }
}

static void dismiss(struct pool_state *run)
{
    for (uint32_t i = 0; i < run->worker_count; i++) {
        struct pool_worker *worker = &run->workers[i];
        if (worker->pid)
            end_idle(run, worker);
        if (worker->note)
            munmap(worker->note, sizeof *worker->note);
    }
}

/* What finished before its turn came; the rest is left. */
static void show_finished(struct pool_state *run)
{
    uint32_t left = 0;
    for (uint32_t job = run->shown; job < run->count; job++)
        if (run->finished[job])
            show(run, job);
        else
            left++;
    if (left)
        run->pool->interrupted(run->pool->context, left);
}

uint32_t pool_run(const struct pool *pool, uint32_t count)
{
    assert(pool->jobs && pool->work && pool->lost && pool->done);
    struct pool_state run = {.pool = pool, .count = count, .progress = progress_start(count)};
    run.worker_count = MIN(pool->jobs, MAX(count, 1));
    run.workers = g_new0(struct pool_worker, run.worker_count);
    run.results = g_new0(struct result, count);
    run.finished = g_new0(bool, count);
    run.interrupt = interrupt_watch(pool->interrupted);
    take_known(&run);
    for (int refusals = 0; run.finished_count < count && !run.interrupted;)
        if (give_orders(&run)) {
            wait_for_workers(&run);
            refusals = 0;
        } else if (refusals++ < START_ATTEMPTS) {
            g_usleep(START_PAUSE);
        } else {
            abandon(&run);
        }
    progress_clear(&run.progress);
    dismiss(&run);
    show_finished(&run);
    interrupt_end(&run.interrupt);
    g_free(run.workers);
    g_free(run.results);
    g_free(run.finished);
    return run.progress.before;
}
