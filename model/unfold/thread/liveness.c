/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/liveness.h"

#include "model/unfold/thread/relevance.h"

/* Finds the registers that a later instruction may still read, by backward data flow over the
 * body. */

struct liveness {
    struct relevance *relevance;
    uint32_t words;
    uint64_t *bits; /* 'words' an instruction, and one row more for the end */
};

static uint64_t *row(const struct liveness *l, uint32_t pc)
{
    return l->bits + (size_t)pc * l->words;
}

static void set_bit(uint64_t *bits, uint32_t reg, bool on)
{
    if (on)
        bits[reg / 64] |= UINT64_C(1) << (reg % 64);
    else
        bits[reg / 64] &= ~(UINT64_C(1) << (reg % 64));
}

/* 'bytes': of a .param variable. */
static void mark_operand(const struct operand *o, uint64_t *bits, bool live, uint32_t bytes)
{
    for (uint32_t i = 0; o->kind == OPERAND_FRAME && live && i < bytes; i++)
        set_bit(bits, o->reg + i, true);
    if ((o->kind == OPERAND_REG || (o->kind == OPERAND_MEMORY && live)) && o->reg != NONE)
        set_bit(bits, o->reg, live);
    if (o->kind == OPERAND_VECTOR || o->kind == OPERAND_PAIR)
        for (uint32_t i = 0; i < o->part_count; i++)
            if (o->parts[i].kind == OPERAND_REG)
                set_bit(bits, o->parts[i].reg, live);
}

void liveness_reads(const struct inst *inst, uint64_t *bits)
{
    for (unsigned i = op_writes(inst->op); i < inst->operand_count; i++)
        mark_operand(&inst->operands[i], bits, true,
                     inst->op == OP_LD ? type_bytes(inst->type) * (inst->vector ? inst->vector : 1)
                                       : 0);
    if (inst->guard != NONE)
        set_bit(bits, inst->guard, true);
}

bool liveness_touches(const struct operand *o, const uint64_t *bits)
{
    if (o->kind == OPERAND_VECTOR || o->kind == OPERAND_PAIR) {
        for (uint32_t i = 0; i < o->part_count; i++)
            if (liveness_touches(&o->parts[i], bits))
                return true;
        return false;
    }
    return o->kind != OPERAND_REG || (o->reg != NONE && bits[o->reg / 64] >> (o->reg % 64) & 1);
}

/* bits: live after the instruction; becomes live before it. */
static void through(const struct inst *inst, bool relevant, uint64_t *bits)
{
    unsigned first = op_writes(inst->op);
    for (unsigned i = 0; i < first && i < inst->operand_count && inst->guard == NONE; i++)
        mark_operand(&inst->operands[i], bits, false, 0);
    if (relevant)
        liveness_reads(inst, bits);
}

static void add_row(const struct liveness *l, uint64_t *bits, uint32_t pc)
{
    for (uint32_t w = 0; w < l->words; w++)
        bits[w] |= row(l, pc)[w];
}

uint32_t liveness_jump(const struct body *body, const struct inst *inst, uint32_t i)
{
    const struct operand *list = &inst->operands[1];
    if (inst->op == OP_BRX)
        return i < list->part_count ? list->parts[i].target : NONE;
    if (i)
        return NONE;
    bool fails = inst->op == OP_CALL && inst->operands[1].value == SYSTEM_ASSERT_FAIL;
    if (inst->op == OP_RET || inst->op == OP_EXIT || inst->op == OP_TRAP || fails)
        return body->inst_count;
    if (inst->op == OP_BRA)
        return inst->operands[0].target;
    return inst->op == OP_BRANCH_COMPARE ? inst->operands[2].target : NONE;
}

/* Before the instruction, from what is live behind it. */
static bool update(const struct liveness *l, const struct body *body, uint32_t pc,
                   uint64_t *scratch)
{
    const struct inst *inst = &body->insts[pc];
    uint32_t target = liveness_jump(body, inst, 0);
    bool changed = false,
         always = target != NONE && inst->op != OP_BRANCH_COMPARE && inst->guard == NONE;
    for (uint32_t w = 0; w < l->words; w++)
        scratch[w] = 0;
    for (uint32_t i = 0; (target = liveness_jump(body, inst, i)) != NONE; i++)
        add_row(l, scratch, target);
    if (!always)
        add_row(l, scratch, pc + 1);
    changed |= relevance_add_result(l->relevance, pc, scratch);
    through(inst, relevance_of(l->relevance, pc), scratch);
    for (uint32_t w = 0; w < l->words; w++) {
        changed |= scratch[w] != row(l, pc)[w];
        row(l, pc)[w] = scratch[w];
    }
    return changed;
}

/* Until nothing changes: a register is live where an instruction that matters reads it, and an instruction matters that gives
 * a live one. */
static void flow_back(const struct liveness *l, const struct body *body, uint64_t *scratch)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t pc = body->inst_count; pc-- > 0;)
            again |= update(l, body, pc, scratch);
    }
}

struct liveness *liveness_new(struct arena *arena, const struct body *body, const bool *needed)
{
    struct liveness *l = ARENA_NEW(arena, struct liveness);
    l->relevance = relevance_new(arena, body);
    l->words = body->reg_count / 64 + 1;
    l->bits = ARENA_ARRAY(arena, uint64_t, (size_t)l->words * (body->inst_count + 1));
    uint64_t *scratch = ARENA_ARRAY(arena, uint64_t, l->words);
    for (uint32_t reg = 0; reg < body->reg_count; reg++)
        set_bit(row(l, body->inst_count), reg, needed[reg]);
    do
        flow_back(l, body, scratch);
    while (relevance_add_branches(l->relevance));
    return l;
}

bool liveness_at(const struct liveness *l, uint32_t pc, uint32_t reg)
{
    return row(l, pc)[reg / 64] >> (reg % 64) & 1;
}
