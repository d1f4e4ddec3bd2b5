/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/rotate.h"

#include <string.h>

#include "model/unfold/thread/liveness.h"

/* Instructions from 'first' up to 'end', where a loop begins, that go to 'to', behind a jump that is always taken. */
struct between_rounds {
    uint32_t first, end, to;
};

static bool jumps(const struct body *body, uint32_t pc)
{
    return liveness_jump(body, &body->insts[pc], 0) != NONE;
}

static bool always_jumps(const struct body *body, uint32_t pc)
{
    const struct inst *inst = &body->insts[pc];
    return jumps(body, pc) && inst->guard == NONE && inst->op != OP_BRANCH_COMPARE;
}

/* Of each instruction, and the end: the last that jumps to it, plus one. */
static uint32_t *last_jumps(struct arena *arena, const struct body *body)
{
    uint32_t *last = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1);
    for (uint32_t pc = 0, to; pc < body->inst_count; pc++)
        for (uint32_t i = 0; (to = liveness_jump(body, &body->insts[pc], i)) != NONE; i++)
            last[to] = pc + 1;
    return last;
}

/* The first jump to each instruction, plus one. */
static uint32_t *first_jumps(struct arena *arena, const struct body *body)
{
    uint32_t *first = ARENA_ARRAY(arena, uint32_t, body->inst_count + 1);
    for (uint32_t pc = body->inst_count, to; pc-- > 0;)
        for (uint32_t i = 0; (to = liveness_jump(body, &body->insts[pc], i)) != NONE; i++)
            first[to] = pc + 1;
    return first;
}

static bool find_from(const struct body *body, uint32_t pc, const uint32_t *first,
                      const uint32_t *last, struct between_rounds *found)
{
    uint32_t end = pc;
    if (!pc || first[pc] <= pc || !always_jumps(body, pc - 1))
        return false;
    do {
        if (jumps(body, end))
            return false;
        end++;
    } while (end < body->inst_count && !last[end]);
    *found = (struct between_rounds){pc, end, last[pc]};
    while (found->to < body->inst_count && !always_jumps(body, found->to - 1))
        found->to++;
    return last[end] > end && found->to > end && always_jumps(body, found->to - 1);
}

static bool find(struct builder *b, const struct body *body, struct between_rounds *found)
{
    const uint32_t *first = first_jumps(b->arena, body), *last = last_jumps(b->arena, body);
    for (uint32_t pc = 0; pc < body->inst_count; pc++)
        if (find_from(body, pc, first, last, found))
            return true;
    return false;
}

/* Where an instruction lies once those between rounds are moved; a jump is added behind them. */
static uint32_t moved(const struct between_rounds *m, uint32_t pc)
{
    uint32_t count = m->end - m->first;
    if (pc < m->first)
        return pc;
    if (pc < m->end)
        return pc + m->to - m->end;
    return pc < m->to ? pc - count : pc + 1;
}

static struct operand retargeted(struct builder *b, const struct between_rounds *m,
                                 struct operand operand)
{
    const struct operand *parts = operand.parts;
    if (operand.kind == OPERAND_LABEL)
        operand.target = moved(m, operand.target);
    operand.parts = ARENA_ARRAY(b->arena, struct operand, operand.part_count);
    for (uint32_t i = 0; i < operand.part_count; i++)
        operand.parts[i] = retargeted(b, m, parts[i]);
    return operand;
}

static struct inst jump_to(uint32_t target, struct span span)
{
    struct inst jump = {.op = OP_BRA, .guard = NONE, .span = span, .operand_count = 1};
    jump.operands[0] = (struct operand){.kind = OPERAND_LABEL,
                                        .reg = NONE,
                                        .location = NONE,
                                        .target = target,
                                        .param = NONE,
                                        .span = span};
    return jump;
}

static const struct body *move(struct builder *b, const struct body *body,
                               const struct between_rounds *m)
{
    struct body *result = ARENA_NEW(b->arena, struct body);
    *result = *body;
    result->inst_count = body->inst_count + 1;
    result->insts = ARENA_ARRAY(b->arena, struct inst, result->inst_count);
    for (uint32_t pc = 0; pc < body->inst_count; pc++) {
        struct inst *inst = &result->insts[moved(m, pc)];
        *inst = body->insts[pc];
        for (uint32_t i = 0; i < inst->operand_count; i++)
            inst->operands[i] = retargeted(b, m, inst->operands[i]);
    }
    result->insts[m->to] = jump_to(moved(m, m->end), body->insts[m->end - 1].span);
    return result;
}

const struct body *rotate_loops(struct builder *b, const struct body *body)
{
    struct between_rounds found;
    while (find(b, body, &found))
        body = move(b, body, &found);
    return body;
}
