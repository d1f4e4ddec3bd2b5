/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* close_range */
#include "cli/work/worker.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/work/memory.h"

/* Without SIGPIPE when the other side is gone: a dead worker is noticed by the end of its answers. */
static bool send_all(int channel, const void *bytes, size_t length)
{
    for (const char *at = bytes; length;) {
        ssize_t sent = send(channel, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            at += sent;
            length -= (size_t)sent;
        }
    }
    return true;
}

static bool answer(int channel, uint32_t job, const struct result *result, bool retiring)
{
    struct answer_head head = {.job = job,
                               .tally = result->tally,
                               .retiring = retiring,
                               .out_length = result->out->len,
                               .err_length = result->err->len};
    memcpy(head.counts, result->counts, sizeof head.counts);
    return send_all(channel, &head, sizeof head) &&
           send_all(channel, result->out->str, result->out->len) &&
           send_all(channel, result->err->str, result->err->len);
}

static bool serve_one(const struct pool *pool, const struct pool_worker *self, uint32_t job,
                      uint64_t base)
{
    struct result result = {.out = g_string_new(NULL), .err = g_string_new(NULL)};
    memset(self->note, 0, sizeof *self->note);
    pool->work(pool->context, job, self->note, &result);
    /* What a test leaves behind must not count against the next one. */
    uint64_t limit = (uint64_t)pool->memory_limit << 20;
    bool retiring = limit && memory_in_use() - base > limit / 8;
    bool sent = answer(self->channel, job, &result, retiring);
    g_string_free(result.out, TRUE);
    g_string_free(result.err, TRUE);
    return sent && !retiring;
}

G_GNUC_NORETURN static void serve(const struct pool *pool, const struct pool_worker *self)
{
    uint64_t base = memory_in_use();
    memory_watch(self->note);
    memory_limit(pool->memory_limit, base);
    uint32_t job;
    while (read(self->channel, &job, sizeof job) == (ssize_t)sizeof job)
        if (!serve_one(pool, self, job, base))
            break;
    _exit(0);
}

static bool map_note(struct pool_worker *worker)
{
    if (worker->note)
        return true;
    void *page =
        mmap(NULL, sizeof *worker->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    worker->note = page == MAP_FAILED ? NULL : page;
    return worker->note;
}

/* What interrupts the whole run must not look like the loss of a test: the parent's end is a
 * worker's. */
static void leave_signals_to_parent(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
}

/* What the caller has open is no business of a job that works for somebody else. */
static void close_all_but(int channel)
{
    if (channel > STDERR_FILENO + 1)
        close_range(STDERR_FILENO + 1, (unsigned)channel - 1, 0);
    close_range((unsigned)channel + 1, ~0u, 0);
}

bool worker_start(struct pool_worker *worker, const struct pool *pool,
                  const struct pool_worker *others, uint32_t other_count)
{
    int ends[2];
    if (!map_note(worker) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        leave_signals_to_parent();
        for (uint32_t i = 0; i < other_count; i++)
            if (others[i].pid)
                close(others[i].channel);
        close(ends[0]);
        if (pool->alone)
            close_all_but(ends[1]);
        struct pool_worker self = {.channel = ends[1], .note = worker->note};
        serve(pool, &self);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    worker->pid = pid;
    worker->channel = ends[0];
    worker->job = UINT32_MAX;
    worker->retiring = false;
    worker->received = g_byte_array_new();
    worker->oom_kills = memory_oom_kills();
    return true;
}

bool worker_order(struct pool_worker *worker, uint32_t job, double now)
{
    worker->job = job;
    worker->started = now;
    return send_all(worker->channel, &job, sizeof job);
}

bool worker_receive(struct pool_worker *worker)
{
    uint8_t buffer[64 * 1024];
    ssize_t got = read(worker->channel, buffer, sizeof buffer);
    if (got > 0)
        g_byte_array_append(worker->received, buffer, (guint)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

bool worker_answer(struct pool_worker *worker, struct result *result, uint32_t *job)
{
    struct answer_head head;
    if (worker->received->len < sizeof head)
        return false;
    memcpy(&head, worker->received->data, sizeof head);
    uint64_t length = sizeof head + head.out_length + head.err_length;
    if (worker->received->len < length)
        return false;
    const char *bytes = (const char *)worker->received->data + sizeof head;
    result->tally = head.tally;
    memcpy(result->counts, head.counts, sizeof head.counts);
    result->out = g_string_new_len(bytes, (gssize)head.out_length);
    result->err = g_string_new_len(bytes + head.out_length, (gssize)head.err_length);
    *job = head.job;
    g_byte_array_remove_range(worker->received, 0, (guint)length);
    worker->job = UINT32_MAX;
    worker->retiring = head.retiring;
    return true;
}

double worker_deadline(const struct pool_worker *worker, const struct pool *pool)
{
    return pool->timeout > 0 ? worker->started + pool->timeout * 1.25 + 1 : INFINITY;
}

/* The kernel's kill for memory cannot be told from another's by the signal, but it is counted. (The
 * watchdog's kills are known to the caller.) */
static enum loss_cause why_ended(const struct pool *pool, const struct pool_worker *worker,
                                 int status, const struct rusage *usage)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return memory_oom_kills() > worker->oom_kills ? LOSS_SYSTEM_MEMORY : LOSS_KILLED;
    if (!memory_ended(pool->memory_limit, worker->note, status, usage))
        return LOSS_CRASH;
    return memory_is_short(pool->memory_limit) ? LOSS_SYSTEM_MEMORY : LOSS_MEMORY;
}

struct loss worker_bury(struct pool_worker *worker, const struct pool *pool)
{
    int status = 0;
    struct rusage usage = {0};
    close(worker->channel);
    while (wait4(worker->pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    g_byte_array_free(worker->received, TRUE);
    worker->received = NULL;
    worker->pid = 0;
    return (struct loss){.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                         .note = worker->note,
                         .cause = why_ended(pool, worker, status, &usage)};
}
