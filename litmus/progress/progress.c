/* SPDX-License-Identifier: MIT */
#include "litmus/progress/progress.h"

#include <string.h>

static const char *const names[] = {
#define PROGRESS(id, name) name,
#include "litmus/progress/progress.def"
#undef PROGRESS
};

const char *progress_words(void)
{
    return "fair, hsa, obe, hsa-obe, lobe, unfair, cuda, or cta=A,gpu=B with two of the first six";
}

static bool parse_model(const char *text, size_t length, enum progress_model *model)
{
    for (uint32_t i = 0; i < PROGRESS_COUNT; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            *model = (enum progress_model)i;
            return true;
        }
    return false;
}

/* "cta=A,gpu=B", in any order, each at most once. */
static bool parse_scoped(const char *text, struct guarantee *progress)
{
    bool cta = false, gpu = false;
    *progress = (struct guarantee){PROGRESS_FAIR, PROGRESS_FAIR, PROGRESS_CTA};
    for (;;) {
        bool *said = strncmp(text, "cta=", 4) == 0 ? &cta : &gpu;
        size_t length = strcspn(text, ",");
        if (*said || length < 4 || (said == &gpu && strncmp(text, "gpu=", 4) != 0) ||
            !parse_model(text + 4, length - 4,
                         said == &cta ? &progress->threads : &progress->units))
            return false;
        *said = true;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

bool progress_parse(const char *text, struct guarantee *progress)
{
    if (strcmp(text, "cuda") == 0) {
        *progress = (struct guarantee){PROGRESS_FAIR, PROGRESS_OBE, PROGRESS_CUDA};
        return true;
    }
    if (strchr(text, '='))
        return parse_scoped(text, progress);
    *progress = (struct guarantee){.units = PROGRESS_FAIR, .unit = PROGRESS_FLAT};
    return parse_model(text, strlen(text), &progress->threads);
}

const char *progress_name(struct arena *arena, const struct guarantee *progress)
{
    switch (progress->unit) {
    case PROGRESS_CTA:
        return arena_printf(arena, "cta=%s,gpu=%s", names[progress->threads],
                            names[progress->units]);
    case PROGRESS_CUDA:
        return "cuda";
    case PROGRESS_FLAT:
        break;
    }
    return names[progress->threads];
}
