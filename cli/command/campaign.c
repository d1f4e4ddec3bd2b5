/* SPDX-License-Identifier: MIT
 *
 * ptxlit campaign: how many mutants of forbidden tests a GPU shows. */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "cli/campaign/device.h"
#include "cli/campaign/steps.h"
#include "cli/command/commands.h"
#include "cli/emit/emit.h"

static int refuse(const char *fault)
{
    fprintf(stderr, "ptxlit: %s: %s\n", diag_code(DIAG_option_value), fault);
    return EXIT_WRONG_INPUT;
}

/* A file, a folder, a list of files, or standard input. */
static bool is_input(const char *word)
{
    return *word == '@' || strcmp(word, "-") == 0 || g_file_test(word, G_FILE_TEST_EXISTS);
}

static int plan(const struct options *options)
{
    return batch_run(&(struct batch){
        .options = options, .unfolded = true, .work = campaign_plan, .summary = campaign_score});
}

static int ingest(const struct options *options)
{
    if (!options->hardware)
        return refuse(
            "'campaign ingest' needs --hardware FILE, with what the program printed with --json");
    return batch_run(&(struct batch){
        .options = options, .unfolded = true, .work = campaign_ingest, .summary = campaign_score});
}

static int emit(const struct options *options)
{
    emit_runtime(options->program, stdout);
    return batch_run(&(struct batch){
        .options = options, .unfolded = true, .work = campaign_emit, .summary = campaign_score});
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct programs {
    FILE *files[DEVICE_MOST_PARTS];
    uint32_t count, next;
};

/* Tests take turns, so that the programs take about as long to compile. */
static void take(void *context, const struct input *input, const struct result *result)
{
    (void)input;
    struct programs *parts = context;
    FILE *file = parts->files[parts->next++ % parts->count];
    fwrite(result->out->str, 1, result->out->len, file);
}

/* Opens the programs, which begin with the runtime. */
static const char *begin(struct arena *arena, const struct device_run *run, const char *maker,
                         struct programs *parts)
{
    if (g_mkdir_with_parents(run->folder, 0777) != 0)
        return arena_printf(arena, "cannot make the folder '%s': %s", run->folder,
                            g_strerror(errno));
    for (; parts->count < run->parts; parts->count++) {
        const char *path = device_source(arena, run, parts->count);
        FILE *file = parts->files[parts->count] = fopen(path, "w");
        if (!file)
            return arena_printf(arena, "cannot write '%s': %s", path, g_strerror(errno));
        emit_runtime(maker, file);
    }
    return NULL;
}

static const char *end(struct arena *arena, const struct device_run *run, struct programs *parts)
{
    const char *fault = NULL;
    for (uint32_t i = 0; i < parts->count; i++)
        if (ferror(parts->files[i]) + fclose(parts->files[i]))
            fault = arena_printf(arena, "cannot write '%s'", device_source(arena, run, i));
    return fault;
}

static int all(const struct options *options)
{
    struct arena *arena = arena_new();
    struct device_run run = {
        options->output ? options->output : "campaign",
        MIN(options->jobs ? options->jobs : g_get_num_processors(), (uint32_t)DEVICE_MOST_PARTS),
        options->seconds};
    struct options counting = *options;
    struct programs parts = {.count = 0};
    const char *fault = begin(arena, &run, options->program, &parts), *ended;
    int status = EXIT_WRONG_INPUT;
    if (!fault)
        status = batch_run(&(struct batch){.options = options,
                                           .unfolded = true,
                                           .work = campaign_emit,
                                           .take = take,
                                           .context = &parts});
    ended = end(arena, &run, &parts);
    fault = fault ? fault : ended;
    if (!fault && status != EXIT_WRONG_INPUT)
        fault = device_compile_and_run(arena, &run);
    counting.hardware = device_journal(arena, &run);
    if (fault)
        status = refuse(fault);
    else if (status != EXIT_WRONG_INPUT)
        status = ingest(&counting);
    arena_free(arena);
    return status;
}

int command_campaign(const struct options *options)
{
    static const struct {
        const char *name;
        command_function *step;
    } steps[] = {{"plan", plan}, {"emit", emit}, {"ingest", ingest}};
    struct options rest = *options;
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++)
        if (strcmp(options->arguments[0], steps[i].name) == 0) {
            rest.arguments++;
            return --rest.argument_count ? steps[i].step(&rest)
                                         : refuse("'campaign' needs a file or folder");
        }
    if (!is_input(options->arguments[0]))
        return refuse("the first argument is no step (plan, emit, ingest), file or folder");
    return all(options);
}
