/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Extended precision: PTX 9.7.2. The carry is a register that no instruction names. */

/* What the operation is made of. */
static const struct carry_row {
    bool subtracts, reads, writes;
    uint32_t product; /* FLAG_LO, FLAG_HI, or 0 */
} rows[OP_COUNT] = {
    [OP_ADD_CC] = {false, false, true, 0},
    [OP_ADDC] = {false, true, false, 0},
    [OP_ADDC_CC] = {false, true, true, 0},
    [OP_SUB_CC] = {true, false, true, 0},
    [OP_SUBC] = {true, true, false, 0},
    [OP_SUBC_CC] = {true, true, true, 0},
    [OP_MAD_LO_CC] = {false, false, true, FLAG_LO},
    [OP_MAD_HI_CC] = {false, false, true, FLAG_HI},
    [OP_MADC_LO] = {false, true, false, FLAG_LO},
    [OP_MADC_HI] = {false, true, false, FLAG_HI},
    [OP_MADC_LO_CC] = {false, true, true, FLAG_LO},
    [OP_MADC_HI_CC] = {false, true, true, FLAG_HI},
};

static slot multiply(struct decoder *d, uint32_t part)
{
    const struct inst product = {.op = OP_MUL, .type = d->inst->type, .flags = part};
    slot a = decode_source(d, &d->inst->operands[1]), b = decode_source(d, &d->inst->operands[2]);
    slot result = decode_temporary(d);
    decode_alu(d, alu_find(&product), result, a, b);
    return result;
}

/* The carry out is computed before the sum is written, which may be one of the operands. */
void decode_carry(struct decoder *d)
{
    const struct inst *inst = d->inst;
    const struct carry_row *row = &rows[inst->op];
    slot x = row->product ? multiply(d, row->product) : decode_source(d, &inst->operands[1]);
    slot y = decode_source(d, &inst->operands[row->product ? 3 : 2]);
    if (d->carry == SLOT_NONE)
        d->carry = decode_temporary(d);
    slot in = row->reads ? d->carry : decode_value(d, 0), out = decode_temporary(d);
    slot to = decode_target(d, &inst->operands[0]);
    if (row->writes)
        decode_operation(d, row->subtracts ? OP_SUBC_CC : OP_ADDC_CC, inst->type, out, x, y, in);
    if (to != SLOT_NONE)
        decode_operation(d, row->subtracts ? OP_SUBC : OP_ADDC, inst->type, to, x, y, in);
    if (row->writes)
        decode_operation(d, OP_MOV, TYPE_B64, d->carry, out);
}
