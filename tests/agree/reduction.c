/* SPDX-License-Identifier: MIT
 *
 * reduction CORPUS: the exhaustive search of the executor over every test, with its reduction and
 * without: both reach the same outcomes wherever both finish. Prints TAP. */
#include <glib.h>
#include <stdio.h>

#include "litmus/read/read.h"
#include "model/machine/search/explore.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/setup/setup.h"

enum { MOST_STATES = 20000 };

struct tally {
    uint32_t compared, unfinished, different;
};

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

static void check_file(struct tally *tally, struct arena *arena, const char *path)
{
    char *text = NULL;
    gsize length = 0;
    struct diag_list diags = {.arena = arena};
    struct machine_options options = {0};
    struct explore_result plain, reduced;
    g_file_get_contents(path, &text, &length, NULL);
    const char *copy = arena_strndup(arena, text ? text : "", length);
    g_free(text);
    const struct test *test = litmus_parse(arena, source_new(arena, path, copy, length), &diags);
    struct machine *machine = test ? machine_new(arena, test, &options, &diags) : NULL;
    struct memory *memory = machine ? weak_memory_new(arena, machine, &diags) : NULL;
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

static void check_folder(struct tally *tally, const char *folder)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        char *path = g_build_filename(folder, name, NULL);
        struct arena *arena = arena_new();
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            check_folder(tally, path);
        else if (g_str_has_suffix(name, ".litmus"))
            check_file(tally, arena, path);
        arena_free(arena);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    if (argc != 2)
        return 2;
    check_folder(&tally, argv[1]);
    bool good = tally.compared && !tally.different;
    printf("1..1\n%sok 1 - the reduction loses no outcome\n", good ? "" : "not ");
    printf("# %u tests compared, %u not finished\n", tally.compared, tally.unfinished);
    return !good;
}
