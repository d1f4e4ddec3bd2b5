/* SPDX-License-Identifier: MIT */
#include "model/machine/step/step.h"

#include <glib.h>

#include "litmus/base/hash.h"
#include "model/machine/api/api.h"
#include "model/machine/step/lane.h"
#include "model/machine/step/touch.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/sync/barrier.h"
#include "model/machine/sync/bypass.h"
#include "model/machine/sync/copy.h"

enum { OUTSTANDING = 16 };

uint32_t step_move_limit(const struct machine *machine)
{
    return machine->lane_count * (2 + OUTSTANDING + machine->copies);
}

static bool stands_at_local(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    return (micro_is_local(micro) && !lane_chooses(run, micro)) || !run_enabled(run, lane);
}

/* A table may be full although the memory went on. */
static enum step_end after(struct run *run, bool moved)
{
    if (run->full || weak_memory_overflow(run->memory))
        return STEP_FULL;
    if (weak_memory_pruned(run->memory))
        return STEP_PRUNED;
    return moved || run->stop ? STEP_DONE : STEP_BLOCKED;
}

/* ---- outstanding loads ---------------------------------------------------------------------- */

static bool writes_slot(const struct micro *load, slot s)
{
    for (uint32_t i = 0; s != SLOT_NONE && i < load->dst_count; i++)
        if (load->dst[i] == s)
            return true;
    return false;
}

/* In a host program a value may come after the next call, and after the end of its thread, whose
 * registers nobody else asks for; but not when the lane is to run again. */
static bool exit_needs(const struct run *run, uint32_t lane)
{
    return !run->machine->api || !run->late_values || api_is_repeated(run->machine, lane);
}

/* Must the load return before the lane runs the micro? It writes a register that the micro uses, or
 * nothing may be outstanding at such a micro. */
static bool needs(const struct run *run, uint32_t lane, const struct micro *micro,
                  const struct micro *load)
{
    bool needed =
        writes_slot(load, micro->guard) || writes_slot(load, micro->base) ||
        writes_slot(load, micro->base2) || micro->kind == MICRO_GRID_SYNC ||
        micro->kind == MICRO_RETURN || micro->matrix ||
        (micro->kind == MICRO_HOST_CALL && !run->late_values) ||
        (micro->kind == MICRO_CALL && micro->call->callee->saves) ||
        (micro->kind == MICRO_EXIT && (load->kind != MICRO_LOAD || exit_needs(run, lane)));
    for (uint32_t i = 0; i < micro->src_count; i++)
        needed |= writes_slot(load, micro->src[i]);
    for (uint32_t i = 0; i < micro->dst_count; i++)
        needed |= writes_slot(load, micro->dst[i]);
    return needed;
}

static bool step_awaits(struct run *run, uint32_t lane, const struct micro *micro)
{
    uint32_t loads[OUTSTANDING];
    uint32_t count = weak_memory_outstanding(run->memory, lane, loads, OUTSTANDING);
    bool waits = weak_memory_has_dependencies(run->memory);
    for (uint32_t i = 0; waits && i < count; i++)
        if (needs(run, lane, micro, &run_program(run, lane)->micros[loads[i]]))
            return true;
    return false;
}

void step_settle(struct run *run)
{
    run->awaits = weak_memory_is(run->memory) ? step_awaits : NULL;
    do {
        for (uint32_t lane = 0; lane < run->machine->lane_count && !run->stop; lane++)
            if (run_runs(run, lane))
                lane_run_local(run, lane);
    } while (!run->stop && barrier_finish_open(run, false));
}

/* Leaving a load outstanding matters only if the lane can still do something others notice: in a
 * host program its end is noticed by tasks that follow. */
static bool noticed_later(const struct run *run, const struct program *program, uint32_t from)
{
    if (run->machine->api && run->late_values)
        return true;
    for (uint32_t i = from; i < program->micro_count; i++)
        if (micro_reach(&program->micros[i]) >= MICRO_REACHES_WRITES)
            return true; /* all: also a call, as functions lie before their callers */
    return false;
}

/* Does the lane need the value before it does anything but compute? Then the access may just as well be
 * made when the value is there. */
static bool needed_at_once(struct run *run, uint32_t lane, const struct micro *access)
{
    const struct program *program = run_program(run, lane);
    const struct micro *micro = access + 1, *end = program->micros + program->micro_count;
    if (run->machine->copies || !weak_memory_has_dependencies(run->memory))
        return false;
    while (micro < end && micro->kind == MICRO_ALU && !needs(run, lane, micro, access))
        micro++;
    return micro < end && (micro->kind == MICRO_ALU || micro->kind == MICRO_BRANCH) &&
           needs(run, lane, micro, access);
}

/* May the lane go on before its next access, which reads, has its value? Only if others can notice
 * what it does meanwhile: that saves schedules. */
static bool may_issue(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    const struct program *program = run_program(run, lane);
    struct memory_access access;
    if (machine_is_engine(run->machine, lane))
        return false; /* a call may return when they have read */
    if (!micro_is_access(micro) || micro->kind == MICRO_STORE || needed_at_once(run, lane, micro) ||
        !noticed_later(run, program, (uint32_t)(micro - program->micros) + 1))
        return false;
    return lane_access(run, lane, &access) && access.region &&
           weak_memory_may_issue(run->memory, &access);
}

/* The access waits in the weak memory. Its registers hold 0 until the value comes. */
static enum step_end issue(struct run *run, uint32_t lane)
{
    struct memory_access access;
    const struct micro *micro = run_micro(run, lane);
    uint32_t index = (uint32_t)(micro - run_program(run, lane)->micros);
    if (!lane_access(run, lane, &access) || !api_note_access(run, &access))
        return after(run, true);
    if (!weak_memory_issue(run->memory, &access, index))
        return after(run, false);
    bypass_note(run, lane, micro);
    for (int i = 0; i < ACCESS_ELEMENTS; i++)
        access.value[i] = 0;
    lane_finish(run, lane, &access);
    return after(run, true);
}

/* Puts the value into the registers of a load that its lane has passed long ago. */
static enum step_end give_back(struct run *run, uint32_t lane, uint32_t micro_index)
{
    const struct micro *micro = &run_program(run, lane)->micros[micro_index];
    struct memory_access access = {
        .lane = lane, .micro = micro, .bytes = micro->bytes, .count = 1, .reads = true};
    struct lane *self = run_lane(run, lane);
    uint32_t pc = self->pc;
    if (!weak_memory_return(run, lane, micro_index, &access))
        return after(run, false);
    lane_finish(run, lane, &access);
    self->pc = pc;
    return after(run, true);
}

/* ---- moves ---------------------------------------------------------------------------------- */

/* An exit is noticed by barriers, by the lanes of its warp, and by CTAs that use its shared memory.
 */
static bool exits_unnoticed(const struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct warp_place *warp = &machine->warps[machine->lanes[lane].warp];
    if (machine->api && machine->lanes[lane].launch == NONE)
        return true;
    bool alone = (warp->present & (warp->present - 1)) == 0;
    if (touch_gathers(run))
        return true;
    return alone && !machine->has_barriers && !machine->has_clusters &&
           machine->clusters[machine->lanes[lane].cluster].ctas == 1;
}

static bool is_own_memory(struct run *run, uint32_t lane, const struct micro *micro)
{
    return (micro->kind == MICRO_LOAD || micro->kind == MICRO_STORE) &&
           run_address(run, lane, micro) >= LOCAL_FIRST;
}

/* Nobody sees local memory, frames of calls included. A fence other than fence.sc changes only what
 * its own lane knows and records. */
static bool unnoticed(struct run *run, uint32_t lane)
{
    uint32_t load;
    const struct micro *micro = run_micro(run, lane);
    if (stands_at_local(run, lane))
        return false;
    if (weak_memory_outstanding(run->memory, lane, &load, 1))
        return false;
    if (micro->kind == MICRO_EXIT)
        return exits_unnoticed(run, lane);
    if (micro->kind == MICRO_HOST_CALL)
        return api_unnoticed(run, lane);
    if (micro->kind == MICRO_BARRIER)
        return touch_gathers(run);
    if (micro_is_access(micro))
        return is_own_memory(run, lane, micro) || touch_is_private(run, lane);
    return micro->kind == MICRO_NANOSLEEP || micro->kind == MICRO_CLOCK ||
           (micro->kind == MICRO_FENCE &&
            !(micro->inst->fence_kind == FENCE_MEMORY && micro->inst->sem == SEM_SC));
}

/* All that can happen next on behalf of the lane; gives their number. */
static uint32_t lane_moves(struct run *run, uint32_t lane, struct move *moves, bool issue_loads)
{
    uint32_t loads[OUTSTANDING], count = 0;
    uint32_t outstanding = weak_memory_outstanding(run->memory, lane, loads, OUTSTANDING);
    for (uint32_t i = 0; i < outstanding; i++)
        moves[count++] = (struct move){MOVE_RETURN, lane, loads[i], false};
    EACH_COPY(i, run, lane) {
        moves[count++] = (struct move){MOVE_COPY, lane, i, false};
    }
    if (!run_runs(run, lane) || api_blocked(run, lane) ||
        (outstanding && step_awaits(run, lane, run_micro(run, lane))))
        return count;
    moves[count++] = (struct move){MOVE_STEP, lane, 0, false};
    if (issue_loads && weak_memory_is(run->memory) && outstanding < OUTSTANDING &&
        may_issue(run, lane))
        moves[count++] = (struct move){MOVE_ISSUE, lane, 0, false};
    return count;
}

uint32_t step_moves(struct run *run, struct move *moves, bool reduce, bool issue_loads)
{
    uint32_t count = 0;
    for (uint32_t lane = 0; reduce && run->touches && lane < run->machine->lane_count; lane++)
        if (run_runs(run, lane) && !api_blocked(run, lane) && unnoticed(run, lane)) {
            moves[0] = (struct move){MOVE_STEP, lane, 0, true};
            return 1;
        }
    for (uint32_t lane = 0; lane < run->machine->lane_count; lane++)
        count += lane_moves(run, lane, moves + count, issue_loads);
    return count;
}

const struct micro *step_micro(struct run *run, const struct move *move)
{
    uint32_t at = move->kind == MOVE_RETURN ? move->which
                  : move->kind == MOVE_COPY ? run_copies(run, move->lane)[move->which].micro
                                            : run_lane(run, move->lane)->pc;
    return &run_program(run, move->lane)->micros[at];
}

enum step_end step_make(struct run *run, const struct move *move)
{
    switch (move->kind) {
    case MOVE_ISSUE:
        return issue(run, move->lane);
    case MOVE_RETURN:
        return give_back(run, move->lane, move->which);
    case MOVE_COPY:
        return after(run, copy_perform(run, move->lane, move->which));
    case MOVE_STEP:
        break;
    }
    if (stands_at_local(run, move->lane)) {
        lane_run_local(run, move->lane);
        return after(run, true);
    }
    return after(run, lane_step(run, move->lane));
}

static void clear_generations(const struct run *run, struct state *state)
{
    struct barrier *barriers = state_part(state, run->machine->barriers_at);
    for (uint32_t i = 0; i < run->machine->cta_count * BARRIERS; i++)
        barriers[i].generation = 0;
}

static void clear_lane(const struct run *run, struct state *state, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    const struct program *program = machine_program(run->machine, lane);
    uint32_t words = program_live_words(program), pc = state_lane(run->machine, state, lane)->pc;
    const uint64_t *live = run->live[place->program] + (size_t)pc * words;
    uint32_t *poison = state_poison(run->machine, state, place->warp);
    for (slot s = 0; s < program->reg_slots; s++) {
        if (live[s / 64] >> s % 64 & 1)
            continue;
        *state_slot(run->machine, state, lane, s) = 0;
        poison[s] &= ~(UINT32_C(1) << place->lane);
    }
}

/* Registers whose values nothing uses any more. */
static void clear_registers(const struct run *run, struct state *state)
{
    for (uint32_t lane = 0; lane < run->machine->lane_count; lane++) {
        uint32_t program = run->machine->lanes[lane].program;
        if (program != NONE && run->live[program])
            clear_lane(run, state, lane);
    }
}

/* What no continuation can tell apart is left out. */
static XXH128_hash_t hash_lanes(const struct run *run)
{
    size_t bytes = run->machine->state_bytes;
    struct state *state = g_memdup2(run->state, bytes);
    if (run->machine->has_barriers && run->memory->ops->forgets_generations)
        clear_generations(run, state);
    if (run->live)
        clear_registers(run, state);
    XXH128_hash_t hash = XXH3_128bits(state, bytes);
    g_free(state);
    return hash;
}

void step_hash(struct run *run, uint64_t hash[2])
{
    XXH128_hash_t lanes = hash_lanes(run);
    hash[0] = lanes.low64;
    hash[1] = lanes.high64;
    run->memory->ops->hash(run->memory, hash);
}

static bool *observed_registers(struct arena *arena, const struct machine *machine,
                                const struct body *body)
{
    bool *observed = ARENA_ARRAY(arena, bool, body->reg_count + 1);
    for (uint32_t i = 0; i < machine->test->observed_count; i++) {
        const struct cond_term *term = &machine->test->observed[i];
        if (term->kind == TERM_REG && term->reg < body->reg_count)
            observed[term->reg] = true;
    }
    return observed;
}

const uint64_t **step_live(struct arena *arena, const struct machine *machine)
{
    const uint64_t **live = ARENA_ARRAY(arena, const uint64_t *, machine->program_count + 1);
    if (machine->api)
        return NULL;
    for (uint32_t i = 0; i < machine->program_count; i++)
        if (machine->programs[i])
            live[i] = program_live(arena, machine->programs[i],
                                   observed_registers(arena, machine, machine->programs[i]->body));
    return live;
}
