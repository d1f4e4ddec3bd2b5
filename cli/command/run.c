/* SPDX-License-Identifier: MIT
 *
 * ptxlit run: tests or a kernel on the executor. */
#include "cli/command/run.h"

#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/show/picture/file.h"

int command_run(const struct options *options)
{
    const char *path = options->arguments[0];
    if (strcmp(options->memory, "sc") && strcmp(options->memory, "ptx")) {
        fprintf(stderr, "ptxlit: there is no memory '%s': sc or ptx\n", options->memory);
        return EXIT_WRONG_INPUT;
    }
    bool kernel = options->entry || g_str_has_suffix(path, ".ptx");
    if (options->timeline && (kernel || options->exhaustive)) {
        fprintf(stderr, "ptxlit: %s: '--timeline' draws one random run of a test, %s\n",
                diag_code(DIAG_option_unfit), kernel ? "not of a whole kernel" : "not every one");
        return EXIT_WRONG_INPUT;
    }
    if (options->races && !kernel && (options->exhaustive || strcmp(options->memory, "sc"))) {
        fprintf(stderr, "ptxlit: %s: '--races' follows single schedules of the memory 'sc'%s\n",
                diag_code(DIAG_option_unfit),
                options->exhaustive ? ", not a search of all" : ": add '--memory sc'");
        return EXIT_WRONG_INPUT;
    }
    bool many = options->argument_count > 1 || g_file_test(path, G_FILE_TEST_IS_DIR);
    if (!picture_folder(options->timeline, many)) {
        perror("ptxlit: no folder for the timelines of several tests");
        return EXIT_WRONG_INPUT;
    }
    if (kernel)
        return run_kernel(options, path);
    return batch_run(&(struct batch){.options = options, .work = run_test});
}
