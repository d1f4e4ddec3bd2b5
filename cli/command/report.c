/* SPDX-License-Identifier: MIT
 *
 * ptxlit report: checks the tests and writes the files of the report. */
#include "cli/report/report.h"

#include <stdio.h>

#include "cli/command/commands.h"

/* 'merge' puts the tests of all shards in this order. */
static void take(void *context, const struct input *input, json_t *test)
{
    struct report *report = context;
    if (report->shard.count > 1)
        json_object_set_new(test, "place", json_integer(input->place));
    report_take(report, test);
    json_decref(test);
}

/* The journal goes when the report is there and lacks nothing that another run could add. */
static int run_tests(struct report *report, const struct clauses *clauses, struct journal *journal,
                     bool *written)
{
    int status = batch_collect(&(struct batch){.options = report->options,
                                               .unfolded = true,
                                               .work = report_test,
                                               .material = clauses,
                                               .journal = journal},
                               take, report);
    if (status == EXIT_WRONG_INPUT && !report->tests) /* no model, or no test */
        return status;
    return report_finish(report, status, written);
}

static int make_report(struct report *report, const struct clauses *clauses)
{
    g_autofree char *path = report_journal(report->options);
    struct journal *journal = journal_open(path, report->options->resume);
    if (!journal) {
        report_journal_refused(path);
        return EXIT_WRONG_INPUT;
    }
    bool written = false;
    int status =
        report_open(report) ? run_tests(report, clauses, journal, &written) : EXIT_WRONG_INPUT;
    bool lacks = journal_lacks(journal);
    if (written && lacks)
        fprintf(stderr, "ptxlit: tests were lost on the way; '--resume' runs those again\n");
    journal_close(journal, !written || lacks);
    report_close(report);
    return status;
}

static int with_clauses(struct report *report)
{
    const struct options *options = report->options;
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const struct clauses *clauses =
        options->clauses ? clauses_read(arena, options->settings.model, &diags) : NULL;
    for (uint32_t i = 0; i < diags.items.len; i++)
        fputs(diag_render(arena, &diags.items.at[i]), stderr);
    int status = diags.errors ? EXIT_WRONG_INPUT : make_report(report, clauses);
    arena_free(arena);
    return status;
}

int command_report(const struct options *options)
{
    struct report report = {.options = options, .started = job_clock()};
    if (!shard_parse(options->shard, &report.shard))
        fprintf(stderr, "ptxlit: %s: '--shard' takes K/N, 1 <= K <= N, and not '%s'\n",
                diag_code(DIAG_option_value), options->shard);
    else if (report_folder(options))
        return with_clauses(&report);
    return EXIT_WRONG_INPUT;
}
