/* SPDX-License-Identifier: MIT
 *
 * explore CORPUS: the exhaustive search of the executor over every test of the corpus, with and
 * without its reduction. Prints medians, states a second, and what the reduction saves; figures of
 * different machines compare by the ratios. */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "litmus/read/read.h"
#include "model/machine/search/explore.h"
#include "model/machine/search/schedule.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/setup/setup.h"
#include "model/machine/memory/sc.h"

struct tally {
    GArray *milliseconds; /* a test */
    uint64_t states, plain_states;
    double seconds, plain_seconds;
    uint32_t finished, unfinished;
};

struct subject {
    struct arena *arena;
    struct machine *machine;
    struct memory *memory;
};

static bool prepare(struct subject *s, const char *path)
{
    char *text = NULL;
    gsize length;
    struct diag_list diags = {.arena = s->arena};
    struct machine_options options = {0};
    if (!g_file_get_contents(path, &text, &length, NULL))
        return false;
    const char *copy = arena_strndup(s->arena, text, length);
    g_free(text);
    const struct test *test =
        litmus_parse(s->arena, source_new(s->arena, path, copy, length), &diags);
    s->machine = test ? machine_new(s->arena, test, &options, &diags) : NULL;
    s->memory = s->machine ? weak_memory_new(s->arena, s->machine, &diags) : NULL;
    return s->memory != NULL;
}

/* Processor time: others may be using this machine. */
static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double search(struct subject *s, bool reduce, struct explore_result *result)
{
    struct explore_options options = {.timeout_seconds = 5, .reduce = reduce, .issue_loads = true};
    struct report_list reports = {.arena = s->arena};
    double start = seconds_used();
    explore(s->arena, s->machine, s->memory, &options, &reports, result);
    return seconds_used() - start;
}

static void measure(struct tally *tally, const char *path)
{
    struct subject s = {.arena = arena_new()};
    struct explore_result result, plain;
    if (prepare(&s, path)) {
        double seconds = search(&s, true, &result), ms = seconds * 1e3;
        g_array_append_val(tally->milliseconds, ms);
        tally->seconds += seconds;
        tally->states += result.states;
        tally->plain_seconds += search(&s, false, &plain);
        tally->plain_states += plain.states;
        ++*(result.finished ? &tally->finished : &tally->unfinished);
    }
    arena_free(s.arena);
}

static void walk(struct tally *tally, const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            walk(tally, path);
        else if (g_str_has_suffix(name, ".litmus"))
            measure(tally, path);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
}

static gint compare(gconstpointer a, gconstpointer b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const struct tally *tally, double q)
{
    return g_array_index(tally->milliseconds, double, (guint)(q * (tally->milliseconds->len - 1)));
}

/* Complete random runs a second of one test on the weak memory, beside the sc memory. */
static double runs_a_second(const char *path, bool weak)
{
    enum { RUNS = 100000 };
    struct subject s = {.arena = arena_new()};
    if (!prepare(&s, path))
        return 0;
    struct report_list reports = {.arena = s.arena};
    struct run run = {.machine = s.machine, .reports = &reports};
    run.state = arena_alloc(s.arena, s.machine->state_bytes);
    run.memory = weak ? s.memory : memory_sc_new(s.arena, s.machine);
    struct histogram histogram = {0};
    struct histogram_options options = {.seed = 1, .runs = RUNS};
    double start = seconds_used();
    schedule_histogram(&histogram, scheduler_new(s.machine), &run, &options);
    double seconds = seconds_used() - start;
    arena_free(s.arena);
    return RUNS / seconds;
}

int main(int argc, char **argv)
{
    struct tally tally = {.milliseconds = g_array_new(FALSE, FALSE, sizeof(double))};
    if (argc != 2)
        return 2;
    walk(&tally, argv[1]);
    g_array_sort(tally.milliseconds, compare);
    printf("exhaustive search of %u tests: median %.2f ms, 95 %% within %.2f ms, slowest %.1f ms; "
           "%u not finished\n",
           tally.milliseconds->len, quantile(&tally, 0.5), quantile(&tally, 0.95),
           quantile(&tally, 1), tally.unfinished);
    printf("%.0f states a second; the reduction visits %.2f of the states in %.2f of the time\n",
           (double)tally.states / tally.seconds, (double)tally.states / (double)tally.plain_states,
           tally.seconds / tally.plain_seconds);
    char *mp = g_build_filename(argv[1], "mp", "mp+weak.litmus", NULL);
    double weak = runs_a_second(mp, true), sc = runs_a_second(mp, false);
    printf("random runs of mp: %.0f a second on the weak memory, %.2f of what the sc memory does\n",
           weak, weak / sc);
    g_free(mp);
    g_array_free(tally.milliseconds, TRUE);
    return 0;
}
