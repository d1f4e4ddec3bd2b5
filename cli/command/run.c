/* SPDX-License-Identifier: MIT
 *
 * ptxlit run: tests or a kernel on the executor. */
#include "cli/command/run.h"

#include <stdio.h>
#include <string.h>

#include "cli/answer/compose.h"
#include "cli/command/commands.h"
#include "cli/show/picture/file.h"

int command_run(const struct options *options)
{
    const char *path = options->arguments[0], *unfit = diag_code(DIAG_option_unfit);
    bool sc = options->memory && strcmp(options->memory, "sc") == 0,
         ptx = options->memory && strcmp(options->memory, "ptx") == 0,
         exhaustive = options->exhaustive;
    bool kernel = options->entry || (compose_is_code(path) && !options->settings.launch.len);
    if (options->memory && !sc && !ptx)
        fprintf(stderr, "ptxlit: there is no memory '%s': sc or ptx\n", options->memory);
    else if (options->timeline && (kernel || exhaustive))
        fprintf(stderr, "ptxlit: %s: '--timeline' draws one random run of a test, %s\n", unfit,
                kernel ? "not of a whole kernel" : "not every one");
    else if (options->all_schedules && !kernel && (exhaustive || options->races || options->until))
        fprintf(stderr,
                "ptxlit: %s: '--all-schedules' of a test asks the axioms, with races; it goes with "
                "none of '--exhaustive', '--races' and '--until'\n",
                unfit);
    else if (options->races && !kernel && (exhaustive || ptx))
        fprintf(stderr, "ptxlit: %s: '--races' follows single schedules of the memory 'sc'%s\n",
                unfit, exhaustive ? ", not a search of all" : "");
    else if (!picture_folder(options->timeline, batch_is_many(options)))
        perror("ptxlit: no folder for the timelines of several tests");
    else if (kernel)
        return run_kernel(options, path);
    else
        return batch_run(&(struct batch){.options = options,
                                         .unfolded = options->all_schedules,
                                         .or_parsed = true,
                                         .work = run_test});
    return EXIT_WRONG_INPUT;
}
