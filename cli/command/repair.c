/* SPDX-License-Identifier: MIT
 *
 * ptxlit repair: the cheapest edits after which an outcome, a race, a trap or a hang is gone. */
#include "cli/command/commands.h"
#include "cli/repair/show.h"

static enum verdict repair_one(struct batch_job *one)
{
    const struct options *options = one->options;
    struct repair_wish wish = {options->goal, options->costs, options->edits, options->most,
                               &options->keep};
    repair_limit_effort(&one->job);
    struct answer before = batch_answer(one, ANSWER_WITNESSES);
    struct repair repair;
    if (before.verdict == VERDICT_ERROR || !repair_find(&repair, &one->job, &before, &wish))
        return batch_fail(one);
    return show_result(one, &repair);
}

int command_repair(const struct options *options)
{
    struct options patient = repair_patient(options);
    return batch_run(&(struct batch){.options = &patient, .unfolded = true, .work = repair_one});
}
