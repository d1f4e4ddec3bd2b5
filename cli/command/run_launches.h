/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_RUN_LAUNCHES_H
#define CLI_COMMAND_RUN_LAUNCHES_H

#include "cli/command/run.h"
#include "model/machine/search/schedule.h"

/* A test of launches that are too large to be stepped lane by lane in a thousand schedules, on the part of the
 * executor that runs whole kernels. */

struct run_launches {
    struct histogram *histogram; /* of the final states, one for each run */
    struct report_list *reports;
    struct run_coverage coverage; /* of the races looked for */
    const char *printed;          /* by printf, or "" */
    bool open;                    /* a bound ended a launch */
};

/* Can the test run so, as asked? */
bool run_launches_can(const struct options *options, const struct test *test);
/* Why one that can has to, for the user; NULL: it need not. */
const char *run_launches_why(struct arena *arena, const struct test *test);
/* Runs the launches one after the other, each on the memory that the one before it left. False after errors. */
bool run_launches(struct job *job, const struct options *options, struct run_launches *to);

#endif
