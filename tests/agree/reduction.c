/* SPDX-License-Identifier: MIT
 *
 * reduction CORPUS: the exhaustive search of the executor over every test, with its reduction and
 * without: both reach the same outcomes wherever both finish. So with the graph of all states: both
 * show a run that never ends under the same schedulers. Prints TAP. */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>

#include "litmus/read/read.h"
#include "model/machine/memory/sc.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/search/explore.h"
#include "model/machine/search/liveness.h"
#include "model/machine/setup/setup.h"

enum { MOST_STATES = 20000 };

struct tally {
    uint32_t compared, unfinished, different;
    uint64_t states, fewer; /* of the graphs, without the reduction and with it */
};

/* ---- outcomes ------------------------------------------------------------------------------- */

static void search(struct arena *arena, struct machine *machine, struct memory *memory, bool reduce,
                   struct explore_result *result)
{
    struct explore_options options = {
        .max_states = MOST_STATES, .reduce = reduce, .issue_loads = true};
    struct report_list reports = {.arena = arena};
    explore(arena, machine, memory, &options, &reports, result);
}

static bool same(const struct explore_result *a, const struct explore_result *b)
{
    uint32_t index;
    bool equal = a->hangs == b->hangs && a->stops == b->stops &&
                 a->outcomes.items.len == b->outcomes.items.len;
    for (uint32_t i = 0; equal && i < a->outcomes.items.len; i++)
        equal = outcome_find(&b->outcomes, a->outcomes.items.at[i].values, &index);
    return equal;
}

static void compare_outcomes(struct tally *tally, struct arena *arena, struct machine *machine,
                             struct memory *memory, const char *path)
{
    struct explore_result plain, reduced;
    if (!memory)
        return;
    search(arena, machine, memory, true, &reduced);
    search(arena, machine, memory, false, &plain);
    if (!plain.finished || !reduced.finished) {
        tally->unfinished++;
        return;
    }
    tally->compared++;
    if (!same(&plain, &reduced)) {
        tally->different++;
        printf("# %s: %u outcomes with the reduction, %u without\n", path,
               reduced.outcomes.items.len, plain.outcomes.items.len);
    }
}

/* ---- termination ---------------------------------------------------------------------------- */

static struct state_graph *reach(struct arena *arena, struct machine *machine, bool every_order,
                                 bool fair)
{
    const struct state_graph_limits limits = {
        .states = MOST_STATES, .every_order = every_order, .fair = fair};
    struct run run = {.machine = machine, .memory = memory_sc_new(arena, machine)};
    run.reports = ARENA_NEW(arena, struct report_list);
    run.reports->arena = arena;
    run.state = arena_alloc(arena, machine->state_bytes + 1);
    return state_graph_new(arena, &run, &limits);
}

/* 'both': without the reduction and with it. */
static void compare_hangs(struct tally *tally, struct arena *arena, struct machine *machine,
                          const char *path, struct state_graph *const *both,
                          const struct guarantee *progress)
{
    bool hangs = liveness_find(arena, machine, both[0], progress).kind != HANG_NONE;
    if ((liveness_find(arena, machine, both[1], progress).kind != HANG_NONE) == hangs)
        return;
    tally->different++;
    printf("# %s under %s: %s without the reduction\n", path, progress_name(arena, progress),
           hangs ? "may go on for ever" : "ends");
}

static void compare_endings(struct tally *tally, struct arena *arena, struct machine *machine,
                            const char *path)
{
    struct state_graph *plain = reach(arena, machine, true, false),
                       *reduced = reach(arena, machine, false, false),
                       *fair = reach(arena, machine, false, true);
    const struct guarantee all = {PROGRESS_FAIR, PROGRESS_FAIR, PROGRESS_FLAT};
    if (!plain || !reduced || !fair || plain->limit || reduced->limit || fair->limit) {
        tally->unfinished++;
        return;
    }
    tally->compared++;
    tally->states += plain->nodes.len;
    tally->fewer += reduced->nodes.len;
    tally->different += plain->stops != reduced->stops || plain->stops != fair->stops;
    compare_hangs(tally, arena, machine, path, (struct state_graph *[]){plain, fair}, &all);
    for (enum progress_model model = 0; model < PROGRESS_COUNT; model++) {
        struct guarantee flat = {.threads = model, .units = PROGRESS_FAIR, .unit = PROGRESS_FLAT},
                         scoped = {.threads = PROGRESS_FAIR, .units = model, .unit = PROGRESS_CTA};
        compare_hangs(tally, arena, machine, path, (struct state_graph *[]){plain, reduced}, &flat);
        compare_hangs(tally, arena, machine, path, (struct state_graph *[]){plain, reduced},
                      &scoped);
    }
}

/* ---- all tests ------------------------------------------------------------------------------ */

struct tallies {
    struct tally outcomes, endings;
};

static void check_file(struct tallies *tallies, struct arena *arena, const char *path)
{
    char *text = NULL;
    gsize length = 0;
    struct diag_list diags = {.arena = arena};
    struct machine_options options = {0};
    g_file_get_contents(path, &text, &length, NULL);
    const char *copy = arena_strndup(arena, text ? text : "", length);
    g_free(text);
    const struct test *test = litmus_parse(arena, source_new(arena, path, copy, length), &diags);
    struct machine *machine = test ? machine_new(arena, test, &options, &diags) : NULL;
    if (!machine)
        return;
    compare_outcomes(&tallies->outcomes, arena, machine, weak_memory_new(arena, machine, &diags),
                     path);
    compare_outcomes(&tallies->outcomes, arena, machine, memory_sc_new(arena, machine), path);
    if (!test->host)
        compare_endings(&tallies->endings, arena, machine, path);
}

static void check_folder(struct tallies *tallies, const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        char *path = g_build_filename(folder, name, NULL);
        struct arena *arena = arena_new();
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            check_folder(tallies, path);
        else if (g_str_has_suffix(name, ".litmus"))
            check_file(tallies, arena, path);
        arena_free(arena);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
}

static bool report(uint32_t number, const char *what, const struct tally *tally)
{
    bool good = tally->compared && !tally->different && tally->fewer <= tally->states;
    printf("%sok %u - the reduction loses no %s\n", good ? "" : "not ", number, what);
    printf("# %u tests compared, %u not finished\n", tally->compared, tally->unfinished);
    return good;
}

int main(int argc, char **argv)
{
    struct tallies tallies = {0};
    if (argc != 2)
        return 2;
    check_folder(&tallies, argv[1]);
    printf("1..2\n");
    bool good = report(1, "outcome", &tallies.outcomes);
    good &= report(2, "run that never ends", &tallies.endings);
    printf("# %" PRIu64 " states of %" PRIu64 "\n", tallies.endings.fewer, tallies.endings.states);
    return !good;
}
