/* SPDX-License-Identifier: MIT */
#include "cli/work/batch.h"
#include "cli/report/report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/report/baseline.h"
#include "litmus/base/file.h"

const char *report_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

char *report_family(const json_t *test)
{
    g_autofree char *folder = g_path_get_dirname(report_text(test, "file"));
    return g_path_get_basename(folder);
}

char *report_model(const struct report *report)
{
    return g_utf8_make_valid(report->options->model, -1);
}

bool report_unsound(const json_t *test)
{
    return json_integer_value(json_object_get(json_object_get(test, "executor"), "unsound")) > 0;
}

bool report_contradicted(const json_t *test)
{
    return json_integer_value(json_object_get(json_object_get(test, "hardware"), "not_allowed")) >
           0;
}

const char *report_outcome(const json_t *test)
{
    const char *verdict = report_text(test, "verdict");
    const json_t *expected = json_object_get(test, "expected");
    if (strcmp(verdict, "error") == 0)
        return "error";
    if (report_unsound(test) || report_contradicted(test))
        return "fail";
    if (json_is_true(json_object_get(expected, "agrees")))
        return "pass";
    if (strcmp(verdict, "undecided") == 0)
        return "open";
    return json_is_object(expected) ? "fail" : "pass";
}

static void count(struct report *report)
{
    size_t index;
    json_t *test;
    json_array_foreach(report->tests, index, test)
    {
        const char *outcome = report_outcome(test);
        report->errors += strcmp(outcome, "error") == 0;
        report->open += strcmp(outcome, "open") == 0;
        report->missed += strcmp(outcome, "fail") == 0;
        if (strcmp(outcome, "pass") == 0) {
            bool expects = json_is_object(json_object_get(test, "expected"));
            report->met += expects;
            report->silent += !expects;
        }
        report->unsound += report_unsound(test);
        report->executor |= json_object_get(test, "executor") != NULL;
        report->contradicted += report_contradicted(test);
        report->hardware |= json_is_object(json_object_get(test, "hardware"));
    }
}

char *report_sentence(const struct report *r)
{
    const char *says = r->missed              ? "does not conform"
                       : r->errors || r->open ? "cannot be said to conform"
                                              : "conforms";
    g_autofree char *model = report_model(r);
    g_autofree char *unsound =
        r->executor
            ? g_strdup_printf(" In %u the executor reaches what is not allowed.", r->unsound)
            : g_strdup("");
    g_autofree char *contradicted =
        r->hardware ? g_strdup_printf(" In %u a GPU showed what is not allowed.", r->contradicted)
                    : g_strdup("");
    return g_strdup_printf("%s %s: of %zu tests %u have the verdict they expect, %u fail, %u "
                           "expect nothing, %u are undecided, %u are in error.%s%s",
                           model, says, json_array_size(r->tests), r->met, r->missed, r->silent,
                           r->open, r->errors, unsound, contradicted);
}

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
    json_t *summary =
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "met", report->met, "missed",
                  report->missed, "silent", report->silent, "undecided", report->open, "errors",
                  report->errors, "unsound", report->unsound, "contradicted", report->contradicted);
    json_t *all = json_pack("{s:i, s:s, s:s, s:o, s:o}", "version", 1, "model", model, "sentence",
                            sentence, "summary", summary, "tests", tests);
    if (report->shard.count > 1)
        json_object_set_new(all, "shard",
                            json_pack("{s:i, s:i}", "number", (int)report->shard.number, "count",
                                      (int)report->shard.count));
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
        const char *name;
        void (*print)(const struct report *report, GString *out);
    } files[] = {
        {"index.html", report_html}, {"report.json", print_json}, {"junit.xml", report_junit}};
    bool good = true;
    for (size_t i = 0; good && i < G_N_ELEMENTS(files); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        files[i].print(report, text);
        good = write_file(report, files[i].name, text);
    }
    return good;
}

/* ---- the command ---------------------------------------------------------------------------- */

static void take(void *context, const struct result *result)
{
    struct report *report = context;
    json_t *test = json_loadb(result->out->str, result->out->len, 0, NULL);
    if (test)
        json_array_append_new(report->tests, test);
}

static int exit_status(const struct report *report, int status)
{
    if (status == EXIT_WRONG_INPUT || report->errors)
        return EXIT_WRONG_INPUT;
    if (report->missed)
        return EXIT_FAILS;
    return report->open ? EXIT_UNDECIDED : EXIT_HOLDS;
}

int report_finish(struct report *report, int status, bool *written)
{
    *written = false;
    const char *baseline = report->options->baseline;
    json_t *old = baseline ? report_baseline(baseline) : NULL;
    if (baseline && !old)
        return EXIT_WRONG_INPUT;
    count(report);
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

/* *written: the report is there. */
static int collect(struct report *report, struct journal *journal, bool *written)
{
    int status =
        batch_run_collecting(report->options, BATCH_UNFOLDED, report_test, take, report, journal);
    *written = false;
    if (status == EXIT_WRONG_INPUT && !json_array_size(report->tests))
        return EXIT_WRONG_INPUT; /* no such model, or no test */
    return report_finish(report, status, written);
}

/* The journal goes when the report is there and lacks nothing that another run could add. */
static int make_report(struct report *report)
{
    g_autofree char *path = g_build_filename(report->options->output, "journal.jsonl", NULL);
    struct journal *journal = journal_open(path, report->options->resume);
    if (!journal) {
        say_unwritable(path, errno == EAGAIN ? "another run writes the report of this folder"
                                             : g_strerror(errno));
        return EXIT_WRONG_INPUT;
    }
    bool written;
    int status = collect(report, journal, &written);
    bool lacks = journal_lacks(journal);
    if (written && lacks)
        fprintf(stderr, "ptxlit: tests were lost on the way; '--resume' runs those again\n");
    journal_close(journal, !written || lacks);
    return status;
}

int command_report(const struct options *options)
{
    struct options collecting = *options;
    collecting.json = true; /* workers speak JSON, tests that were lost included */
    struct report report = {.options = &collecting, .tests = json_array()};
    int status = EXIT_WRONG_INPUT;
    if (!shard_parse(options->shard, &report.shard))
        fprintf(stderr, "ptxlit: %s: '--shard' takes K/N, 1 <= K <= N, and not '%s'\n",
                diag_code(DIAG_option_value), options->shard);
    else if (report_folder(options))
        status = make_report(&report);
    json_decref(report.tests);
    return status;
}
