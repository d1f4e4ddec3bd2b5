/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

#include <glib.h>

/* Questions about the control and data flow of a program, answered once when it is decoded. */

struct control_flow {
    const struct program *program;
    uint32_t nodes;  /* micros and, last, the exit */
    uint32_t *first; /* predecessors of node n: from[first[n]] up to from[first[n + 1]] */
    uint32_t *from;
    uint32_t *order;  /* postorder number on the reversed graph, or NONE */
    uint32_t *sorted; /* nodes by descending number */
    uint32_t count;   /* nodes reached */
    uint32_t *ipdom;
};

uint32_t program_successors(const struct program *program, uint32_t at, const uint32_t **list,
                            uint32_t two[2])
{
    const struct micro *micro = &program->micros[at];
    uint32_t end = program->micro_count;
    bool guarded = micro->guard != SLOT_NONE;
    *list = two;
    if (micro->kind == MICRO_BRANCH_INDEX && !guarded) {
        *list = micro->targets;
        return micro->target_count;
    }
    if (micro->kind != MICRO_BRANCH && micro->kind != MICRO_EXIT && micro->kind != MICRO_RETURN &&
        micro->kind != MICRO_TRAP) {
        two[0] = at + 1;
        return 1;
    }
    two[0] = micro->kind == MICRO_BRANCH ? micro->target : end;
    two[1] = at + 1;
    return guarded ? 2 : 1;
}

static void build_predecessors(struct arena *arena, struct control_flow *flow)
{
    const struct program *program = flow->program;
    const uint32_t *list;
    uint32_t two[2];
    flow->first = ARENA_ARRAY(arena, uint32_t, flow->nodes + 2);
    for (uint32_t i = 0; i < program->micro_count; i++)
        for (uint32_t k = program_successors(program, i, &list, two); k-- > 0;)
            flow->first[list[k] + 2]++;
    for (uint32_t i = 2; i < flow->nodes + 2; i++)
        flow->first[i] += flow->first[i - 1];
    flow->from = ARENA_ARRAY(arena, uint32_t, flow->first[flow->nodes + 1]);
    for (uint32_t i = 0; i < program->micro_count; i++)
        for (uint32_t k = program_successors(program, i, &list, two); k-- > 0;)
            flow->from[flow->first[list[k] + 1]++] = i;
}

/* Depth first from the exit along predecessors, without recursion. */
static void number_nodes(struct arena *arena, struct control_flow *flow)
{
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, flow->nodes);
    uint32_t *next = ARENA_ARRAY(arena, uint32_t, flow->nodes);
    bool *seen = ARENA_ARRAY(arena, bool, flow->nodes);
    uint32_t depth = 1, number = 0;
    flow->order = ARENA_ARRAY(arena, uint32_t, flow->nodes);
    flow->sorted = ARENA_ARRAY(arena, uint32_t, flow->nodes);
    for (uint32_t i = 0; i < flow->nodes; i++)
        flow->order[i] = NONE;
    stack[0] = flow->nodes - 1;
    seen[stack[0]] = true;
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (flow->first[node] + next[node] < flow->first[node + 1]) {
            uint32_t before = flow->from[flow->first[node] + next[node]++];
            if (!seen[before]) {
                seen[before] = true;
                stack[depth++] = before;
            }
        } else {
            flow->sorted[number] = node;
            flow->order[node] = number++;
            depth--;
        }
    }
    flow->count = number;
}

static uint32_t meet(const struct control_flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (flow->order[a] < flow->order[b])
            a = flow->ipdom[a];
        while (flow->order[b] < flow->order[a])
            b = flow->ipdom[b];
    }
    return a;
}

static bool improve(struct control_flow *flow, uint32_t node)
{
    const uint32_t *list;
    uint32_t two[2], best = NONE;
    for (uint32_t k = program_successors(flow->program, node, &list, two); k-- > 0;) {
        if (flow->order[list[k]] == NONE || flow->ipdom[list[k]] == NONE)
            continue;
        best = best == NONE ? list[k] : meet(flow, best, list[k]);
    }
    if (best == NONE || best == flow->ipdom[node])
        return false;
    flow->ipdom[node] = best;
    return true;
}

/* Cooper, Harvey and Kennedy's iteration on the reversed graph. A node that never reaches the exit
 * has the exit as its post-dominator. */
void program_postdominators(struct arena *arena, struct program *program)
{
    struct control_flow flow = {.program = program, .nodes = program->micro_count + 1};
    build_predecessors(arena, &flow);
    number_nodes(arena, &flow);
    flow.ipdom = ARENA_ARRAY(arena, uint32_t, flow.nodes);
    for (uint32_t i = 0; i < flow.nodes; i++)
        flow.ipdom[i] = NONE;
    flow.ipdom[flow.nodes - 1] = flow.nodes - 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = flow.count - 1; i-- > 0;)
            changed |= improve(&flow, flow.sorted[i]);
    }
    for (uint32_t i = 0; i < program->micro_count; i++)
        program->micros[i].reconverge =
            flow.ipdom[i] == NONE ? program->micro_count : flow.ipdom[i];
}

/* ---- what can still be executed ------------------------------------------------------------ */

/* A search backwards from one micro, a sweep at a time. */
struct leads {
    const struct program *program;
    uint32_t to;
    bool *found;   /* by micro, and the exit */
    bool *resumes; /* by body of a function: it is found behind a call of it */
};

static bool leads_from(const struct leads *l, uint32_t at)
{
    const struct micro *micro = &l->program->micros[at];
    const uint32_t *list;
    uint32_t two[2];
    bool found = false;
    for (uint32_t k = program_successors(l->program, at, &list, two); k-- > 0;)
        found |= list[k] == l->to || l->found[list[k]];
    if (micro->kind == MICRO_RETURN)
        found |= l->resumes[micro->call->callee->body_index];
    if (micro->kind == MICRO_CALL) {
        l->resumes[micro->call->callee->body_index] |= found;
        found |= micro->call->callee->entry == l->to || l->found[micro->call->callee->entry];
    }
    return found;
}

const bool *program_leads_to(struct arena *arena, const struct program *program, uint32_t to)
{
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_RETURN)
            bodies = MAX(bodies, program->micros[i].call->callee->body_index + 1);
    struct leads l = {program, to, ARENA_ARRAY(arena, bool, program->micro_count + 1),
                      ARENA_ARRAY(arena, bool, bodies + 1)};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = program->micro_count; i-- > 0;) {
            if (l.found[i] || !leads_from(&l, i))
                continue;
            changed = l.found[i] = true;
        }
    }
    return l.found;
}

/* ---- where values come from ---------------------------------------------------------------- */

/* Slots whose value may be computed from the seeds, whatever the order of execution. */
static void spread(const struct program *program, bool *tainted, bool only_moves)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < program->micro_count; i++) {
            const struct micro *micro = &program->micros[i];
            bool in = false;
            if (micro->kind != MICRO_ALU || (only_moves && micro->src_count != 1))
                continue;
            for (uint32_t k = 0; k < micro->src_count; k++)
                in = in || tainted[micro->src[k]];
            if (in && micro->dst[0] != SLOT_NONE && !tainted[micro->dst[0]])
                changed = tainted[micro->dst[0]] = true;
        }
    }
}

const bool *program_clock_slots(struct arena *arena, const struct program *program)
{
    bool *clock = ARENA_ARRAY(arena, bool, program->slot_count);
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_CLOCK)
            clock[program->micros[i].dst[0]] = true;
    spread(program, clock, false);
    return clock;
}

static bool has_tainted_source(const struct micro *micro, const bool *tainted)
{
    for (uint32_t k = 0; k < micro->src_count; k++)
        if (micro->src[k] != SLOT_NONE && tainted[micro->src[k]])
            return true;
    return false;
}

static bool is_move(const struct micro *micro)
{
    return micro->kind == MICRO_ALU && (micro->inst->op == OP_MOV || micro->inst->op == OP_CVT);
}

static bool is_comparison(const struct micro *micro, const bool *tainted)
{
    return micro->kind == MICRO_ALU && micro->inst->op == OP_SETP && micro->src_count == 2 &&
           tainted[micro->src[0]] != tainted[micro->src[1]];
}

bool program_compares_clock_once(struct arena *arena, const struct program *program)
{
    bool *clock = ARENA_ARRAY(arena, bool, program->slot_count);
    uint32_t comparisons = 0;
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_CLOCK)
            clock[program->micros[i].dst[0]] = true;
    spread(program, clock, true);
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        if (!has_tainted_source(micro, clock) || is_move(micro))
            continue;
        if (!is_comparison(micro, clock) || comparisons++)
            return false;
    }
    return true;
}

static bool is_read(const struct program *program, slot s)
{
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        if (micro->guard == s || micro->base == s || micro->base2 == s)
            return true;
        for (uint32_t k = 0; k < micro->src_count; k++)
            if (micro->src[k] == s)
                return true;
    }
    return false;
}

bool program_tells_order(struct arena *arena, const struct program *program)
{
    bool *seen = ARENA_ARRAY(arena, bool, program->slot_count + 1); /* atomics may be many */
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        slot old = micro->kind == MICRO_ATOM && micro->dst_count ? micro->dst[0] : SLOT_NONE;
        bool strong = micro->kind == MICRO_LOAD && micro->inst->sem != SEM_WEAK;
        if (!micro_is_access(micro) || micro->inst->space == SPACE_SHARED ||
            micro->inst->space == SPACE_SHARED_CLUSTER)
            continue;
        if (strong || (old != SLOT_NONE && !seen[old] && is_read(program, old)))
            return true;
        if (old != SLOT_NONE)
            seen[old] = true;
    }
    return false;
}

/* The same through collectives and memory, too: once a tainted value is stored, any load may return it. */
static void spread_everywhere(const struct program *program, bool *tainted)
{
    bool stored = false, changed = true;
    while (changed) {
        spread(program, tainted, false);
        changed = false;
        for (uint32_t i = 0; i < program->micro_count; i++) {
            const struct micro *micro = &program->micros[i];
            bool in = has_tainted_source(micro, tainted), access = micro_is_access(micro);
            stored = stored || (in && access);
            bool out = micro->kind == MICRO_LOAD ? stored : in && !access;
            for (uint32_t k = 0; out && k < micro->dst_count; k++)
                if (micro->dst[k] != SLOT_NONE && !tainted[micro->dst[k]])
                    changed = tainted[micro->dst[k]] = true;
        }
    }
}

bool program_decides(struct arena *arena, const struct program *program)
{
    bool *read = ARENA_ARRAY(arena, bool, program->slot_count + 1);
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        bool strong = micro->kind == MICRO_ATOM ||
                      (micro->kind == MICRO_LOAD && micro->inst->sem != SEM_WEAK);
        for (uint32_t k = 0; strong && k < micro->dst_count; k++)
            if (micro->dst[k] != SLOT_NONE)
                read[micro->dst[k]] = true;
    }
    spread_everywhere(program, read);
    for (uint32_t i = 0; i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        if ((micro->guard != SLOT_NONE && read[micro->guard]) ||
            (micro->base != SLOT_NONE && read[micro->base]))
            return true;
    }
    return false;
}

static bool hardware_special(const struct fixed_slot *fixed)
{
    return fixed->kind == FIXED_SPECIAL &&
           (fixed->special == SPECIAL_WARPID || fixed->special == SPECIAL_NWARPID ||
            fixed->special == SPECIAL_SMID || fixed->special == SPECIAL_NSMID ||
            fixed->special == SPECIAL_GRIDID);
}

void program_taint(struct arena *arena, struct program *program)
{
    bool *hardware = ARENA_ARRAY(arena, bool, program->slot_count);
    bool *active = ARENA_ARRAY(arena, bool, program->slot_count);
    for (slot s = program->reg_slots; s < program->slot_count; s++)
        hardware[s] = hardware_special(&program->fixed[s - program->reg_slots]);
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_ACTIVEMASK && program->micros[i].dst[0] != SLOT_NONE)
            active[program->micros[i].dst[0]] = true;
    spread(program, hardware, false);
    spread(program, active, true);
    for (uint32_t i = 0; i < program->micro_count; i++) {
        struct micro *micro = &program->micros[i];
        slot mask = micro->kind == MICRO_COLLECTIVE ? micro->src[micro->src_count - 1] : SLOT_NONE;
        if ((micro->base != SLOT_NONE && hardware[micro->base]) ||
            (mask != SLOT_NONE && hardware[mask]))
            micro->flags |= MICRO_HARDWARE;
        if (mask != SLOT_NONE && active[mask])
            micro->flags |= MICRO_ACTIVE;
    }
}
