/* SPDX-License-Identifier: MIT */
#include "cli/answer/decide.h"

struct answer decide(struct arena *arena, const struct settings *settings,
                     const struct cat_model *model, const char *text, size_t length,
                     uint32_t wanted)
{
    struct job *job = ARENA_NEW(arena, struct job);
    *job = (struct job){.settings = settings,
                        .model = model,
                        .path = "-",
                        .arena = arena,
                        .note = ARENA_NEW(arena, struct note),
                        .started = job_clock()};
    job->diags.arena = arena;
    if (!job_read(job, source_new(arena, "-", text, length), true))
        return (struct answer){.job = job, .verdict = VERDICT_ERROR};
    return answer_new(job, wanted);
}
