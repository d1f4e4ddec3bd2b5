/* SPDX-License-Identifier: MIT */
#include "cli/campaign/device.h"

#include <sys/wait.h>

#include "cli/work/nvcc.h"

const char *device_source(struct arena *arena, const struct device_run *run, uint32_t part)
{
    return arena_printf(arena, "%s/part-%u.cu", run->folder, part + 1);
}

const char *device_journal(struct arena *arena, const struct device_run *run)
{
    return arena_printf(arena, "%s/seen.jsonl", run->folder);
}

static const char *program(struct arena *arena, const struct device_run *run, uint32_t part)
{
    return arena_printf(arena, "%s/part-%u", run->folder, part + 1);
}

/* Starts the words as a process; 0: '*fault' says why it did not start. */
static GPid start(struct arena *arena, const char *const *words, const char **fault)
{
    g_autoptr(GError) error = NULL;
    GPid process = 0;
    GSpawnFlags flags =
        G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL;
    if (!g_spawn_async(NULL, (char **)words, NULL, flags, NULL, NULL, &process, &error))
        *fault = arena_printf(arena, "'%s' does not run: %s", words[0], error->message);
    return process;
}

/* The exit status; what a signal ended counts as 1. */
static int finish(GPid process)
{
    int status;
    bool ended = waitpid(process, &status, 0) == process && WIFEXITED(status);
    g_spawn_close_pid(process);
    return ended ? WEXITSTATUS(status) : 1;
}

/* nvcc's words, then these. */
static const char *const *with_compiler(struct arena *arena, char **compiler, const char *output,
                                        const char *source)
{
    /* What the journal says of how it was compiled. */
    g_autofree char *all = g_strjoinv(" ", compiler + 1);
    const char *flags =
        arena_printf(arena, "-DLITMUS_FLAGS=\"%s%s-arch=native\"", all, *all ? " " : "");
    const char *options[] = {"-arch=native", flags, "-o", output, source};
    uint32_t count = g_strv_length(compiler), used = 0;
    const char **words = ARENA_ARRAY(arena, const char *, count + G_N_ELEMENTS(options) + 1);
    for (; used < count; used++)
        words[used] = arena_strdup(arena, compiler[used]);
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++)
        words[used++] = options[i];
    return words;
}

static const char *compile(struct arena *arena, const struct device_run *run)
{
    g_auto(GStrv) compiler = nvcc_find();
    GPid processes[DEVICE_MOST_PARTS] = {0};
    const char *fault = NULL;
    if (!compiler[0])
        return "there is no nvcc: set NVCC, or put it on PATH";
    for (uint32_t i = 0; !fault && i < run->parts; i++)
        processes[i] = start(
            arena,
            with_compiler(arena, compiler, program(arena, run, i), device_source(arena, run, i)),
            &fault);
    for (uint32_t i = 0; i < run->parts; i++)
        if (processes[i] && finish(processes[i]) && !fault)
            fault =
                arena_printf(arena, "'%s' refuses %s", compiler[0], device_source(arena, run, i));
    return fault;
}

enum { DEVICE_SOME_FAILED = 3 }; /* the program's status when a test hangs or faults */

static const char *execute(struct arena *arena, const struct device_run *run, uint32_t part)
{
    const char *fault = NULL, *seconds = arena_printf(arena, "%u", run->seconds);
    const char *words[] = {program(arena, run, part),
                           "--journal",
                           device_journal(arena, run),
                           "--runs",
                           "1000000000000",
                           "--seconds",
                           seconds,
                           NULL};
    GPid process = start(arena, words, &fault);
    int status = fault ? 0 : finish(process);
    if (status && status != DEVICE_SOME_FAILED)
        return arena_printf(arena, "'%s' ends with status %d", words[0], status);
    return fault;
}

const char *device_compile_and_run(struct arena *arena, const struct device_run *run)
{
    const char *fault = compile(arena, run);
    for (uint32_t i = 0; !fault && i < run->parts; i++)
        fault = execute(arena, run, i);
    return fault;
}
