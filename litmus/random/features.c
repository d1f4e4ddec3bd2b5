/* SPDX-License-Identifier: MIT */
#include "litmus/random/features.h"

#include <string.h>

#include "litmus/random/dice.h"

static const struct {
    const char *word;
    size_t offset;
} rows[] = {
#define FEATURE(field, word, meaning) {word, offsetof(struct random_bounds, field)},
#include "litmus/random/features.def"
};

static bool *field(struct random_features *features, size_t row)
{
    return (bool *)((char *)&features->bounds + rows[row].offset);
}

/* Words that name a language. */
static const struct {
    const char *word;
    enum random_language language;
} languages[] = {{"host", RANDOM_HOST}, {"cpp", RANDOM_CPP}};
enum { LANGUAGES = G_N_ELEMENTS(languages) };

static bool set_word(struct random_features *features, const char *word)
{
    for (size_t i = 0; i < LANGUAGES; i++)
        if (strcmp(languages[i].word, word) == 0) {
            features->language = languages[i].language;
            return true;
        }
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].word, word) == 0)
            return *field(features, i) = true;
    return false;
}

static void refuse(struct arena *arena, const char *word, struct diag_list *diags)
{
    const char *names[LANGUAGES + G_N_ELEMENTS(rows)], *all = "";
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        names[i] = i < LANGUAGES ? languages[i].word : rows[i - LANGUAGES].word;
        all = arena_printf(arena, "%s%s%s", all, i ? ", " : "", names[i]);
    }
    diag_add(diags, DIAG_option_value, NULL, (struct span){0},
             diag_hint(arena, word, strlen(word), names, G_N_ELEMENTS(names)),
             "option '--random' does not know '%s'; its words are %s", arena_strdup(arena, word),
             all);
}

bool random_read_features(struct arena *arena, const char *words, struct random_features *features,
                          struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    g_auto(GStrv) parts = g_strsplit(words, ",", -1);
    features->change = strcmp(words, "all") == 0;
    for (char **part = parts; *part && !features->change; part++)
        if (strcmp(*part, "none") != 0 && !set_word(features, *part))
            refuse(arena, *part, diags);
    return diags->errors == errors;
}

/* Each feature in one program of three, and a host program in one of eight. */
static void change(struct random_features *features, uint64_t seed)
{
    uint64_t state = dice_seed(~seed);
    features->language = dice_below(&state, 8) == 0 ? RANDOM_HOST : RANDOM_DEVICE;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        *field(features, i) = dice_below(&state, 3) == 0;
}

GString *random_text(const struct random_features *features, uint64_t seed)
{
    struct random_features now = *features;
    struct random_subject subject;
    if (now.change)
        change(&now, seed);
    random_subject_draw(&subject, now.language, seed, &now.bounds);
    return random_subject_write(&subject);
}
