/* SPDX-License-Identifier: MIT */
#include "cli/work/memory.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/work/pool.h"
#include "litmus/base/number.h"

/* The status of a worker that a signal ended where no memory was left; Z3 leaves with it too. */
enum { OUT_OF_MEMORY = 101 };
/* What a library may ask for at once, beside the stack of a thread; and a stack for the handler. */
enum { LARGE_REQUEST = 16 << 20, HANDLER_STACK = 64 << 10 };

/* What ends a process that goes on after a refusal: a null pointer, abort, GLib's errors. */
static const int deaths[] = {SIGSEGV, SIGABRT, SIGTRAP};

uint64_t memory_in_use(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool memory_can_be_limited(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false;
#elif defined(__has_feature)
    return !__has_feature(address_sanitizer);
#else
    return true;
#endif
}

/* The limit that the process was started under. */
static rlim_t inherited_limit(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_AS, &limit);
    return limit.rlim_cur;
}

/* The limit counts from 'base' on: the program and its libraries are no part of a test. */
void memory_limit(uint32_t mebibytes, uint64_t base)
{
    if (!mebibytes || !memory_can_be_limited())
        return;
    mallopt(M_ARENA_MAX, 1); /* each more would reserve 64 MiB of the limit */
    rlim_t bytes = MIN((rlim_t)base + ((rlim_t)mebibytes << 20), inherited_limit());
    struct rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

/* ---- the last words of a worker ------------------------------------------------------------- */

/* GLib, and arenas by way of it, end the process with a message when there is no memory. */
static void note_fatal(const char *domain, GLogLevelFlags level, const char *message, void *note)
{
    bool fatal = level & G_LOG_LEVEL_ERROR;
    if (fatal && strstr(message, "allocat"))
        ((struct note *)note)->refused = true;
    else
        g_log_default_handler(domain, level, message, NULL);
}

/* Is a large request, or the stack of a thread, refused here and now? Nothing but system calls. */
static bool is_refused(void)
{
    struct rlimit stack = {0, 0};
    getrlimit(RLIMIT_STACK, &stack);
    size_t size = LARGE_REQUEST + (stack.rlim_cur == RLIM_INFINITY ? 0 : (size_t)stack.rlim_cur);
    void *probe = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED)
        return true;
    munmap(probe, size);
    return false;
}

/* The signal comes again when this returns, and finds no handler any more. */
static void die(int signal)
{
    if (is_refused())
        _exit(OUT_OF_MEMORY);
    raise(signal);
}

/* A stack of its own, as the one in use may be what could not grow. */
static void handle_deaths(void)
{
    void *place =
        mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = place, .ss_size = HANDLER_STACK};
    if (place != MAP_FAILED)
        sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    for (size_t i = 0; i < G_N_ELEMENTS(deaths); i++)
        sigaction(deaths[i], &action, NULL);
}

void memory_watch(struct note *note)
{
    g_log_set_default_handler(note_fatal, note);
    if (memory_can_be_limited()) /* whose own handlers say more */
        handle_deaths();
}

/* ---- what its parent makes of them ---------------------------------------------------------- */

uint64_t memory_oom_kills(void)
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

bool memory_is_short(uint32_t mebibytes)
{
    rlim_t inherited = inherited_limit();
    return !mebibytes || inherited < (rlim_t)mebibytes << 20;
}

/* A refusal may have unwound and freed much before it led to the end: the peak tells those. */
bool memory_ended(uint32_t mebibytes, const struct note *note, int status,
                  const struct rusage *usage)
{
    uint64_t most = memory_is_short(mebibytes) ? inherited_limit() : (uint64_t)mebibytes << 20;
    uint64_t peak = (uint64_t)usage->ru_maxrss << 10;
    bool died = false;
    for (size_t i = 0; i < G_N_ELEMENTS(deaths); i++)
        died |= WIFSIGNALED(status) && WTERMSIG(status) == deaths[i];
    return note->refused || (WIFEXITED(status) && WEXITSTATUS(status) == OUT_OF_MEMORY) ||
           (died && most != RLIM_INFINITY && peak > most / 2);
}
