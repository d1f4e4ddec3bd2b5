/* SPDX-License-Identifier: MIT
 *
 * ptxlit emit: one CUDA program of all tests. */
#include "cli/emit/emit.h"

#include <stdio.h>

#include "cli/command/commands.h"

/* What is no code says that a test is left out: as comments. */
static void take(void *context, const struct input *input, const struct result *result)
{
    (void)input;
    (void)context;
    if (result->tally == VERDICT_HOLDS) {
        fwrite(result->out->str, 1, result->out->len, stdout);
        return;
    }
    g_auto(GStrv) lines = g_strsplit(result->err->str, "\n", -1);
    for (char **line = lines; *line; line++)
        if (**line)
            printf("// %s\n", *line);
    printf("\n");
}

int command_emit(const struct options *options)
{
    emit_runtime(options->program, stdout);
    return batch_run(&(struct batch){
        .options = options, .unfolded = options->allowed, .work = emit_test, .take = take});
}
