/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/cuts.h"

#include "litmus/base/sort.h"

/* Where memory is cut into granules: at the ends of every access. */

struct range {
    uint64_t from, to; /* sorted by the first */
};

struct cuts {
    struct arena *arena;
    VEC(uint64_t) points; /* ascending once sorted */
    VEC(struct range) covered;
    uint32_t sorted; /* points known to be in order */
};

struct cuts *cuts_new(struct arena *arena)
{
    struct cuts *cuts = ARENA_NEW(arena, struct cuts);
    cuts->arena = arena;
    return cuts;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void sort_points(struct cuts *cuts)
{
    uint32_t kept = 0;
    if (cuts->sorted == cuts->points.len)
        return;
    sort_array(cuts->points.at, cuts->points.len, sizeof *cuts->points.at, by_value);
    for (uint32_t i = 0; i < cuts->points.len; i++)
        if (!kept || cuts->points.at[kept - 1] != cuts->points.at[i])
            cuts->points.at[kept++] = cuts->points.at[i];
    cuts->points.len = cuts->sorted = kept;
}

void cuts_add(struct cuts *cuts, uint64_t physical, uint32_t bytes)
{
    cuts_point(cuts, physical);
    cuts_point(cuts, physical + bytes);
    vec_push(cuts->arena, &cuts->covered, ((struct range){physical, physical + bytes}));
}

void cuts_point(struct cuts *cuts, uint64_t physical)
{
    vec_push(cuts->arena, &cuts->points, physical);
}

/* First point not below 'at'. */
static uint32_t find(const struct cuts *cuts, uint64_t at)
{
    uint32_t low = 0, high = cuts->points.len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cuts->points.at[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool copy_points(struct cuts *cuts, uint64_t from, uint64_t to, uint32_t bytes)
{
    VEC(uint64_t) missing = {0};
    for (uint32_t i = find(cuts, from + 1);
         i < cuts->points.len && cuts->points.at[i] < from + bytes; i++) {
        uint64_t wanted = cuts->points.at[i] - from + to;
        uint32_t at = find(cuts, wanted);
        if (at == cuts->points.len || cuts->points.at[at] != wanted)
            vec_push(cuts->arena, &missing, wanted);
    }
    for (uint32_t i = 0; i < missing.len; i++)
        cuts_point(cuts, missing.at[i]);
    sort_points(cuts);
    return missing.len > 0;
}

bool cuts_align(struct cuts *cuts, uint64_t a, uint64_t b, uint32_t bytes)
{
    sort_points(cuts);
    bool added = copy_points(cuts, a, b, bytes);
    return copy_points(cuts, b, a, bytes) || added;
}

struct granule *cuts_granules(struct cuts *cuts, uint32_t *count)
{
    VEC(struct granule) granules = {0};
    sort_points(cuts);
    sort_array(cuts->covered.at, cuts->covered.len, sizeof *cuts->covered.at, by_value);
    uint32_t next = 0;
    uint64_t end = 0; /* of the accesses that start at or before the point */
    for (uint32_t i = 0; i + 1 < cuts->points.len; i++) {
        uint64_t from = cuts->points.at[i], to = cuts->points.at[i + 1];
        for (; next < cuts->covered.len && cuts->covered.at[next].from <= from; next++)
            end = cuts->covered.at[next].to > end ? cuts->covered.at[next].to : end;
        struct granule granule = {.physical = from, .bytes = (uint32_t)(to - from)};
        if (from < end)
            vec_push(cuts->arena, &granules, granule);
    }
    *count = granules.len;
    return granules.at;
}
