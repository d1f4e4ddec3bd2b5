/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Matrix instructions: PTX 9.7.14. All lanes of the warp execute them together, so each is one collective; src[0] is the
 * mask, src[1] the stride of a load or store, 'base' the address. */

static uint32_t bits_of(enum type type)
{
    return type_bytes(type) * 8;
}

/* The types of d, a, b, c, as the instruction gives them or leaves them out. */
static bool find_types(const struct matrix *matrix, enum type types[MATRIX_OPERANDS])
{
    const enum type *given = matrix->types;
    if (matrix->type_count == 4) {
        for (uint32_t i = 0; i < 4; i++)
            types[i] = given[i];
        return true;
    }
    types[0] = given[0];
    types[1] = types[2] = TYPE_F16;
    types[3] = given[1];
    return matrix->type_count == 2;
}

static bool is_known(const enum type types[MATRIX_OPERANDS])
{
    enum type a = types[1], b = types[2], d = types[0];
    bool bytes = (a == TYPE_S8 || a == TYPE_U8) && (b == TYPE_S8 || b == TYPE_U8);
    if (d != types[3])
        return false;
    if (bytes)
        return d == TYPE_S32;
    if (a != b)
        return false;
    return a == TYPE_F16 ? d == TYPE_F16 || d == TYPE_F32
                         : ((a == TYPE_BF16 || a == TYPE_TF32) && d == TYPE_F32) ||
                               (a == TYPE_F64 && d == TYPE_F64);
}

/* Do the registers of all lanes hold the matrix: once or, of wmma, whole times? */
static bool holds(uint32_t registers, enum type type, uint32_t elements, bool wmma)
{
    uint32_t register_bits = type == TYPE_F64 ? 64 : 32;
    uint32_t held = registers * 32 * (register_bits / bits_of(type));
    return elements && held && (wmma ? held % elements == 0 : held == elements);
}

static bool fits(const struct inst *inst, const struct matrix_slots *slots,
                 const enum type types[MATRIX_OPERANDS])
{
    const struct matrix *m = inst->matrix;
    const uint32_t elements[MATRIX_OPERANDS] = {m->m * m->n, m->m * m->k, m->k * m->n, m->m * m->n};
    bool wmma = inst->op == OP_WMMA_MMA, good = true;
    for (uint32_t i = 0; i < MATRIX_OPERANDS; i++)
        good = good && holds(slots->count[i], types[i], elements[i], wmma);
    return good &&
           (wmma || (m->n == 8 && !m->columns[0] && m->columns[1] && (m->m == 8 || m->m == 16)));
}

static void add_registers(struct decoder *d, const struct operand *operand, struct matrix_slots *to,
                          uint32_t which, bool target)
{
    bool many = operand->kind == OPERAND_VECTOR;
    to->count[which] = many ? operand->part_count : 1;
    for (uint32_t i = 0; i < to->count[which] && i < MATRIX_SLOTS; i++) {
        const struct operand *part = many ? &operand->parts[i] : operand;
        to->slots[which][i] = target ? decode_target(d, part) : decode_source(d, part);
    }
}

static void refuse(struct decoder *d)
{
    decode_error(d, d->inst->span, "this form of '%s' is not known to the executor",
                 op_mnemonic(d->inst->op));
}

/* ldmatrix, stmatrix and movmatrix are of 8 by 8 elements of 16 bits, each pair of them in a register. */
static bool is_eight_by_eight(const struct inst *inst, const struct matrix_slots *slots)
{
    const struct matrix *m = inst->matrix;
    uint32_t which = inst->op == OP_STMATRIX ? 1 : 0, wanted = m->count ? m->count : 1;
    return m->m == 8 && m->n == 8 && m->type_count == 1 && m->types[0] == TYPE_B16 &&
           slots->count[which] == wanted && (inst->op != OP_MOVMATRIX || m->transposed);
}

/* Of bytes, transposed: stmatrix of 16 by 8, in one register, ldmatrix of 16 by 16, in two. */
static bool is_of_bytes(const struct inst *inst, const struct matrix_slots *slots)
{
    const struct matrix *m = inst->matrix;
    bool store = inst->op == OP_STMATRIX;
    uint32_t count = m->count ? m->count : 1;
    return inst->op != OP_MOVMATRIX && m->m == 16 && m->n == (store ? 8 : 16) && m->transposed &&
           m->type_count == 1 && m->types[0] == TYPE_B8 && (store || count <= 2) &&
           slots->count[store] == (store ? count : 2 * count);
}

/* wmma.load and wmma.store. */
static bool is_fragment(const struct inst *inst, const struct matrix_slots *slots)
{
    const struct matrix *m = inst->matrix;
    uint32_t elements = inst->op == OP_WMMA_LOAD_A   ? m->m * m->k
                        : inst->op == OP_WMMA_LOAD_B ? m->k * m->n
                                                     : m->m * m->n;
    return m->type_count == 1 && m->layouts == 1 &&
           holds(slots->count[inst->op == OP_WMMA_STORE], m->types[0], elements, true);
}

static bool is_good(const struct inst *inst, const struct matrix_slots *slots)
{
    enum type types[MATRIX_OPERANDS];
    if (!inst->matrix)
        return false;
    if (inst->op == OP_MMA || inst->op == OP_WMMA_MMA)
        return find_types(inst->matrix, types) && is_known(types) && fits(inst, slots, types);
    bool small = inst->op == OP_LDMATRIX || inst->op == OP_STMATRIX || inst->op == OP_MOVMATRIX;
    return small ? is_eight_by_eight(inst, slots) || is_of_bytes(inst, slots)
                 : is_fragment(inst, slots);
}

void decode_matrix(struct decoder *d)
{
    const struct inst *inst = d->inst;
    struct matrix_slots *slots = ARENA_NEW(d->arena, struct matrix_slots);
    struct micro micro = decode_micro(d, MICRO_COLLECTIVE);
    for (uint32_t i = 0; i < MATRIX_OPERANDS; i++)
        for (uint32_t k = 0; k < MATRIX_SLOTS; k++)
            slots->slots[i][k] = SLOT_NONE;
    slot stride = SLOT_NONE;
    for (uint32_t i = 0, which = 0; i < inst->operand_count; i++) {
        char letter = op_operand(inst->op, i);
        if (letter == 'm')
            decode_address(d, &inst->operands[i], &micro.base, &micro.offset);
        else if (letter == 'D' || letter == 'A' || inst->op == OP_MOVMATRIX)
            add_registers(d, &inst->operands[i], slots, i == 0 ? 0 : ++which,
                          i == 0 && letter != 'A');
        else
            stride = decode_source(d, &inst->operands[i]);
    }
    if (!is_good(inst, slots))
        refuse(d);
    if (stride != SLOT_NONE)
        micro.src[micro.src_count++] = stride;
    micro.src[micro.src_count++] = decode_value(d, UINT32_MAX);
    micro.matrix = slots;
    decode_push(d, &micro);
}
