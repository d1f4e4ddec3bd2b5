/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* alloca and its like: PTX 9.7.20. A register that no instruction names says how much of the lane's stack is taken; the
 * stack lies behind everything else in local memory, so that what passes its end is seen to lie outside. */

bool decode_has_stack(const struct decoder *d)
{
    for (uint32_t i = 0; i < d->test->body_count; i++)
        for (uint32_t k = 0; k < d->test->bodies[i].inst_count; k++)
            if (d->test->bodies[i].insts[k].op == OP_ALLOCA)
                return true;
    return false;
}

void decode_stack_start(struct decoder *d)
{
    d->stack = decode_has_stack(d) ? decode_temporary(d) : SLOT_NONE;
    d->stack_base = d->stack == SLOT_NONE ? SLOT_NONE : decode_value(d, UINT64_MAX - 1);
}

void decode_stack_end(struct decoder *d)
{
    if (d->stack == SLOT_NONE)
        return;
    d->fixed.at[d->stack_base & ~SLOT_FIXED].value = LOCAL_FIRST + d->program->local_bytes;
    d->program->local_bytes += STACK_BYTES;
}

static void allocate(struct decoder *d)
{
    const struct inst *inst = d->inst;
    enum { ALIGNMENT = 16 };
    if (inst->operand_count > 2 && inst->operands[2].value > ALIGNMENT)
        decode_error(d, inst->operands[2].span,
                     "an alignment of more than %d is not known to the executor", ALIGNMENT);
    slot size = decode_source(d, &inst->operands[1]), end = decode_temporary(d);
    decode_operation(d, OP_ADD, TYPE_U64, end, size, decode_value(d, ALIGNMENT - 1));
    decode_operation(d, OP_AND, TYPE_B64, end, end, decode_value(d, ~UINT64_C(ALIGNMENT - 1)));
    decode_operation(d, OP_ADD, TYPE_U64, end, end, d->stack);
    decode_operation(d, OP_ADD, TYPE_U64, decode_target(d, &inst->operands[0]), d->stack_base,
                     d->stack);
    decode_operation(d, OP_MOV, TYPE_B64, d->stack, end);
}

void decode_space(struct decoder *d)
{
    const struct operand *first = &d->inst->operands[0];
    if (d->inst->op == OP_ALLOCA)
        allocate(d);
    else if (d->inst->op == OP_STACKSAVE && d->stack != SLOT_NONE)
        decode_operation(d, OP_MOV, TYPE_B64, decode_target(d, first), d->stack);
    else if (d->inst->op == OP_STACKRESTORE && d->stack != SLOT_NONE)
        decode_operation(d, OP_MOV, TYPE_B64, d->stack, decode_source(d, first));
    else if (d->inst->op != OP_STACKSAVE && d->inst->op != OP_STACKRESTORE)
        decode_signature(d);
}
