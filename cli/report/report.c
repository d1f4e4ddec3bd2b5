/* SPDX-License-Identifier: MIT
 *
 * The files of a report: counts its tests, compares with an older report and writes all. */
#include "cli/report/report.h"

#include <glib/gstdio.h>
#include <stdio.h>

#include "cli/report/baseline.h"
#include "cli/show/markup.h"
#include "cli/show/template.h"
#include "litmus/base/file.h"

static const char page_template[] = {
#include "cli/page.html.inc"
};
static const char junit_template[] = {
#include "cli/junit.xml.inc"
};

/* ---- files ---------------------------------------------------------------------------------- */

static void say_unwritable(const char *path, const char *why)
{
    fprintf(stderr, "ptxlit: %s: cannot write '%s': %s\n", diag_code(DIAG_file_unwritable), path,
            why);
}

/* All of it or nothing: an interruption leaves no half of a file. */
static bool write_file(const struct report *report, const char *name, const GString *text)
{
    g_autofree char *path = g_build_filename(report->options->output, name, NULL);
    struct arena *arena = arena_new();
    const char *fault = file_write(arena, path, text->str, text->len);
    if (fault)
        say_unwritable(path, fault);
    arena_free(arena);
    return !fault;
}

/* Pictures stay in the page, as report.json is for programs; but 'merge' makes the page from
 * shards. */
static void print_json(const struct report *report, GString *out)
{
    json_t *tests = json_array(), *test;
    size_t index;
    json_array_foreach(report->tests, index, test)
    {
        json_t *copy = json_copy(test);
        if (report->shard.count <= 1)
            json_object_del(copy, "svg");
        json_array_append_new(tests, copy);
    }
    g_autofree char *sentence = report_sentence(report), *model = report_model(report);
    const uint32_t *outcomes = report->outcomes;
    json_t *summary = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "met",
                                outcomes[OUTCOME_PASS] - report->silent, "missed",
                                outcomes[OUTCOME_FAIL], "silent", report->silent, "undecided",
                                outcomes[OUTCOME_OPEN], "errors", outcomes[OUTCOME_ERROR],
                                "unsound", report->unsound, "contradicted", report->contradicted);
    json_t *all =
        json_pack("{s:i, s:s, s:o, s:s, s:o, s:o}", "version", 1, "model", model, "made",
                  report_made(report), "sentence", sentence, "summary", summary, "tests", tests);
    if (report->shard.count > 1)
        json_object_set_new(
            all, "shard",
            json_pack("{s:i, s:i}", "number", report->shard.number, "count", report->shard.count));
    if (report->changes)
        json_object_set(all, "changes", report->changes);
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    g_string_append_printf(out, "%s\n", text);
    free(text);
    json_decref(all);
}

static bool write_report(const struct report *report)
{
    static const struct {
        const char *name, *template; /* NULL: report.json */
    } files[] = {
        {"index.html", page_template}, {"report.json", NULL}, {"junit.xml", junit_template}};
    json_t *view = report_view(report);
    bool good = true;
    for (size_t i = 0; good && i < G_N_ELEMENTS(files); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        if (files[i].template)
            template_fill(files[i].template, view, markup_escape, text);
        else
            print_json(report, text);
        good = write_file(report, files[i].name, text);
    }
    json_decref(view);
    return good;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int exit_status(const struct report *report, int status)
{
    if (status == EXIT_WRONG_INPUT || report->outcomes[OUTCOME_ERROR])
        return EXIT_WRONG_INPUT;
    if (report->outcomes[OUTCOME_FAIL])
        return EXIT_FAILS;
    return report->outcomes[OUTCOME_OPEN] ? EXIT_UNDECIDED : EXIT_HOLDS;
}

int report_finish(struct report *report, int status, bool *written)
{
    *written = false;
    const char *baseline = report->options->baseline;
    json_t *old = baseline ? report_baseline(baseline) : NULL;
    if (baseline && !old)
        return EXIT_WRONG_INPUT;
    report_count(report);
    if (old)
        report->changes = report_changes(old, report->tests);
    *written = write_report(report);
    json_decref(old);
    json_decref(report->changes);
    report->changes = NULL;
    if (!*written)
        return EXIT_WRONG_INPUT;
    g_autofree char *sentence = report_sentence(report);
    printf("%s\n", sentence);
    return exit_status(report, status);
}

bool report_folder(const struct options *options)
{
    if (options->output && g_mkdir_with_parents(options->output, 0777) == 0)
        return true;
    fprintf(stderr, "ptxlit: %s: '-o FOLDER' must name a folder that can be written\n",
            diag_code(DIAG_file_unwritable));
    return false;
}

char *report_journal(const struct options *options)
{
    return g_build_filename(options->output, "journal.jsonl", NULL);
}

void report_journal_refused(const char *path)
{
    say_unwritable(path, errno == EAGAIN ? "another run writes the report of this folder"
                                         : g_strerror(errno));
}
