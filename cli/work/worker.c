/* SPDX-License-Identifier: MIT */
#include "cli/work/worker.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "litmus/base/number.h"

/* The address space in use, in bytes. */
static uint64_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static bool sanitized(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return true; /* its shadow memory would not fit under any limit */
#elif defined(__has_feature)
    return __has_feature(address_sanitizer);
#else
    return false;
#endif
}

/* The limit that the process was started under. */
static rlim_t inherited_limit(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &limit);
    return limit.rlim_cur;
}

/* The limit counts from here on: the program and its libraries are no part of a test. It never
 * widens one that is there. */
static void limit_memory(uint32_t mebibytes, uint64_t base)
{
    if (!mebibytes || sanitized())
        return;
    mallopt(M_ARENA_MAX, 1); /* each more would reserve 64 MiB of the limit */
    rlim_t bytes = MIN((rlim_t)base + ((rlim_t)mebibytes << 20), inherited_limit());
    struct rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

/* How many processes the system has killed for want of memory; 0 where it does not say. */
static uint64_t count_oom_kills(void)
{
    static const char name[] = "\noom_kill ";
    g_autofree char *text = NULL;
    uint64_t count = 0;
    bool fits;
    const char *line =
        g_file_get_contents("/proc/vmstat", &text, NULL, NULL) ? strstr(text, name) : NULL;
    const char *digits = line ? line + strlen(name) : "";
    number_digits(digits, strlen(digits), 10, &count, &fits);
    return count;
}

/* GLib, and arenas by way of it, end the process with a message when there is no memory. */
static void note_fatal(const char *domain, GLogLevelFlags level, const char *message, void *note)
{
    bool fatal = level & G_LOG_LEVEL_ERROR;
    if (fatal && strstr(message, "allocat"))
        ((struct note *)note)->refused = true;
    else
        g_log_default_handler(domain, level, message, NULL);
}

/* Without SIGPIPE when the other side is gone: a dead worker is noticed by the end of its answers.
 */
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

static bool serve_one(const struct pool *pool, const struct worker *self, uint32_t job,
                      uint64_t base)
{
    struct result result = {.out = g_string_new(NULL), .err = g_string_new(NULL)};
    memset(self->note, 0, sizeof *self->note);
    pool->work(pool->context, job, self->note, &result);
    /* What a test leaves behind must not count against the next one. */
    uint64_t limit = (uint64_t)pool->memory_limit << 20;
    bool retiring = limit && address_space() - base > limit / 8;
    bool sent = answer(self->channel, job, &result, retiring);
    g_string_free(result.out, TRUE);
    g_string_free(result.err, TRUE);
    return sent && !retiring;
}

G_GNUC_NORETURN static void serve(const struct pool *pool, const struct worker *self)
{
    uint64_t base = address_space();
    limit_memory(pool->memory_limit, base);
    g_log_set_default_handler(note_fatal, self->note);
    uint32_t job;
    while (read(self->channel, &job, sizeof job) == (ssize_t)sizeof job)
        if (!serve_one(pool, self, job, base))
            break;
    _exit(0);
}

static void close_channels(const struct worker *workers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (workers[i].pid)
            close(workers[i].channel);
}

static bool map_note(struct worker *worker)
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

bool worker_start(struct worker *worker, const struct pool *pool, const struct worker *others,
                  uint32_t other_count)
{
    int ends[2];
    if (!map_note(worker) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        leave_signals_to_parent();
        close_channels(others, other_count);
        close(ends[0]);
        struct worker self = {.channel = ends[1], .note = worker->note};
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
    worker->oom_kills = count_oom_kills();
    return true;
}

bool worker_order(struct worker *worker, uint32_t job, double now)
{
    worker->job = job;
    worker->started = now;
    return send_all(worker->channel, &job, sizeof job);
}

bool worker_receive(struct worker *worker)
{
    uint8_t buffer[64 * 1024];
    ssize_t got = read(worker->channel, buffer, sizeof buffer);
    if (got > 0)
        g_byte_array_append(worker->received, buffer, (guint)got);
    return got > 0 || (got < 0 && errno == EINTR);
}

bool worker_answer(struct worker *worker, struct result *result, uint32_t *job)
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

/* The kernel's kill for memory cannot be told from another's by the signal, but it is counted. (The
 * watchdog's kills are known to the caller.) */
static enum loss_cause why_killed(const struct worker *worker)
{
    return count_oom_kills() > worker->oom_kills ? LOSS_SYSTEM_MEMORY : LOSS_KILLED;
}

/* Without memory, GLib and arenas leave a note; Z3 and others may follow a null pointer or leave,
 * and do not say why, but the peak does. */
static enum loss_cause why_died(const struct pool *pool, const struct note *note, int signal,
                                const struct rusage *usage)
{
    uint64_t limit = (uint64_t)pool->memory_limit << 20, inherited = inherited_limit();
    bool lowered = inherited != RLIM_INFINITY && (!limit || inherited < limit);
    uint64_t most = lowered ? inherited : limit, peak = (uint64_t)usage->ru_maxrss << 10;
    bool aborted = signal == SIGABRT || signal == SIGTRAP || signal == SIGSEGV;
    if (note->refused || (aborted && most && peak > most / 2))
        return lowered || !limit ? LOSS_SYSTEM_MEMORY : LOSS_MEMORY;
    return LOSS_CRASH;
}

struct loss worker_bury(struct worker *worker, const struct pool *pool)
{
    int status = 0;
    struct rusage usage = {0};
    close(worker->channel);
    while (wait4(worker->pid, &status, 0, &usage) < 0 && errno == EINTR)
        ;
    g_byte_array_free(worker->received, TRUE);
    worker->received = NULL;
    worker->pid = 0;
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return (struct loss){.signal = signal,
                         .note = worker->note,
                         .cause = signal == SIGKILL ? why_killed(worker)
                                                    : why_died(pool, worker->note, signal, &usage)};
}
