/* SPDX-License-Identifier: MIT */
#include "model/machine/search/lockstep.h"

#include "model/machine/step/lane.h"

/* A side of a divergent branch, or a call, waiting for its turn; the top one runs. Reaching
 * 'reconverge' pops it. Each divergence splits the active lanes, so depth stays below 2 * 32, and
 * calls come on top. */
struct side {
    uint32_t lanes, pc, reconverge;
};
enum { DEPTH = 72 + MOST_CALLS };

struct stack {
    struct side sides[DEPTH];
    uint32_t depth;
};

struct lockstep {
    const struct machine *machine;
    struct stack *stacks; /* by warp */
    uint32_t *candidates;
};

struct lockstep *lockstep_new(struct arena *arena, const struct machine *machine)
{
    struct lockstep *l = ARENA_NEW(arena, struct lockstep);
    l->machine = machine;
    l->stacks = ARENA_ARRAY(arena, struct stack, machine->warp_count);
    l->candidates = ARENA_ARRAY(arena, uint32_t, machine->warp_count);
    return l;
}

void lockstep_start(struct lockstep *l, struct run *run)
{
    for (uint32_t w = 0; w < l->machine->warp_count; w++) {
        struct stack *stack = &l->stacks[w];
        stack->depth = 1;
        stack->sides[0] = (struct side){run_warp(run, w)->running, 0, NONE};
    }
}

static uint32_t *pc_of(const struct lockstep *l, struct run *run, uint32_t warp, uint32_t p)
{
    return &run_lane(run, l->machine->warps[warp].first_lane + p)->pc;
}

/* Drops lanes that have exited and sides that are done. */
static struct side *top_side(struct lockstep *l, struct run *run, uint32_t warp)
{
    struct stack *stack = &l->stacks[warp];
    uint32_t exited = run_warp(run, warp)->exited;
    while (stack->depth) {
        struct side *top = &stack->sides[stack->depth - 1];
        top->lanes &= ~exited;
        if (top->lanes)
            top->pc = *pc_of(l, run, warp, lowest(top->lanes));
        if (top->lanes && top->pc != top->reconverge)
            return top;
        stack->depth--;
    }
    return NULL;
}

/* All active lanes must be able to run: one that waits stops the warp. */
static bool can_move(struct lockstep *l, const struct spin_loop *spins, struct run *run,
                     uint32_t warp)
{
    const struct side *top = top_side(l, run, warp);
    const struct warp *w = run_warp(run, warp);
    uint32_t first = l->machine->warps[warp].first_lane;
    if (!top || (top->lanes & ~w->running))
        return false;
    EACH_LANE(p, top->lanes) {
        if (!spin_is_stuck(spins, run, first + p))
            return true;
    }
    return false;
}

static void push(struct stack *stack, uint32_t lanes, uint32_t pc, uint32_t reconverge)
{
    if (stack->depth < DEPTH)
        stack->sides[stack->depth++] = (struct side){lanes, pc, reconverge};
}

/* Lanes that meet again only where their function ends meet where its call does. */
static uint32_t meeting(const struct program *program, const struct side *top, uint32_t pc)
{
    uint32_t at = program->micros[pc].reconverge;
    return pc < program->entry && at == program->micro_count ? top->reconverge : at;
}

/* After a branch the lanes may stand at several pcs: one side each, in an order of chance. */
static void diverge(struct lockstep *l, struct run *run, uint32_t warp, struct side *top,
                    uint32_t reconverge)
{
    struct stack *stack = &l->stacks[warp];
    uint32_t left = top->lanes & ~run_warp(run, warp)->exited;
    struct side sides[32];
    uint32_t count = 0;
    while (left) {
        uint32_t pc = *pc_of(l, run, warp, lowest(left)), same = 0;
        EACH_LANE(p, left) {
            if (*pc_of(l, run, warp, p) == pc)
                same |= 1u << p;
        }
        sides[count++] = (struct side){same, pc, reconverge};
        left &= ~same;
    }
    if (count < 2)
        return;
    uint32_t turn = run->chooser->choose(run->chooser, count);
    for (uint32_t i = 0; i < count; i++)
        push(stack, sides[(i + turn) % count].lanes, sides[(i + turn) % count].pc, reconverge);
}

/* Lanes that called meet again behind the call, at 'pc' + 1. */
static void enter(struct lockstep *l, struct run *run, uint32_t warp, uint32_t lanes, uint32_t pc)
{
    uint32_t first = l->machine->warps[warp].first_lane + lowest(lanes);
    if (l->stacks[warp].depth >= DEPTH - 2 * 32)
        run_report(run, first, REPORT_CALL_TOO_DEEP, "%u calls run already", MOST_CALLS);
    push(&l->stacks[warp], lanes, *pc_of(l, run, warp, lowest(lanes)), pc + 1);
}

static void execute(struct lockstep *l, struct spin_loop *spins, struct run *run, uint32_t warp)
{
    struct side *top = top_side(l, run, warp);
    uint32_t first = l->machine->warps[warp].first_lane, pc = top->pc, active = 0;
    const struct program *program =
        l->machine->programs[l->machine->lanes[first + lowest(top->lanes)].program];
    const struct micro *micro = &program->micros[pc];
    bool branch = micro->kind == MICRO_BRANCH || micro->kind == MICRO_BRANCH_INDEX;
    EACH_LANE(p, top->lanes) {
        if (run_enabled(run, first + p))
            active |= 1u << p;
        else
            run_advance(run, first + p);
    }
    if (active)
        lane_step_together(run, warp, active);
    EACH_LANE(p, active) {
        if (branch && *pc_of(l, run, warp, p) <= pc)
            spin_note_loop(spins, run, first + p);
    }
    if (micro->kind == MICRO_CALL && active)
        enter(l, run, warp, active, pc);
    if (branch || micro->kind == MICRO_EXIT || micro->kind == MICRO_RETURN)
        diverge(l, run, warp, top, meeting(program, top, pc));
}

bool lockstep_step(struct lockstep *l, struct spin_loop *spins, struct run *run)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < l->machine->warp_count; w++)
        if (can_move(l, spins, run, w))
            l->candidates[count++] = w;
    if (!count)
        return false;
    execute(l, spins, run, l->candidates[run->chooser->choose(run->chooser, count)]);
    return true;
}
