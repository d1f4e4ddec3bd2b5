/* SPDX-License-Identifier: MIT */
#include "model/machine/step/lane.h"

#include <stdlib.h>

#include "model/machine/api/api.h"
#include "model/machine/step/call.h"
#include "model/machine/step/multimem.h"
#include "model/machine/step/system.h"
#include "model/machine/step/texture.h"
#include "model/machine/core/place.h"
#include "model/machine/core/region.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/bypass.h"
#include "model/machine/sync/cluster.h"
#include "model/machine/sync/collective.h"
#include "model/machine/sync/copy.h"
#include "model/machine/sync/mbarrier.h"

static void trace(struct run *run, uint32_t lane, const struct micro *micro,
                  const struct memory_access *access)
{
    if (run->tracer)
        run->tracer->step(run->tracer, run, lane, micro, access);
}

/* ---- local micros -------------------------------------------------------------------------- */

/* Writes the destination and goes on. */
static void finish(struct run *run, uint32_t lane, const struct micro *micro, uint64_t value,
                   bool poison)
{
    run_write(run, lane, micro->dst[0], value, poison);
    run_advance(run, lane);
}

/* Does the result of a bitwise micro depend on its undefined sources? Bit by bit, what neither 0 nor 1 in
 * their place changes does not: the value that selp does not choose, the rest of 'true or …'. */
static bool undefined_shows(const struct micro *micro, const uint64_t *const source[4],
                            uint32_t undefined)
{
    bool predicates = micro->inst->type == TYPE_PRED || micro->inst->op == OP_SETP;
    uint64_t first = 0, all = predicates ? 1 : UINT64_MAX;
    for (uint32_t ones = undefined;; ones = (ones - 1) & undefined) {
        uint64_t values[4] = {0}, result = 0;
        for (uint32_t i = 0; i < micro->src_count; i++)
            values[i] = !(undefined >> i & 1) ? *source[i] : ones >> i & 1 ? all : 0;
        micro->alu(&result, &values[0], &values[1], &values[2], &values[3], 1);
        if (ones != undefined && result != first)
            return true;
        first = result;
        if (!ones)
            return false;
    }
}

static void execute_alu(struct run *run, uint32_t lane, const struct micro *micro)
{
    const uint64_t *source[4] = {NULL};
    uint64_t result = 0;
    uint32_t undefined = 0;
    for (uint32_t i = 0; i < micro->src_count; i++) {
        source[i] = state_slot(run->machine, run->state, lane, micro->src[i]);
        undefined |= (uint32_t)run_poisoned(run, lane, micro->src[i]) << i;
    }
    bool poison =
        undefined && !(micro->flags & MICRO_BITWISE && !undefined_shows(micro, source, undefined));
    if (micro->flags & MICRO_DIVIDES && alu_extend(micro->inst->type, *source[1]) == 0) {
        run_report(run, lane, REPORT_DIV_BY_ZERO, "division by zero");
        poison = true;
    }
    if (micro->dst[0] != SLOT_NONE)
        micro->alu(&result, source[0], source[1], source[2], source[3], 1);
    finish(run, lane, micro, result, poison);
}

static void execute_clock(struct run *run, uint32_t lane, const struct micro *micro)
{
    /* The least, and the greatest with and without a sign, in 32 and in 64 bits. */
    static const uint64_t any[] = {0, UINT64_C(0x7fffffff7fffffff), UINT64_MAX};
    uint64_t now =
        run->any_clock ? any[run->chooser->choose(run->chooser, 3)] : run->steps + run->clock;
    finish(run, lane, micro, now, false);
}

/* The same offset in the copy of the location that belongs to the CTA of that rank. */
static void execute_mapa(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct machine *machine = run->machine;
    uint64_t address = run_value(run, lane, micro->src[0]),
             rank = run_value(run, lane, micro->src[1]);
    const struct cluster_place *cluster = &machine->clusters[machine->lanes[lane].cluster];
    uint64_t mapped = 0;
    if (rank < cluster->ctas)
        mapped = region_in_cta(machine, address, cluster->first_cta + (uint32_t)rank);
    if (!mapped)
        run_report(run, lane, REPORT_SHARED_OOB,
                   "mapa of address 0x%llx to CTA %llu of the cluster", (unsigned long long)address,
                   (unsigned long long)rank);
    finish(run, lane, micro, mapped, false);
}

static void execute_cta_rank(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct machine *machine = run->machine;
    uint64_t address = run_value(run, lane, micro->src[0]);
    const struct region *region = region_find(machine, address, 1);
    uint32_t cta = region ? region->cta : NONE;
    bool found = cta != NONE && machine->ctas[cta].cluster == machine->lanes[lane].cluster;
    if (!found)
        run_report(run, lane, REPORT_SHARED_OOB, "getctarank of address 0x%llx",
                   (unsigned long long)address);
    finish(run, lane, micro, found ? machine->ctas[cta].rank : 0, false);
}

/* An answer holds the coordinates of the first CTA of the cluster, and above them whether there is one. */
enum { CANCELED_AT = 32 };

static void execute_canceled(struct run *run, uint32_t lane, const struct micro *micro)
{
    uint64_t low = run_value(run, lane, micro->src[0]), high = run_value(run, lane, micro->src[1]);
    const uint64_t at[] = {low & UINT32_MAX, low >> 32, high & UINT16_MAX};
    bool poison = run_poisoned(run, lane, micro->src[0]), canceled = high >> CANCELED_AT & 1;
    enum op op = micro->inst->op;
    if (op == OP_IS_CANCELED) {
        finish(run, lane, micro, canceled, poison);
        return;
    }
    if (!canceled)
        run_report(run, lane, REPORT_NOTHING_CANCELED, "the answer says so");
    if (op != OP_FIRST_CTA) {
        finish(run, lane, micro,
               at[op == OP_FIRST_CTA_X   ? 0
                  : op == OP_FIRST_CTA_Y ? 1
                                         : 2],
               poison);
        return;
    }
    for (uint32_t i = 0; i < micro->dst_count; i++)
        if (micro->dst[i] != SLOT_NONE)
            run_write(run, lane, micro->dst[i], i < 3 ? at[i] : 0, poison);
    run_advance(run, lane);
}

/* Generic addresses: does this one lie in the state space, for this lane? */
static bool is_in_space(const struct machine *machine, const struct lane_place *place,
                        uint64_t address, enum space space)
{
    const struct region *region = address < LOCAL_FIRST ? region_find(machine, address, 1) : NULL;
    switch (space) {
    case SPACE_LOCAL:
        return address >= LOCAL_FIRST;
    case SPACE_SHARED:
        return region && region->cta == place->cta;
    case SPACE_SHARED_CLUSTER:
        return region && region->cta != NONE &&
               machine->ctas[region->cta].cluster == place->cluster;
    case SPACE_GLOBAL:
    case SPACE_CONST:
    case SPACE_PARAM: /* no region lies there */
        return region && region->space == space;
    case SPACE_GENERIC:
        break;
    }
    abort(); /* operations.def refuses it */
}

static void execute_isspacep(struct run *run, uint32_t lane, const struct micro *micro)
{
    bool yes = is_in_space(run->machine, &run->machine->lanes[lane],
                           run_value(run, lane, micro->src[0]), micro->inst->space);
    finish(run, lane, micro, yes, false);
}

/* Lanes of the warp at the same branch should agree on a .uni one. */
static void check_uniform(struct run *run, uint32_t lane, const struct micro *micro, bool taken)
{
    const struct machine *machine = run->machine;
    uint32_t warp = machine->lanes[lane].warp, first = machine->warps[warp].first_lane;
    uint32_t pc = run_lane(run, lane)->pc;
    if (!(micro->inst->flags & FLAG_UNI) || micro->guard == SLOT_NONE)
        return;
    EACH_LANE(p, run_warp(run, warp)->running) {
        if (run_lane(run, first + p)->pc == pc && run_enabled(run, first + p) != taken)
            run_report(run, lane, REPORT_UNI_VIOLATED, "lane %u, converged with it, disagrees", p);
    }
}

static void branch(struct run *run, uint32_t lane, const struct micro *micro)
{
    run_lane(run, lane)->pc = micro->target;
}

static void branch_index(struct run *run, uint32_t lane, const struct micro *micro)
{
    uint64_t index = run_value(run, lane, micro->src[0]) & UINT32_MAX;
    if (index >= micro->target_count)
        run_report(run, lane, REPORT_BRANCH_OUT_OF_RANGE, "index %llu of %u targets",
                   (unsigned long long)index, micro->target_count);
    else
        run_lane(run, lane)->pc = micro->targets[index];
}

/* The local micros (micro.def), with their guard true. */
static void (*const execute_local[])(struct run *run, uint32_t lane, const struct micro *micro) = {
    [MICRO_ALU] = execute_alu,           [MICRO_BRANCH] = branch,
    [MICRO_CLOCK] = execute_clock,       [MICRO_BRANCH_INDEX] = branch_index,
    [MICRO_MAPA] = execute_mapa,         [MICRO_ISSPACEP] = execute_isspacep,
    [MICRO_CTA_RANK] = execute_cta_rank, [MICRO_CANCELED] = execute_canceled,
    [MICRO_CALL] = call_enter,           [MICRO_RETURN] = call_leave,
};

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
static bool enabled(struct run *run, uint32_t lane, const struct micro *micro)
{
    if (run_poisoned(run, lane, micro->guard))
        run_report(run, lane, REPORT_POISON_USED, "the guard of %s is undefined",
                   run_micro_name(run, micro));
    return run_enabled(run, lane);
}

enum lane_point lane_run_local(struct run *run, uint32_t lane)
{
    struct lane *self = run_lane(run, lane);
    if (run->stop)
        return POINT_STOPPED;
    if (!run_runs(run, lane))
        return POINT_BLOCKED;
    const struct program *program = run_program(run, lane);
    while (!run->stop) {
        const struct micro *micro = &program->micros[self->pc];
        if (run->awaits && run->awaits(run, lane, micro))
            return POINT_READY;
        bool on = enabled(run, lane, micro);
        if (is_branch(micro))
            check_uniform(run, lane, micro, on);
        if (on && (!micro_is_local(micro) || lane_chooses(run, micro)))
            return POINT_READY;
        if (bound_hit(run, lane))
            break;
        if (!on) {
            run_advance(run, lane);
            continue;
        }
        uint32_t before = self->pc;
        execute_local[micro->kind](run, lane, micro);
        trace(run, lane, micro, NULL);
        if (is_branch(micro) && self->pc <= before)
            return POINT_READY;
    }
    return POINT_STOPPED;
}

/* ---- the scheduling point ------------------------------------------------------------------ */

static void step_memory(struct run *run, uint32_t lane)
{
    struct memory_access access;
    if (!lane_access(run, lane, &access) || !api_note_access(run, &access))
        return;
    if (access.region)
        run->memory->ops->access(run, &access);
    lane_finish(run, lane, &access);
    trace(run, lane, access.micro, &access);
}

static void step_fence(struct run *run, uint32_t lane, const struct micro *micro)
{
    run->memory->ops->fence(run, lane, micro);
    trace(run, lane, micro, NULL);
    run_advance(run, lane);
}

static void report_trap(struct run *run, uint32_t lane)
{
    if (run->machine->lanes[lane].host != NONE)
        run_report(run, lane, REPORT_API_OUT_OF_RANGE, "an index is outside of its array");
    else if (program_reads(run_program(run, lane), SPECIAL_ENVREG2) &&
             !place_workspace(run->machine, run->machine->lanes[lane].launch))
        run_report(run, lane, REPORT_GRID_SYNC_WITHOUT_COOP,
                   "grid.sync needs a cooperative launch");
    else
        run_report(run, lane, REPORT_TRAP, "trap");
}

static bool report_bad_call(struct run *run, uint32_t lane)
{
    run_report(run, lane, REPORT_BAD_CALL, "address 0x%llx",
               (unsigned long long)run_value(run, lane, run_micro(run, lane)->src[0]));
    run_advance(run, lane);
    return true;
}

static bool step_grid(struct run *run, uint32_t lane)
{
    if (run->machine->api)
        return api_grid_step(run, lane);
    run_advance(run, lane);
    return true;
}

static bool step_pause(struct run *run, uint32_t lane)
{
    run_advance(run, lane);
    return true;
}

/* st.async and red.async are done at once, which is one of the times they may happen; the mbarrier is told. */
static bool step_async_store(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    struct memory_access access;
    uint64_t object = run_value(run, lane, micro->base2) + (uint64_t)micro->offset2;
    run->full = true;
    if (!lane_access(run, lane, &access))
        return true;
    access.reads = micro->inst->op == OP_RED_ASYNC;
    if (access.region)
        run->memory->ops->access(run, &access);
    if (!mbarrier_of_copy(run, lane, OP_MBARRIER_COMPLETE_TX, access.bytes * access.count, object))
        return false;
    run_advance(run, lane);
    return true;
}

/* The answer in the shared memory of one CTA, whose mbarrier is told. */
static void answer_in(struct run *run, uint32_t lane, uint64_t to, uint64_t object,
                      const uint64_t answer[2])
{
    struct memory_access access;
    if (!lane_access_at(run, lane, to, &access))
        return;
    access.reads = false;
    access.value[0] = answer[0];
    access.value[1] = answer[1];
    if (access.region)
        run->memory->ops->access(run, &access);
    mbarrier_of_copy(run, lane, OP_MBARRIER_COMPLETE_TX, access.bytes, object);
}

/* Decided and answered at once, which is one of the times it may happen. */
static bool step_cancel(struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct micro *micro = run_micro(run, lane);
    const struct lane_place *place = &machine->lanes[lane];
    const struct cluster_place *cluster = &machine->clusters[place->cluster];
    uint64_t to = run_address(run, lane, micro), answer[2] = {0};
    uint64_t object = run_value(run, lane, micro->base2) + (uint64_t)micro->offset2;
    uint32_t canceled;
    run->full = true;
    if (run->canceller && run->canceller->cancel(run->canceller, &canceled)) {
        struct dim3 first = place_first_cta(&machine->test->launches[place->launch], canceled);
        answer[0] = first.x | (uint64_t)first.y << 32;
        answer[1] = first.z | UINT64_C(1) << CANCELED_AT;
    }
    if (!micro->inst->multicast)
        answer_in(run, lane, to, object, answer);
    for (uint32_t i = 0; micro->inst->multicast && i < cluster->ctas; i++)
        answer_in(run, lane, region_in_cta(machine, to, cluster->first_cta + i),
                  region_in_cta(machine, object, cluster->first_cta + i), answer);
    if (!run->stop)
        run_advance(run, lane);
    return true;
}

/* st.bulk: zeros, eight bytes at a time. */
static bool step_fill(struct run *run, uint32_t lane)
{
    enum { UNIT = 8 };
    const struct micro *micro = run_micro(run, lane);
    uint64_t first = run_address(run, lane, micro), bytes = run_value(run, lane, micro->src[0]);
    struct memory_access access;
    if (bytes % UNIT)
        run_report(run, lane, REPORT_MISALIGNED, "%llu bytes are no multiple of 8",
                   (unsigned long long)bytes);
    for (uint64_t at = 0; at < bytes && !run->stop; at += UNIT) {
        if (!lane_access_at(run, lane, first + at, &access))
            return true;
        access.value[0] = 0;
        access.reads = false;
        if (access.region)
            run->memory->ops->access(run, &access);
    }
    run_advance(run, lane);
    return true;
}

/* Synchronization: what lanes of a warp do, and what a lane does alone. */
static void (*const step_lanes[])(struct run *run, uint32_t warp, uint32_t lanes) = {
    [MICRO_COLLECTIVE] = collective_arrive,  [MICRO_ACTIVEMASK] = collective_activemask,
    [MICRO_BARRIER] = barrier_arrive,        [MICRO_EXIT] = cluster_exit,
    [MICRO_CLUSTER_ARRIVE] = cluster_arrive, [MICRO_CLUSTER_WAIT] = cluster_wait,
};
static bool (*const step_alone[MICRO_EXIT + 1])(struct run *run, uint32_t lane) = {
    [MICRO_MBARRIER] = mbarrier_execute, [MICRO_COPY_ARRIVE] = copy_arrive,
    [MICRO_COPY_WAIT] = copy_wait,       [MICRO_COPY] = copy_execute,
    [MICRO_COPY_COMMIT] = copy_execute,  [MICRO_NANOSLEEP] = step_pause,
    [MICRO_GRID_SYNC] = step_grid,       [MICRO_GRIDDEP] = step_grid,
    [MICRO_HOST_CALL] = api_step,        [MICRO_SYSTEM] = system_call,
    [MICRO_BAD_CALL] = report_bad_call,  [MICRO_ASYNC_STORE] = step_async_store,
    [MICRO_CANCEL] = step_cancel,        [MICRO_FILL] = step_fill,
    [MICRO_MULTIMEM] = multimem_execute, [MICRO_TEXTURE] = texture_execute,
    [MICRO_SURFACE] = texture_execute,
};

bool lane_step(struct run *run, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    const struct micro *micro = run_micro(run, lane);
    if ((micro_is_local(micro) && !lane_chooses(run, micro)) || !run_enabled(run, lane))
        return true; /* a back edge: done by lane_run_local */
    if (bound_hit(run, lane))
        return true;
    bypass_note(run, lane, micro);
    if (micro_is_access(micro)) {
        step_memory(run, lane);
    } else if (micro->kind == MICRO_CLOCK) {
        execute_clock(run, lane, micro);
        trace(run, lane, micro, NULL);
    } else if (micro->kind == MICRO_FENCE) {
        step_fence(run, lane, micro);
    } else if (micro->kind == MICRO_TRAP) {
        report_trap(run, lane);
    } else if (api_blocked(run, lane)) {
        return false;
    } else {
        trace(run, lane, micro, NULL);
        if (step_alone[micro->kind])
            return step_alone[micro->kind](run, lane);
        step_lanes[micro->kind](run, place->warp, 1u << place->lane);
    }
    return true;
}

/* Do lanes of a warp do it in one step? */
static bool is_joint(const struct micro *micro)
{
    return micro->kind == MICRO_COLLECTIVE || micro->kind == MICRO_ACTIVEMASK ||
           micro->kind == MICRO_BARRIER || micro->kind == MICRO_EXIT;
}

void lane_step_together(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run->machine->warps[warp].first_lane;
    const struct micro *micro = run_micro(run, first + lowest(lanes));
    if (is_joint(micro)) {
        bypass_note_lanes(run, first, lanes, micro);
        step_lanes[micro->kind](run, warp, lanes);
        return;
    }
    EACH_LANE(p, lanes) {
        if (run->stop)
            return;
        if (!micro_is_local(micro))
            lane_step(run, first + p);
        else if (!bound_hit(run, first + p))
            execute_local[micro->kind](run, first + p, micro);
    }
}
