/* SPDX-License-Identifier: MIT */
#include "litmus/print/print.h"

#include "cli/work/batch.h"
#include "cli/command/commands.h"

static enum verdict print_one(struct job *job)
{
    g_string_append(job->result->out, print_test(job->arena, job->test));
    return VERDICT_HOLDS;
}

int command_print(const struct options *options)
{
    return batch_run(options, BATCH_PARSED, print_one);
}
