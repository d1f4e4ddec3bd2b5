/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Matrix instructions: PTX 9.7.14. All lanes of the warp execute them together, so each is one collective; src[0] is the
 * mask, src[1] the stride of a load or store, 'base' the address. */

/* The elements of d, a, b, c, as the instruction gives them or leaves them out. */
static bool find_elements(const struct matrix *matrix,
                          enum matrix_element elements[MATRIX_OPERANDS])
{
    const enum matrix_element *given = matrix->elements;
    if (matrix->element_count == 4) {
        for (uint32_t i = 0; i < 4; i++)
            elements[i] = given[i];
        return true;
    }
    elements[0] = given[0];
    elements[1] = elements[2] = ELEMENT_F16;
    elements[3] = given[1];
    return matrix->element_count == 2;
}

/* May both be multiplied: whole numbers of one size, numbers of 8 bits, or others of one kind? */
static bool go_together(enum matrix_element a, enum matrix_element b)
{
    bool whole = matrix_element_kind(a) != 'f' && matrix_element_kind(a) != 'b' &&
                 matrix_element_kind(b) != 'f' && matrix_element_kind(b) != 'b';
    bool small = matrix_element_kind(a) == 'f' && matrix_element_kind(b) == 'f' &&
                 matrix_element_bits(a) == 8;
    return a == b || ((whole || small) && matrix_element_bits(a) == matrix_element_bits(b));
}

/* ".xor.popc" is of single bits, and they have no other product. */
static bool counts_bits(const struct inst *inst)
{
    return inst->op == OP_WMMA_MMA_XOR || inst->op == OP_WMMA_MMA_AND ||
           (inst->op == OP_MMA && inst->matrix->bitwise && inst->matrix->counts);
}

static bool is_known(const struct inst *inst, const enum matrix_element elements[MATRIX_OPERANDS])
{
    enum matrix_element a = elements[1], d = elements[0];
    if (d != elements[3] || !go_together(a, elements[2]) ||
        (a == ELEMENT_B1) != counts_bits(inst) ||
        (inst->matrix->bitwise || inst->matrix->counts) != (inst->op == OP_MMA && a == ELEMENT_B1))
        return false;
    switch (a) {
    case ELEMENT_F16:
    case ELEMENT_E4M3:
    case ELEMENT_E5M2:
        return d == ELEMENT_F16 || d == ELEMENT_F32;
    case ELEMENT_BF16:
    case ELEMENT_TF32:
        return d == ELEMENT_F32;
    case ELEMENT_F64:
        return d == ELEMENT_F64;
    default:
        return matrix_element_bits(a) <= 8 && matrix_element_kind(a) != 'b' && d == ELEMENT_S32;
    }
}

/* Do the registers of all lanes hold the matrix: once or, of wmma, whole times? */
static bool holds(uint32_t registers, enum matrix_element element, uint32_t elements, bool wmma)
{
    uint32_t register_bits = element == ELEMENT_F64 ? 64 : 32;
    uint32_t held = registers * 32 * (register_bits / matrix_element_bits(element));
    return elements && held && (wmma ? held % elements == 0 : held == elements);
}

static bool fits(const struct inst *inst, const struct matrix_slots *slots,
                 const enum matrix_element elements[MATRIX_OPERANDS])
{
    const struct matrix *m = inst->matrix;
    const uint32_t of[MATRIX_OPERANDS] = {m->m * m->n, m->m * m->k, m->k * m->n, m->m * m->n};
    bool wmma = inst->op != OP_MMA, good = true;
    for (uint32_t i = 0; i < MATRIX_OPERANDS; i++)
        good = good && holds(slots->count[i], elements[i], of[i], wmma);
    if (matrix_element_bits(elements[1]) < 8)
        good = good && !m->columns[0] && m->columns[1];
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
    return m->m == 8 && m->n == 8 && m->element_count == 1 && m->elements[0] == ELEMENT_B16 &&
           slots->count[which] == wanted && (inst->op != OP_MOVMATRIX || m->transposed);
}

/* Of bytes, transposed: stmatrix of 16 by 8, in one register, ldmatrix of 16 by 16, in two. */
static bool is_of_bytes(const struct inst *inst, const struct matrix_slots *slots)
{
    const struct matrix *m = inst->matrix;
    bool store = inst->op == OP_STMATRIX;
    uint32_t count = m->count ? m->count : 1;
    return inst->op != OP_MOVMATRIX && m->m == 16 && m->n == (store ? 8 : 16) && m->transposed &&
           m->element_count == 1 && m->elements[0] == ELEMENT_B8 && (store || count <= 2) &&
           slots->count[store] == (store ? count : 2 * count);
}

/* wmma.load and wmma.store. */
static bool is_fragment(const struct inst *inst, const struct matrix_slots *slots)
{
    const struct matrix *m = inst->matrix;
    uint32_t elements = inst->op == OP_WMMA_LOAD_A   ? m->m * m->k
                        : inst->op == OP_WMMA_LOAD_B ? m->k * m->n
                                                     : m->m * m->n;
    bool packed = m->element_count == 1 && matrix_element_bits(m->elements[0]) < 8;
    return m->element_count == 1 && m->layouts == 1 &&
           (!packed || m->columns[0] == (inst->op == OP_WMMA_LOAD_B)) &&
           holds(slots->count[inst->op == OP_WMMA_STORE], m->elements[0], elements, true);
}

static bool is_good(const struct inst *inst, const struct matrix_slots *slots)
{
    enum matrix_element elements[MATRIX_OPERANDS];
    if (!inst->matrix)
        return false;
    if (inst->op == OP_MMA || inst->op == OP_WMMA_MMA || inst->op == OP_WMMA_MMA_XOR ||
        inst->op == OP_WMMA_MMA_AND)
        return find_elements(inst->matrix, elements) && is_known(inst, elements) &&
               fits(inst, slots, elements);
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
