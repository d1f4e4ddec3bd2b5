/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/barrier.h"

#include <glib.h>

#include "model/machine/sync/bypass.h"

/* CTA barriers: the state machine of lane-semantics section 5.2. The lanes of a warp gather first,
 * then the warp arrives as one; the dialect's quorums count single threads and need no gathering.
 */

/* An arrival: a warp, or in a quorum a thread. */
struct arrival {
    struct run *run;
    uint32_t warp, first, lanes;
    uint32_t id;
    struct barrier *barrier;
    const struct micro *micro; /* of the lowest lane */
    bool one_pc;               /* of all lanes */
};

static const struct micro *micro_at(const struct arrival *a, uint32_t p)
{
    return run_micro(a->run, a->first + p);
}

static uint32_t cta_of(const struct run *run, uint32_t warp)
{
    return run->machine->warps[warp].cta;
}

static bool quorum(const struct micro *micro)
{
    return micro->inst->flags & FLAG_COUNT_THREADS;
}

static uint32_t need_of(const struct arrival *a)
{
    slot count = a->micro->src[1];
    return count == SLOT_NONE ? NEED_ALL
                              : (uint32_t)run_value(a->run, a->first + lowest(a->lanes), count);
}

static const char *barrier_text(const struct run *run, uint32_t id, const struct barrier *barrier)
{
    return arena_printf(run->reports->arena, "barrier %u, generation %u", id, barrier->generation);
}

/* ---- completion ---------------------------------------------------------------------------- */

/* Can a lane that stands at micro 'pc' still execute a barrier numbered 'id'? Branches are taken
 * both ways; a number in a register may be any. */
static bool may_reach(const struct run *run, uint32_t lane, uint32_t pc, uint32_t id)
{
    const struct program *program = run_program(run, lane);
    bool *seen = g_new0(bool, program->micro_count + 1), found = false;
    uint32_t *todo = g_new(uint32_t, 2 * program->micro_count + 2), count = 0;
    todo[count++] = pc;
    while (count && !found) {
        const struct micro *micro = &program->micros[pc = todo[--count]];
        if (pc >= program->micro_count || seen[pc])
            continue;
        seen[pc] = true;
        found = micro->kind == MICRO_BARRIER &&
                (micro->src[0] < program->reg_slots || run_value(run, lane, micro->src[0]) == id);
        if (micro->kind == MICRO_BRANCH_INDEX)
            found = true; /* rare: treated as reaching everything */
        bool jumps = micro->kind == MICRO_BRANCH, ends = micro->kind == MICRO_EXIT;
        if (!seen[pc + 1] && !(ends && micro->guard == SLOT_NONE) &&
            !(jumps && micro->guard == SLOT_NONE))
            todo[count++] = pc + 1;
        if (jumps && !seen[micro->target])
            todo[count++] = micro->target;
    }
    g_free(seen);
    g_free(todo);
    return found;
}

/* In a column test the CTA has threads that are not shown, so a barrier waits only for those shown
 * threads that can still come. */
static bool may_arrive(const struct run *run, uint32_t warp, uint32_t id)
{
    uint32_t first = run_first(run, warp);
    const struct warp *w = run_warp(run, warp);
    EACH_LANE(p, ~w->exited) {
        const struct lane *lane = run_lane(run, first + p);
        bool waits_there = (w->at_barrier >> p & 1) && lane->key == (KEY_BARRIER | id);
        if (may_reach(run, first + p, lane->pc + waits_there, id))
            return true;
    }
    return false;
}

uint32_t barrier_threads(const struct barrier *barrier)
{
    return barrier->threads ? barrier->threads
                            : 32 * (uint32_t)__builtin_popcount(barrier->arrived);
}

static bool complete(const struct run *run, uint32_t cta, uint32_t id,
                     const struct barrier *barrier)
{
    const struct cta_place *place = &run->machine->ctas[cta];
    if (barrier->need == NEED_NONE)
        return false;
    if (barrier->need != NEED_ALL)
        return barrier_threads(barrier) == barrier->need;
    for (uint32_t w = 0; w < place->warps; w++) {
        bool gone = run_warp(run, place->first_warp + w)->exited == UINT32_MAX;
        if (gone || (barrier->arrived >> w & 1))
            continue;
        if (!place->open || may_arrive(run, place->first_warp + w, id))
            return false;
    }
    return true;
}

static uint64_t red_result(const struct barrier *barrier, const struct micro *micro)
{
    return micro->inst->atom_op == ATOM_POPC  ? barrier->count
           : micro->inst->atom_op == ATOM_AND ? barrier->all
                                              : barrier->any;
}

static void write_result(struct run *run, uint32_t lane, const struct barrier *barrier)
{
    const struct micro *micro = run_micro(run, lane);
    if (micro->inst->op == OP_BAR_RED)
        run_write(run, lane, micro->dst[0], red_result(barrier, micro), false);
}

/* Waiting lanes of the warp go on; 'lanes' collects them. */
static uint32_t release_warp(struct run *run, uint32_t warp, uint32_t id,
                             const struct barrier *barrier, uint32_t *lanes)
{
    struct warp *w = run_warp(run, warp);
    uint32_t first = run_first(run, warp), count = 0, gone = 0;
    struct lane *lane = run_lane(run, first);
    bool one = w->at_barrier && !run->machine->ctas[cta_of(run, warp)].open &&
               run_together(run, first, w->at_barrier); /* at one instruction of one program */
    bool reduces = one && run_micro(run, first + lowest(w->at_barrier))->inst->op == OP_BAR_RED;
    EACH_LANE(p, w->at_barrier) {
        if (lane[p].key != (KEY_BARRIER | id))
            continue;
        if (reduces || !one)
            write_result(run, first + p, barrier);
        gone |= 1u << p;
        lane[p].key = 0;
        lane[p].pc++;
        lanes[count++] = first + p;
    }
    w->at_barrier &= ~gone;
    w->running |= gone;
    return count;
}

static uint32_t present_exited(const struct run *run, uint32_t cta)
{
    const struct cta_place *place = &run->machine->ctas[cta];
    uint32_t count = 0;
    for (uint32_t w = place->first_warp; w < place->first_warp + place->warps; w++)
        count +=
            (uint32_t)__builtin_popcount(run_warp(run, w)->exited & run->machine->warps[w].present);
    return count;
}

/* A thread of the CTA that has exited, and did more than that after it had turned off. */
static const char *passed_by(struct run *run, uint32_t cta, const struct barrier *barrier,
                             uint32_t like)
{
    const struct cta_place *place = &run->machine->ctas[cta];
    for (uint32_t w = place->first_warp; w < place->first_warp + place->warps; w++) {
        uint32_t passed = bypass_lanes(run, w, run_warp(run, w)->exited, like, barrier->pc);
        if (passed)
            return bypass_text(run, w, passed);
    }
    return NULL;
}

/* Exited threads did not execute the barrier: a warning when they only left, the aligned rule
 * broken when they went on with something else. */
static void note_exits(struct run *run, uint32_t cta, uint32_t id, const struct barrier *barrier)
{
    uint32_t gone = present_exited(run, cta);
    uint32_t first = run_first(run, barrier->warp);
    struct warp *w = run_warp(run, barrier->warp);
    if (!gone || barrier->need != NEED_ALL || !w->at_barrier || run->machine->ctas[cta].open)
        return;
    uint32_t lane = first + lowest(w->at_barrier);
    bool aligned = run_micro(run, lane)->inst->flags & FLAG_ALIGNED;
    const char *other = aligned ? passed_by(run, cta, barrier, lane) : NULL;
    if (other)
        run_report(run, lane, REPORT_ALIGNED_BARRIER_DIVERGENT,
                   "%s: %u threads exited without executing it, and %s",
                   barrier_text(run, id, barrier), gone, other);
    else
        run_report(run, lane, REPORT_BARRIER_AFTER_PARTIAL_EXIT, "%s: %u threads had exited",
                   barrier_text(run, id, barrier), gone);
}

static void finish(struct run *run, uint32_t cta, uint32_t id)
{
    const struct cta_place *place = &run->machine->ctas[cta];
    struct barrier *barrier = run_barrier(run, cta, id);
    uint32_t lanes[1024], count = 0;
    note_exits(run, cta, id, barrier);
    for (uint32_t w = 0; w < place->warps; w++)
        if (barrier->arrived >> w & 1)
            count += release_warp(run, place->first_warp + w, id, barrier, lanes + count);
    const struct sync sync = {.kind = SYNC_BARRIER_LEAVE,
                              .lanes = lanes,
                              .lane_count = count,
                              .cta = cta,
                              .id = id,
                              .generation = barrier->generation};
    run->memory->ops->sync(run, &sync);
    *barrier = (struct barrier){.generation = barrier->generation + 1};
}

/* ---- arrival ------------------------------------------------------------------------------- */

static uint8_t kind_of(const struct micro *micro)
{
    return (uint8_t)(1 + (micro->inst->op == OP_BAR_RED ? micro->inst->atom_op : ATOM_NONE));
}

/* One body is one program text: columns run different ones and cannot be compared. */
static void check_aligned(const struct arrival *a)
{
    const struct run *run = a->run;
    uint32_t lane = a->first + lowest(a->lanes);
    uint32_t other = run_first(run, a->barrier->warp);
    const struct program *mine = run_program(run, lane);
    uint32_t program = run->machine->lanes[other].program;
    if (!(a->micro->inst->flags & FLAG_ALIGNED))
        return;
    /* with a count the barrier is between chosen warps, at different places in a program */
    uint32_t mine_pc = run_lane(run, lane)->pc;
    uint32_t pc = a->barrier->need == NEED_ALL ? a->barrier->pc : mine_pc;
    EACH_LANE(p, a->one_pc ? a->lanes & -a->lanes : a->lanes) {
        const struct micro *micro = micro_at(a, p);
        bool same = program == NONE || run->machine->programs[program] != mine ||
                    micro == &mine->micros[pc] || run->machine->ctas[cta_of(run, a->warp)].open;
        if (same)
            continue;
        run_report(a->run, a->first + p, REPORT_ALIGNED_BARRIER_DIVERGENT,
                   "%s: it arrives by %s, others by %s", barrier_text(run, a->id, a->barrier),
                   run_micro_name(run, micro), run_micro_name(run, &mine->micros[pc]));
        return;
    }
}

static void join_generation(const struct arrival *a)
{
    struct barrier *barrier = a->barrier;
    uint32_t lane = a->first + lowest(a->lanes), need = need_of(a);
    if (barrier->need == NEED_NONE) {
        barrier->need = need;
        barrier->kind = kind_of(a->micro);
        barrier->pc = run_lane(a->run, lane)->pc;
        barrier->warp = a->warp;
        barrier->all = 1;
    } else if (barrier->need != need) {
        run_report(a->run, lane, REPORT_BARRIER_COUNT_MISMATCH,
                   "%s waits for %d threads, this arrival says %d",
                   barrier_text(a->run, a->id, barrier), (int)barrier->need, (int)need);
    }
    EACH_LANE(p, a->one_pc ? a->lanes & -a->lanes : a->lanes) {
        if (barrier->kind != kind_of(micro_at(a, p))) {
            run_report(a->run, a->first + p, REPORT_BARRIER_RED_MIXED, "%s",
                       barrier_text(a->run, a->id, barrier));
            break;
        }
    }
    check_aligned(a);
}

static void add_operands(const struct arrival *a)
{
    if (a->one_pc && a->micro->inst->op != OP_BAR_RED)
        return;
    EACH_LANE(p, a->lanes) {
        const struct micro *micro = micro_at(a, p);
        if (micro->inst->op != OP_BAR_RED)
            continue;
        bool one = run_value(a->run, a->first + p, micro->src[2]) & 1;
        a->barrier->count = (uint16_t)(a->barrier->count + one);
        a->barrier->any |= one;
        a->barrier->all &= one;
    }
}

/* The lanes leave the gathering: 'arrive' goes on, the others wait for the completion. */
static void settle_lanes(const struct arrival *a)
{
    struct warp *w = run_warp(a->run, a->warp);
    w->gathering &= ~a->lanes;
    w->running &= ~a->lanes;
    if (a->one_pc && a->micro->inst->op != OP_BAR_ARRIVE) {
        struct lane *lane = run_lane(a->run, a->first);
        w->at_barrier |= a->lanes;
        EACH_LANE(p, a->lanes)
            lane[p].key = KEY_BARRIER | a->id;
        return;
    }
    EACH_LANE(p, a->lanes) {
        struct lane *lane = run_lane(a->run, a->first + p);
        if (micro_at(a, p)->inst->op == OP_BAR_ARRIVE) {
            w->running |= 1u << p;
            lane->key = 0;
            lane->pc++;
        } else {
            w->at_barrier |= 1u << p;
            lane->key = KEY_BARRIER | a->id;
        }
    }
}

static void count_arrival(const struct arrival *a)
{
    struct barrier *barrier = a->barrier;
    uint32_t bit = 1u << a->run->machine->warps[a->warp].index, lane = a->first + lowest(a->lanes);
    if (quorum(a->micro)) {
        barrier->threads += (uint32_t)__builtin_popcount(a->lanes);
    } else if (barrier->arrived & bit) {
        run_report(a->run, lane, REPORT_BARRIER_REARRIVE, "%s",
                   barrier_text(a->run, a->id, barrier));
    }
    barrier->arrived |= bit;
    uint32_t threads = barrier_threads(barrier), need = need_of(a);
    if (need != NEED_ALL && threads > need)
        run_report(a->run, lane, REPORT_BARRIER_OVERFULL, "%s: %u threads of %u",
                   barrier_text(a->run, a->id, barrier), threads, need);
}

static void warp_arrives(struct run *run, uint32_t warp, uint32_t lanes, uint32_t id, bool one_pc)
{
    uint32_t first = run_first(run, warp), cta = cta_of(run, warp);
    struct arrival a = {.run = run,
                        .warp = warp,
                        .first = first,
                        .lanes = lanes,
                        .id = id,
                        .barrier = run_barrier(run, cta, id),
                        .micro = run_micro(run, first + lowest(lanes)),
                        .one_pc = one_pc};
    join_generation(&a);
    add_operands(&a);
    count_arrival(&a);
    run_sync(
        run, warp, lanes,
        (struct sync){.kind = SYNC_BARRIER_ARRIVE, .id = id, .generation = a.barrier->generation});
    settle_lanes(&a);
    if (complete(run, cta, id, a.barrier))
        finish(run, cta, id);
}

/* ---- gathering ----------------------------------------------------------------------------- */

/* Lanes that gather at barrier 'id'. */
static uint32_t gathered(const struct run *run, uint32_t warp, uint32_t id)
{
    uint32_t lanes = 0, first = run_first(run, warp);
    EACH_LANE(p, run_warp(run, warp)->gathering) {
        if (run_lane(run, first + p)->key == (KEY_BARRIER | id) &&
            run_micro(run, first + p)->kind == MICRO_BARRIER)
            lanes |= 1u << p;
    }
    return lanes;
}

static void try_arrive(struct run *run, uint32_t warp, uint32_t id)
{
    uint32_t lanes = gathered(run, warp, id);
    uint32_t alive = ~run_warp(run, warp)->exited;
    bool lockstep = run->machine->options.mode == MACHINE_LOCKSTEP;
    if (lanes && (lanes == alive || lockstep))
        warp_arrives(run, warp, lanes, id, run_together(run, run_first(run, warp), lanes));
}

static bool check_operands(struct run *run, uint32_t lane, const struct micro *micro, uint32_t *id)
{
    uint64_t number = run_value(run, lane, micro->src[0]);
    *id = (uint32_t)number;
    if ((number & UINT32_MAX) >= BARRIERS) {
        run_report(run, lane, REPORT_BARRIER_BAD_ID, "barrier %u", *id);
        return false;
    }
    bool open = run->machine->ctas[run->machine->lanes[lane].cta].open;
    if (micro->src[1] == SLOT_NONE && (open || micro->inst->op != OP_BAR_ARRIVE))
        return true;
    uint32_t count = micro->src[1] == SLOT_NONE ? 0 : (uint32_t)run_value(run, lane, micro->src[1]);
    if (count == 0 || (count % 32 && !quorum(micro))) {
        run_report(run, lane, REPORT_BARRIER_BAD_COUNT, "%u threads", count);
        return false;
    }
    return true;
}

/* A whole warp at one instruction whose operands are constants: nobody need be gathered. */
static bool whole_warp(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run_first(run, warp), lane = first + lowest(lanes), id;
    const struct micro *micro = run_micro(run, lane);
    slot regs = run_program(run, lane)->reg_slots;
    if (lanes != ~run_warp(run, warp)->exited || quorum(micro) || micro->src[0] < regs ||
        micro->src[1] < regs || !run_together(run, first, lanes))
        return false;
    if (check_operands(run, lane, micro, &id))
        warp_arrives(run, warp, lanes, id, true);
    return true;
}

void barrier_arrive(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run_first(run, warp), ids = 0;
    if (whole_warp(run, warp, lanes))
        return;
    EACH_LANE(p, lanes) {
        const struct micro *micro = run_micro(run, first + p);
        struct warp *w = run_warp(run, warp);
        uint32_t id;
        if (!check_operands(run, first + p, micro, &id))
            return;
        if (quorum(micro)) {
            warp_arrives(run, warp, 1u << p, id, true);
            continue;
        }
        w->running &= ~(1u << p);
        w->gathering |= 1u << p;
        run_lane(run, first + p)->key = KEY_BARRIER | id;
        ids |= 1u << id;
    }
    EACH_LANE(id, ids)
        try_arrive(run, warp, id);
}

/* After an exit in the warp: its gatherings, then the barriers of all threads of the CTA. */
void barrier_retry(struct run *run, uint32_t warp)
{
    uint32_t cta = cta_of(run, warp);
    if (!run->machine->has_barriers)
        return;
    for (uint32_t id = 0; id < BARRIERS; id++) {
        struct barrier *barrier = run_barrier(run, cta, id);
        uint32_t generation = barrier->generation, lanes = gathered(run, warp, id);
        try_arrive(run, warp, id);
        if (lanes && barrier->generation != generation)
            continue;
        if (barrier->need == NEED_ALL && complete(run, cta, id, barrier))
            finish(run, cta, id);
    }
}

bool barrier_finish_open(struct run *run, bool forced)
{
    bool any = false;
    for (uint32_t cta = 0; cta < run->machine->cta_count && run->machine->has_barriers; cta++)
        for (uint32_t id = 0; run->machine->ctas[cta].open && id < BARRIERS; id++) {
            const struct barrier *barrier = run_barrier(run, cta, id);
            if (barrier->need != NEED_ALL ||
                !(forced ? barrier->arrived != 0 : complete(run, cta, id, barrier)))
                continue;
            finish(run, cta, id);
            any = true;
            if (forced)
                return true;
        }
    return any;
}
