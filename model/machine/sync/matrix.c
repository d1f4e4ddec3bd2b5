/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/matrix.h"

#include "model/machine/core/region.h"
#include "model/machine/core/taken.h"

enum { LANES = 32, LARGEST = 16 * 256 };

struct product {
    struct run *run;
    uint32_t first; /* lane at position 0 */
    const struct micro *micro;
    const struct matrix *matrix;
};

/* ---- registers ------------------------------------------------------------------------------- */

static uint64_t get(const struct product *p, uint32_t lane, uint32_t which, uint32_t i)
{
    return run_value(p->run, p->first + lane, p->micro->matrix->slots[which][i]);
}

static void put(const struct product *p, uint32_t lane, uint32_t which, uint32_t i, uint64_t value)
{
    run_write(p->run, p->first + lane, p->micro->matrix->slots[which][i], value, false);
}

/* Elements in one register. */
static uint32_t in_register(enum matrix_element element)
{
    return element == ELEMENT_F64 ? 1 : 32 / matrix_element_bits(element);
}

/* ---- where elements are ------------------------------------------------------------------------ */

/* Which element the part 'k' of register 'i' of a lane is. */
struct matrix_entry {
    uint32_t row, column;
};

/* wmma: as many as there are in order, again from the first where registers hold more. */
static struct matrix_entry of_fragment(uint32_t lane, uint32_t i, uint32_t k, uint32_t each,
                                       uint32_t rows, uint32_t columns)
{
    uint32_t at = ((i * each + k) * LANES + lane) % (rows * columns);
    return (struct matrix_entry){at / columns, at % columns};
}

/* wmma, of elements smaller than a byte: those of a register are neighbours, in a row of a or a column of b. */
static struct matrix_entry of_packed(const struct matrix *m, uint32_t which, uint32_t lane,
                                     uint32_t i, uint32_t k, uint32_t each)
{
    if (which == 1) {
        struct matrix_entry word = of_fragment(lane, i, 0, 1, m->m, m->k / each);
        return (struct matrix_entry){word.row, word.column * each + k};
    }
    struct matrix_entry word = of_fragment(lane, i, 0, 1, m->n, m->k / each);
    return (struct matrix_entry){word.column * each + k, word.row};
}

/* mma: a register has neighbours of a row of a, of a column of b, two of a row of c; four lanes side by side, eight
 * groups below each other. Of 16 rows the registers take turns. */
static struct matrix_entry of_mma(const struct matrix *m, uint32_t which, uint32_t lane, uint32_t i,
                                  uint32_t k, uint32_t each)
{
    uint32_t group = lane / 4, side = lane % 4, halves = m->m / 8;
    if (which == 1)
        return (struct matrix_entry){group + 8 * (i % halves),
                                     i / halves * 4 * each + side * each + k};
    if (which == 2)
        return (struct matrix_entry){i * 4 * each + side * each + k, group};
    uint32_t element = i * each + k;
    return (struct matrix_entry){group + 8 * (element / 2), side * 2 + element % 2};
}

static struct matrix_entry place_of(const struct product *p, uint32_t which, uint32_t lane,
                                    uint32_t i, uint32_t k, uint32_t each)
{
    const struct matrix *m = p->matrix;
    if (p->micro->inst->op == OP_MMA)
        return of_mma(m, which, lane, i, k, each);
    if (each > 4)
        return of_packed(m, which, lane, i, k, each);
    uint32_t rows = which == 2 ? m->k : m->m, columns = which == 1 ? m->k : m->n;
    return of_fragment(lane, i, k, each, rows, columns);
}

/* ---- mma, wmma.mma ------------------------------------------------------------------------------ */

/* The elements of d, a, b and c: decode_matrix.c knows which may be left out. */
static enum matrix_element element_of(const struct matrix *m, uint32_t which)
{
    if (m->element_count == 4)
        return m->elements[which];
    return which == 0 ? m->elements[0] : which == 3 ? m->elements[1] : ELEMENT_F16;
}

static void gather(const struct product *p, uint32_t which, uint32_t columns, double *to)
{
    enum matrix_element element = element_of(p->matrix, which);
    uint32_t each = in_register(element), bits = matrix_element_bits(element);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < p->micro->matrix->count[which]; i++)
            for (uint32_t k = 0; k < each; k++) {
                struct matrix_entry at = place_of(p, which, lane, i, k, each);
                uint64_t part = get(p, lane, which, i) >> k * bits % 64;
                to[at.row * columns + at.column] = alu_element_number(element, part);
            }
}

static void scatter(const struct product *p, uint32_t columns, const double *from)
{
    enum matrix_element element = element_of(p->matrix, 0);
    bool saturates = p->micro->inst->flags & FLAG_SAT;
    uint32_t each = in_register(element), bits = matrix_element_bits(element);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; i < p->micro->matrix->count[0]; i++) {
            uint64_t word = 0;
            for (uint32_t k = 0; k < each; k++) {
                struct matrix_entry at = place_of(p, 0, lane, i, k, each);
                word |= alu_element_of(element, from[at.row * columns + at.column], saturates)
                        << k * bits % 64;
            }
            put(p, lane, 0, i, word);
        }
}

/* Of bits, a product is their conjunction. */
static double product_of(bool xors, double a, double b)
{
    return xors ? a != b : a * b;
}

/* Sums are those of doubles, rounded once: PTX leaves order and rounding within them open. */
static void multiply(const struct product *p)
{
    const struct matrix *m = p->matrix;
    bool xors = p->micro->inst->op == OP_WMMA_MMA_XOR || m->bitwise == ATOM_XOR;
    double a[LARGEST], b[LARGEST], c[LARGEST];
    gather(p, 1, m->k, a);
    gather(p, 2, m->n, b);
    gather(p, 3, m->n, c);
    for (uint32_t row = 0; row < m->m; row++)
        for (uint32_t column = 0; column < m->n; column++)
            for (uint32_t k = 0; k < m->k; k++)
                c[row * m->n + column] += product_of(xors, a[row * m->k + k], b[k * m->n + column]);
    scatter(p, m->n, c);
}

/* ---- memory --------------------------------------------------------------------------------------- */

/* An access by one lane; false: nothing is there. */
static bool access(const struct product *p, uint32_t lane, uint64_t address, uint32_t bytes,
                   uint64_t *value, bool writes)
{
    struct memory_access access = {.lane = p->first + lane,
                                   .micro = p->micro,
                                   .address = address,
                                   .bytes = bytes,
                                   .count = 1,
                                   .reads = !writes,
                                   .writes = writes,
                                   .region = region_find(p->run->machine, address, bytes)};
    if (address % bytes) {
        run_report(p->run, access.lane, REPORT_MISALIGNED,
                   "address 0x%llx of an access of %u bytes", (unsigned long long)address, bytes);
        return false;
    }
    if (!access.region) {
        run_report(p->run, access.lane, REPORT_GLOBAL_OOB,
                   "%u bytes at address 0x%llx lie outside every object", bytes,
                   (unsigned long long)address);
        return false;
    }
    if (!taken_check(p->run, access.lane, access.region, address, bytes))
        return false;
    access.memory = region_memory(access.region, address);
    access.value[0] = *value;
    p->run->memory->ops->access(p->run, &access);
    *value = access.value[0];
    return true;
}

static uint64_t address_of(const struct product *p, uint32_t lane)
{
    return run_address(p->run, p->first + lane, p->micro);
}

/* Row r of matrix i lies where lane 8i + r says; a register has two neighbours of a row, or of a column. */
static void small_matrix(const struct product *p, bool store)
{
    uint32_t count = p->micro->matrix->count[store];
    for (uint32_t i = 0; i < count && !p->run->stop; i++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint64_t word = store ? get(p, lane, 1, i) : 0;
            for (uint32_t k = 0; k < 2; k++) {
                uint32_t across = lane % 4 * 2 + k, down = lane / 4;
                uint32_t row = p->matrix->transposed ? across : down;
                uint32_t column = p->matrix->transposed ? down : across;
                uint64_t value = word >> 16 * k & 0xffff;
                if (!access(p, lane, address_of(p, 8 * i + row) + 2 * column, 2, &value, store))
                    return;
                word |= store ? 0 : value << 16 * k;
            }
            if (!store)
                put(p, lane, 0, i, word);
        }
}

/* Matrices of bytes in columns: 16 bytes lie where a lane says. A byte of register i is in one of two neighbouring
 * columns, and in the upper or lower eight rows; a loaded matrix has two registers, and columns by fours. */
static void byte_matrix(const struct product *p, bool store)
{
    uint32_t count = p->micro->matrix->count[store];
    for (uint32_t i = 0; i < count && !p->run->stop; i++)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            uint32_t first = store ? 8 * i + lane % 4 * 2 : 16 * (i / 2) + lane % 4 * 4 + i % 2 * 2;
            uint64_t word = store ? get(p, lane, 1, i) : 0;
            for (uint32_t k = 0; k < 4; k++) {
                uint64_t at = address_of(p, first + k % 2) + lane / 4 + 8 * (k / 2);
                uint64_t value = word >> 8 * k & 0xff;
                if (!access(p, lane, at, 1, &value, store))
                    return;
                word |= store ? 0 : value << 8 * k;
            }
            if (!store)
                put(p, lane, 0, i, word);
        }
}

static void transpose(const struct product *p)
{
    uint64_t words[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
        words[lane] = get(p, lane, 1, 0);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t word = 0;
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t row = lane % 4 * 2 + k, column = lane / 4; /* of the matrix as it was */
            word |= (words[row * 4 + column / 2] >> column % 2 * 16 & 0xffff) << 16 * k;
        }
        put(p, lane, 0, 0, word);
    }
}

/* What a load or store of wmma moves: elements, or whole registers of elements that are smaller than a byte. */
struct fragment {
    uint32_t rows, columns, bytes;
    uint32_t each;  /* in a register */
    uint32_t units; /* elements in what is moved */
};

static struct fragment fragment_of(enum op op, const struct matrix *m)
{
    uint32_t bits = matrix_element_bits(m->elements[0]), units = bits < 8 ? 32 / bits : 1;
    return (struct fragment){.rows = op == OP_WMMA_LOAD_B ? m->k / units : m->m,
                             .columns = op == OP_WMMA_LOAD_A ? m->k / units : m->n,
                             .bytes = bits * units / 8,
                             .each = in_register(m->elements[0]) / units,
                             .units = units};
}

/* The part 'k' of register 'i', as place_of has it. */
static struct matrix_entry moved_entry(const struct fragment *f, bool column, uint32_t lane,
                                       uint32_t i, uint32_t k)
{
    struct matrix_entry at;
    if (f->units == 1 || !column)
        return of_fragment(lane, i, k, f->each, f->rows, f->columns);
    at = of_fragment(lane, i, k, f->each, f->columns, f->rows);
    return (struct matrix_entry){at.column, at.row};
}

/* wmma.load and wmma.store: rows or columns 'stride' elements apart. */
static void fragment(const struct product *p, bool store)
{
    enum op op = p->micro->inst->op;
    const struct matrix *m = p->matrix;
    struct fragment f = fragment_of(op, m);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint64_t stride = m->columns[0] ? f.rows : f.columns;
        if (p->micro->src_count > 1)
            stride = (run_value(p->run, p->first + lane, p->micro->src[0]) & UINT32_MAX) / f.units;
        for (uint32_t i = 0; i < p->micro->matrix->count[store]; i++) {
            uint64_t word = store ? get(p, lane, 1, i) : 0;
            for (uint32_t k = 0; k < f.each; k++) {
                struct matrix_entry at = moved_entry(&f, m->columns[0], lane, i, k);
                uint64_t index =
                    m->columns[0] ? at.column * stride + at.row : at.row * stride + at.column;
                uint64_t value = alu_low_bytes(word >> k * f.bytes * 8 % 64, f.bytes);
                if (!access(p, lane, address_of(p, lane) + index * f.bytes, f.bytes, &value, store))
                    return;
                word |= store ? 0 : value << k * f.bytes * 8 % 64;
            }
            if (!store)
                put(p, lane, 0, i, word);
        }
    }
}

void matrix_execute(struct run *run, uint32_t warp, uint32_t lanes)
{
    uint32_t first = run_first(run, warp);
    const struct micro *micro = run_micro(run, first + lowest(lanes));
    const struct product p = {run, first, micro, micro->inst->matrix};
    if (lanes != UINT32_MAX) {
        run_report(run, first + lowest(lanes), REPORT_MATRIX_LANE_MISSING, "%s is executed by %s",
                   run_micro_name(run, micro), run_lanes_name(run, warp, lanes));
        return;
    }
    switch (micro->inst->op) {
    case OP_MMA:
    case OP_WMMA_MMA:
    case OP_WMMA_MMA_XOR:
    case OP_WMMA_MMA_AND:
        multiply(&p);
        return;
    case OP_MOVMATRIX:
        transpose(&p);
        return;
    case OP_LDMATRIX:
    case OP_STMATRIX:
        (p.matrix->elements[0] == ELEMENT_B8 ? byte_matrix
                                             : small_matrix)(&p, micro->inst->op == OP_STMATRIX);
        return;
    default:
        fragment(&p, micro->inst->op == OP_WMMA_STORE);
    }
}
