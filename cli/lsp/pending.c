/* SPDX-License-Identifier: MIT */
#include "cli/lsp/pending.h"

#include "cli/editor/lens.h"
#include "cli/work/loss.h"

/* In a process of its own, which has the document's text as it was then. */
static void work(void *context, uint32_t index, struct note *note, struct result *result)
{
    const struct pending_lens *search = context;
    const struct document *document = search->document;
    struct arena *arena = arena_new();
    struct job job = {.settings = search->settings,
                      .model = document->read->job.model,
                      .path = document->path,
                      .arena = arena,
                      .diags.arena = arena,
                      .note = note,
                      .started = job_clock()};
    const struct source *source =
        source_new(arena, document->path, document->text, document->length);
    bool read = index == 0 && job_read(&job, source, true);
    note->stage = "searching its executions";
    g_string_append(result->out, read ? lens_title(&job) : "the test could not be read");
    arena_free(arena);
}

struct pending_lens *pending_start(const struct settings *settings, const struct document *document,
                                   json_t *id, json_t *lens)
{
    struct pending_lens *search = g_new0(struct pending_lens, 1);
    search->settings = settings;
    search->document = document;
    search->process.pool = (struct pool){.timeout = settings->timeout,
                                         .memory_limit = settings->memory_limit,
                                         .context = search,
                                         .work = work};
    if (!task_start(&search->process)) {
        g_free(search);
        return NULL;
    }
    search->id = json_incref(id);
    search->lens = json_incref(lens);
    return search;
}

static char *lost_words(const struct pending_lens *search, const struct loss *loss)
{
    struct arena *arena = arena_new();
    char *words = g_strdup_printf(
        "undecided: %s", loss_words(arena, loss, search->settings, search->document->path));
    arena_free(arena);
    return words;
}

char *pending_take(struct pending_lens *search, bool readable)
{
    struct result result;
    struct loss loss;
    switch (task_take(&search->process, readable, &result, &loss)) {
    case TASK_RUNS:
        return NULL;
    case TASK_LOST:
        return lost_words(search, &loss);
    case TASK_DONE:
        break;
    }
    g_string_free(result.err, TRUE);
    return g_string_free(result.out, FALSE);
}

void pending_free(struct pending_lens *search, bool over)
{
    if (!over)
        task_stop(&search->process);
    json_decref(search->id);
    json_decref(search->lens);
    g_free(search);
}
