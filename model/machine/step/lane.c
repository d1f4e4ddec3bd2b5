/* SPDX-License-Identifier: MIT */
#include "model/machine/step/lane.h"

#include <stdlib.h>
#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/step/call.h"
#include "model/machine/core/place.h"
#include "model/machine/core/run.h"
#include "model/machine/sync/sync.h"

/* What a lane needs to find its slots quickly. */
struct view {
    const struct program *program;
    uint64_t *regs, *fixed;
    uint32_t *poison;
    uint32_t width, bit, position;
};

static struct view view_of(struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct lane_place *place = &machine->lanes[lane];
    return (struct view){.program = machine->programs[place->program],
                         .regs = state_regs(machine, run->state, place->warp) + place->lane,
                         .fixed = machine->fixed[place->warp] + place->lane,
                         .poison = state_poison(machine, run->state, place->warp),
                         .width = machine->warps[place->warp].width,
                         .bit = 1u << place->lane,
                         .position = place->lane};
}

static uint64_t *at(const struct view *view, slot s)
{
    if (s == SLOT_NONE)
        return NULL;
    uint32_t regs = view->program->reg_slots;
    return s < regs ? view->regs + (size_t)s * view->width
                    : view->fixed + (size_t)(s - regs) * view->width;
}

static bool poisoned(const struct view *view, slot s)
{
    return s < view->program->reg_slots && view->poison[s] & view->bit;
}

static void set_poison(struct run *run, const struct view *view, slot s, bool poison)
{
    run->poisons += poison;
    view->poison[s] = poison ? view->poison[s] | view->bit : view->poison[s] & ~view->bit;
}

static void trace(struct run *run, uint32_t lane, const struct micro *micro,
                  const struct access *access)
{
    if (run->tracer)
        run->tracer->step(run->tracer, run, lane, micro, access);
}

/* ---- local micros -------------------------------------------------------------------------- */

static void execute_alu(struct run *run, uint32_t lane, const struct view *view,
                        const struct micro *micro)
{
    bool poison = false;
    for (uint32_t i = 0; i < micro->src_count; i++)
        poison = poison || poisoned(view, micro->src[i]);
    if (micro->flags & MICRO_DIVIDES) {
        uint64_t divisor = alu_extend(micro->inst->type, *at(view, micro->src[1]));
        if (divisor == 0) {
            run_report(run, lane, REPORT_DIV_BY_ZERO, "division by zero");
            poison = true;
        }
    }
    if (micro->dst[0] == SLOT_NONE)
        return;
    micro->alu(at(view, micro->dst[0]), at(view, micro->src[0]), at(view, micro->src[1]),
               at(view, micro->src[2]), at(view, micro->src[3]), 1);
    set_poison(run, view, micro->dst[0], poison);
}

static void execute_mapa(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct machine *machine = run->machine;
    uint64_t address = lane_value(run, lane, micro->src[0]),
             rank = lane_value(run, lane, micro->src[1]);
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[lane].cluster];
    const struct region *from = machine_region(machine, address, 1);
    uint64_t mapped = 0;
    for (uint32_t i = 0; from && i < machine->region_count; i++) {
        const struct region *to = &machine->regions[i];
        if (to->location == from->location && to->cta != NONE &&
            to->cta == cluster->first_cta + rank && rank < cluster->ctas)
            mapped = to->base + (address - from->base);
    }
    if (!mapped)
        run_report(run, lane, REPORT_SHARED_OOB,
                   "mapa of address 0x%llx to CTA %llu of the cluster", (unsigned long long)address,
                   (unsigned long long)rank);
    lane_write(run, lane, micro->dst[0], mapped, false);
}

static void execute_isspacep(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct machine *machine = run->machine;
    uint64_t address = lane_value(run, lane, micro->src[0]);
    const struct region *region =
        address < LOCAL_FIRST ? machine_region(machine, address, 1) : NULL;
    enum space space = micro->inst->space;
    bool yes = false;
    if (space == SPACE_LOCAL)
        yes = address >= LOCAL_FIRST;
    else if (space == SPACE_SHARED)
        yes = region && region->cta == machine->lanes[lane].cta;
    else if (space == SPACE_SHARED_CLUSTER)
        yes = region && region->cta != NONE &&
              machine->ctas[region->cta].cluster == machine->lanes[lane].cluster;
    else
        yes = region && region->space == space;
    lane_write(run, lane, micro->dst[0], yes, false);
}

/* Lanes of the warp at the same branch should agree on a .uni one. */
static void check_uniform(struct run *run, uint32_t lane, const struct micro *micro, bool taken)
{
    const struct machine *machine = run->machine;
    uint32_t warp = machine->lanes[lane].warp, first = machine->warps[warp].first_lane;
    uint32_t pc = state_lane(machine, run->state, lane)->pc;
    if (!(micro->inst->flags & FLAG_UNI) || micro->guard == SLOT_NONE)
        return;
    EACH_LANE(p, state_warp(machine, run->state, warp)->running)
    {
        if (state_lane(machine, run->state, first + p)->pc == pc &&
            lane_enabled(machine, run->state, first + p) != taken)
            run_report(run, lane, REPORT_UNI_VIOLATED, "lane %u, converged with it, disagrees", p);
    }
}

static void branch_to(struct run *run, uint32_t lane, const struct view *view,
                      const struct micro *micro)
{
    struct lane *self = state_lane(run->machine, run->state, lane);
    if (micro->kind == MICRO_BRANCH) {
        self->pc = micro->target;
        return;
    }
    uint64_t index = *at(view, micro->src[0]) & UINT32_MAX;
    if (index >= micro->target_count)
        run_report(run, lane, REPORT_BRANCH_OUT_OF_RANGE, "index %llu of %u targets",
                   (unsigned long long)index, micro->target_count);
    else
        self->pc = micro->targets[index];
}

/* A local micro whose guard is true. */
static void execute_local(struct run *run, uint32_t lane, const struct view *view,
                          const struct micro *micro)
{
    switch (micro->kind) {
    case MICRO_ALU:
        execute_alu(run, lane, view, micro);
        break;
    case MICRO_CLOCK:
        lane_write(run, lane, micro->dst[0], run->steps, false);
        break;
    case MICRO_MAPA:
        execute_mapa(run, lane, micro);
        break;
    case MICRO_ISSPACEP:
        execute_isspacep(run, lane, micro);
        break;
    case MICRO_CALL:
        call_enter(run, lane, micro);
        return;
    case MICRO_RETURN:
        call_leave(run, lane, micro);
        return;
    case MICRO_BRANCH:
    case MICRO_BRANCH_INDEX:
        branch_to(run, lane, view, micro);
        return;
    default: /* micro_is_local names no other */
        abort();
    }
    lane_advance(run, lane);
}

static bool is_branch(const struct micro *micro)
{
    return micro->kind == MICRO_BRANCH || micro->kind == MICRO_BRANCH_INDEX;
}

static bool bound_hit(struct run *run, uint32_t lane)
{
    if (++run->steps <= run->machine->options.max_steps)
        return false;
    run_report(run, lane, REPORT_STEP_BOUND, "%llu steps done",
               (unsigned long long)run->machine->options.max_steps);
    return true;
}

/* Guard of the micro; an undefined one is reported. */
static bool enabled(struct run *run, uint32_t lane, const struct view *view,
                    const struct micro *micro)
{
    if (micro->guard == SLOT_NONE)
        return true;
    if (poisoned(view, micro->guard))
        run_report(run, lane, REPORT_POISON_USED, "the guard of %s is undefined",
                   micro_name(run->reports->arena, run->machine, micro));
    return (*at(view, micro->guard) & 1) != micro->guard_negated;
}

enum lane_point lane_run_local(struct run *run, uint32_t lane)
{
    struct lane *self = state_lane(run->machine, run->state, lane);
    if (run->stop)
        return POINT_STOPPED;
    if (!lane_running(run->machine, run->state, lane))
        return POINT_BLOCKED;
    const struct view view = view_of(run, lane);
    while (!run->stop) {
        const struct micro *micro = &view.program->micros[self->pc];
        if (run->awaits && run->awaits(run, lane, micro))
            return POINT_READY;
        bool on = enabled(run, lane, &view, micro);
        if (is_branch(micro))
            check_uniform(run, lane, micro, on);
        if (on && !micro_is_local(micro))
            return POINT_READY;
        if (bound_hit(run, lane))
            break;
        if (!on) {
            lane_advance(run, lane);
            continue;
        }
        uint32_t before = self->pc;
        execute_local(run, lane, &view, micro);
        trace(run, lane, micro, NULL);
        if (is_branch(micro) && self->pc <= before)
            return POINT_READY;
    }
    return POINT_STOPPED;
}

/* ---- the scheduling point ------------------------------------------------------------------ */

static bool step_memory(struct run *run, uint32_t lane)
{
    struct access access;
    if (!lane_access(run, lane, &access) || !api_note_access(run, &access))
        return true;
    if (access.region && !run->memory->ops->access(run, &access))
        return false;
    lane_finish(run, lane, &access);
    trace(run, lane, access.micro, &access);
    return true;
}

static bool step_fence(struct run *run, uint32_t lane, const struct micro *micro)
{
    if (!run->memory->ops->fence(run, lane, micro))
        return false;
    trace(run, lane, micro, NULL);
    lane_advance(run, lane);
    return true;
}

static void report_trap(struct run *run, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    bool grid = false;
    const struct program *program = run->machine->programs[place->program];
    for (uint32_t i = 0; i < program->slot_count - program->reg_slots; i++)
        grid = grid || (program->fixed[i].kind == FIXED_SPECIAL &&
                        program->fixed[i].special == SPECIAL_ENVREG2);
    if (grid && !place_workspace(run->machine, place->launch))
        run_report(run, lane, REPORT_GRID_SYNC_WITHOUT_COOP,
                   "grid.sync needs a cooperative launch");
    else
        run_report(run, lane, REPORT_TRAP, "trap");
}

static bool step_sync(struct run *run, uint32_t lane, const struct micro *micro)
{
    uint32_t warp = run->machine->lanes[lane].warp, bit = 1u << run->machine->lanes[lane].lane;
    switch (micro->kind) {
    case MICRO_COLLECTIVE:
        collective_arrive(run, warp, bit);
        return true;
    case MICRO_ACTIVEMASK:
        activemask_take(run, warp, bit);
        return true;
    case MICRO_BARRIER:
        barrier_arrive(run, warp, bit);
        return true;
    case MICRO_CLUSTER_ARRIVE:
        cluster_arrive(run, warp, bit);
        return true;
    case MICRO_CLUSTER_WAIT:
        cluster_wait(run, warp, bit);
        return true;
    case MICRO_MBARRIER:
    case MICRO_COPY_ARRIVE:
        return mbarrier_execute(run, lane);
    case MICRO_COPY_WAIT:
        return copy_wait(run, lane);
    case MICRO_COPY:
    case MICRO_COPY_COMMIT:
        copy_execute(run, lane);
        return true;
    case MICRO_EXIT:
        warp_exit(run, warp, bit);
        return true;
    case MICRO_NANOSLEEP:
        lane_advance(run, lane);
        return true;
    default: /* a kind that nobody steps */
        abort();
    }
}

bool lane_step(struct run *run, uint32_t lane)
{
    const struct micro *micro = lane_micro(run->machine, run->state, lane);
    if (micro_is_local(micro) || !lane_enabled(run->machine, run->state, lane))
        return true; /* a back edge: done by lane_run_local */
    if (bound_hit(run, lane))
        return true;
    switch (micro->kind) {
    case MICRO_LOAD:
    case MICRO_STORE:
    case MICRO_ATOM:
    case MICRO_RED:
        return step_memory(run, lane);
    case MICRO_FENCE:
        return step_fence(run, lane, micro);
    case MICRO_TRAP:
        report_trap(run, lane);
        return true;
    case MICRO_GRID_SYNC:
    case MICRO_GRIDDEP:
        if (api_blocked(run, lane))
            return false;
        trace(run, lane, micro, NULL);
        if (run->machine->api)
            return api_grid_step(run, lane);
        lane_advance(run, lane);
        return true;
    case MICRO_HOST_CALL:
        if (api_blocked(run, lane))
            return false;
        trace(run, lane, micro, NULL);
        return api_step(run, lane);
    default:
        trace(run, lane, micro, NULL);
        return step_sync(run, lane, micro);
    }
}

void lane_step_together(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run->machine->warps[warp].first_lane;
    const struct micro *micro = lane_micro(run->machine, run->state, first + lowest(lanes));
    switch (micro->kind) {
    case MICRO_COLLECTIVE:
        collective_arrive(run, warp, lanes);
        return;
    case MICRO_ACTIVEMASK:
        activemask_take(run, warp, lanes);
        return;
    case MICRO_BARRIER:
        barrier_arrive(run, warp, lanes);
        return;
    case MICRO_EXIT:
        warp_exit(run, warp, lanes);
        return;
    default:
        break;
    }
    EACH_LANE(p, lanes)
    {
        if (run->stop)
            return;
        if (!micro_is_local(micro)) {
            lane_step(run, first + p);
        } else if (!bound_hit(run, first + p)) {
            const struct view view = view_of(run, first + p);
            execute_local(run, first + p, &view, micro);
        }
    }
}
