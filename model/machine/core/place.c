/* SPDX-License-Identifier: MIT */
#include "model/machine/core/place.h"

#include <stdlib.h>

#include "litmus/base/sort.h"
#include "model/execution/outcome.h"

/* The next lane, at a position of the warp; nobody's yet. */
static struct lane_place *add_lane(struct machine *machine, uint32_t warp, uint32_t position)
{
    uint32_t cta = machine->warps[warp].cta;
    struct lane_place *lane = &machine->lanes[machine->lane_count++];
    *lane = (struct lane_place){.warp = warp,
                                .lane = position,
                                .cta = cta,
                                .cluster = machine->ctas[cta].cluster,
                                .gpu = machine->ctas[cta].gpu,
                                .program = NONE,
                                .column = NONE,
                                .launch = NONE,
                                .tid = NONE,
                                .host = NONE,
                                .task = NONE};
    return lane;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* A column by its place: the sort brings together what shares a cluster, a CTA, a warp. */
struct entry {
    uint32_t gpu, cluster, cta, warp, lane, column;
};
/* A column without a cluster or a warp has one of its own. */
#define OWN UINT32_C(0x80000000)

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    const uint32_t x[] = {a->gpu, a->cluster, a->cta, a->warp, a->column};
    const uint32_t y[] = {b->gpu, b->cluster, b->cta, b->warp, b->column};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Lanes of a warp: those asked for by number first, the others in the free ones. */
static uint32_t assign_lanes(struct entry *entries, uint32_t count)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].lane != NONE)
            taken |= 1u << (entries[i].lane & 31);
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].lane != NONE)
            continue;
        entries[i].lane = ~taken ? (uint32_t)__builtin_ctz(~taken) : 31;
        taken |= 1u << entries[i].lane;
    }
    return taken;
}

static void place_warp(struct machine *machine, struct entry *entries, uint32_t count)
{
    uint32_t present = assign_lanes(entries, count), warp = machine->warp_count++;
    struct cta_place *cta = &machine->ctas[machine->cta_count - 1];
    struct warp_place *place = &machine->warps[warp];
    *place = (struct warp_place){.first_lane = machine->lane_count,
                                 .present = present,
                                 .width = 32 - (uint32_t)__builtin_clz(present),
                                 .cta = machine->cta_count - 1,
                                 .index = cta->warps++};
    for (uint32_t p = 0; p < place->width; p++) {
        struct lane_place *lane = add_lane(machine, warp, p);
        for (uint32_t i = 0; i < count; i++)
            if (entries[i].lane == p) {
                lane->column = entries[i].column;
                lane->program = machine->test->columns[lane->column].body;
            }
    }
    machine->clusters[cta->cluster].threads += count;
}

static void open_cta(struct machine *machine, const struct entry *entry, bool new_cluster)
{
    if (new_cluster)
        machine->clusters[machine->cluster_count++] =
            (struct cluster_place){.first_cta = machine->cta_count, .gpu = entry->gpu};
    struct cluster_place *cluster = &machine->clusters[machine->cluster_count - 1];
    machine->ctas[machine->cta_count++] = (struct cta_place){.first_warp = machine->warp_count,
                                                             .cluster = machine->cluster_count - 1,
                                                             .rank = cluster->ctas++,
                                                             .gpu = entry->gpu,
                                                             .launch = NONE,
                                                             .id = {entry->cta, 0, 0},
                                                             .open = true};
}

void place_columns(struct machine *machine)
{
    const struct test *test = machine->test;
    uint32_t count = test->column_count;
    struct entry *entries = ARENA_ARRAY(machine->arena, struct entry, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct column *c = &test->columns[i];
        entries[i] = (struct entry){.gpu = c->gpu,
                                    .cluster = c->cluster != NONE ? c->cluster : OWN | c->cta,
                                    .cta = c->cta,
                                    .warp = c->warp != NONE ? c->warp : OWN | i,
                                    .lane = c->lane,
                                    .column = i};
    }
    sort_array(entries, count, sizeof *entries, compare_entries);
    for (uint32_t i = 0, end; i < count; i = end) {
        const struct entry *e = &entries[i], *last = i ? &entries[i - 1] : NULL;
        bool new_cluster = !last || last->gpu != e->gpu || last->cluster != e->cluster;
        if (new_cluster || last->cta != e->cta)
            open_cta(machine, e, new_cluster);
        for (end = i; end < count && entries[end].gpu == e->gpu &&
                      entries[end].cluster == e->cluster && entries[end].cta == e->cta &&
                      entries[end].warp == e->warp && end - i < 32;)
            end++;
        place_warp(machine, &entries[i], end - i);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

static uint32_t volume(struct dim3 d)
{
    return d.x * d.y * d.z;
}

uint32_t place_cluster_ctas(const struct launch *launch)
{
    return volume(launch->cluster) ? volume(launch->cluster) : 1;
}

uint32_t place_clusters(const struct launch *launch)
{
    return volume(launch->grid) / place_cluster_ctas(launch);
}

static struct dim3 unfold(uint32_t index, struct dim3 size)
{
    return (struct dim3){index % size.x, index / size.x % size.y, index / size.x / size.y};
}

static struct dim3 cluster_shape(const struct launch *launch)
{
    return volume(launch->cluster) ? launch->cluster : (struct dim3){1, 1, 1};
}

static struct dim3 cta_id(const struct launch *launch, uint32_t cluster, uint32_t rank)
{
    struct dim3 shape = cluster_shape(launch), grid = launch->grid;
    struct dim3 clusters = {grid.x / shape.x, grid.y / shape.y, grid.z / shape.z};
    struct dim3 c = unfold(cluster, clusters), r = unfold(rank, shape);
    return (struct dim3){c.x * shape.x + r.x, c.y * shape.y + r.y, c.z * shape.z + r.z};
}

/* Special registers whose value place_move_cluster changes. */
bool place_moves(enum special special)
{
    return special == SPECIAL_CTAID_X || special == SPECIAL_CTAID_Y || special == SPECIAL_CTAID_Z ||
           special == SPECIAL_CLUSTERID_X || special == SPECIAL_CLUSTERID_Y ||
           special == SPECIAL_CLUSTERID_Z;
}

void place_move_cluster(struct machine *machine, uint32_t cluster, uint32_t index)
{
    const struct cluster_place *place = &machine->clusters[cluster];
    for (uint32_t i = 0; i < place->ctas; i++) {
        struct cta_place *cta = &machine->ctas[place->first_cta + i];
        cta->id = cta_id(&machine->test->launches[cta->launch], index, cta->rank);
    }
}

static void place_block(struct machine *machine, uint32_t launch, uint32_t program)
{
    uint32_t threads = volume(machine->test->launches[launch].block), cta = machine->cta_count - 1;
    struct cta_place *place = &machine->ctas[cta];
    for (uint32_t first = 0; first < threads; first += 32) {
        uint32_t width = threads - first < 32 ? threads - first : 32, warp = machine->warp_count++;
        machine->warps[warp] = (struct warp_place){.first_lane = machine->lane_count,
                                                   .width = width,
                                                   .present = UINT32_MAX >> (32 - width),
                                                   .cta = cta,
                                                   .index = place->warps++};
        for (uint32_t p = 0; p < width; p++) {
            struct lane_place *lane = add_lane(machine, warp, p);
            lane->program = program;
            lane->launch = launch;
            lane->tid = first + p;
        }
    }
    machine->clusters[place->cluster].threads += threads;
}

void place_cluster(struct machine *machine, uint32_t launch, uint32_t program, uint32_t index)
{
    const struct launch *l = &machine->test->launches[launch];
    uint32_t cluster = machine->cluster_count++;
    machine->clusters[cluster] = (struct cluster_place){
        .first_cta = machine->cta_count, .ctas = place_cluster_ctas(l), .gpu = l->gpu};
    for (uint32_t rank = 0; rank < machine->clusters[cluster].ctas; rank++) {
        machine->ctas[machine->cta_count++] = (struct cta_place){.first_warp = machine->warp_count,
                                                                 .cluster = cluster,
                                                                 .rank = rank,
                                                                 .gpu = l->gpu,
                                                                 .launch = launch};
        place_block(machine, launch, program);
    }
    place_move_cluster(machine, cluster, index);
}

/* ---- special registers --------------------------------------------------------------------- */

/* The shape a lane sees; columns stand in a line of warps in one line of CTAs. */
struct lane_shape {
    struct dim3 tid, ntid, ctaid, nctaid, clusterid, nclusterid, rank, cluster;
};

static struct lane_shape column_shape(const struct machine *machine, const struct lane_place *lane)
{
    const struct cta_place *cta = &machine->ctas[lane->cta];
    const struct cluster_place *cluster = &machine->clusters[cta->cluster];
    const struct dim3 one = {1, 1, 1};
    struct lane_shape s = {.ntid = {32 * cta->warps, 1, 1},
                           .nctaid = {machine->cta_count, 1, 1},
                           .nclusterid = {machine->cluster_count, 1, 1},
                           .cluster = one};
    s.tid.x = 32 * machine->warps[lane->warp].index + lane->lane;
    s.ctaid = cta->id;
    s.clusterid.x = cta->cluster;
    s.rank.x = cta->rank;
    s.cluster.x = cluster->ctas;
    return s;
}

static struct lane_shape launch_shape(const struct machine *machine, const struct lane_place *lane)
{
    const struct launch *launch = &machine->test->launches[lane->launch];
    const struct cta_place *cta = &machine->ctas[lane->cta];
    struct lane_shape s = {.tid = unfold(lane->tid, launch->block),
                           .ntid = launch->block,
                           .ctaid = cta->id,
                           .nctaid = launch->grid,
                           .cluster = cluster_shape(launch)};
    s.rank =
        (struct dim3){cta->id.x % s.cluster.x, cta->id.y % s.cluster.y, cta->id.z % s.cluster.z};
    s.clusterid =
        (struct dim3){cta->id.x / s.cluster.x, cta->id.y / s.cluster.y, cta->id.z / s.cluster.z};
    s.nclusterid = (struct dim3){launch->grid.x / s.cluster.x, launch->grid.y / s.cluster.y,
                                 launch->grid.z / s.cluster.z};
    return s;
}

static uint32_t axis(struct dim3 d, uint32_t i)
{
    return i == 0 ? d.x : i == 1 ? d.y : d.z;
}

/* What the register shows one axis of, or NULL. */
static const struct dim3 *part_of(const struct lane_shape *s, enum special special)
{
    const struct {
        enum special x, y, z;
        const struct dim3 *part;
    } rows[] = {
#define ROW(name, part) {SPECIAL_##name##_X, SPECIAL_##name##_Y, SPECIAL_##name##_Z, &s->part}
        ROW(TID, tid),
        ROW(NTID, ntid),
        ROW(CTAID, ctaid),
        ROW(NCTAID, nctaid),
        ROW(CLUSTERID, clusterid),
        ROW(NCLUSTERID, nclusterid),
        ROW(CLUSTER_CTAID, rank),
        ROW(CLUSTER_NCTAID, cluster),
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (special == rows[i].x || special == rows[i].y || special == rows[i].z)
            return rows[i].part;
    return NULL;
}

static uint64_t shared_bytes(const struct machine *machine)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].space == SPACE_SHARED && machine->regions[i].cta == 0)
            bytes += machine->regions[i].bytes;
    return bytes;
}

uint64_t place_workspace(const struct machine *machine, uint32_t launch)
{
    if (launch == NONE || machine->workspaces[launch] == NONE)
        return 0;
    return outcome_address(machine->test, machine->workspaces[launch], 0);
}

static uint64_t warp_special(const struct machine *machine, const struct lane_place *lane,
                             enum special special)
{
    uint32_t bit = 1u << lane->lane, below = bit - 1;
    switch (special) {
    case SPECIAL_LANEID:
        return lane->lane;
    case SPECIAL_WARPID:
        return machine->warps[lane->warp].index;
    case SPECIAL_NWARPID:
        return machine->ctas[lane->cta].warps;
    case SPECIAL_LANEMASK_EQ:
        return bit;
    case SPECIAL_LANEMASK_LT:
        return below;
    case SPECIAL_LANEMASK_LE:
        return below | bit;
    case SPECIAL_LANEMASK_GT:
        return ~(below | bit);
    case SPECIAL_LANEMASK_GE:
        return ~below;
    case SPECIAL_NSMID:
        return 1;
    case SPECIAL_ENVREG1:
        return place_workspace(machine, lane->launch) >> 32;
    case SPECIAL_ENVREG2:
        return place_workspace(machine, lane->launch) & UINT32_MAX;
    case SPECIAL_DYNAMIC_SMEM_SIZE:
        return lane->launch == NONE ? 0
                                    : machine->test->launches[lane->launch].dynamic_shared_bytes;
    case SPECIAL_TOTAL_SMEM_SIZE:
        return shared_bytes(machine);
    case SPECIAL_SMID: /* any constant */
    case SPECIAL_GRIDID:
        return 0;
    default: /* a row of special.def that nobody gave a value */
        abort();
    }
}

uint64_t place_special(const struct machine *machine, uint32_t index, enum special special)
{
    const struct lane_place *lane = &machine->lanes[index];
    struct lane_shape s =
        lane->launch != NONE ? launch_shape(machine, lane) : column_shape(machine, lane);
    const struct dim3 *part = part_of(&s, special);
    if (part)
        return axis(*part, special_axis(special));
    if (special == SPECIAL_CLUSTER_CTARANK)
        return machine->ctas[lane->cta].rank;
    if (special == SPECIAL_CLUSTER_NCTARANK)
        return volume(s.cluster);
    return warp_special(machine, lane, special);
}

uint32_t place_linear_cta(const struct machine *machine, uint32_t cta)
{
    const struct cta_place *place = &machine->ctas[cta];
    if (place->launch == NONE)
        return place->id.x;
    struct dim3 grid = machine->test->launches[place->launch].grid;
    return place->id.x + grid.x * (place->id.y + grid.y * place->id.z);
}
