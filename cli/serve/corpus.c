/* SPDX-License-Identifier: MIT */
#include "cli/serve/corpus.h"

#include <stdio.h>
#include <string.h>

#include "cli/show/json.h"

/* Where the bundled tests are, from the folder of the program: as it is installed, and as it is built. */
static const char *const places[] = {"../share/ptxlit/corpus", "../litmus/corpus"};

static const char *bundled(struct arena *arena)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program ? g_path_get_dirname(program) : NULL;
    for (size_t i = 0; folder && i < G_N_ELEMENTS(places); i++) {
        g_autofree char *place = g_build_filename(folder, places[i], NULL);
        if (g_file_test(place, G_FILE_TEST_IS_DIR))
            return arena_strdup(arena, place);
    }
    return NULL;
}

/* The first string of the test that is no expectation: what it is about. */
static char *about(const struct source *source)
{
    const char *end = source->text + source->length;
    for (const char *at = source->text; (at = memchr(at, '"', (size_t)(end - at)));) {
        const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (!close)
            break;
        if (strncmp(at + 1, "expect ", strlen("expect ")) != 0)
            return g_strndup(at + 1, (gsize)(close - at - 1));
        at = close + 1;
    }
    return g_strdup("");
}

static void add(json_t *list, struct input *input, const struct source *source)
{
    g_autofree char *file = g_path_get_basename(input->path), *words = about(source);
    char *suffix = strrchr(file, '.');
    if (suffix)
        *suffix = '\0';
    input->text = source->text;
    input->length = source->length;
    json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "family", json_text(input->family),
                                          "name", json_text(file), "about", json_text(words)));
}

bool corpus_read(struct corpus *corpus, const struct options *options)
{
    struct diag_list diags = {.arena = corpus->arena = arena_new()};
    const char *place = options->argument_count ? NULL : bundled(corpus->arena);
    corpus->tests = (struct input_list){0};
    if (place)
        walk_inputs(corpus->arena, &place, 1, &corpus->tests, &diags);
    else
        walk_inputs(corpus->arena, options->arguments, options->argument_count, &corpus->tests,
                    &diags);
    json_t *list = json_array();
    for (uint32_t i = 0; i < corpus->tests.items.len; i++) {
        struct input *input = &corpus->tests.items.at[i];
        const struct source *source = input_read(corpus->arena, input, &diags);
        if (source)
            add(list, input, source);
    }
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(corpus->arena, &diags.items.at[i]));
    corpus->list = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return !diags.errors;
}

void corpus_end(struct corpus *corpus)
{
    arena_free(corpus->arena);
    g_free(corpus->list);
}
