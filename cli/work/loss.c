/* SPDX-License-Identifier: MIT */
#include "cli/work/loss.h"

#include "litmus/base/diag.h"

const char *loss_words(struct arena *arena, const struct loss *loss, const struct settings *limits,
                       const char *path)
{
    const char *what = "killed: somebody ended its process";
    if (loss->cause == LOSS_UNSTARTED)
        return arena_printf(arena, "not started: no worker process: %s", g_strerror(loss->error));
    if (loss->cause == LOSS_TIME)
        what = arena_printf(arena, "time: more than %g s", limits->timeout);
    else if (loss->cause == LOSS_MEMORY)
        what = arena_printf(arena, "memory: more than %u MiB", limits->memory_limit);
    else if (loss->cause == LOSS_SYSTEM_MEMORY)
        what = "memory: the system gave no more";
    else if (loss->cause == LOSS_CRASH)
        what =
            arena_printf(arena, "%s: %s: a defect of ptxlit: %s", path, diag_code(DIAG_worker_died),
                         loss->signal ? g_strsignal(loss->signal) : "early exit");
    return arena_printf(arena, "%s while %s", what,
                        loss->note->stage ? loss->note->stage : "starting");
}
