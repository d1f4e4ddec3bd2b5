/* SPDX-License-Identifier: MIT
 *
 * The program: prepares the process, reads the command line and runs the command. */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <jansson.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/command/commands.h"
#include "cli/show/streams.h"

/* A test, and a Z3 context where it has one, takes and returns a few tens of megabytes. Left to its defaults the allocator asks
 * the system for them anew for each test, and clearing the pages costs more than the answer
 * (docs/performance.md). */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

/* A standard descriptor that the caller closed would be given to the next file that is opened, and
 * results would go into it. In its place comes one that refuses what is asked of it. */
static void occupy_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Without memory the process ends with a word, as in GLib, and loses nothing silently; a file that
 * may not grow is a failed write, not the end. */
static void fail_loudly(void)
{
    json_set_alloc_funcs(g_malloc, g_free);
    signal(SIGXFSZ, SIG_IGN);
}

/* Prints what is wrong with the command line; the exit status. */
static int refuse(struct arena *arena, const struct diag_list *diags)
{
    for (uint32_t i = 0; i < diags->items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags->items.at[i]));
    return 2;
}

static command_function *const functions[COMMAND_COUNT] = {
#define COMMAND(id, ...) [COMMAND_##id] = command_##id,
#include "cli/options/commands.def"
#undef COMMAND
};

static int run(struct arena *arena, int argc, char **argv)
{
    struct diag_list diags = {.arena = arena};
    struct options options = options_parse(arena, argc, argv, &diags);
    options.program = "ptxlit " PTXLIT_VERSION;
    if (diags.errors)
        return refuse(arena, &diags);
    if (options.help)
        return fputs(options_help(arena, options.command), stdout) < 0;
    if (options.version)
        return puts(options.program) < 0;
    return functions[options.command - commands](&options);
}

int main(int argc, char **argv)
{
    occupy_descriptors();
    keep_memory();
    fail_loudly();
    streams_tie();
    struct arena *arena = arena_new();
    int status = run(arena, argc, argv);
    arena_free(arena);
    /* A full disk or a closed pipe must not look like success. */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "ptxlit: %s: standard output cannot be written, results are missing there\n",
            diag_code(DIAG_file_unwritable));
    return 2;
}
