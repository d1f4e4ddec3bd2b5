/* SPDX-License-Identifier: MIT */
#ifndef CLI_COMMAND_RUN_SCHEDULES_H
#define CLI_COMMAND_RUN_SCHEDULES_H

#include "cli/command/launch_args.h"
#include "cli/work/batch.h"

/* A launch of a kernel, as 'ptxlit run' was told of it. */
struct small_launch {
    const struct options *options;
    const char *path; /* of the module */
    const struct test *test;
    const struct launch *launch;
    const struct launch_arg *args; /* of the parameters, then other buffers that are shown */
    uint32_t arg_count;
    uint32_t shared; /* dynamic shared memory */
};

/* Asks the axioms for every result of the launch, and prints what they say: FAILS if there is a race or undefined
 * behaviour, or no execution ends. UNDECIDED: nothing is printed, and 'why' says why not. */
enum verdict run_small(struct arena *arena, const struct small_launch *s, const char **why);
/* The same of a test: prints what 'check' does, and gives its verdict. */
enum verdict run_by_axioms(struct batch_job *one, const char **why);

#endif
