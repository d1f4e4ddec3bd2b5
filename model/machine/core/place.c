/* SPDX-License-Identifier: MIT */
#include "model/machine/core/place.h"

#include <stdlib.h>

#include "litmus/base/sort.h"
#include "litmus/test/launch.h"
#include "model/execution/outcome.h"

/* ---- what comes next ----------------------------------------------------------------------- */

static void add_cluster(struct machine *machine)
{
    machine->clusters[machine->cluster_count++] =
        (struct cluster_place){.first_cta = machine->cta_count};
}

/* A CTA of the last cluster. The cluster is alone in wider places of the device, which have its
 * number. */
static struct cta_place *add_cta(struct machine *machine, uint32_t launch, uint32_t gpu)
{
    uint32_t cluster = machine->cluster_count - 1;
    struct cta_place *cta = &machine->ctas[machine->cta_count];
    *cta = (struct cta_place){.first_warp = machine->warp_count,
                              .rank = machine->clusters[cluster].ctas++,
                              .launch = launch};
#define PLACE(scope, member) cta->member = cluster;
#include "litmus/isa/words.def"
    cta->cta = machine->cta_count++;
    cta->gpu = gpu;
    return cta;
}

/* A warp of the last CTA. Gives its lanes, which are nobody's yet: positions up to the highest
 * that is present. */
static struct lane_place *add_warp(struct machine *machine, uint32_t present)
{
    struct lane_place *lanes = &machine->lanes[machine->lane_count];
    struct warp_place *warp = &machine->warps[machine->warp_count++];
    struct cta_place *cta = &machine->ctas[machine->cta_count - 1];
    *warp = (struct warp_place){.first_lane = machine->lane_count,
                                .width = 32 - (uint32_t)__builtin_clz(present),
                                .present = present,
                                .cta = machine->cta_count - 1,
                                .index = cta->warps++};
    machine->lane_count += warp->width;
    for (uint32_t p = 0; p < warp->width; p++)
        lanes[p] = (struct lane_place){.warp = machine->warp_count - 1,
                                       .lane = p,
                                       .cta = warp->cta,
                                       .cluster = cta->cluster,
                                       .program = NONE,
                                       .column = NONE,
                                       .launch = NONE,
                                       .tid = NONE,
                                       .host = NONE,
                                       .task = NONE};
    return lanes;
}

struct lane_place *place_alone(struct machine *machine, uint32_t program, uint32_t gpu)
{
    add_cluster(machine);
    add_cta(machine, NONE, gpu);
    struct lane_place *lane = add_warp(machine, 1);
    lane->program = program;
    return lane;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* A column by its place: the sort brings together what shares a cluster, a CTA, a warp. */
struct entry {
    uint32_t gpu, cluster, cta, warp, column;
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

/* Columns of one warp, in the lanes that the check of the test gave them. */
static void place_warp(struct machine *machine, const struct entry *entries, uint32_t count)
{
    uint32_t present = 0;
    for (uint32_t i = 0; i < count; i++)
        present |= 1u << machine->test->columns[entries[i].column].lane;
    struct lane_place *lanes = add_warp(machine, present);
    for (uint32_t i = 0; i < count; i++) {
        const struct column *column = &machine->test->columns[entries[i].column];
        lanes[column->lane].column = entries[i].column;
        lanes[column->lane].program = column->body;
    }
}

/* Are both columns in one place of that scope? Numbers are unique on a device, and columns that share
 * a place share all wider ones, also those that they do not name. */
static bool share_place(const struct column *a, const struct column *b, enum scope widest)
{
    bool shared = false;
#define PLACE(scope, member)                                                                       \
    if (SCOPE_##scope <= widest && a->member != NONE && a->member == b->member)                    \
        shared = a->gpu == b->gpu;
#include "litmus/isa/words.def"
    return shared;
}

/* The column that the first lane of the CTA runs. */
static const struct column *column_in(const struct machine *machine, const struct cta_place *cta)
{
    const struct warp_place *warp = &machine->warps[cta->first_warp];
    uint32_t lane = warp->first_lane + (uint32_t)__builtin_ctz(warp->present);
    return &machine->test->columns[machine->lanes[lane].column];
}

/* Gives each CTA the numbers of the places that it shares with an earlier one. */
static void join_ctas(struct machine *machine)
{
    for (struct cta_place *late = machine->ctas; late < machine->ctas + machine->cta_count; late++)
        for (const struct cta_place *early = machine->ctas; early < late; early++) {
            const struct column *a = column_in(machine, early), *b = column_in(machine, late);
#define PLACE(scope, member)                                                                       \
    if (share_place(a, b, SCOPE_##scope))                                                          \
        late->member = early->member;
#include "litmus/isa/words.def"
        }
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
                                    .column = i};
    }
    sort_array(entries, count, sizeof *entries, compare_entries);
    for (uint32_t i = 0, end; i < count; i = end) {
        const struct entry *e = &entries[i], *last = i ? &entries[i - 1] : NULL;
        bool new_cluster = !last || last->gpu != e->gpu || last->cluster != e->cluster;
        if (new_cluster)
            add_cluster(machine);
        if (new_cluster || last->cta != e->cta) {
            struct cta_place *cta = add_cta(machine, NONE, e->gpu);
            cta->id.x = e->cta;
            cta->open = true;
        }
        for (end = i; end < count && entries[end].gpu == e->gpu &&
                      entries[end].cluster == e->cluster && entries[end].cta == e->cta &&
                      entries[end].warp == e->warp;)
            end++;
        place_warp(machine, &entries[i], end - i);
    }
    join_ctas(machine);
}

/* ---- launches ------------------------------------------------------------------------------ */

uint32_t place_clusters(const struct launch *launch)
{
    return (uint32_t)(launch_ctas(launch) / launch_cluster_ctas(launch));
}

/* The place of an index in a box. */
static struct dim3 unfold(uint32_t index, struct dim3 size)
{
    return (struct dim3){index % size.x, index / size.x % size.y, index / size.x / size.y};
}

static struct dim3 divide(struct dim3 a, struct dim3 b)
{
    return (struct dim3){a.x / b.x, a.y / b.y, a.z / b.z};
}

static struct dim3 cta_id(const struct launch *launch, uint32_t cluster, uint32_t rank)
{
    struct dim3 shape = launch->cluster, c = unfold(cluster, divide(launch->grid, shape));
    struct dim3 r = unfold(rank, shape);
    return (struct dim3){c.x * shape.x + r.x, c.y * shape.y + r.y, c.z * shape.z + r.z};
}

struct dim3 place_first_cta(const struct launch *launch, uint32_t cluster)
{
    return cta_id(launch, cluster, 0);
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

/* The threads of one CTA of a launch, 32 to a warp. */
static void place_block(struct machine *machine, uint32_t launch, uint32_t program)
{
    uint32_t threads = (uint32_t)launch_volume(machine->test->launches[launch].block);
    for (uint32_t first = 0; first < threads; first += 32) {
        uint32_t width = threads - first < 32 ? threads - first : 32;
        struct lane_place *lanes = add_warp(machine, UINT32_MAX >> (32 - width));
        for (uint32_t p = 0; p < width; p++) {
            lanes[p].program = program;
            lanes[p].launch = launch;
            lanes[p].tid = first + p;
        }
    }
}

void place_cluster(struct machine *machine, uint32_t launch, uint32_t index, uint32_t gpu)
{
    add_cluster(machine);
    for (uint32_t i = 0; i < launch_cluster_ctas(&machine->test->launches[launch]); i++) {
        add_cta(machine, launch, gpu);
        place_block(machine, launch, machine->test->body_count + launch);
    }
    place_move_cluster(machine, machine->cluster_count - 1, index);
}

/* ---- special registers --------------------------------------------------------------------- */

/* The shape a lane sees; columns stand in a line of warps in one line of CTAs. */
struct lane_shape {
    struct dim3 tid, ntid, ctaid, nctaid, clusterid, nclusterid, rank, cluster;
};

static struct lane_shape column_shape(const struct machine *machine, const struct lane_place *lane)
{
    const struct cta_place *cta = &machine->ctas[lane->cta];
    return (struct lane_shape){.tid.x = 32 * machine->warps[lane->warp].index + lane->lane,
                               .ntid = {32 * cta->warps, 1, 1},
                               .ctaid = cta->id,
                               .nctaid = {machine->cta_count, 1, 1},
                               .clusterid.x = cta->cluster,
                               .nclusterid = {machine->cluster_count, 1, 1},
                               .rank.x = cta->rank,
                               .cluster = {machine->clusters[cta->cluster].ctas, 1, 1}};
}

static struct lane_shape launch_shape(const struct machine *machine, const struct lane_place *lane)
{
    const struct launch *launch = &machine->test->launches[lane->launch];
    const struct cta_place *cta = &machine->ctas[lane->cta];
    struct dim3 id = cta->id, shape = launch->cluster;
    return (struct lane_shape){.tid = unfold(lane->tid, launch->block),
                               .ntid = launch->block,
                               .ctaid = id,
                               .nctaid = launch->grid,
                               .clusterid = divide(id, shape),
                               .nclusterid = divide(launch->grid, shape),
                               .rank = {id.x % shape.x, id.y % shape.y, id.z % shape.z},
                               .cluster = shape};
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
    case SPECIAL_IS_EXPLICIT_CLUSTER:
        return lane->launch != NONE &&
               launch_is_clustered(machine->test, &machine->test->launches[lane->launch]);
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
        return launch_volume(s.cluster);
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
