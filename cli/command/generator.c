/* SPDX-License-Identifier: MIT */
#include "cli/command/generator.h"

#include <stdio.h>

#include "cli/work/shard.h"

bool generator_read(struct arena *arena, const struct options *options, struct generator *generator)
{
    struct diag_list diags = {.arena = arena};
    struct shard shard;
    struct generate_words words = {
        .threads = options->threads,
        .instructions = options->instructions,
        .accesses = options->accesses,
        .locations = options->locations,
        .strengths = options->strengths,
        .fences = options->fences,
        .scopes = options->scopes,
        .placements = options->placements,
        .atomics = options->atomics,
        .proxies = options->proxies,
        .deps = options->deps,
        .barriers = options->barriers,
    };
    generate_read_bounds(arena, &words, &generator->bounds, &diags);
    if (!shard_parse(options->shard, &shard))
        diag_add(&diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--shard' takes K/N, 1 <= K <= N, and not '%s'", options->shard);
    generator->share = (struct generate_share){shard.number, shard.count};
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags.items.at[i]));
    return !diags.errors;
}
