/* SPDX-License-Identifier: MIT */
#include "model/machine/search/progress.h"

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
