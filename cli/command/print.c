/* SPDX-License-Identifier: MIT
 *
 * ptxlit print: tests in canonical form. */
#include "litmus/print/print.h"

#include "cli/work/batch.h"
#include "cli/command/commands.h"

static enum verdict print_one(struct batch_job *one)
{
    g_string_append(one->result->out, print_test(one->job.arena, one->job.test));
    return VERDICT_HOLDS;
}

int command_print(const struct options *options)
{
    return batch_run(&(struct batch){.options = options, .work = print_one});
}
