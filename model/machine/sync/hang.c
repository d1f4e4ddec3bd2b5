/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/hang.h"

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/sync/mbarrier.h"
#include "model/machine/core/run.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/collective.h"

/* Reports why no lane can move any more (lane-semantics section 6): one report for each group
 * of lanes that wait together, with what they wait for, which lanes are missing and where those
 * are. */

struct hang_scene {
    struct run *run;
    const bool *spinning; /* by lane, or NULL */
};

/* "a; b", or 'b' alone. */
static const char *joined(const struct hang_scene *h, const char *a, const char *b)
{
    return a ? arena_printf(h->run->reports->arena, "%s; %s", a, b) : b;
}

static const char *line_of(const struct hang_scene *h, uint32_t lane)
{
    return run_micro_name(h->run, run_micro(h->run, lane));
}

static uint32_t lowest_lane(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    return h->run->machine->warps[warp].first_lane + lowest(lanes);
}

/* Where a lane is that does not come. */
static const char *whereabouts(const struct hang_scene *h, uint32_t lane)
{
    if (run_exited(h->run, lane))
        return "exited";
    bool spins = h->spinning && h->spinning[lane];
    return arena_printf(h->run->reports->arena, "%s at %s", spins ? "spinning" : "waiting",
                        line_of(h, lane));
}

/* "lanes 16-31 of warp 0 (CTA 0) waiting at 'bar.warp.sync' (line 9)", for the lanes of one warp.
 */
static const char *describe_missing(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    struct arena *arena = h->run->reports->arena;
    uint32_t first = h->run->machine->warps[warp].first_lane;
    const char *text = NULL;
    while (lanes) {
        const char *where = whereabouts(h, first + lowest(lanes));
        uint32_t same = 0;
        EACH_LANE(p, lanes) {
            if (!strcmp(whereabouts(h, first + p), where))
                same |= 1u << p;
        }
        const char *part = arena_printf(arena, "%s %s", run_lanes_name(h->run, warp, same), where);
        text = joined(h, text, part);
        lanes &= ~same;
    }
    return text ? text : "nobody";
}

/* ---- collectives --------------------------------------------------------------------------- */

static uint32_t same_key(const struct hang_scene *h, uint32_t warp, uint32_t p, uint32_t among)
{
    const struct machine *machine = h->run->machine;
    uint32_t first = machine->warps[warp].first_lane, lanes = 0;
    const struct micro *micro = run_micro(h->run, first + p);
    uint32_t key = run_lane(h->run, first + p)->key;
    EACH_LANE(q, among) {
        const struct micro *other = run_micro(h->run, first + q);
        if (run_lane(h->run, first + q)->key == key &&
            (micro == other || collective_same(micro, other) ||
             (micro->kind == MICRO_BARRIER && other->kind == MICRO_BARRIER)))
            lanes |= 1u << q;
    }
    return lanes;
}

static void explain_collective(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    const struct warp *w = run_warp(h->run, warp);
    uint32_t lane = lowest_lane(h, warp, lanes);
    uint32_t mask = run_lane(h->run, lane)->key;
    uint32_t missing = mask & ~lanes & ~w->exited, elsewhere = 0;
    EACH_LANE(p, missing & w->gathering) {
        if (run_micro(h->run, machine->warps[warp].first_lane + p)->kind == MICRO_COLLECTIVE)
            elsewhere |= 1u << p;
    }
    run_report(h->run, lane, elsewhere ? REPORT_COLLECTIVE_MISMATCH : REPORT_MASK_NAMES_ABSENT_LANE,
               "%s wait at %s with mask 0x%08x for %s", run_lanes_name(h->run, warp, lanes),
               line_of(h, lane), mask, describe_missing(h, warp, missing));
}

/* ---- barriers ------------------------------------------------------------------------------ */

/* The lanes of warps 'first' to before 'end' that do not come: those that 'absent' gives. */
static const char *missing_in(const struct hang_scene *h, uint32_t first, uint32_t end,
                              uint32_t (*absent)(const struct run *run, uint32_t warp,
                                                 const struct barrier *barrier),
                              const struct barrier *barrier)
{
    const char *text = NULL;
    for (uint32_t w = first; w < end; w++) {
        uint32_t lanes = absent(h->run, w, barrier);
        if (lanes)
            text = joined(h, text, describe_missing(h, w, lanes));
    }
    return text ? text : "nobody";
}

static uint32_t absent_at_barrier(const struct run *run, uint32_t warp,
                                  const struct barrier *barrier)
{
    const struct warp_place *place = &run->machine->warps[warp];
    if (barrier->arrived >> place->index & 1)
        return 0;
    return barrier->need == NEED_ALL ? place->present & ~run_warp(run, warp)->exited
                                     : place->present;
}

static void explain_aligned(const struct hang_scene *h, uint32_t lane, const char *missing)
{
    if (run_micro(h->run, lane)->inst->flags & FLAG_ALIGNED)
        run_report(h->run, lane, REPORT_ALIGNED_BARRIER_DIVERGENT, "%s never executes it", missing);
}

static void explain_barrier(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    uint32_t lane = lowest_lane(h, warp, lanes), cta = h->run->machine->warps[warp].cta;
    uint32_t id = run_lane(h->run, lane)->key & ~KEY_BARRIER;
    const struct cta_place *place = &h->run->machine->ctas[cta];
    const struct barrier *barrier = run_barrier(h->run, cta, id);
    const char *there = run_lanes_name(h->run, warp, lanes);
    const char *missing = missing_in(h, place->first_warp, place->first_warp + place->warps,
                                     absent_at_barrier, barrier);
    if (barrier->need != NEED_ALL) {
        run_report(h->run, lane, REPORT_COUNT_NEVER_FILLED,
                   "%s wait at %s, barrier %u generation %u: %u of %u threads; missing: %s", there,
                   line_of(h, lane), id, barrier->generation, barrier_threads(barrier),
                   barrier->need, missing);
        return;
    }
    run_report(h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE,
               "%s wait at %s, barrier %u generation %u, for %s", there, line_of(h, lane), id,
               barrier->generation, missing);
    explain_aligned(h, lane, missing);
}

/* Some lanes of a warp are at the barrier, the others do not come. */
static void explain_gathering(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    uint32_t lane = lowest_lane(h, warp, lanes);
    const char *missing = describe_missing(h, warp, ~lanes & ~run_warp(h->run, warp)->exited);
    run_report(h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s, barrier %u, for %s",
               run_lanes_name(h->run, warp, lanes), line_of(h, lane),
               run_lane(h->run, lane)->key & ~KEY_BARRIER, missing);
    explain_aligned(h, lane, missing);
}

static uint32_t absent_in_cluster(const struct run *run, uint32_t warp,
                                  const struct barrier *barrier)
{
    (void)barrier;
    return ~(run_warp(run, warp)->arrived | run_warp(run, warp)->exited);
}

static void explain_cluster(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    uint32_t lane = lowest_lane(h, warp, lanes);
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[lane].cluster];
    const struct cta_place *first = &machine->ctas[cluster->first_cta];
    const struct cta_place *last = first + cluster->ctas - 1;
    run_report(
        h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s for %s",
        run_lanes_name(h->run, warp, lanes), line_of(h, lane),
        missing_in(h, first->first_warp, last->first_warp + last->warps, absent_in_cluster, NULL));
}

/* ---- spinning ------------------------------------------------------------------------------ */

/* Does the loop that ends at this back edge wait at an mbarrier? */
static bool waits_at_mbarrier(const struct hang_scene *h, uint32_t lane)
{
    const struct program *program = run_program(h->run, lane);
    uint32_t pc = run_lane(h->run, lane)->pc;
    for (uint32_t end = pc; end < program->micro_count; end++) {
        const struct micro *branch = &program->micros[end];
        if (branch->kind != MICRO_BRANCH || branch->target > pc)
            continue;
        for (uint32_t i = branch->target; i <= end; i++)
            if (program->micros[i].kind == MICRO_MBARRIER &&
                mbarrier_waits(program->micros[i].inst->op))
                return true;
    }
    return false;
}

/* Lanes of its warp that have not exited either. */
static uint32_t warp_mates(const struct hang_scene *h, uint32_t lane)
{
    const struct lane_place *place = &h->run->machine->lanes[lane];
    return ~run_warp(h->run, place->warp)->exited & ~(1u << place->lane);
}

static void explain_spin(const struct hang_scene *h, uint32_t lane)
{
    enum report_id id = REPORT_SPIN_FOREVER;
    if (waits_at_mbarrier(h, lane))
        id = REPORT_MBARRIER_NEVER_COMPLETES;
    else if (program_reads(run_program(h->run, lane), SPECIAL_ENVREG2))
        id = REPORT_GRID_SYNC_SKIPPED;
    else if (h->run->machine->options.mode == MACHINE_LOCKSTEP && warp_mates(h, lane))
        id = REPORT_LOCKSTEP_SPIN;
    run_report(h->run, lane, id, "goes round the loop at %s; nobody writes what it reads any more",
               line_of(h, lane));
}

/* A driver waits for its task's lanes: they are explained themselves. */
static void explain_call(const struct hang_scene *h, uint32_t lane)
{
    enum micro_kind kind = run_micro(h->run, lane)->kind;
    if (kind == MICRO_GRIDDEP)
        run_report(h->run, lane, REPORT_API_WAIT,
                   "waits at griddepcontrol.wait for a kernel that never ends");
    else if (kind == MICRO_GRID_SYNC)
        run_report(h->run, lane, REPORT_GRID_SYNC_SKIPPED, "waits at grid.sync for the whole grid");
    else if (!api_is_driver(h->run->machine, lane))
        run_report(h->run, lane, REPORT_API_WAIT, "waits in a call for work that never ends");
}

/* ---- all ----------------------------------------------------------------------------------- */

static void explain_group(const struct hang_scene *h, uint32_t warp, uint32_t lanes, bool gathering)
{
    if (!gathering)
        explain_barrier(h, warp, lanes);
    else if (run_micro(h->run, lowest_lane(h, warp, lanes))->kind == MICRO_COLLECTIVE)
        explain_collective(h, warp, lanes);
    else
        explain_gathering(h, warp, lanes);
}

static bool explain_warp(const struct hang_scene *h, uint32_t warp)
{
    const struct warp *w = run_warp(h->run, warp);
    uint32_t first = h->run->machine->warps[warp].first_lane;
    for (uint32_t left = w->gathering | w->at_barrier, same; left; left &= ~same) {
        bool gathering = left & w->gathering;
        uint32_t among = gathering ? left & w->gathering : left;
        same = same_key(h, warp, lowest(among), among);
        explain_group(h, warp, same, gathering);
    }
    if (w->at_cluster)
        explain_cluster(h, warp, w->at_cluster);
    EACH_LANE(p, w->running) {
        if (api_blocked(h->run, first + p))
            explain_call(h, first + p);
        else if (h->spinning && h->spinning[first + p])
            explain_spin(h, first + p);
    }
    return w->gathering | w->at_barrier | w->at_cluster | w->running;
}

bool hang_explain(struct run *run, const bool *spinning)
{
    const struct hang_scene h = {run, spinning};
    bool any = false;
    for (uint32_t w = 0; w < run->machine->warp_count; w++)
        any |= explain_warp(&h, w);
    return any;
}
