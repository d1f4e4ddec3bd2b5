/* SPDX-License-Identifier: MIT */
#include "model/models/models.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/file.h"

static const unsigned char prelude[] = {
#include "model/prelude.cat.inc"
};
static const unsigned char ptx[] = {
#include "model/ptx.cat.inc"
};
static const unsigned char ptx_6_0[] = {
#include "model/ptx-6.0.cat.inc"
};
static const unsigned char ptx_7_5[] = {
#include "model/ptx-7.5.cat.inc"
};
static const unsigned char alloy75_literal[] = {
#include "model/alloy75-literal.cat.inc"
};

static const unsigned char cpp[] = {
#include "model/cpp.cat.inc"
};
static const unsigned char cpp11[] = {
#include "model/cpp11.cat.inc"
};
static const unsigned char cpp20[] = {
#include "model/cpp20.cat.inc"
};

static const unsigned char cpp_base_text[] = {
#include "model/cpp_base.cat.inc"
};
static const unsigned char cos_text[] = {
#include "model/cos.cat.inc"
};
static const unsigned char cross_text[] = {
#include "model/cross.cat.inc"
};
static const unsigned char fences_text[] = {
#include "model/fences.cat.inc"
};
static const unsigned char in_turn_text[] = {
#include "model/in-turn.cat.inc"
};
static const unsigned char filters_text[] = {
#include "model/filters.cat.inc"
};
static const unsigned char x86fences_text[] = {
#include "model/x86fences.cat.inc"
};

/* What the models of herd and Dartagnan include without bringing it along, and what ptxlit asks besides a model. */
static const struct {
    const char *name, *text;
} library[] = {
    {"stdlib.cat", (const char *)prelude},
    {"basic.cat", (const char *)prelude},
    {"cos.cat", (const char *)cos_text},
    {"cpp_base.cat", (const char *)cpp_base_text},
    {"cross.cat", (const char *)cross_text},
    {"fences.cat", (const char *)fences_text},
    {"in-turn.cat", (const char *)in_turn_text},
    {"filters.cat", (const char *)filters_text},
    {"x86fences.cat", (const char *)x86fences_text},
};

const struct model_text model_texts[] = {
    {"ptx", "the current PTX manual, chapter 8 (the default)", (const char *)ptx},
    {"ptx+older-api",
     "the same with the older wording of API synchronization: no exception for tensor maps",
     (const char *)ptx},
    {"ptx-6.0", "PTX ISA 6.0 as first published (ASPLOS 2019), one proxy", (const char *)ptx_6_0},
    {"ptx-7.5", "PTX ISA 7.5, mixed proxies (ISCA 2022), memory fences counted as generic",
     (const char *)ptx_7_5},
    {"alloy75-literal", "the Alloy model of PTX ISA 7.5 to the letter, to reproduce that tool",
     (const char *)alloy75_literal},
    {"cpp", "scoped C++ (ASPLOS 2019), release sequences of C++20 (the default for tests in C++)",
     (const char *)cpp},
    {"cpp+split", "the same, seq_cst accesses read as a fence and an acquire or release access",
     (const char *)cpp},
    {"cpp11", "the same with the release sequences of C++11", (const char *)cpp11},
    {"cpp20", "scoped C++ with the order S of C++20, which has no scopes", (const char *)cpp20},
};
const uint32_t model_text_count = G_N_ELEMENTS(model_texts);

enum { PLACED = false, LOCATED = true, COMPLETED = true, CHOSEN = true }; /* is dynamic? */

const struct cat_base model_bases[] = {
#define BASESET(name, test, meaning)      {#name, true, false, meaning},
#define BASEEDGES(name, meaning)          {#name, false, false, meaning},
#define BASEREL(name, kind, may, meaning) {#name, false, kind, meaning},
#include "model/graph/base.def"
};
const uint32_t model_base_count = G_N_ELEMENTS(model_bases);

const struct model_text *model_find(const char *name)
{
    for (uint32_t i = 0; i < model_text_count; i++)
        if (strcmp(model_texts[i].name, name) == 0)
            return &model_texts[i];
    return NULL;
}

static const struct source *bundled(struct arena *arena, const char *name)
{
    const struct model_text *text = model_find(name);
    if (!text)
        return NULL;
    return source_new(arena, arena_printf(arena, "%s.cat", name), text->text, strlen(text->text));
}

/* NULL without a word when there is no such file. */
static const struct source *read_file(struct arena *arena, const char *path)
{
    size_t length = 0;
    FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rbe") : NULL;
    if (!file)
        return NULL;
    /* a text that was cut is still too long for cat_parse to accept */
    const char *contents = file_drain(arena, file, SOURCE_MAX_BYTES - 1, &length);
    fclose(file);
    return source_new(arena, arena_strdup(arena, path), contents, length);
}

static const struct source *library_text(struct arena *arena, const char *name)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(library); i++)
        if (strcmp(library[i].name, name) == 0)
            return source_new(arena, name, library[i].text, strlen(library[i].text));
    return NULL;
}

/* Looks in the folder of the model, then in the library, then among the bundled ones. */
const struct source *model_included(struct arena *arena, const char *folder, const char *name,
                                    bool *is_file)
{
    const struct source *source = NULL;
    if (folder) {
        const char *path = g_path_is_absolute(name) || strcmp(folder, ".") == 0
                               ? name
                               : arena_printf(arena, "%s/%s", folder, name);
        source = read_file(arena, path);
    }
    *is_file = source;
    if (!source)
        source = library_text(arena, name);
    if (source || !g_str_has_suffix(name, ".cat"))
        return source;
    return bundled(arena, arena_strndup(arena, name, strlen(name) - strlen(".cat")));
}

static const struct source *open_include(void *context, struct arena *arena, const char *name)
{
    bool is_file;
    return model_included(arena, context, name, &is_file);
}

static void report_unknown(struct arena *arena, const char *name, struct diag_list *diags)
{
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < model_text_count; i++)
        vec_push(arena, &names, model_texts[i].name);
    const char *near = diag_nearest(name, strlen(name), names.at, names.len);
    diag_add(diags, DIAG_model_unknown, NULL, (struct span){0, 0},
             near ? arena_printf(arena, "did you mean '%s'?", near)
                  : "'ptxlit models' lists the bundled models",
             "no model is called '%s', and no such file can be read", name);
}

/* What a text can ask for of --reading, and the other choice, with which its 'if' takes the 'else'. */
static const char *const choices[] = {"dependencies=semantic"};
static const char *const opposites[] = {"dependencies=syntactic"};
_Static_assert(sizeof choices == sizeof opposites, "each choice has an opposite");

static bool is_opposite(const struct cat_model *model, const char *variant)
{
    for (size_t i = 0; model->asked && i < G_N_ELEMENTS(choices); i++)
        if (strcmp(model->asked, choices[i]) == 0 && strcmp(variant, opposites[i]) == 0)
            return true;
    return false;
}

static struct cat_model *parse(struct arena *arena, const struct source *source, const char *folder,
                               const char *variant, struct diag_list *diags)
{
    struct cat_loader loader = {.open = open_include,
                                .context = (void *)(uintptr_t)folder,
                                .variant = variant,
                                .choices = choices,
                                .choice_count = G_N_ELEMENTS(choices)};
    loader.prelude = source_new(arena, "prelude.cat", (const char *)prelude, sizeof prelude - 1);
    struct cat_model *model =
        cat_parse(arena, source, model_bases, model_base_count, &loader, diags);
    if (model && model->asked && !(variant && strchr(variant, '='))) {
        loader.choice = model->asked;
        model->chosen = cat_parse(arena, source, model_bases, model_base_count, &loader, diags);
    }
    if (!model || !variant || model->has_variant || is_opposite(model, variant))
        return model;
    diag_add(diags, DIAG_model_unknown, NULL, (struct span){0, 0},
             "a text with variants says: if \"VARIANT\" then … else …", "'%s' has no variant '%s'",
             source->name, variant);
    return NULL;
}

struct cat_model *model_parse(struct arena *arena, const struct source *source, const char *folder,
                              struct diag_list *diags)
{
    return parse(arena, source, folder, NULL, diags);
}

/* As dirname(1). */
static const char *folder_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "/" : arena_strndup(arena, path, (size_t)(slash - path));
}

static const struct source *find(struct arena *arena, const char *name, const char **folder)
{
    const struct source *source = bundled(arena, name);
    *folder = source ? NULL : folder_of(arena, name);
    return source ? source : read_file(arena, name);
}

struct cat_model *model_load(struct arena *arena, const char *name_or_path, struct diag_list *diags)
{
    const char *folder, *name = name_or_path, *variant = NULL, *plus = strrchr(name, '+');
    if (plus && !g_file_test(name, G_FILE_TEST_IS_REGULAR)) {
        name = arena_strndup(arena, name, (size_t)(plus - name));
        variant = plus + 1;
    }
    const struct source *source = find(arena, name, &folder);
    struct cat_model *model = source ? parse(arena, source, folder, variant, diags) : NULL;
    if (!source)
        report_unknown(arena, name_or_path, diags);
    if (model)
        model->bundled = !folder;
    if (model && model->chosen)
        model->chosen->bundled = !folder;
    return model;
}

bool model_uses(const struct cat_model *model, const char *base)
{
    for (cat_id i = 0; i < model->node_count; i++) {
        const struct cat_node *node = &model->nodes[i];
        if (node->op != CAT_BASE_REL || strcmp(model_bases[node->base].name, base) != 0)
            continue;
        for (cat_id user = 0; user < model->node_count; user++)
            if (model->nodes[user].a == i || model->nodes[user].b == i)
                return true;
    }
    return false;
}
