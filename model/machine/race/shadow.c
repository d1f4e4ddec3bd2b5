/* SPDX-License-Identifier: MIT */
#include "model/machine/race/shadow.h"

#include <assert.h>
#include <glib.h>
#include <sys/mman.h>

#include "litmus/base/sort.h"
#include "model/machine/core/machine.h"

enum { FEWEST = 8 };

/* Weak, or by a copy: nobody's scope makes another proxy's accesses morally strong with it. */
static bool is_loose(const struct stamp *stamp)
{
    return stamp->how & (STAMP_COPY | STAMP_ASYNC) || stamp_scope(stamp) == SCOPE_NONE;
}

static int compare(const void *a, const void *b)
{
    const struct stamp *x = a, *y = b;
    if (is_loose(x) != is_loose(y))
        return is_loose(x) ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    if (x->how != y->how)
        return x->how < y->how ? -1 : 1;
    return (x->time < y->time) - (x->time > y->time);
}

void shadow_clear(struct stamps *stamps)
{
    stamps->count = stamps->loose = stamps->bytes = 0;
    stamps->weakest = UINT32_MAX;
    stamps->writes = false;
}

void shadow_keep(struct stamps *stamps, const struct stamp *stamp)
{
    struct stamp *to = &stamps->at[stamps->count];
    stamps->writes |= stamp_writes(stamp);
    if (is_loose(stamp)) {
        *to = stamps->at[stamps->loose];
        to = &stamps->at[stamps->loose++];
    } else {
        bool first = stamps->count == stamps->loose;
        stamps->bytes = first || stamps->bytes == stamp_bytes(stamp) ? stamp_bytes(stamp) : 0;
        stamps->weakest = MIN(stamps->weakest, stamp_scope(stamp));
    }
    *to = *stamp;
    stamps->count++;
}

/* Drops what a later access of the same lane and kind stands for. */
static void compact(struct stamps *stamps)
{
    uint32_t count = stamps->count, seen = 0;
    struct stamp last = {0};
    sort_array(stamps->at, count, sizeof *stamps->at, compare);
    shadow_clear(stamps);
    for (uint32_t i = 0; i < count; i++) {
        struct stamp s = stamps->at[i];
        if (s.warp != last.warp || s.how != last.how)
            seen = 0;
        last = s;
        s.lanes &= ~seen;
        seen |= last.lanes;
        if (s.lanes)
            shadow_keep(stamps, &s);
    }
}

void shadow_add(struct stamps **stamps, const struct stamp *stamp)
{
    struct stamps *s = *stamps;
    if (!s) {
        s = g_malloc(sizeof *s + FEWEST * sizeof *s->at);
        s->capacity = FEWEST;
        shadow_clear(s);
    }
    if (s->count == s->capacity)
        compact(s);
    if (s->count * 4 > s->capacity * 3) {
        s->capacity *= 2;
        s = g_realloc(s, sizeof *s + s->capacity * sizeof *s->at);
    }
    shadow_keep(s, stamp);
    *stamps = s;
}

/* ---- cells --------------------------------------------------------------------------------- */

/* Most of the time of a short kernel would go to page faults of its cells: large ones have large pages,
 * where the system has any. */
static void use_large_pages(void *memory, size_t bytes)
{
    const uintptr_t page = 1u << 21;
    uintptr_t first = ((uintptr_t)memory + page - 1) & ~(page - 1),
              end = ((uintptr_t)memory + bytes) & ~(page - 1);
#ifdef MADV_HUGEPAGE
    if (first < end)
        madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)first, (void)end;
#endif
}

void cells_start(struct cells *cells, uint32_t bytes, uint32_t shift)
{
    uint32_t count = (bytes >> shift) + 1;
    *cells = (struct cells){g_new0(struct cell, count), count, shift};
    use_large_pages(cells->at, count * sizeof *cells->at);
}

/* Each of 'parts' has had the accesses to the whole; the first takes over its storage. */
static void spread(struct cell *parts, uint32_t count, const struct cell *whole)
{
    const struct stamps *more = whole->more;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = *whole;
        parts[i].known = false;
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

void cells_free(struct cells *cells)
{
    for (uint32_t i = 0; i < cells->count; i++)
        g_free(cells->at[i].more);
    g_free(cells->at);
    *cells = (struct cells){0};
}
