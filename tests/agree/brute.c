/* SPDX-License-Identifier: MIT
 *
 * Judges tests by brute force and compares: with what a test itself expects of each model, or with
 * a table of verdicts. Tests that brute force cannot finish are counted. brute BUDGET [FOLDER |
 * FILE.litmus | MODEL=TABLE.csv]… A row "path,1" of a table says that the condition in the file,
 * beside the table, holds. */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/models/models.h"
#include "tests/agree/question.h"

struct tally {
    uint32_t agree, disagree, unfinished, refused;
};

static void print_result(const struct question *q, const struct brute_result *result)
{
    for (uint32_t i = 0; i < result->outcomes.items.len; i++)
        printf("#   %s\n", outcome_print(q->arena, q->test, result->outcomes.items.at[i].values));
}

static bool open_test(const char *path, struct question *q, enum tearing tearing,
                      struct tally *tally)
{
    if (question_open(q, path, tearing))
        return true;
    tally->refused++;
    if (q->diags.items.len)
        printf("# refused: %s\n", diag_headline(q->arena, &q->diags.items.at[0]));
    return false;
}

/* Does the word say that something is reached? */
static bool is_reached(const struct test *test, const char *word)
{
    bool exists = test->quantifier == QUANTIFIER_EXISTS;
    if (strcmp(word, "holds") == 0)
        return exists;
    if (strcmp(word, "fails") == 0)
        return !exists;
    return strcmp(word, "forbidden") != 0 && strcmp(word, "race-free") != 0 &&
           strcmp(word, "defined") != 0;
}

static void judge_word(const char *path, const char *model_name, const char *word,
                       enum tearing tearing, uint64_t budget, struct tally *tally)
{
    struct question q;
    bool known = false, right = false, beyond = false;
    struct brute_result result = {.complete = true};
    if (open_test(path, &q, tearing, tally)) {
        struct cat_model *model = model_load(q.arena, model_name, &q.diags);
        result = brute(q.arena, q.graphs, q.graph_count, model, budget);
        right = question_verdict(&result, model, q.test, word, &known);
        /* by more rounds of a loop than brute force makes, it may be */
        beyond = !right && result.bound_reached && is_reached(q.test, word);
    }
    if (known && (beyond || !result.complete))
        tally->unfinished++;
    else if (known)
        *(right ? &tally->agree : &tally->disagree) += 1;
    if (known && result.complete && !beyond && !right) {
        printf("# %s: %s: not %s\n", path, model_name, word);
        print_result(&q, &result);
    }
    arena_free(q.arena);
}

/* Of 'ptx' a verdict holds whichever way it is read what is a single copy, or the test says that it
 * depends on that. */
static void judge_expectation(const char *path, const char *model, const char *word,
                              uint64_t budget, struct tally *tally)
{
    bool ptx = strcmp(model, "ptx") == 0, open = strcmp(word, "unspecified=tearing") == 0;
    if (!model_find(model))
        return;
    judge_word(path, model, open ? "forbidden" : word, ptx ? TEARING_WHOLE : TEARING_CUTS, budget,
               tally);
    if (ptx)
        judge_word(path, model, open ? "allowed" : word, TEARING_BYTES, budget, tally);
}

static void judge_file(const char *path, uint64_t budget, struct tally *tally)
{
    struct question q;
    if (open_test(path, &q, TEARING_CUTS, tally))
        for (uint32_t i = 0; i < q.test->expectation_count; i++)
            judge_expectation(path, q.test->expectations[i].model, q.test->expectations[i].verdict,
                              budget, tally);
    arena_free(q.arena);
}

static void judge_row(const char *model, const char *folder, char *row, uint64_t budget,
                      struct tally *tally)
{
    char *comma = strrchr(row, ',');
    if (!comma)
        return;
    *comma = '\0';
    char *path = g_build_filename(folder, row, NULL);
    judge_expectation(path, model, comma[1] == '1' ? "holds" : "fails", budget, tally);
    g_free(path);
}

/* "MODEL=TABLE.csv" */
static void judge_table(const char *argument, uint64_t budget, struct tally *tally)
{
    char **parts = g_strsplit(argument, "=", 2);
    char *folder = g_path_get_dirname(parts[1]), *text = NULL;
    if (g_file_get_contents(parts[1], &text, NULL, NULL)) {
        char **rows = g_strsplit(text, "\n", -1);
        for (char **row = rows; *row; row++)
            judge_row(parts[0], folder, *row, budget, tally);
        g_strfreev(rows);
    }
    g_free(text);
    g_free(folder);
    g_strfreev(parts);
}

static void judge_folder(const char *path, uint64_t budget, struct tally *tally)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        char *inside = g_build_filename(path, name, NULL);
        if (g_file_test(inside, G_FILE_TEST_IS_DIR))
            judge_folder(inside, budget, tally);
        else if (g_str_has_suffix(name, ".litmus"))
            judge_file(inside, budget, tally);
        g_free(inside);
    }
    if (folder)
        g_dir_close(folder);
    else if (g_str_has_suffix(path, ".litmus"))
        judge_file(path, budget, tally);
}

/* A line of TAP for a folder or a table; one that is not there is skipped. */
static void judge_argument(int number, const char *argument, uint64_t budget, struct tally *tally)
{
    const char *equals = strchr(argument, '='), *path = equals ? equals + 1 : argument;
    uint32_t agree = tally->agree, disagree = tally->disagree;
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        printf("ok %d %s # SKIP no such file\n", number, path);
        return;
    }
    equals ? judge_table(argument, budget, tally) : judge_folder(argument, budget, tally);
    printf("%sok %d brute force reaches the verdicts expected by %s\n",
           tally->agree > agree && tally->disagree == disagree ? "" : "not ", number, path);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    uint64_t budget = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    printf("TAP version 13\n1..%d\n", argc > 2 ? argc - 2 : 1);
    for (int i = 2; i < argc; i++)
        judge_argument(i - 1, argv[i], budget, &tally);
    printf("# %u verdicts agree, %u do not, %u were not finished; %u tests refused\n", tally.agree,
           tally.disagree, tally.unfinished, tally.refused);
    return 0;
}
