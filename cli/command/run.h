/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_RUN_H
#define CLI_COMMAND_RUN_H

#include <jansson.h>

#include "cli/work/batch.h"
#include "model/machine/core/machine.h"
#include "model/machine/core/report.h"

/* What the files of 'ptxlit run' share. */

/* Launches a kernel of a .ptx file; gives the exit status. */
int run_kernel(const struct options *options, const char *path);
/* Runs a test, or every schedule of it, and prints what came of it. */
test_work run_test;

/* ---- what a test and a kernel have in common ---- */

struct machine_options run_machine_options(const struct options *options);

/* The worst of the reports: "deadlock", "undefined", "unknown" or "ok". */
struct run_worst {
    const char *word;
    enum verdict verdict;
};
struct run_worst run_worst(const struct options *options, const struct report_list *reports);
void run_reports_text(const struct options *options, const struct test *test,
                      const struct report_list *reports, GString *out);
json_t *run_reports_json(const struct options *options, const struct test *test,
                         const struct report_list *reports);

/* What '--races' looked at. */
struct run_coverage {
    bool looked; /* false: nothing was asked */
    bool whole;  /* every schedule that ran came to its end */
    uint64_t schedules;
    bool cut; /* not every pair of accesses that may race in other schedules was tried */
};
/* A line that says so, and what of the test no detector looks at; nothing when nothing was asked. */
void run_races_text(struct arena *arena, const struct test *test,
                    const struct run_coverage *coverage, GString *out);
json_t *run_races_json(struct arena *arena, const struct test *test,
                       const struct run_coverage *coverage);

#endif
