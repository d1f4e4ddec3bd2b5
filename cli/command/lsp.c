/* SPDX-License-Identifier: MIT
 *
 * ptxlit lsp: a language server for editors. */
#include "cli/lsp/server.h"

#include <stdio.h>

#include "cli/answer/verdict.h"
#include "cli/command/commands.h"
#include "model/models/models.h"

/* A model that cannot be read would be the fault of each text. */
static bool is_model_good(const char *name)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    bool good = model_load(arena, name, &diags);
    for (uint32_t i = 0; !good && i < diags.items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags.items.at[i]));
    arena_free(arena);
    return good;
}

int command_lsp(const struct options *options)
{
    return is_model_good(options->settings.model) ? server_run(options) : EXIT_WRONG_INPUT;
}
