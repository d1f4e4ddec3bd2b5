/* SPDX-License-Identifier: MIT */
#include "model/machine/search/progress.h"

#include <glib.h>
#include <string.h>

static const char *const names[] = {
#define PROGRESS(id, name) name,
#include "model/machine/search/progress.def"
#undef PROGRESS
};

const char *progress_words(void)
{
    return "fair, hsa, obe, hsa-obe, lobe, unfair, cuda, or cta=A,gpu=B with two of the first six";
}

static bool parse_model(const char *text, size_t length, enum progress_model *model)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0) {
            *model = (enum progress_model)i;
            return true;
        }
    return false;
}

/* "cta=A,gpu=B". */
static bool parse_scoped(const char *text, struct guarantee *progress)
{
    const char *comma = strchr(text, ',');
    *progress = (struct guarantee){.unit = PROGRESS_CTA};
    return comma && g_str_has_prefix(text, "cta=") && g_str_has_prefix(comma, ",gpu=") &&
           parse_model(text + 4, (size_t)(comma - text) - 4, &progress->threads) &&
           parse_model(comma + 5, strlen(comma + 5), &progress->units);
}

bool progress_parse(const char *text, struct guarantee *progress)
{
    if (strcmp(text, "cuda") == 0) {
        *progress = (struct guarantee){PROGRESS_FAIR, PROGRESS_OBE, PROGRESS_CUDA};
        return true;
    }
    if (parse_scoped(text, progress))
        return true;
    *progress = (struct guarantee){.units = PROGRESS_FAIR, .unit = PROGRESS_FLAT};
    return parse_model(text, strlen(text), &progress->threads);
}

static uint64_t lowest_of(uint64_t set)
{
    return set & -set;
}

/* All from the lowest thread up to the highest of the set. */
static uint64_t up_to(uint64_t set)
{
    return set ? UINT64_MAX >> __builtin_clzll(set) : 0;
}

uint64_t progress_owed(enum progress_model model, uint64_t enabled, uint64_t started)
{
    switch (model) {
    case PROGRESS_FAIR:
        return enabled;
    case PROGRESS_HSA:
        return lowest_of(enabled);
    case PROGRESS_OBE:
        return enabled & started;
    case PROGRESS_HSA_OBE:
        return lowest_of(enabled) | (enabled & started);
    case PROGRESS_LOBE:
        return enabled & up_to(started);
    case PROGRESS_UNFAIR:
    case PROGRESS_COUNT:
        break;
    }
    return 0;
}
