/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"

/* A peer's published verdicts, row by row. The tests and tables lie beside the repository; without
 * them everything here is skipped, aloud. */

struct row {
    const char *model;
    bool liveness;
    char *path; /* of the test */
    bool holds;
};

static const char *folder(void)
{
    const char *path = g_getenv("CONFORMANCE");

    return path ? path : "../shared/conformance";
}

static bool decides(const struct solver_result *result, const struct test *test)
{
    g_assert_cmpint(result->status, ==, SOLVER_DONE);
    g_assert_true(result->complete);
    switch (test->quantifier) {
    case QUANTIFIER_EXISTS:
        return result->condition_reachable;
    case QUANTIFIER_NOT_EXISTS:
        return !result->condition_reachable;
    default:
        return !result->negation_reachable;
    }
}

static void check_row(gconstpointer data)
{
    const struct row *row = data;
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct cat_model *model = model_load(arena, row->model, &diags);
    struct unfold_options unfolding = {.unroll = 2, .max_events = 10000, .liveness = row->liveness};
    struct solver_options options = {
        .model = model, .timeout_seconds = 60, .states = true, .races = true};
    enum solver_status status;
    struct execution *stuck;
    gchar *text;
    gsize length;

    g_assert_nonnull(model);
    g_assert_true(g_file_get_contents(row->path, &text, &length, NULL));
    options.test = litmus_parse(arena, source_new(arena, row->path, text, length), &diags);
    g_assert_nonnull(options.test);
    options.graphs = unfold(arena, options.test, &unfolding, &diags, &options.graph_count);
    g_assert_nonnull(options.graphs);
    if (row->liveness) {
        g_assert_cmpint(solver_terminates(arena, &options, &status, &stuck), ==, row->holds);
        g_assert_cmpint(status, ==, SOLVER_DONE);
    } else {
        g_assert_cmpint(decides(solve(arena, &options), options.test), ==, row->holds);
    }
    g_free(text);
    arena_free(arena);
}

static void free_row(gpointer data)
{
    struct row *row = data;

    g_free(row->path);
    g_free(row);
}

/* "path,1" on each line. Returns how many rows there are. */
static uint32_t add_table(const char *table, const char *model, bool liveness)
{
    gchar *path = g_build_filename(folder(), "dartagnan", table, NULL), *text = NULL, **lines;
    uint32_t count = 0;

    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        g_free(path);
        return 0;
    }
    lines = g_strsplit(text, "\n", -1);
    for (gchar **line = lines; *line; line++) {
        gchar *comma = strrchr(*line, ',');
        struct row *row;
        gchar *name;

        if (!comma)
            continue;
        *comma = '\0';
        row = g_new0(struct row, 1);
        *row = (struct row){model, liveness, g_build_filename(folder(), "dartagnan", *line, NULL),
                            comma[1] == '1'};
        name = g_strdup_printf("/%s/%s/%s", model, liveness ? "liveness" : "condition", *line);
        g_test_add_data_func_full(name, row, check_row, free_row);
        g_free(name);
        count++;
    }
    g_strfreev(lines);
    g_free(text);
    g_free(path);
    return count;
}

static void skip(void)
{
    gchar *message = g_strdup_printf("no conformance data in %s", folder());

    g_test_skip(message);
    g_free(message);
}

int main(int argc, char **argv)
{
    uint32_t count;

    g_test_init(&argc, &argv, NULL);
    count = add_table("expected-ptx-6.0.csv", "ptx-6.0", false);
    count += add_table("expected-ptx-7.5.csv", "ptx-7.5", false);
    count += add_table("expected-liveness-6.0.csv", "ptx-6.0", true);
    count += add_table("expected-liveness-7.5.csv", "ptx-7.5", true);
    if (count == 0)
        g_test_add_func("/conformance", skip);
    return g_test_run();
}
