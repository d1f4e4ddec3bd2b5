/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/sync/mbarrier.h"
#include "model/machine/core/run.h"
#include "model/machine/sync/sync.h"

/* Why nothing moves any more: lane-semantics section 6. One report a group of lanes that wait
 * together, with what they wait for, who is missing and where that is. */

struct hang {
    struct run *run;
    const bool *spinning; /* by lane, or NULL */
};

static const char *line_of(const struct hang *h, uint32_t lane)
{
    const struct machine *machine = h->run->machine;
    return micro_name(h->run->reports->arena, machine, lane_micro(machine, h->run->state, lane));
}

/* Where a lane is that does not come. */
static const char *whereabouts(const struct hang *h, uint32_t lane)
{
    const struct machine *machine = h->run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    const struct warp *warp = state_warp(machine, h->run->state, place->warp);
    struct arena *arena = h->run->reports->arena;
    if (warp->exited >> place->lane & 1)
        return "exited";
    if (h->spinning && h->spinning[lane])
        return arena_printf(arena, "spinning at %s", line_of(h, lane));
    return arena_printf(arena, "waiting at %s", line_of(h, lane));
}

/* "lanes 16-31 of warp 0 (CTA 0) waiting at 'bar.warp.sync' (line 9)", for the lanes of one warp.
 */
static const char *describe_missing(const struct hang *h, uint32_t warp, uint32_t lanes)
{
    struct arena *arena = h->run->reports->arena;
    uint32_t first = h->run->machine->warps[warp].first_lane;
    const char *text = NULL;
    while (lanes) {
        const char *where = whereabouts(h, first + lowest(lanes));
        uint32_t same = 0;
        EACH_LANE(p, lanes)
        {
            if (!strcmp(whereabouts(h, first + p), where))
                same |= 1u << p;
        }
        const char *part =
            arena_printf(arena, "%s %s", lanes_name(arena, h->run->machine, warp, same), where);
        text = text ? arena_printf(arena, "%s; %s", text, part) : part;
        lanes &= ~same;
    }
    return text ? text : "nobody";
}

/* ---- collectives --------------------------------------------------------------------------- */

static uint32_t same_key(const struct hang *h, uint32_t warp, uint32_t p, uint32_t among)
{
    const struct machine *machine = h->run->machine;
    uint32_t first = machine->warps[warp].first_lane, lanes = 0;
    const struct micro *micro = lane_micro(machine, h->run->state, first + p);
    uint32_t key = state_lane(machine, h->run->state, first + p)->key;
    EACH_LANE(q, among)
    {
        const struct micro *other = lane_micro(machine, h->run->state, first + q);
        if (state_lane(machine, h->run->state, first + q)->key == key &&
            (micro == other || collective_same(micro, other) ||
             (micro->kind == MICRO_BARRIER && other->kind == MICRO_BARRIER)))
            lanes |= 1u << q;
    }
    return lanes;
}

static void explain_collective(const struct hang *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    const struct warp *w = state_warp(machine, h->run->state, warp);
    uint32_t lane = machine->warps[warp].first_lane + lowest(lanes);
    uint32_t mask = state_lane(machine, h->run->state, lane)->key;
    uint32_t missing = mask & ~lanes & ~w->exited, elsewhere = 0;
    EACH_LANE(p, missing & w->gathering)
    {
        if (lane_micro(machine, h->run->state, machine->warps[warp].first_lane + p)->kind ==
            MICRO_COLLECTIVE)
            elsewhere |= 1u << p;
    }
    run_report(h->run, lane, elsewhere ? REPORT_COLLECTIVE_MISMATCH : REPORT_MASK_NAMES_ABSENT_LANE,
               "%s wait at %s with mask 0x%08x for %s",
               lanes_name(h->run->reports->arena, machine, warp, lanes), line_of(h, lane), mask,
               describe_missing(h, warp, missing));
}

/* ---- barriers ------------------------------------------------------------------------------ */

static const char *missing_in_cta(const struct hang *h, uint32_t cta, const struct barrier *barrier)
{
    const struct cta_place *place = &h->run->machine->ctas[cta];
    struct arena *arena = h->run->reports->arena;
    const char *text = NULL;
    for (uint32_t w = 0; w < place->warps; w++) {
        uint32_t warp = place->first_warp + w;
        uint32_t lanes = h->run->machine->warps[warp].present;
        if (barrier->need == NEED_ALL)
            lanes &= ~state_warp(h->run->machine, h->run->state, warp)->exited;
        if (barrier->arrived >> w & 1 || !lanes)
            continue;
        const char *part = describe_missing(h, warp, lanes);
        text = text ? arena_printf(arena, "%s; %s", text, part) : part;
    }
    return text ? text : "nobody";
}

static void explain_barrier(const struct hang *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    uint32_t lane = machine->warps[warp].first_lane + lowest(lanes), cta = machine->warps[warp].cta;
    uint32_t id = state_lane(machine, h->run->state, lane)->key & ~KEY_BARRIER;
    const struct barrier *barrier = state_barrier(machine, h->run->state, cta, id);
    struct arena *arena = h->run->reports->arena;
    bool counted = barrier->need != NEED_ALL;
    uint32_t threads =
        barrier->threads ? barrier->threads : 32 * (uint32_t)__builtin_popcount(barrier->arrived);
    const char *there = lanes_name(arena, machine, warp, lanes);
    const char *missing = missing_in_cta(h, cta, barrier);
    if (counted)
        run_report(h->run, lane, REPORT_COUNT_NEVER_FILLED,
                   "%s wait at %s, barrier %u generation %u: %u of %u threads; missing: %s", there,
                   line_of(h, lane), id, barrier->generation, threads, barrier->need, missing);
    else
        run_report(h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE,
                   "%s wait at %s, barrier %u generation %u, for %s", there, line_of(h, lane), id,
                   barrier->generation, missing);
    if (!counted && lane_micro(machine, h->run->state, lane)->inst->flags & FLAG_ALIGNED)
        run_report(h->run, lane, REPORT_ALIGNED_BARRIER_DIVERGENT, "%s never executes it", missing);
}

/* Some lanes of a warp are at the barrier, the others do not come. */
static void explain_gathering(const struct hang *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    uint32_t lane = machine->warps[warp].first_lane + lowest(lanes);
    uint32_t missing = ~lanes & ~state_warp(machine, h->run->state, warp)->exited;
    uint32_t id = state_lane(machine, h->run->state, lane)->key & ~KEY_BARRIER;
    const char *text = describe_missing(h, warp, missing);
    run_report(h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s, barrier %u, for %s",
               lanes_name(h->run->reports->arena, machine, warp, lanes), line_of(h, lane), id,
               text);
    if (lane_micro(machine, h->run->state, lane)->inst->flags & FLAG_ALIGNED)
        run_report(h->run, lane, REPORT_ALIGNED_BARRIER_DIVERGENT, "%s never executes it", text);
}

static void explain_cluster(const struct hang *h, uint32_t warp, uint32_t lanes)
{
    const struct machine *machine = h->run->machine;
    uint32_t lane = machine->warps[warp].first_lane + lowest(lanes);
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[lane].cluster];
    struct arena *arena = h->run->reports->arena;
    const char *missing = NULL;
    for (uint32_t c = cluster->first_cta; c < cluster->first_cta + cluster->ctas; c++)
        for (uint32_t w = machine->ctas[c].first_warp;
             w < machine->ctas[c].first_warp + machine->ctas[c].warps; w++) {
            const struct warp *state = state_warp(machine, h->run->state, w);
            uint32_t absent = ~(state->arrived | state->exited);
            if (absent)
                missing =
                    missing ? arena_printf(arena, "%s; %s", missing, describe_missing(h, w, absent))
                            : describe_missing(h, w, absent);
        }
    run_report(h->run, lane, REPORT_BARRIER_IN_DIVERGENT_CODE, "%s wait at %s for %s",
               lanes_name(arena, machine, warp, lanes), line_of(h, lane),
               missing ? missing : "nobody");
}

/* ---- spinning ------------------------------------------------------------------------------ */

/* Does the loop that ends at this back edge hold such a micro? */
static bool loop_has(const struct hang *h, uint32_t lane, bool (*wanted)(const struct micro *))
{
    const struct machine *machine = h->run->machine;
    const struct program *program = machine->programs[machine->lanes[lane].program];
    uint32_t pc = state_lane(machine, h->run->state, lane)->pc;
    for (uint32_t end = pc; end < program->micro_count; end++) {
        const struct micro *branch = &program->micros[end];
        if (branch->kind != MICRO_BRANCH || branch->target > pc)
            continue;
        for (uint32_t i = branch->target; i <= end; i++)
            if (wanted(&program->micros[i]))
                return true;
    }
    return false;
}

static bool is_mbarrier_wait(const struct micro *micro)
{
    return micro->kind == MICRO_MBARRIER && mbarrier_waits(micro->inst->op);
}

static bool waits_for_others(const struct hang *h, uint32_t lane, bool same_warp)
{
    const struct machine *machine = h->run->machine;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        bool gone = state_warp(machine, h->run->state, machine->lanes[i].warp)->exited >>
                        machine->lanes[i].lane &
                    1;
        bool mate = machine->lanes[i].warp == machine->lanes[lane].warp;
        if (!gone && i != lane &&
            (same_warp ? mate : machine->lanes[i].cta != machine->lanes[lane].cta))
            return true;
    }
    return false;
}

static bool reads_workspace(const struct program *program)
{
    for (uint32_t i = 0; i < program->slot_count - program->reg_slots; i++)
        if (program->fixed[i].kind == FIXED_SPECIAL && program->fixed[i].special == SPECIAL_ENVREG2)
            return true;
    return false;
}

static void explain_spin(const struct hang *h, uint32_t lane)
{
    const struct machine *machine = h->run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    enum report_id id = REPORT_SPIN_FOREVER;
    if (loop_has(h, lane, is_mbarrier_wait))
        id = REPORT_MBARRIER_NEVER_COMPLETES;
    else if (reads_workspace(machine->programs[place->program]))
        id = REPORT_GRID_SYNC_SKIPPED;
    else if (machine->options.mode == MACHINE_LOCKSTEP && waits_for_others(h, lane, true))
        id = REPORT_LOCKSTEP_SPIN;
    run_report(h->run, lane, id, "goes round the loop at %s; nobody writes what it reads any more",
               line_of(h, lane));
}

/* A driver waits for its task's lanes: they are explained themselves. */
static void explain_call(const struct hang *h, uint32_t lane)
{
    enum micro_kind kind = lane_micro(h->run->machine, h->run->state, lane)->kind;
    if (kind == MICRO_GRIDDEP)
        run_report(h->run, lane, REPORT_API_WAIT,
                   "waits at griddepcontrol.wait for a kernel that never ends");
    else if (kind == MICRO_GRID_SYNC)
        run_report(h->run, lane, REPORT_GRID_SYNC_SKIPPED, "waits at grid.sync for the whole grid");
    else if (!api_is_driver(h->run->machine, lane))
        run_report(h->run, lane, REPORT_API_WAIT, "waits in a call for work that never ends");
}

/* ---- all ----------------------------------------------------------------------------------- */

static void explain_group(const struct hang *h, uint32_t warp, uint32_t lanes, bool gathering)
{
    const struct machine *machine = h->run->machine;
    uint32_t lane = machine->warps[warp].first_lane + lowest(lanes);
    if (!gathering)
        explain_barrier(h, warp, lanes);
    else if (lane_micro(machine, h->run->state, lane)->kind == MICRO_COLLECTIVE)
        explain_collective(h, warp, lanes);
    else
        explain_gathering(h, warp, lanes);
}

static bool explain_warp(const struct hang *h, uint32_t warp)
{
    const struct warp *w = state_warp(h->run->machine, h->run->state, warp);
    uint32_t first = h->run->machine->warps[warp].first_lane;
    for (uint32_t left = w->gathering, same; left; left &= ~same) {
        same = same_key(h, warp, lowest(left), left);
        explain_group(h, warp, same, true);
    }
    for (uint32_t left = w->at_barrier, same; left; left &= ~same) {
        same = same_key(h, warp, lowest(left), left);
        explain_group(h, warp, same, false);
    }
    if (w->at_cluster)
        explain_cluster(h, warp, w->at_cluster);
    EACH_LANE(p, w->running)
    {
        if (api_blocked(h->run, first + p))
            explain_call(h, first + p);
        else if (h->spinning && h->spinning[first + p])
            explain_spin(h, first + p);
    }
    return w->gathering | w->at_barrier | w->at_cluster | w->running;
}

bool hang_explain(struct run *run, const bool *spinning)
{
    const struct hang h = {run, spinning};
    bool any = false;
    for (uint32_t w = 0; w < run->machine->warp_count; w++)
        any |= explain_warp(&h, w);
    return any;
}
