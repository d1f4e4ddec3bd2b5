/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/hang.h"

#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/core/region.h"
#include "model/machine/sync/mbarrier.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/collective.h"

/* Reports why no lane can move any more (lane-semantics section 6): one report for each group
 * of lanes that wait together, with what they wait for, which lanes are missing and where those
 * are. */

struct hang_scene {
    struct run *run;
    const bool *spinning; /* by lane, or NULL */
    uint64_t *mbarriers;  /* by lane: the address of that which it waits at in a loop, or 0 */
};

/* Lanes of a warp that wait together. */
struct waiters {
    const struct hang_scene *h;
    uint32_t warp, lanes, lane; /* lane: of the machine, the lowest of them */
    const char *who, *at;
};

static const char *line_of(const struct hang_scene *h, uint32_t lane)
{
    return run_micro_name(h->run, run_micro(h->run, lane));
}

static struct waiters waiters_of(const struct hang_scene *h, uint32_t warp, uint32_t lanes)
{
    uint32_t lane = run_first(h->run, warp) + lowest(lanes);
    return (struct waiters){
        h, warp, lanes, lane, run_lanes_name(h->run, warp, lanes), line_of(h, lane)};
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

/* Adds "lanes 16-31 of warp 0 (CTA 0) waiting at 'bar.warp.sync' (line 9)" to 'text', which may be
 * NULL, for the lanes of one warp. */
static const char *add_missing(const struct hang_scene *h, const char *text, uint32_t warp,
                               uint32_t lanes)
{
    struct arena *arena = h->run->reports->arena;
    uint32_t first = run_first(h->run, warp);
    for (uint32_t same; lanes; lanes &= ~same) {
        const char *where = whereabouts(h, first + lowest(lanes));
        same = 0;
        EACH_LANE(p, lanes) {
            if (!strcmp(whereabouts(h, first + p), where))
                same |= 1u << p;
        }
        text = arena_printf(arena, "%s%s%s %s", text ? text : "", text ? "; " : "",
                            run_lanes_name(h->run, warp, same), where);
    }
    return text;
}

static const char *or_nobody(const char *text)
{
    return text ? text : "nobody";
}

/* ---- collectives --------------------------------------------------------------------------- */

static uint32_t same_key(const struct hang_scene *h, uint32_t warp, uint32_t p, uint32_t among)
{
    uint32_t first = run_first(h->run, warp), lanes = 0;
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

static void explain_collective(const struct waiters *w)
{
    struct run *run = w->h->run;
    const struct warp *warp = run_warp(run, w->warp);
    uint32_t mask = run_lane(run, w->lane)->key;
    uint32_t missing = mask & ~w->lanes & ~warp->exited, elsewhere = 0;
    EACH_LANE(p, missing & warp->gathering) {
        if (run_micro(run, run_first(run, w->warp) + p)->kind == MICRO_COLLECTIVE)
            elsewhere |= 1u << p;
    }
    run_report(run, w->lane, elsewhere ? REPORT_COLLECTIVE_MISMATCH : REPORT_MASK_NAMES_ABSENT_LANE,
               "%s wait at %s with mask 0x%08x for %s", w->who, w->at, mask,
               or_nobody(add_missing(w->h, NULL, w->warp, missing)));
}

/* ---- barriers ------------------------------------------------------------------------------ */

/* Lanes of the warp that do not come to the barrier of their CTA, or (NULL) of their cluster. */
static uint32_t absent(const struct run *run, uint32_t warp, const struct barrier *barrier)
{
    const struct warp_place *place = &run->machine->warps[warp];
    const struct warp *w = run_warp(run, warp);
    if (!barrier)
        return ~(w->arrived | w->exited);
    if (barrier->arrived >> place->index & 1)
        return 0;
    return place->present & ~(barrier->need == NEED_ALL ? w->exited : 0);
}

/* The same of the warps of 'ctas' CTAs from 'cta' on. */
static const char *missing_in(const struct hang_scene *h, uint32_t cta, uint32_t ctas,
                              const struct barrier *barrier)
{
    const struct cta_place *first = &h->run->machine->ctas[cta], *last = first + ctas - 1;
    const char *text = NULL;
    for (uint32_t w = first->first_warp; w < last->first_warp + last->warps; w++)
        text = add_missing(h, text, w, absent(h->run, w, barrier));
    return or_nobody(text);
}

/* Gathering: some lanes of a warp are at the barrier, the others do not come. */
static void explain_barrier(const struct waiters *w, bool gathering)
{
    struct run *run = w->h->run;
    uint32_t id = run_lane(run, w->lane)->key & ~KEY_BARRIER;
    uint32_t cta = run->machine->warps[w->warp].cta;
    const struct barrier *barrier = run_barrier(run, cta, id);
    const char *which = arena_printf(run->reports->arena, "barrier %u", id), *missing;
    if (gathering) {
        uint32_t others = ~w->lanes & ~run_warp(run, w->warp)->exited;
        missing = or_nobody(add_missing(w->h, NULL, w->warp, others));
    } else {
        which = arena_printf(run->reports->arena, "%s generation %u", which, barrier->generation);
        missing = missing_in(w->h, cta, 1, barrier);
    }
    if (!gathering && barrier->need != NEED_ALL) {
        run_report(run, w->lane, REPORT_COUNT_NEVER_FILLED,
                   "%s wait at %s, %s: %u of %u threads; missing: %s", w->who, w->at, which,
                   barrier_threads(barrier), barrier->need, missing);
        return;
    }
    run_report(run, w->lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s, %s, for %s", w->who,
               w->at, which, missing);
    if (run_micro(run, w->lane)->inst->flags & FLAG_ALIGNED)
        run_report(run, w->lane, REPORT_ALIGNED_BARRIER_DIVERGENT, "%s never executes it", missing);
}

static void explain_cluster(const struct waiters *w)
{
    const struct machine *machine = w->h->run->machine;
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[w->lane].cluster];
    run_report(w->h->run, w->lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s for %s", w->who,
               w->at, missing_in(w->h, cluster->first_cta, cluster->ctas, NULL));
}

/* ---- spinning ------------------------------------------------------------------------------ */

/* The wait at an mbarrier in the loop that the lane goes round, or NULL. */
static const struct micro *mbarrier_wait(const struct run *run, uint32_t lane)
{
    const struct program *program = run_program(run, lane);
    uint32_t pc = run_lane(run, lane)->pc;
    for (uint32_t end = pc; end < program->micro_count; end++) {
        const struct micro *branch = &program->micros[end];
        if (branch->kind != MICRO_BRANCH || branch->target > pc)
            continue;
        for (uint32_t i = branch->target; i <= end; i++)
            if (program->micros[i].kind == MICRO_MBARRIER &&
                mbarrier_waits(program->micros[i].inst->op))
                return &program->micros[i];
    }
    return NULL;
}

static void find_mbarriers(struct hang_scene *h)
{
    uint32_t count = h->run->machine->lane_count;
    h->mbarriers = ARENA_ARRAY(h->run->reports->arena, uint64_t, count);
    for (uint32_t lane = 0; h->spinning && lane < count; lane++) {
        const struct micro *wait = h->spinning[lane] ? mbarrier_wait(h->run, lane) : NULL;
        h->mbarriers[lane] = wait ? run_address(h->run, lane, wait) : 0;
    }
}

/* Lanes of the warp that wait at the mbarrier, for those that another CTA has at this address too. */
static uint32_t waiting_at(const struct hang_scene *h, uint32_t warp, uint64_t mbarrier)
{
    uint32_t first = run_first(h->run, warp), lanes = 0;
    EACH_LANE(p, h->run->machine->warps[warp].present) {
        if (h->mbarriers[first + p] == mbarrier)
            lanes |= 1u << p;
    }
    return lanes;
}

/* The object at the address, and what it waits for. */
static const char *what_misses(struct run *run, uint32_t lane, uint64_t mbarrier)
{
    struct arena *arena = run->reports->arena;
    struct mbarrier_missing left;
    if (!mbarrier_find_missing(run, lane, mbarrier, &left))
        return "for a phase";
    const struct region *region = region_find(run->machine, mbarrier, 8);
    const char *object = run_byte_name(run, region, mbarrier);
    if (left.pending)
        return arena_printf(arena, "object %s, for %u of %u arrivals", object, left.pending,
                            left.expected);
    return arena_printf(arena, "object %s, for %lld bytes", object, (long long)left.bytes);
}

/* The lowest lane says it for all that wait at the object, and where the others of the CTA are. */
static void explain_mbarrier(const struct hang_scene *h, uint32_t lane)
{
    struct run *run = h->run;
    struct arena *arena = run->reports->arena;
    const struct lane_place *place = &run->machine->lanes[lane];
    const struct cta_place *cta = &run->machine->ctas[place->cta];
    uint64_t mbarrier = h->mbarriers[lane];
    const char *who = NULL, *missing = NULL;
    for (uint32_t i = 0; i < lane; i++)
        if (h->mbarriers[i] == mbarrier)
            return;
    for (uint32_t w = cta->first_warp; w < cta->first_warp + cta->warps; w++) {
        uint32_t here = waiting_at(h, w, mbarrier);
        const char *lanes = here ? run_lanes_name(run, w, here) : "";
        who = who && here ? arena_printf(arena, "%s, %s", who, lanes) : here ? lanes : who;
        missing = add_missing(h, missing, w, run->machine->warps[w].present & ~here);
    }
    run_report(run, lane, REPORT_MBARRIER_NEVER_COMPLETES,
               "%s wait at %s, %s that never come; the others of the CTA: %s", who,
               run_micro_name(run, mbarrier_wait(run, lane)), what_misses(run, lane, mbarrier),
               or_nobody(missing));
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
    if (h->mbarriers[lane]) {
        explain_mbarrier(h, lane);
        return;
    }
    if (program_reads(run_program(h->run, lane), SPECIAL_ENVREG2))
        id = REPORT_GRID_SYNC_SKIPPED;
    else if (h->run->machine->options.mode == MACHINE_LOCKSTEP && warp_mates(h, lane))
        id = REPORT_LOCKSTEP_SPIN;
    run_report(h->run, lane, id, "goes round the loop at %s; nobody writes what it reads any more",
               line_of(h, lane));
}

/* The contract of grid.sync: all threads of a CTA take part. */
static bool cta_takes_part(const struct hang_scene *h, uint32_t lane)
{
    const struct machine *machine = h->run->machine;
    for (uint32_t i = 0; i < machine->lane_count; i++)
        if (machine->lanes[i].cta == machine->lanes[lane].cta && run_exited(h->run, i))
            return false;
    return true;
}

static void explain_grid_sync(const struct hang_scene *h, uint32_t lane)
{
    if (cta_takes_part(h, lane))
        run_report(h->run, lane, REPORT_GRID_SYNC_SKIPPED, "waits at grid.sync for the whole grid");
    else
        run_report(h->run, lane, REPORT_GRID_SYNC_PARTIAL,
                   "waits at grid.sync, and a thread of its CTA has exited");
}

/* A driver waits for its task's lanes: they are explained themselves. */
static void explain_call(const struct hang_scene *h, uint32_t lane)
{
    enum micro_kind kind = run_micro(h->run, lane)->kind;
    if (kind == MICRO_GRIDDEP)
        run_report(h->run, lane, REPORT_API_WAIT,
                   "waits at griddepcontrol.wait for a kernel that never ends");
    else if (kind == MICRO_GRID_SYNC)
        explain_grid_sync(h, lane);
    else if (!api_is_driver(h->run->machine, lane))
        run_report(h->run, lane, REPORT_API_WAIT, "waits in a call for work that never ends");
}

/* ---- all ----------------------------------------------------------------------------------- */

static bool explain_warp(const struct hang_scene *h, uint32_t warp)
{
    const struct warp *w = run_warp(h->run, warp);
    uint32_t first = run_first(h->run, warp);
    for (uint32_t left = w->gathering | w->at_barrier, same; left; left &= ~same) {
        bool gathering = left & w->gathering;
        uint32_t among = gathering ? left & w->gathering : left;
        same = same_key(h, warp, lowest(among), among);
        const struct waiters waiters = waiters_of(h, warp, same);
        if (gathering && run_micro(h->run, waiters.lane)->kind == MICRO_COLLECTIVE)
            explain_collective(&waiters);
        else
            explain_barrier(&waiters, gathering);
    }
    if (w->at_cluster) {
        const struct waiters waiters = waiters_of(h, warp, w->at_cluster);
        explain_cluster(&waiters);
    }
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
    struct hang_scene h = {.run = run, .spinning = spinning};
    bool any = false;
    find_mbarriers(&h);
    for (uint32_t w = 0; w < run->machine->warp_count; w++)
        any |= explain_warp(&h, w);
    return any;
}
