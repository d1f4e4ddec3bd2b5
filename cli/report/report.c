/* SPDX-License-Identifier: MIT
 *
 * The files of a report: takes its tests one by one, and puts all files in their place at the end. */
#include "cli/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/baseline.h"
#include "cli/report/part.h"
#include "cli/report/sections.h"
#include "cli/report/table.h"
#include "cli/show/markup.h"
#include "cli/show/template.h"

static const char page_template[] = {
#include "cli/page.html.inc"
};
static const char section_template[] = {
#include "cli/section.html.inc"
};
static const char junit_template[] = {
#include "cli/junit.xml.inc"
};
static const char case_template[] = {
#include "cli/case.xml.inc"
};

enum { MOST_ATTENTION = 100 }; /* tests of an outcome that the page lists */
enum { JSON_STYLE = JSON_COMPACT | JSON_REAL_PRECISION(6) };

static void say_unwritable(const char *path, const char *why)
{
    fprintf(stderr, "ptxlit: %s: cannot write '%s': %s\n", diag_code(DIAG_file_unwritable), path,
            why);
}

/* ---- begin ---------------------------------------------------------------------------------- */

/* The parts of files, and the folder of sections. */
static bool open_parts(struct report *r)
{
    const char *folder = r->options->output;
    struct report_part **parts[] = {&r->json, &r->junit, &r->script};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        *parts[i] = part_new(folder);
        if (!*parts[i])
            return false;
    }
    r->table = table_new(r->script);
    r->sections = sections_new(folder, r->options->single_file ? r->script : NULL);
    return r->sections != NULL;
}

bool report_open(struct report *report)
{
    const char *baseline = report->options->baseline;
    report->families = families_new();
    report->exercise = exercise_new();
    report->models = json_array();
    report->attention = json_array();
    for (int outcome = 0; outcome < OUTCOME_PASS; outcome++)
        json_array_append_new(report->attention, json_array());
    report->baseline = baseline ? baseline_read(baseline) : NULL;
    report->changes = report->baseline ? json_array() : NULL;
    if (baseline && !report->baseline)
        return false;
    if (open_parts(report))
        return true;
    say_unwritable(report->options->output, g_strerror(errno));
    return false;
}

void report_close(struct report *report)
{
    json_decref(report->models);
    json_decref(report->attention);
    json_decref(report->changes);
    families_free(&report->families);
    times_free(&report->times);
    exercise_free(&report->exercise);
    baseline_free(report->baseline);
    part_free(report->json);
    part_free(report->junit);
    part_free(report->script);
    table_free(report->table);
    sections_free(report->sections);
}

/* ---- a test --------------------------------------------------------------------------------- */

/* A line. Pictures stay in the page, as report.json is for programs, and all places are in order; but 'merge' makes the page
 * from shards. */
static void add_json(struct report *report, const json_t *test)
{
    json_auto_t *copy = json_copy((json_t *)test);
    if (report->shard.count <= 1) {
        json_object_del(copy, "svg");
        json_object_del(copy, "place");
    }
    g_autofree char *text = json_dumps(copy, JSON_STYLE);
    g_autofree char *line = g_strconcat(report->tests ? ",\n  " : "\n  ", text, NULL);
    part_add(report->json, line, strlen(line));
}

static void add_attention(struct report *report, const json_t *view, const json_t *test,
                          const char *link)
{
    json_t *listed = json_array_get(report->attention, report_outcome(test));
    if (listed && json_array_size(listed) < MOST_ATTENTION)
        json_array_append_new(listed, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "class",
                                                json_text_at(view, "class"), "word",
                                                json_text_at(view, "word"), "name",
                                                json_text_at(view, "name"), "link", link,
                                                "undecided", json_text_at(test, "undecided"),
                                                "error", json_text_at(test, "error")));
}

void report_take(struct report *report, const json_t *test)
{
    json_auto_t *view = report_view_test(test);
    g_autoptr(GString) section = g_string_new(NULL), junit = g_string_new(NULL);
    template_fill(section_template, view, markup_escape, section);
    template_fill(case_template, view, markup_escape, junit);
    bool begins = sections_add(report->sections, section->str);
    const char *link = table_add(report->table, view, begins);
    add_json(report, test);
    part_add(report->junit, junit->str, junit->len);
    add_attention(report, view, test, link);
    families_add(&report->families, view);
    times_add(&report->times, view, link);
    exercise_add(&report->exercise, test, link);
    if (report->baseline)
        baseline_compare(report->baseline, test, link, report->changes);
    report_count(report, test);
}

/* ---- the files ------------------------------------------------------------------------------ */

/* report.json without its tests: all keys that come before. */
static json_t *json_head(const struct report *report)
{
    g_autofree char *sentence = report_sentence(report), *model = report_model(report);
    const uint32_t *outcomes = report->outcomes;
    json_t *summary =
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "met",
                  (int)(outcomes[OUTCOME_PASS] - report->silent), "missed",
                  (int)outcomes[OUTCOME_FAIL], "silent", (int)report->silent, "undecided",
                  (int)outcomes[OUTCOME_OPEN], "errors", (int)outcomes[OUTCOME_ERROR], "unsound",
                  (int)report->unsound, "contradicted", (int)report->contradicted);
    json_t *head = json_pack("{s:i, s:s, s:o, s:s, s:o}", "version", REPORT_VERSION, "model", model,
                             "made", report_made(report), "sentence", sentence, "summary", summary);
    if (report->shard.count > 1)
        json_object_set_new(head, "shard",
                            json_pack("{s:i, s:i, s:o}", "number", (int)report->shard.number,
                                      "count", (int)report->shard.count, "model",
                                      json_text(report->options->settings.model)));
    if (report->changes)
        json_object_set(head, "changes", report->changes);
    json_t *clauses = exercise_view(&report->exercise);
    if (clauses)
        json_object_set_new(head, "clauses", clauses);
    return head;
}

static int write_json(struct report *report, const json_t *view, const char *path)
{
    (void)view;
    json_auto_t *head = json_head(report);
    g_autofree char *text = json_dumps(head, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    g_autoptr(GString) before = g_string_new_len(text, (gssize)strlen(text) - 2); /* no "\n}" */
    g_string_append(before, ",\n \"tests\": [");
    return part_write(report->json, path, before->str, report->tests ? "\n ]\n}\n" : "]\n}\n");
}

/* The template has a hole that is filled by the part, which may be NULL. */
static int write_filled(const char *template, const json_t *view, struct report_part *part,
                        const char *path)
{
    static const char hole[] = "{{tests}}\n";
    const char *at = strstr(template, hole);
    g_autofree char *upper = g_strndup(template, (size_t)(at - template));
    g_autoptr(GString) before = g_string_new(NULL), after = g_string_new(NULL);
    template_fill(upper, view, markup_escape, before);
    template_fill(at + strlen(hole), view, markup_escape, after);
    return part_write(part, path, before->str, after->str);
}

/* Each writes one of the files: 0, or the error. */

static int write_rows(struct report *report, const json_t *view, const char *path)
{
    (void)view;
    return report->options->single_file ? 0 : part_write(report->script, path, "", "");
}

static int write_sections(struct report *report, const json_t *view, const char *path)
{
    (void)view, (void)path;
    return sections_finish(report->sections);
}

static int write_page(struct report *report, const json_t *view, const char *path)
{
    bool single = report->options->single_file;
    return write_filled(page_template, view, single ? report->script : NULL, path);
}

static int write_junit(struct report *report, const json_t *view, const char *path)
{
    return write_filled(junit_template, view, report->junit, path);
}

/* The rows first, as sections_finish moves them with the sections; the page when what it loads is there. */
static bool write_report(struct report *report)
{
    static const struct {
        const char *name;
        int (*write)(struct report *report, const json_t *view, const char *path);
    } files[] = {{SECTIONS_FRESH "/tests.js", write_rows},
                 {"sections", write_sections},
                 {"index.html", write_page},
                 {"report.json", write_json},
                 {"junit.xml", write_junit}};
    table_finish(report->table);
    json_auto_t *view = report_view(report);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(report->options->output, files[i].name, NULL);
        int error = files[i].write(report, view, path);
        if (error)
            say_unwritable(path, g_strerror(error));
        if (error)
            return false;
    }
    return true;
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
    if (report->baseline)
        baseline_gone(report->baseline, report->changes);
    *written = write_report(report);
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
