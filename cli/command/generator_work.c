/* SPDX-License-Identifier: MIT */
#include "cli/command/generator_work.h"

#include <stdio.h>

enum { PARTS = 256 }; /* many more than workers, as parts are not equally large */

struct spreading {
    const struct generator *generator;
    const struct generator_work *work;
    bool lost;
};

/* The part of the command's share: the shares of all parts make up that one. */
static void run_part(void *context, uint32_t index, struct note *note, struct result *result)
{
    struct spreading *spreading = context;
    struct generator part = *spreading->generator;
    part.arena = arena_new();
    part.diags.arena = part.arena;
    part.share.number += part.share.count * index;
    part.share.count *= PARTS;
    note->stage = "looking at generated tests";
    spreading->work->part(spreading->work->context, &part, result);
    arena_free(part.arena);
}

static void lose_part(void *context, uint32_t index, const struct loss *loss, struct result *result)
{
    struct spreading *spreading = context;
    spreading->lost = true;
    g_string_append_printf(result->err, "ptxlit: part %u of %d was lost: %s\n", index + 1, PARTS,
                           loss->cause == LOSS_CRASH ? "its process ended"
                                                     : "its process was ended, or not started");
}

static void take_part(void *context, uint32_t index, const struct result *result)
{
    struct spreading *spreading = context;
    (void)index;
    fwrite(result->err->str, 1, result->err->len, stderr);
    spreading->work->take(spreading->work->context, result);
}

bool generator_spread(const struct options *options, const struct generator *generator,
                      const struct generator_work *work)
{
    struct spreading spreading = {.generator = generator, .work = work};
    struct pool pool = {.jobs = options->jobs ? options->jobs : g_get_num_processors(),
                        .memory_limit = options->settings.memory_limit,
                        .context = &spreading,
                        .work = run_part,
                        .lost = lose_part,
                        .done = take_part};
    pool_run(&pool, PARTS);
    return !spreading.lost;
}
