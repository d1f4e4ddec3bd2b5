/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"

/* Types of registers that no '.reg' declares: predicates by use; else the type of what is written,
 * at least 32 bits wide, when all writes agree on it; bits when they agree on the size only; else the
 * dialect's 64-bit signed value. */

struct writes {
    enum type type;
    bool any, mixed;
};

static enum type at_least_32_bits(enum type type)
{
    switch (type) {
    case TYPE_U8:
    case TYPE_U16:
        return TYPE_U32;
    case TYPE_S8:
    case TYPE_S16:
        return TYPE_S32;
    case TYPE_B8:
    case TYPE_B16:
        return TYPE_B32;
    default:
        return type;
    }
}

static bool writes_predicate(const struct inst *inst, uint32_t part)
{
    switch (inst->op) {
    case OP_SETP:
    case OP_ISSPACEP:
    case OP_MBARRIER_TEST_WAIT:
    case OP_MBARRIER_TRY_WAIT:
    case OP_VOTE_ALL:
    case OP_VOTE_ANY:
    case OP_VOTE_UNI:
        return true;
    case OP_BAR_RED:
        return inst->type == TYPE_PRED;
    default: /* the second of "d|p" is a predicate: shfl, match.all, elect */
        return part == 1;
    }
}

static enum type written_type(const struct inst *inst, uint32_t part)
{
    if (writes_predicate(inst, part))
        return TYPE_PRED;
    switch (inst->op) {
    case OP_POPC:
    case OP_CLZ:
    case OP_BFIND:
    case OP_MATCH_ANY:
    case OP_MATCH_ALL:
    case OP_ELECT:
    case OP_VOTE_BALLOT:
        return TYPE_U32;
    default:
        return at_least_32_bits(inst->type);
    }
}

static enum type bits_of(enum type type)
{
    switch (type_bytes(type)) {
    case 4:
        return TYPE_B32;
    case 8:
        return TYPE_B64;
    default:
        return type;
    }
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

static bool is_destination(const struct inst *inst, uint32_t index)
{
    char role = op_signature(inst->op)[0];
    return index == 0 && (role == 'd' || role == 'D');
}

/* The halves of "mov.b64 {lo, hi}, r" share the type's bits; those of a vector load have it each.
 */
static enum type part_type(const struct inst *inst, uint32_t parts)
{
    if (inst->op != OP_MOV)
        return written_type(inst, 0); /* an element, not the predicate of a pair */
    switch (type_bytes(inst->type) / parts) {
    case 4:
        return TYPE_B32;
    case 8:
        return TYPE_B64;
    default:
        return TYPE_B32;
    }
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
    for (uint32_t k = 0; k < inst->operand_count; k++)
        if (is_destination(inst, k))
            note_destination(inst, writes);
}

/* Does the place want a predicate? */
static bool wants_predicate(const struct inst *inst, uint32_t index, uint32_t part)
{
    const char *letter = op_signature(inst->op);
    for (uint32_t left = index; *letter; letter++)
        if (*letter != 'q' && *letter != '?' && left-- == 0)
            break;
    if (*letter == 'p')
        return true;
    if (is_destination(inst, index))
        return written_type(inst, part) == TYPE_PRED;
    bool logic = inst->op == OP_MOV || inst->op == OP_AND || inst->op == OP_OR ||
                 inst->op == OP_XOR || inst->op == OP_NOT;
    return logic && inst->type == TYPE_PRED;
}

static void check_use(struct checker *checker, const struct body *body,
                      const struct operand *operand, bool predicate)
{
    if (operand->kind != OPERAND_REG || body->regs[operand->reg].type == TYPE_NONE ||
        (body->regs[operand->reg].type == TYPE_PRED) == predicate)
        return;
    check_error(checker, bad_register, operand->span, NULL,
                predicate ? "'%s' is no predicate" : "'%s' is a predicate, not a value",
                body->regs[operand->reg].name);
}

static void check_uses(struct checker *checker, const struct body *body, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *operand = &inst->operands[i];
        check_use(checker, body, operand, wants_predicate(inst, i, 0));
        for (uint32_t k = 0; k < operand->part_count; k++)
            check_use(checker, body, &operand->parts[k],
                      wants_predicate(inst, i, operand->kind == OPERAND_PAIR ? k : 0));
    }
    if (inst->guard != NONE && body->regs[inst->guard].type != TYPE_PRED)
        check_error(checker, bad_register, inst->span, NULL, "'%s' is no predicate",
                    body->regs[inst->guard].name);
}

void check_registers(struct checker *checker)
{
    for (uint32_t i = 0; i < checker->test->body_count; i++) {
        struct body *body = &checker->test->bodies[i];
        struct writes *writes = ARENA_ARRAY(checker->arena, struct writes, body->reg_count);
        for (uint32_t k = 0; k < body->inst_count; k++)
            note_inst(&body->insts[k], body, writes);
        for (uint32_t k = 0; k < body->init_count; k++)
            writes[body->inits[k].reg].mixed |= body->inits[k].address_of != NONE;
        for (uint32_t r = 0; r < body->reg_count; r++)
            if (body->regs[r].type == TYPE_NONE && writes[r].any && !writes[r].mixed)
                body->regs[r].type = writes[r].type;
        for (uint32_t k = 0; k < body->inst_count; k++)
            check_uses(checker, body, &body->insts[k]);
    }
}
