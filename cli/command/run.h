/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_RUN_H
#define CLI_COMMAND_RUN_H

#include <jansson.h>

#include "cli/work/batch.h"
#include "model/machine/search/schedule.h"

/* The parts of 'ptxlit run'. */

/* Launches a kernel of a .ptx file; gives the exit status. */
int run_kernel(const struct options *options, const char *path);
struct machine_options run_machine_options(const struct options *options);

/* "undefined", "hang", "unknown" or "ok": the worst of the reports. */
const char *run_verdict_word(const struct options *options, const struct report_list *reports);
enum verdict run_verdict(const struct options *options, const struct report_list *reports);
void run_reports_text(const struct source *source, const struct report_list *reports, GString *out);
json_t *run_reports_json(const struct source *source, const struct report_list *reports);

/* What '--races' looked at. */
struct run_coverage {
    bool looked; /* false: nothing was asked */
    bool whole;  /* every schedule that ran came to its end */
    uint64_t schedules;
};
/* A line that says so, and what of the test no detector looks at; nothing when nothing was asked.
 */
void run_races_text(const struct test *test, const struct run_coverage *coverage, GString *out);
json_t *run_races_json(const struct test *test, const struct run_coverage *coverage);

/* "reads 1", "writes 1 2", or for an atomic "was 0". */
void run_access_text(const struct access *access, GString *out);
/* Does the run again, printing each instruction of each lane. */
void run_trace(const struct job *job, struct scheduler *scheduler, struct run *run, uint64_t seed,
               GString *out);

#endif
