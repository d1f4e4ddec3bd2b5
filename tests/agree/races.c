/* SPDX-License-Identifier: MIT
 *
 * races FOLDER…: the race detector of the executor against the model's flag, on every test below
 * the folders that exist. Where the model finds no race in any execution the detector must name
 * none in any schedule. Prints TAP, and how many of the racy tests the detector finds out. */
#include <glib.h>
#include <stdio.h>

#include "model/models/models.h"
#include "solver/solver.h"
#include "tests/agree/detect.h"
#include "tests/agree/question.h"

enum { SCHEDULES = 60 };

struct tally {
    const struct cat_model *model;
    uint32_t compared, racy, found, invented;
};

enum flagged { NO_RACE, RACE, UNDECIDED };

static enum flagged flags(const struct question *q, const struct cat_model *model)
{
    struct solver_options options = {.test = q->test,
                                     .graphs = q->graphs,
                                     .graph_count = q->graph_count,
                                     .model = model,
                                     .races = true,
                                     .timeout_seconds = 5};
    const struct solver_result *result = solve(q->arena, &options);
    if (result->race_count || result->mixed_size_race)
        return RACE;
    return result->races_complete && !result->bound_reached ? NO_RACE : UNDECIDED;
}

static void compare(struct tally *tally, const char *path)
{
    struct question q;
    const char *report = NULL;
    bool open = question_open(&q, path, TEARING_WHOLE);
    enum flagged flagged = open ? flags(&q, tally->model) : UNDECIDED;
    if (flagged != UNDECIDED && detect_races(q.arena, q.test, SCHEDULES, &report)) {
        tally->compared++;
        tally->racy += flagged == RACE;
        tally->found += flagged == RACE && report;
        tally->invented += flagged == NO_RACE && report;
        if (flagged == NO_RACE && report)
            printf("# %s: no race in the model, but %s\n", path, report);
        else if (flagged == RACE && !report)
            printf("# %s: a race that no schedule showed\n", path);
    }
    arena_free(q.arena);
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
            compare(tally, path);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
}

/* A line of TAP for a folder; one that is not there is skipped. */
static bool walk_argument(struct tally *tally, int number, const char *folder)
{
    uint32_t before = tally->compared, invented = tally->invented;
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR)) {
        printf("ok %d - %s # SKIP no such folder\n", number, folder);
        return true;
    }
    walk(tally, folder);
    bool good = tally->compared > before && tally->invented == invented;
    printf("%sok %d - the race detector invents no race in %s\n", good ? "" : "not ", number,
           folder);
    return good;
}

int main(int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct tally tally = {.model = model_load(arena, "ptx", &diags)};
    bool good = tally.model && argc > 1;
    printf("1..%d\n", argc - 1);
    for (int i = 1; good && i < argc; i++)
        good = walk_argument(&tally, i, argv[i]);
    printf("# %u tests: %u racy, of which %u found; %u invented\n", tally.compared, tally.racy,
           tally.found, tally.invented);
    arena_free(arena);
    return !good;
}
