/* SPDX-License-Identifier: MIT */
#include "cli/repair/patch.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "litmus/base/file.h"

static const char *patch_file(const struct test *test)
{
    static const char word[] = "merged patch: ";
    for (uint32_t i = 0; i < test->comment_count; i++)
        if (g_str_has_prefix(test->comments[i], word))
            return test->comments[i] + strlen(word);
    return NULL;
}

/* A job of its own, with the test's settings. */
static bool read_patch(const struct repair *repair, const char *file, struct job *patched)
{
    struct job *job = repair->job;
    size_t length;
    char *folder = g_path_get_dirname(job->path);
    const char *path = arena_printf(job->arena, "%s/%s", folder, file);
    const char *text = file_read(job->arena, path, SOURCE_MAX_BYTES, &length);
    const struct source *main =
        job->test->source->main ? job->test->source->main : job->test->source;
    g_free(folder);
    if (!text) {
        diag_add(&job->diags, DIAG_patch_unreadable, NULL, (struct span){0},
                 "the string \"merged patch: FILE\" names a file beside the test",
                 "cannot read the merged patch '%s': %s", path, g_strerror(errno));
        return false;
    }
    struct source *source = source_new(job->arena, path, text, MIN(length, SOURCE_MAX_BYTES));
    source->folder = main->folder;
    source->files = main->files;
    *patched = *job;
    patched->trace = NULL;
    bool good = job_read(patched, source, true);
    job->diags = patched->diags;
    return good;
}

/* The instruction's text with single blanks. */
static const char *plain_text(struct arena *arena, const struct test *test, const struct inst *inst)
{
    char *text = arena_strndup(arena, test->source->text + inst->span.offset, inst->span.length);
    char **words = g_strsplit_set(text, " \t\n", -1);
    char *to = text;
    for (uint32_t i = 0; words[i]; i++)
        if (*words[i])
            to += sprintf(to, "%s%s", to == text ? "" : " ", words[i]);
    g_strfreev(words);
    return text;
}

static bool same_code(struct arena *arena, const struct test *a, const struct test *b)
{
    bool same = a->body_count == b->body_count;
    for (uint32_t i = 0; same && i < a->body_count; i++) {
        same = a->bodies[i].inst_count == b->bodies[i].inst_count;
        for (uint32_t k = 0; same && k < a->bodies[i].inst_count; k++)
            same = strcmp(plain_text(arena, a, &a->bodies[i].insts[k]),
                          plain_text(arena, b, &b->bodies[i].insts[k])) == 0;
    }
    return same;
}

/* The proposal that has the code of the patch, from 1 on. */
static uint32_t find_proposal(const struct repair *repair, const struct test *patched)
{
    for (uint32_t i = 0; i < repair->proposals.len; i++) {
        struct job edited = *repair->job;
        edited.diags = (struct diag_list){.arena = edited.arena};
        edited.trace = NULL;
        if (job_read(&edited, repair->proposals.at[i].source, false) &&
            same_code(edited.arena, edited.test, patched))
            return i + 1;
    }
    return 0;
}

bool patch_find(const struct repair *repair, struct repair_patch *patch)
{
    struct job patched;
    *patch = (struct repair_patch){.file = patch_file(repair->job->test)};
    if (!patch->file)
        return true;
    if (!read_patch(repair, patch->file, &patched))
        return false;
    struct arena *arena = repair->job->arena;
    patch->suffices = goal_ask(repair->goal, &patched);
    patch->cost = (int64_t)costs_of_test(arena, repair->costs, patched.test) -
                  costs_of_test(arena, repair->costs, repair->job->test);
    patch->proposal = find_proposal(repair, patched.test);
    return true;
}

const char *patch_words(struct arena *arena, const struct repair *repair,
                        const struct repair_patch *patch)
{
    const char *what = goal_name(repair->goal);
    if (patch->suffices == MINIMAL_OPEN)
        return arena_printf(arena, "The merged patch, %s: the search stopped before it knew",
                            patch->file);
    if (patch->suffices == MINIMAL_SHORT)
        return arena_printf(arena, "The merged patch, %s, is not accepted: %s is still possible",
                            patch->file, what);
    const char *words = arena_printf(arena, "The merged patch, %s, suffices, cost %" PRId64,
                                     patch->file, patch->cost);
    if (!repair->proposals.len)
        return words;
    const struct repair_proposal *best = &repair->proposals.at[0];
    if (!best->changes.len)
        return arena_printf(arena, "%s; without it %s is not possible either", words, what);
    if (patch->proposal)
        words = arena_printf(arena, "%s: it is proposal %u", words, patch->proposal);
    return best->cost < patch->cost ? arena_printf(arena, "%s; proposal 1 costs %" PRId64 " less",
                                                   words, patch->cost - best->cost)
                                    : words;
}
