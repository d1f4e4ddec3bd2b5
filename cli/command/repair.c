/* SPDX-License-Identifier: MIT
 *
 * ptxlit repair: the cheapest edits after which an outcome, a race, a trap or a hang is gone. */
#include "cli/command/commands.h"
#include "cli/repair/show.h"
#include "cli/work/batch.h"
#include "litmus/base/file.h"

/* Writes the cheapest proposal into the file of the test. */
static bool apply(struct batch_job *one, const struct repair *repair)
{
    const struct source *source = repair->proposals.at[0].source;
    const char *fault = file_write(one->job.arena, one->job.path, source->text, source->length);
    if (!fault)
        return true;
    diag_add(&one->job.diags, DIAG_file_unwritable, NULL, (struct span){0}, NULL,
             "cannot write '%s': %s", one->job.path, fault);
    return false;
}

static enum verdict repair_one(struct batch_job *one)
{
    const struct options *options = one->options;
    struct repair_wish wish = {options->goal, options->costs, options->size, options->most};
    struct answer before = batch_answer(one, ANSWER_WITNESSES);
    struct repair repair;
    if (before.verdict == VERDICT_ERROR || !repair_find(&repair, &one->job, &before, &wish))
        return batch_fail(one);
    (options->json ? show_json : show_text)(&repair, one->result->out);
    if (options->json && repair.none)
        g_string_append_printf(one->result->err, "%s: no proposal: %s\n", one->job.path,
                               repair.none);
    if (options->apply && repair.proposals.len && !apply(one, &repair))
        return VERDICT_ERROR;
    return repair.verdict;
}

int command_repair(const struct options *options)
{
    return batch_run(&(struct batch){.options = options, .unfolded = true, .work = repair_one});
}
