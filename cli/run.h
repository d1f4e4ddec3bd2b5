/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <jansson.h>

#include "cli/batch.h"
#include "model/machine/schedule.h"

/* The parts of 'ptxlit run'. */

/* Launches a kernel of a .ptx file; gives the exit status. */
int run_kernel(const struct options *options, const char *path);
struct machine_options run_machine_options(const struct options *options);

/* "undefined", "hang", "unknown" or "ok": the worst of the reports. */
const char *run_verdict_word(const struct options *options, const struct report_list *reports);
enum verdict run_verdict(const struct options *options, const struct report_list *reports);
void run_reports_text(const struct source *source, const struct report_list *reports, GString *out);
json_t *run_reports_json(const struct source *source, const struct report_list *reports);

/* "reads 1", "writes 1 2", or for an atomic "was 0". */
void run_access_text(const struct access *access, GString *out);
/* Does the run again, printing each instruction of each lane. */
void run_trace(const struct job *job, struct scheduler *scheduler, struct run *run, uint64_t seed,
               GString *out);

#endif
