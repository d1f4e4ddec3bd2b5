/* SPDX-License-Identifier: MIT */
#include <malloc.h>
#include <stdio.h>

#include "cli/options.h"

/* A Z3 context takes and returns a few tens of megabytes. Left to its defaults the allocator asks
 * the system for them anew for each test, and clearing the pages costs more than the answer
 * (docs/performance.md). */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

/* Prints what is wrong with the command line; the exit status. */
static int refuse(struct arena *arena, const struct diag_list *diags)
{
    for (uint32_t i = 0; i < diags->items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags->items.at[i]));
    return 2;
}

static int run(struct arena *arena, int argc, char **argv)
{
    struct diag_list diags = {.arena = arena};
    struct options options = options_parse(arena, argc, argv, &diags);
    if (diags.errors)
        return refuse(arena, &diags);
    if (options.help)
        return fputs(options_help(arena, options.command), stdout) < 0;
    if (options.version)
        return puts("ptxlit " PTXLIT_VERSION) < 0;
    return options.command->function(&options);
}

int main(int argc, char **argv)
{
    keep_memory();
    struct arena *arena = arena_new();
    int status = run(arena, argc, argv);
    arena_free(arena);
    /* A full disk or a closed pipe must not look like success. */
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 2;
}
