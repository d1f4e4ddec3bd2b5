/* SPDX-License-Identifier: MIT */
#include "cli/repair/variant.h"

struct edit *variant_edits(struct arena *arena, const struct edit_places *places,
                           const uint8_t *choice, uint32_t *count)
{
    VEC(struct edit) edits = {0};
    for (uint32_t i = 0; i < places->items.len; i++) {
        const struct edit_option *option = &places->items.at[i].options.at[choice[i]];
        if (option->edits)
            vec_push(arena, &edits, option->edit);
        for (uint32_t k = 0; k < option->also_count; k++)
            vec_push(arena, &edits, option->also[k]);
    }
    *count = edits.len;
    return edits.at;
}

/* What was added and removed, and no more: the text of an edit could have been read otherwise. */
static bool is_as_edited(const struct variant *variant, const struct test *before)
{
    const struct test *after = variant->job.test;
    int64_t more = 0, here = 0;
    for (uint32_t i = 0; i < variant->count; i++)
        more += edit_growth(&variant->edits[i]);
    for (uint32_t i = 0; i < before->body_count && i < after->body_count; i++)
        here += (int64_t)after->bodies[i].inst_count - before->bodies[i].inst_count;
    /* where an edit may be several instructions */
    bool cpp = before->language == LANGUAGE_CPP || variant->edited.is_host;
    return before->body_count == after->body_count && (cpp || here == more);
}

/* The model of the language, which the test was read with, is not read again. */
static void keep_model(struct job *job)
{
    struct settings *settings = ARENA_NEW(job->arena, struct settings);
    *settings = *job->settings;
    settings->model_named = true;
    job->settings = settings;
}

bool variant_new(struct variant *variant, const struct job *job, const struct edit_places *places,
                 const uint8_t *choice)
{
    *variant = (struct variant){.arena = arena_scratch(job->arena), .job = *job};
    variant->edits = variant_edits(variant->arena, places, choice, &variant->count);
    variant->edited = edit_apply(variant->arena, job->test, variant->edits, variant->count);
    variant->job.arena = variant->arena;
    variant->job.diags = (struct diag_list){.arena = variant->arena};
    variant->job.trace = NULL;
    if (job->test->language == LANGUAGE_CPP)
        keep_model(&variant->job);
    return variant->edited.source && job_read(&variant->job, variant->edited.source, true) &&
           is_as_edited(variant, job->test);
}

void variant_free(struct variant *variant)
{
    arena_free(variant->arena);
    variant->arena = NULL;
}
