/* SPDX-License-Identifier: MIT
 *
 * ptxlit weaken: what is stronger than the expected verdict needs. */
#include "cli/command/commands.h"
#include "cli/repair/show.h"

static enum verdict weaken_one(struct batch_job *one)
{
    const struct options *options = one->options;
    struct repair_wish wish = {options->goal, options->costs, options->edits, options->most,
                               &options->keep};
    repair_limit_effort(&one->job);
    struct answer before = batch_answer(one, ANSWER_WITNESSES);
    struct repair repair;
    if (before.verdict == VERDICT_ERROR || !repair_weaken(&repair, &one->job, &before, &wish))
        return batch_fail(one);
    return show_result(one, &repair);
}

int command_weaken(const struct options *options)
{
    struct options patient = repair_patient(options);
    return batch_run(&(struct batch){.options = &patient, .unfolded = true, .work = weaken_one});
}
