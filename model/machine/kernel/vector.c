/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/vector.h"

#include "model/machine/kernel/direction.h"
#include "model/machine/kernel/turns.h"
#include "model/machine/race/race.h"

/* How many back edges lanes of a warp take before those that have not moved meanwhile have their
 * turn. */
static uint32_t patience(const struct vector_engine *v)
{
    return v->disturbance ? 4 : 64;
}

static void write_pcs(struct vector_engine *v, const struct group *g, uint32_t lanes, uint32_t pc)
{
    struct lane *lane = run_lane(&v->run, g->first);
    if (lanes == UINT32_MAX >> (32 - g->width)) {
        for (uint32_t p = 0; p < g->width; p++)
            lane[p].pc = pc;
        return;
    }
    EACH_LANE(p, lanes)
        lane[p].pc = pc;
}

static void write_acted(struct vector_engine *v, struct group *g, uint32_t lanes, uint32_t acted)
{
    EACH_LANE(p, acted ? lanes : 0)
        run_lane(&v->run, g->first)[p].acted = acted;
}

/* The lanes did what bypass_note wants to know of. */
static void note_act(struct vector_engine *v, struct group *g, const struct micro *micro,
                     uint32_t active)
{
    if (!g->program->meets || !micro_acts(micro))
        return;
    if (active == g->lanes)
        g->acted = g->pc + 1;
    else
        write_acted(v, g, active, g->pc + 1);
}

static void settle_acted(struct vector_engine *v, struct group *g)
{
    write_acted(v, g, g->lanes, g->acted);
    g->acted = 0;
}

/* Where those of the lanes stand that go first: furthest behind, or by chance anywhere. */
static uint32_t first_pc(struct vector_engine *v, const struct lane *lane, uint32_t lanes)
{
    struct disturbance *d = v->disturbance;
    uint32_t pc = UINT32_MAX;
    if (d && turns_draw(d, 2)) {
        for (uint32_t i = turns_draw(d, (uint32_t)__builtin_popcount(lanes)); i; i--)
            lanes &= lanes - 1;
        return lane[lowest(lanes)].pc;
    }
    EACH_LANE(p, lanes)
        pc = MIN(pc, lane[p].pc);
    return pc;
}

/* The lanes among 'lanes', all running, that go first; they meet the warp's others at the frontier. */
static void choose_group(struct vector_engine *v, struct group *g, uint32_t lanes)
{
    const struct lane *lane = run_lane(&v->run, g->first);
    uint32_t running = run_warp(&v->run, g->warp)->running;
    g->frontier = UINT32_MAX;
    g->lanes = running;
    g->pc = lane[lowest(lanes)].pc;
    if (!run_together(&v->run, g->first, running)) { /* as they mostly are */
        g->pc = first_pc(v, lane, lanes);
        g->lanes = 0;
        EACH_LANE(p, running) {
            if (lane[p].pc == g->pc)
                g->lanes |= 1u << p;
            else if (lane[p].pc < g->frontier && lane[p].pc > g->pc)
                g->frontier = lane[p].pc;
        }
    }
    g->count = (uint32_t)__builtin_popcount(g->lanes);
}

static struct group group_of(struct vector_engine *v, uint32_t warp)
{
    const struct machine *machine = v->run.machine;
    const struct warp_place *place = &machine->warps[warp];
    return (struct group){.warp = warp,
                          .first = place->first_lane,
                          .width = place->width,
                          .regs = state_regs(machine, v->run.state, warp),
                          .fixed = machine->fixed[warp],
                          .program = machine_program(machine, place->first_lane)};
}

/* ---- micros -------------------------------------------------------------------------------- */

static const uint64_t *source(const struct group *g, slot s)
{
    return s == SLOT_NONE ? NULL : group_slot(g, s);
}

/* False: some lane needs a closer look (undefined values, a zero divisor). */
static bool execute_alu(struct vector_engine *v, const struct group *g, const struct micro *micro,
                        uint32_t active)
{
    const uint64_t *a = source(g, micro->src[0]), *b = source(g, micro->src[1]);
    const uint64_t *c = source(g, micro->src[2]), *e = source(g, micro->src[3]);
    uint64_t result[32];
    if (v->run.poisons)
        return false;
    if (micro->flags & MICRO_DIVIDES)
        for (uint32_t i = 0; i < g->width; i++)
            if (active >> i & 1 && alu_extend(micro->inst->type, b[i]) == 0)
                return false;
    if (micro->dst[0] == SLOT_NONE)
        return true;
    bool full = active == UINT32_MAX >> (32 - g->width);
    uint64_t *d = group_slot(g, micro->dst[0]);
    micro->alu(full ? d : result, a, b, c, e, g->width);
    if (!full)
        vector_merge(d, result, active, g->width);
    return true;
}

/* True when the group stays together. */
static bool execute_branch(struct vector_engine *v, struct group *g, const struct micro *micro,
                           uint32_t active)
{
    if (active && active != g->lanes && micro->inst->flags & FLAG_UNI)
        run_report_at(&v->run, g->first + lowest(active), micro, REPORT_UNI_VIOLATED,
                      "lane %u, converged with it, disagrees", lowest(g->lanes & ~active));
    if (active == g->lanes || !active) {
        g->pc = active ? micro->target : g->pc + 1;
        return true;
    }
    write_pcs(v, g, active, micro->target);
    write_pcs(v, g, g->lanes & ~active, g->pc + 1);
    return false;
}

/* False: one lane after the other. */
static bool fence(struct vector_engine *v, const struct group *g, const struct micro *micro,
                  uint32_t active)
{
    bool whole = active == v->run.machine->warps[g->warp].present;
    if (v->race && (v->weak || !whole))
        return false;
    if (v->race)
        race_fence_warp(v->race, g->first, active, micro);
    return true;
}

static bool together_kind(const struct micro *micro)
{
    return micro->kind == MICRO_ALU || micro_is_access(micro) || micro->kind == MICRO_FENCE ||
           micro->kind == MICRO_NANOSLEEP || micro->kind == MICRO_GRIDDEP ||
           micro->kind == MICRO_TEXTURE || micro->kind == MICRO_SURFACE;
}

/* True when the group stays together and went past the micro. */
static bool execute(struct vector_engine *v, struct group *g, const struct micro *micro,
                    uint32_t active)
{
    if (micro->kind == MICRO_BRANCH)
        return execute_branch(v, g, micro, active);
    bool done = !active;
    if (active && micro->kind == MICRO_ALU)
        done = execute_alu(v, g, micro, active);
    else if (active && micro_is_access(micro))
        done = vector_access(v, g, micro, active);
    else if (micro->kind == MICRO_FENCE)
        done = fence(v, g, micro, active);
    if (done && active && micro->kind != MICRO_ALU)
        note_act(v, g, micro, active);
    if (!done) {
        settle_acted(v, g);
        write_pcs(v, g, g->lanes & ~active, g->pc + 1);
        write_pcs(v, g, active,
                  g->pc); /* one after the other, or together where the rules say so */
        lane_step_together(&v->run, g->warp, active);
        if (!together_kind(micro) || v->run.stop)
            return false;
    }
    g->pc++;
    return true;
}

static uint32_t guard_mask(struct vector_engine *v, const struct group *g,
                           const struct micro *micro)
{
    if (micro->guard == SLOT_NONE)
        return g->lanes;
    const struct machine *machine = v->run.machine;
    uint32_t mask = vector_mask(group_slot(g, micro->guard), g->width);
    if (v->run.poisons && micro->guard < g->program->reg_slots) {
        uint32_t bad = state_poison(machine, v->run.state, g->warp)[micro->guard] & g->lanes;
        if (bad) {
            write_pcs(v, g, g->lanes, g->pc);
            run_report(&v->run, g->first + lowest(bad), REPORT_POISON_USED,
                       "the guard of %s is undefined", run_micro_name(&v->run, micro));
        }
    }
    return (micro->guard_negated ? ~mask : mask) & g->lanes;
}

/* ---- groups -------------------------------------------------------------------------------- */

static void count_back_edge(struct vector_engine *v, uint32_t *patience)
{
    if (v->seen_changes != v->run.changes)
        v->idle = 0;
    v->seen_changes = v->run.changes;
    v->idle++;
    --*patience;
}

/* The turn, at something that synchronizes or that a directed schedule waits for. */
static bool is_over(const struct vector_engine *v)
{
    return (v->disturbance && v->disturbance->yields) || (v->direction && v->direction->pauses);
}

/* Until the group splits, waits, meets other lanes, or its patience or the budget is used up. */
static uint64_t run_group(struct vector_engine *v, struct group *g, uint64_t budget,
                          uint32_t *patience)
{
    uint64_t steps = 0;
    bool together = true;
    while (together && steps < budget && g->pc < g->frontier && *patience && !v->run.stop &&
           !is_over(v)) {
        const struct micro *micro = &g->program->micros[g->pc];
        uint32_t active = guard_mask(v, g, micro), before = g->pc;
        if (direction_holds(v->direction, g->first, micro, active))
            break;
        together = execute(v, g, micro, active);
        v->instructions += micro->flags & MICRO_LAST ? g->count : 0;
        steps++;
        turns_note(v->disturbance, g->warp, micro);
        direction_note(v->direction, g->first, micro, active);
        if (micro->flags & MICRO_BACK_EDGE && together && g->pc <= before)
            count_back_edge(v, patience);
    }
    settle_acted(v, g);
    if (together)
        write_pcs(v, g, g->lanes & run_warp(&v->run, g->warp)->running, g->pc);
    return steps;
}

/* The lanes to choose from: all, unless they have been at it for long; then those that have not
 * moved since all had their turn. */
static uint32_t whose_turn(const struct vector_engine *v, struct turn *turn, uint32_t running)
{
    if (turn->patience)
        return running;
    turn->patience = patience(v);
    uint32_t waiting = running & ~turn->ran;
    if (!waiting)
        turn->ran = 0;
    return waiting ? waiting : running;
}

void vector_run_warp(struct vector_engine *v, uint32_t warp, uint64_t budget)
{
    struct group g = group_of(v, warp);
    struct turn *turn = &v->turns[warp];
    while (budget && !v->run.stop && !is_over(v) && run_warp(&v->run, warp)->running) {
        choose_group(v, &g, whose_turn(v, turn, run_warp(&v->run, warp)->running));
        uint64_t steps = run_group(v, &g, budget, &turn->patience);
        turn->ran |= g.lanes;
        v->run.steps += steps * g.count;
        budget -= steps < budget ? steps : budget;
        if (!turn->patience && v->idle > 16 * patience(v))
            return;
    }
    turn->patience = budget ? turn->patience : 0;
}
