/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/work/memory.h"
#include "cli/work/pool.h"
#include "litmus/base/arena.h"

/* What each job does to its worker. */
enum deed {
    STAND_STILL,
    ANSWER,
    ANSWER_LATE,
    CRASH,
    LEAVE,
    HANG,
    EAT_MEMORY,
    ASK_FOR_MUCH,
    FILL_ARENA,
    FILL_SPACE,
    FILL_SPACE_IN_THREAD,
    KILLED
};

struct plan {
    const enum deed *deeds;
    GString *log;   /* "0:ok 1:crash …", in the order of 'done' */
    GString *begun; /* "1 0 …", in the order of 'answered' */
};

static void eat_memory(void)
{
    for (;;) {
        char *block = malloc(1 << 20);
        if (!block)
            abort();
        memset(block, 1, 1 << 20);
    }
}

/* As a library that goes on after a refusal: it holds little, has asked for more and trips over
 * the null pointer. */
static void *fill_space(void *signal)
{
    while (mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        ;
    raise(GPOINTER_TO_INT(signal));
    return NULL;
}

static void work(void *context, uint32_t index, struct note *note, struct result *result)
{
    const struct plan *plan = context;
    g_strlcpy(note->test, "name", sizeof note->test);
    switch (plan->deeds[index]) {
    case ANSWER_LATE:
        g_usleep(30000);
        break;
    case CRASH:
        raise(SIGSEGV);
        break;
    case LEAVE:
        _exit(0);
    case HANG:
        for (;;)
            pause();
    case EAT_MEMORY:
        eat_memory();
        break;
    case ASK_FOR_MUCH:
        g_free(g_malloc(1 << 30));
        break;
    case FILL_ARENA:
        arena_alloc(arena_new(), 1 << 30);
        break;
    case FILL_SPACE:
        fill_space(GINT_TO_POINTER(SIGTRAP));
        break;
    case FILL_SPACE_IN_THREAD:
        g_thread_join(g_thread_new("other", fill_space, GINT_TO_POINTER(SIGSEGV)));
        break;
    case KILLED:
        raise(SIGKILL);
        break;
    case STAND_STILL:
        result->counts[0] = (uint32_t)getpid();
        break;
    case ANSWER:
        break;
    }
    g_string_append_printf(result->out, "%u:ok ", index);
    g_string_append(result->err, "e");
    result->tally = index;
}

static void answered(void *context, uint32_t index, const struct result *result)
{
    const struct plan *plan = context;
    g_string_append_printf(plan->begun, "%u ", index);
    if (plan->deeds[index] == STAND_STILL)
        kill((pid_t)result->counts[0], SIGSTOP);
}

static void lost(void *context, uint32_t index, const struct loss *loss, struct result *result)
{
    (void)context;
    static const char *const words[] = {"crash", "time", "memory", "system", "killed", "unstarted"};
    g_assert_cmpstr(loss->note->test, ==, loss->cause == LOSS_UNSTARTED ? "" : "name");
    g_assert_cmpint(loss->error, ==, loss->cause == LOSS_UNSTARTED ? EMFILE : 0);
    g_string_append_printf(result->out, "%u:%s ", index, words[loss->cause]);
    result->tally = index;
}

static void done(void *context, uint32_t index, const struct result *result)
{
    g_assert_cmpuint(result->tally, ==, index);
    g_string_append(((struct plan *)context)->log, result->out->str);
}

static void assert_log(const enum deed *deeds, uint32_t count, uint32_t jobs, const char *expected)
{
    struct plan plan = {deeds, g_string_new(NULL), g_string_new(NULL)};
    struct pool pool = {.jobs = jobs,
                        .timeout = 0.2,
                        .memory_limit = 64,
                        .context = &plan,
                        .work = work,
                        .lost = lost,
                        .done = done,
                        .answered = answered};
    pool_run(&pool, count);
    g_assert_cmpstr(plan.log->str, ==, expected);
    g_string_free(plan.log, TRUE);
    g_string_free(plan.begun, TRUE);
}

/* One after the other: answers come as jobs were begun. */
static void jobs_are_begun_in_the_order_that_is_asked_for(void)
{
    static const enum deed deeds[] = {ANSWER, ANSWER, CRASH, ANSWER};
    static const uint32_t order[] = {3, 2, 0, 1};
    struct plan plan = {deeds, g_string_new(NULL), g_string_new(NULL)};
    struct pool pool = {.jobs = 1,
                        .order = order,
                        .context = &plan,
                        .work = work,
                        .lost = lost,
                        .done = done,
                        .answered = answered};
    pool_run(&pool, G_N_ELEMENTS(order));
    g_assert_cmpstr(plan.log->str, ==, "0:ok 1:ok 2:crash 3:ok ");
    g_assert_cmpstr(plan.begun->str, ==, "3 0 1 ");
    g_string_free(plan.log, TRUE);
    g_string_free(plan.begun, TRUE);
}

static void results_come_in_the_order_of_jobs(void)
{
    static const enum deed deeds[] = {ANSWER_LATE, ANSWER, ANSWER, ANSWER_LATE, ANSWER, ANSWER};
    for (uint32_t jobs = 1; jobs < 9; jobs++)
        assert_log(deeds, 6, jobs, "0:ok 1:ok 2:ok 3:ok 4:ok 5:ok ");
}

static void a_crash_costs_one_job(void)
{
    static const enum deed deeds[] = {ANSWER, CRASH, ANSWER, LEAVE, CRASH, ANSWER};
    for (uint32_t jobs = 1; jobs < 4; jobs++)
        assert_log(deeds, 6, jobs, "0:ok 1:crash 2:ok 3:crash 4:crash 5:ok ");
}

static void a_hang_is_ended_by_the_watchdog(void)
{
    static const enum deed deeds[] = {HANG, ANSWER, ANSWER};
    assert_log(deeds, 3, 2, "0:time 1:ok 2:ok ");
}

static void memory_past_the_limit_costs_one_job(void)
{
    if (!memory_can_be_limited()) {
        g_test_skip("memory is not limited under the sanitizer");
        return;
    }
    static const enum deed deeds[] = {ANSWER, EAT_MEMORY, ANSWER};
    assert_log(deeds, 3, 1, "0:ok 1:memory 2:ok ");
}

static void one_large_allocation_is_memory(void)
{
    if (!memory_can_be_limited()) {
        g_test_skip("memory is not limited under the sanitizer");
        return;
    }
    static const enum deed deeds[] = {ASK_FOR_MUCH, ANSWER, FILL_ARENA};
    assert_log(deeds, 3, 2, "0:memory 1:ok 2:memory ");
}

static void a_death_where_nothing_is_left_is_memory(void)
{
    if (!memory_can_be_limited()) {
        g_test_skip("memory is not limited under the sanitizer");
        return;
    }
    static const enum deed deeds[] = {FILL_SPACE, ANSWER, FILL_SPACE_IN_THREAD, CRASH};
    assert_log(deeds, 4, 1, "0:memory 1:ok 2:memory 3:crash ");
}

static void a_kill_is_no_lack_of_memory(void)
{
    static const enum deed deeds[] = {ANSWER, KILLED, ANSWER};
    assert_log(deeds, 3, 2, "0:ok 1:killed 2:ok ");
}

/* The descriptor that is opened next. */
static rlim_t next_descriptor(void)
{
    int next = open("/dev/null", O_RDONLY);
    close(next);
    return (rlim_t)next;
}

/* Runs jobs while no more than 'spare' descriptors can be opened. */
static void assert_log_with(rlim_t spare, uint32_t jobs, const char *expected)
{
    static const enum deed deeds[] = {ANSWER, ANSWER_LATE, ANSWER, ANSWER_LATE};
    struct rlimit before, little;
    getrlimit(RLIMIT_NOFILE, &before);
    little = (struct rlimit){next_descriptor() + spare, before.rlim_max};
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &little), ==, 0);
    assert_log(deeds, 4, jobs, expected);
    g_assert_cmpint(setrlimit(RLIMIT_NOFILE, &before), ==, 0);
}

static void more_workers_than_descriptors_are_fewer_workers(void)
{
    for (rlim_t spare = 2; spare < 6; spare++)
        assert_log_with(spare, 16, "0:ok 1:ok 2:ok 3:ok ");
}

static void without_workers_every_job_is_lost_by_name(void)
{
    for (rlim_t spare = 0; spare < 2; spare++)
        assert_log_with(spare, 2, "0:unstarted 1:unstarted 2:unstarted 3:unstarted ");
}

/* A worker that answered and is then stopped, as by a debugger, keeps nobody waiting. */
static void an_idle_worker_that_stands_still_is_ended(void)
{
    static const enum deed deeds[] = {STAND_STILL, ANSWER_LATE};
    assert_log(deeds, 1, 1, "0:ok ");
    assert_log(deeds, 2, 2, "0:ok 1:ok ");
}

static void no_jobs_is_no_work(void)
{
    assert_log(NULL, 0, 4, "");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pool/order", results_come_in_the_order_of_jobs);
    g_test_add_func("/pool/begun", jobs_are_begun_in_the_order_that_is_asked_for);
    g_test_add_func("/pool/crash", a_crash_costs_one_job);
    g_test_add_func("/pool/hang", a_hang_is_ended_by_the_watchdog);
    g_test_add_func("/pool/memory", memory_past_the_limit_costs_one_job);
    g_test_add_func("/pool/large", one_large_allocation_is_memory);
    g_test_add_func("/pool/space", a_death_where_nothing_is_left_is_memory);
    g_test_add_func("/pool/killed", a_kill_is_no_lack_of_memory);
    g_test_add_func("/pool/descriptors", more_workers_than_descriptors_are_fewer_workers);
    g_test_add_func("/pool/unstarted", without_workers_every_job_is_lost_by_name);
    g_test_add_func("/pool/stopped", an_idle_worker_that_stands_still_is_ended);
    g_test_add_func("/pool/none", no_jobs_is_no_work);
    return g_test_run();
}
