/* SPDX-License-Identifier: MIT
 *
 * ptxlit report: checks the tests and writes the files of the report. */
#include "cli/report/report.h"

#include <stdio.h>

#include "cli/command/commands.h"

/* The journal goes when the report is there and lacks nothing that another run could add. */
static int make_report(struct report *report)
{
    g_autofree char *path = report_journal(report->options);
    struct journal *journal = journal_open(path, report->options->resume);
    if (!journal) {
        report_journal_refused(path);
        return EXIT_WRONG_INPUT;
    }
    int status = batch_collect(
        &(struct batch){
            .options = report->options, .unfolded = true, .work = report_test, .journal = journal},
        report->tests);
    bool written = false, lacks = journal_lacks(journal);
    if (status != EXIT_WRONG_INPUT || json_array_size(report->tests)) /* a model, and a test */
        status = report_finish(report, status, &written);
    if (written && lacks)
        fprintf(stderr, "ptxlit: tests were lost on the way; '--resume' runs those again\n");
    journal_close(journal, !written || lacks);
    return status;
}

int command_report(const struct options *options)
{
    struct report report = {.options = options, .tests = json_array(), .started = job_clock()};
    int status = EXIT_WRONG_INPUT;
    if (!shard_parse(options->shard, &report.shard))
        fprintf(stderr, "ptxlit: %s: '--shard' takes K/N, 1 <= K <= N, and not '%s'\n",
                diag_code(DIAG_option_value), options->shard);
    else if (report_folder(options))
        status = make_report(&report);
    json_decref(report.tests);
    return status;
}
