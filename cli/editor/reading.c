/* SPDX-License-Identifier: MIT */
#include "cli/editor/reading.h"

#include <string.h>

#include "model/models/models.h"

/* Of reading a text once: an editor waits for it. */
static const struct arena_limits limits = {.bytes = (size_t)512 << 20, .seconds = 5};

static void read_model(struct editor_text *text)
{
    struct job *job = &text->job;
    const char *slash = strrchr(job->path, '/');
    const char *folder =
        slash ? arena_strndup(text->arena, job->path, (size_t)(slash - job->path)) : ".";
    job->model =
        model_parse(text->arena, text->source, text->how->no_includes ? NULL : folder, &job->diags);
}

static void read_test(struct editor_text *text)
{
    struct job *job = &text->job;
    const struct source *source = source_with_files(text->arena, text->source, text->how->files);
    job->model = text->how->model ? text->how->model
                                  : model_load(text->arena, job->settings->model, &job->diags);
    if (job->model)
        job_read(job, source, true);
}

static void read_text(void *context)
{
    struct editor_text *text = context;
    if (text->source->length > SOURCE_MAX_BYTES / 2)
        text->stopped = "the text is too long for an editor";
    else if (text->is_model)
        read_model(text);
    else
        read_test(text);
}

struct editor_text *editor_read(const struct editor_reading *how, const char *path,
                                const char *text, size_t length)
{
    struct arena *arena = arena_new();
    struct editor_text *read = ARENA_NEW(arena, struct editor_text);
    const char *copy = arena_strndup(arena, text, length);
    *read = (struct editor_text){.how = how,
                                 .arena = arena,
                                 .source = source_new(arena, arena_strdup(arena, path), copy,
                                                      MIN(length, (size_t)SOURCE_MAX_BYTES)),
                                 .is_model = g_str_has_suffix(path, ".cat")};
    read->job = (struct job){.settings = how->settings,
                             .path = read->source->name,
                             .arena = arena,
                             .note = ARENA_NEW(arena, struct note),
                             .started = job_clock()};
    read->job.diags.arena = arena;
    read->diags = &read->job.diags;
    enum arena_end end = arena_run(arena, &limits, read_text, read);
    if (end != ARENA_DONE)
        read->stopped = end == ARENA_TIME ? "reading it takes more than 5 s"
                                          : "reading it takes more than 512 MiB";
    return read;
}

void editor_forget(struct editor_text *text)
{
    if (text)
        arena_free(text->arena);
}
