/* SPDX-License-Identifier: MIT
 *
 * ptxlit models: the bundled models, the text of one, and the base names that C supplies to them. */
#include "model/models/models.h"

#include <stdio.h>

#include "cli/command/commands.h"
#include "cli/show/json.h"

static void print_json(json_t *object)
{
    g_autoptr(GString) line = g_string_new(NULL);
    json_line(object, line);
    fputs(line->str, stdout);
}

static int list_models(bool json)
{
    for (const struct model_text *one = model_texts; one < model_texts + model_text_count; one++)
        if (json)
            print_json(json_pack("{s:s, s:s}", "name", one->name, "summary", one->summary));
        else
            printf("%-16s %s\n", one->name, one->summary);
    return 0;
}

static int list_bases(bool json)
{
    for (uint32_t i = 0; i < model_base_count; i++) {
        const struct cat_base *base = &model_bases[i];
        if (json)
            print_json(json_pack("{s:s, s:s, s:b, s:s}", "name", base->name, "kind",
                                 base->is_set ? "set" : "relation", "dynamic", base->dynamic,
                                 "meaning", base->meaning));
        else
            printf("%-9s %-16s %s\n", base->is_set ? "set" : "relation", base->name, base->meaning);
    }
    return 0;
}

static int refuse_model(const char *name)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    const char **names = ARENA_ARRAY(arena, const char *, model_text_count);
    for (uint32_t i = 0; i < model_text_count; i++)
        names[i] = model_texts[i].name;
    const char *hint = diag_hint(arena, name, strlen(name), names, model_text_count);
    diag_add(&diags, DIAG_model_unknown, NULL, (struct span){0},
             hint ? hint : "see 'ptxlit models'", "no bundled model is called '%s'", name);
    fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags.items.at[0]));
    arena_free(arena);
    return EXIT_WRONG_INPUT;
}

int command_models(const struct options *options)
{
    if (options->bases)
        return list_bases(options->json);
    if (options->argument_count == 0)
        return list_models(options->json);
    const struct model_text *model = model_find(options->arguments[0]);
    if (!model)
        return refuse_model(options->arguments[0]);
    return fputs(model->text, stdout) < 0;
}
