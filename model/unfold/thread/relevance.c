/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/relevance.h"

#include "model/unfold/thread/liveness.h"

/* Node 'count' of the graph of control is the end of the body. */
struct control {
    const struct body *body;
    uint32_t count;
    uint32_t *
        order; /* of a node, by a search backwards from the end: smaller is nearer to the end; 0: not reached */
    uint32_t *by_order;
    uint32_t *next; /* the first node that every way to the end passes: immediate postdominator */
};

struct relevance {
    struct control control;
    bool *insts, *heads; /* of loops: whether one is come to again always matters */
};

/* ---- the graph of control ------------------------------------------------------------------- */

static bool is_always(const struct inst *inst)
{
    return inst->op != OP_BRANCH_COMPARE && inst->guard == NONE;
}

/* The i-th instruction that may come next, or NONE behind the last. */
static uint32_t successor(const struct body *body, uint32_t pc, uint32_t i)
{
    const struct inst *inst = &body->insts[pc];
    uint32_t target = liveness_jump(body, inst, i);
    if (target != NONE)
        return target;
    bool last = i && liveness_jump(body, inst, i - 1) == NONE;
    bool falls = liveness_jump(body, inst, 0) == NONE || !is_always(inst);
    return last || !falls ? NONE : pc + 1;
}

/* Lists, of each node, the nodes before it: those of node n are list[first[n]] to list[first[n + 1] - 1]. */
static uint32_t *predecessors(struct arena *arena, const struct body *body, uint32_t **first)
{
    uint32_t count = body->inst_count + 1, *at = ARENA_ARRAY(arena, uint32_t, count + 2);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        for (uint32_t i = 0, to; (to = successor(body, pc, i)) != NONE; i++)
            at[to + 2]++;
    for (uint32_t n = 2; n < count + 2; n++)
        at[n] += at[n - 1];
    uint32_t *list = ARENA_ARRAY(arena, uint32_t, at[count + 1] + 1);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        for (uint32_t i = 0, to; (to = successor(body, pc, i)) != NONE; i++)
            list[at[to + 1]++] = pc;
    *first = at;
    return list;
}

/* Numbers the nodes from which the end is reached, in reverse postorder from the end, from 1 on. */
static void number(struct arena *arena, struct control *c)
{
    uint32_t *first, *list = predecessors(arena, c->body, &first);
    uint32_t *stack = ARENA_ARRAY(arena, uint32_t, c->count + 1), depth = 1, left = c->count + 1;
    uint32_t *tried = ARENA_ARRAY(arena, uint32_t, c->count + 1);
    bool *seen = ARENA_ARRAY(arena, bool, c->count + 1);
    stack[0] = c->count;
    seen[c->count] = true;
    while (depth) {
        uint32_t node = stack[depth - 1], at = first[node] + tried[node]++;
        if (at == first[node + 1]) {
            c->by_order[left] = node;
            c->order[node] = left--;
            depth--;
        } else if (!seen[list[at]]) {
            seen[list[at]] = true;
            stack[depth++] = list[at];
        }
    }
}

static uint32_t common(const struct control *c, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (c->order[a] > c->order[b])
            a = c->next[a];
        while (c->order[b] > c->order[a])
            b = c->next[b];
    }
    return a;
}

/* Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", on the reversed graph. */
static void find_next(struct control *c)
{
    bool changed = true;
    for (uint32_t node = 0; node <= c->count; node++)
        c->next[node] = node == c->count ? node : NONE;
    while (changed) {
        changed = false;
        for (uint32_t n = 1; n <= c->count + 1; n++) {
            uint32_t node = c->by_order[n], found = NONE;
            if (node == NONE || node == c->count)
                continue;
            for (uint32_t i = 0, to; (to = successor(c->body, node, i)) != NONE; i++)
                if (c->order[to] && c->next[to] != NONE)
                    found = found == NONE ? to : common(c, found, to);
            changed |= found != c->next[node];
            c->next[node] = found;
        }
    }
}

static struct control control_new(struct arena *arena, const struct body *body)
{
    uint32_t count = body->inst_count;
    struct control c = {body, count, ARENA_ARRAY(arena, uint32_t, count + 2),
                        ARENA_ARRAY(arena, uint32_t, count + 2),
                        ARENA_ARRAY(arena, uint32_t, count + 2)};
    for (uint32_t n = 0; n < count + 2; n++)
        c.by_order[n] = NONE;
    number(arena, &c);
    find_next(&c);
    return c;
}

/* ---- what matters --------------------------------------------------------------------------- */

static bool is_jump(const struct body *body, const struct inst *inst)
{
    return liveness_jump(body, inst, 0) != NONE;
}

/* Does it matter whatever comes of its results? */
static bool is_essential(const struct relevance *r, uint32_t pc)
{
    const struct body *body = r->control.body;
    const struct inst *inst = &body->insts[pc];
    switch (op_group(inst->op)) {
    case GROUP_ARITHMETIC:
    case GROUP_LOGIC:
    case GROUP_COMPARISON:
    case GROUP_MOVE:
    case GROUP_PAUSE:
        return false;
    default:
        break;
    }
    return !is_jump(body, inst) || inst->op == OP_TRAP || inst->op == OP_CALL ||
           !r->control.order[pc];
}

static void find_heads(struct relevance *r)
{
    for (uint32_t pc = 0; pc < r->control.count; pc++)
        for (uint32_t i = 0, to; (to = successor(r->control.body, pc, i)) != NONE; i++)
            r->heads[to] |= to <= pc;
}

/* Does the branch decide whether something that matters runs, or a loop goes round? */
static bool decides_relevant(const struct relevance *r, uint32_t pc)
{
    const struct control *c = &r->control;
    uint32_t join = c->next[pc];
    for (uint32_t i = 0, to; (to = successor(c->body, pc, i)) != NONE; i++)
        for (uint32_t at = to; at != join && at != c->count; at = c->next[at])
            if (!c->order[at] || r->insts[at] || r->heads[at])
                return true;
    return false;
}

struct relevance *relevance_new(struct arena *arena, const struct body *body)
{
    struct relevance *r = ARENA_NEW(arena, struct relevance);
    *r =
        (struct relevance){control_new(arena, body), ARENA_ARRAY(arena, bool, body->inst_count + 1),
                           ARENA_ARRAY(arena, bool, body->inst_count + 1)};
    find_heads(r);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        r->insts[pc] = is_essential(r, pc);
    return r;
}

bool relevance_of(const struct relevance *relevance, uint32_t pc)
{
    return relevance->insts[pc];
}

bool relevance_add_result(struct relevance *relevance, uint32_t pc, const uint64_t *live)
{
    const struct inst *inst = &relevance->control.body->insts[pc];
    bool gives = false;
    for (unsigned i = 0; i < op_writes(inst->op) && i < inst->operand_count; i++)
        gives |= liveness_touches(&inst->operands[i], live);
    if (relevance->insts[pc] || !gives)
        return false;
    relevance->insts[pc] = true;
    return true;
}

bool relevance_add_branches(struct relevance *relevance)
{
    bool found = false;
    for (uint32_t pc = relevance->control.count; pc-- > 0;)
        if (!relevance->insts[pc] && successor(relevance->control.body, pc, 1) != NONE &&
            decides_relevant(relevance, pc))
            relevance->insts[pc] = found = true;
    return found;
}
