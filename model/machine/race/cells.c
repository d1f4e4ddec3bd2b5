/* SPDX-License-Identifier: MIT */
#include "model/machine/race/cells.h"

#include <assert.h>
#include <glib.h>

void cells_start(struct cells *cells, uint32_t bytes, uint32_t shift)
{
    uint32_t count = (bytes >> shift) + 1;
    *cells = (struct cells){g_new0(struct cell, count), count, shift};
}

/* Each of 'parts' has had the accesses to the whole; the first takes over its storage. */
static void spread(struct cell *parts, uint32_t count, const struct cell *whole)
{
    const struct stamps *more = whole->more;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = *whole;
        if (more && i)
            parts[i].more = g_memdup2(more, sizeof *more + more->capacity * sizeof *more->at);
    }
}

void cells_split(struct cells *cells, uint32_t shift)
{
    assert(shift <= cells->shift);
    uint32_t parts = 1u << (cells->shift - shift);
    struct cell *at = g_new(struct cell, (size_t)cells->count * parts);
    for (uint32_t i = 0; i < cells->count; i++)
        spread(&at[(size_t)i * parts], parts, &cells->at[i]);
    g_free(cells->at);
    *cells = (struct cells){at, cells->count * parts, shift};
}

void cells_clear(struct cells *cells)
{
    for (uint32_t i = 0; i < cells->count; i++) {
        g_free(cells->at[i].more);
        cells->at[i] = (struct cell){0};
    }
}

void cells_free(struct cells *cells)
{
    cells_clear(cells);
    g_free(cells->at);
    *cells = (struct cells){0};
}
