/* SPDX-License-Identifier: MIT */
#include "litmus/check/checker.h"

/* Types of registers that no '.reg' declares: predicates by use; else the type of what is written,
 * at least 32 bits wide, when all writes agree on it; bits when they agree on the size only; else the
 * dialect's 64-bit signed value. */

struct writes {
    enum type type;
    bool any, mixed;
};

static enum type at_least_32_bits(enum type type)
{
    return type_bytes(type) < 4 && type_kind(type) != 'p' && type_kind(type) != 'f'
               ? type_with(type_kind(type), 4)
               : type;
}

/* The second of "d|p" is a predicate. */
static enum type written_type(const struct inst *inst, uint32_t part)
{
    enum type result = op_row(inst->op)->result;
    return part == 1 ? TYPE_PRED : result ? result : at_least_32_bits(inst->type);
}

static enum type bits_of(enum type type)
{
    uint32_t bytes = type_bytes(type);
    return bytes == 4 || bytes == 8 ? type_with('b', bytes) : type;
}

static void note_write(struct writes *writes, const struct operand *to, enum type type)
{
    if (to->kind != OPERAND_REG)
        return;
    struct writes *reg = &writes[to->reg];
    if (reg->any && reg->type != type) {
        bool one_size = reg->type != TYPE_NONE && type != TYPE_NONE && reg->type != TYPE_PRED &&
                        type_bytes(reg->type) == type_bytes(type);
        reg->mixed = reg->mixed || !one_size;
        type = bits_of(type);
    }
    reg->type = type;
    reg->any = true;
}

/* The halves of "mov.b64 {lo, hi}, r" share the type's bits; those of a vector load have it each.
 */
static enum type part_type(const struct inst *inst, uint32_t parts)
{
    if (inst->op != OP_MOV)
        return written_type(inst, 0); /* an element, not the predicate of a pair */
    return type_bytes(inst->type) / parts == 8 ? TYPE_B64 : TYPE_B32;
}

static void note_destination(const struct inst *inst, struct writes *writes)
{
    const struct operand *to = &inst->operands[0];
    note_write(writes, to, written_type(inst, 0));
    for (uint32_t i = 0; i < to->part_count; i++)
        note_write(writes, &to->parts[i],
                   to->kind == OPERAND_PAIR ? written_type(inst, i)
                                            : part_type(inst, to->part_count));
}

static void note_inst(const struct inst *inst, struct body *body, struct writes *writes)
{
    if (inst->guard != NONE && body->regs[inst->guard].type == TYPE_NONE)
        body->regs[inst->guard].type = TYPE_PRED;
    if (op_writes(inst->op) && inst->operand_count)
        note_destination(inst, writes);
}

/* What stands behind the size of a cp.async is a size, or a predicate. */
static void note_ignored_source(struct inst *inst, const struct body *body)
{
    const struct operand *last = &inst->operands[3];
    inst->may_ignore_source = inst->op == OP_CP_ASYNC && inst->operand_count > 3 &&
                              last->kind == OPERAND_REG && body->regs[last->reg].type == TYPE_PRED;
}

/* Does the place want a predicate? */
static bool wants_predicate(const struct inst *inst, uint32_t index, uint32_t part)
{
    const struct op_row *row = op_row(inst->op);
    if (op_operand(inst->op, index) == 'p' || (inst->may_ignore_source && index == 3))
        return true;
    if (index == 0 && op_writes(inst->op))
        return written_type(inst, part) == TYPE_PRED;
    return inst->type == TYPE_PRED && row->types >> TYPE_PRED & 1 &&
           (row->group == GROUP_LOGIC || row->group == GROUP_MOVE);
}

static void check_use(struct checker *c, const struct body *body, const struct operand *operand,
                      bool predicate)
{
    if (operand->kind != OPERAND_REG || body->regs[operand->reg].type == TYPE_NONE ||
        (body->regs[operand->reg].type == TYPE_PRED) == predicate)
        return;
    check_error(c, bad_register, operand->span, NULL,
                predicate ? "'%s' is no predicate" : "'%s' is a predicate, not a value",
                body->regs[operand->reg].name);
}

static void check_uses(struct checker *c, const struct body *body, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *operand = &inst->operands[i];
        check_use(c, body, operand, wants_predicate(inst, i, 0));
        for (uint32_t k = 0; k < operand->part_count; k++)
            check_use(c, body, &operand->parts[k],
                      wants_predicate(inst, i, operand->kind == OPERAND_PAIR ? k : 0));
    }
    if (inst->guard != NONE && body->regs[inst->guard].type != TYPE_PRED)
        check_error(c, bad_register, inst->span, NULL, "'%s' is no predicate",
                    body->regs[inst->guard].name);
}

void check_registers(struct checker *c)
{
    for (uint32_t i = 0; i < c->test->body_count; i++) {
        struct body *body = &c->test->bodies[i];
        struct writes *writes = ARENA_ARRAY(c->arena, struct writes, body->reg_count);
        for (uint32_t k = 0; k < body->inst_count; k++)
            note_inst(&body->insts[k], body, writes);
        for (uint32_t k = 0; k < body->init_count; k++)
            writes[body->inits[k].reg].mixed |= body->inits[k].address_of != NONE;
        for (uint32_t r = 0; r < body->reg_count; r++)
            if (body->regs[r].type == TYPE_NONE && writes[r].any && !writes[r].mixed)
                body->regs[r].type = writes[r].type;
        for (uint32_t k = 0; k < body->inst_count; k++) {
            note_ignored_source(&body->insts[k], body);
            check_uses(c, body, &body->insts[k]);
        }
    }
}
