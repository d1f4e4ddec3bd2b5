/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

#include <stdlib.h>

enum alu_integer alu_integer(enum type type)
{
    uint32_t bytes = type_bytes(type);
    bool packed = type == TYPE_S16X2 || type == TYPE_U16X2;
    if (type_is_float(type) || packed || type == TYPE_PRED || bytes > 8)
        return ALU_INTEGERS;
    return (type_is_signed(type) ? ALU_S8 : ALU_U8) + (enum alu_integer)__builtin_ctz(bytes);
}

alu_fn *alu_find(const struct inst *inst)
{
    alu_fn *(*const finders[])(const struct inst *) = {
        alu_find_eighth, alu_find_packed,  alu_find_half,    alu_find_integer,
        alu_find_float,  alu_find_compare, alu_find_convert, alu_find_bits};
    for (size_t i = 0; i < sizeof finders / sizeof *finders; i++) {
        alu_fn *found = finders[i](inst);
        if (found)
            return found;
    }
    return NULL;
}

uint64_t alu_extend(enum type type, uint64_t bits)
{
    uint32_t bytes = type_bytes(type), above = bytes >= 8 ? 0 : 64 - 8 * bytes;
    return type_is_signed(type) ? (uint64_t)((int64_t)(bits << above) >> above)
                                : bits << above >> above;
}

/* Their sum, or the smaller or larger one. */
static uint64_t of_floats(enum atom_op atom, enum type type, uint64_t old, uint64_t b)
{
    enum op op = atom == ATOM_ADD ? OP_ADD : atom == ATOM_MIN ? OP_MIN : OP_MAX;
    uint64_t result;
    alu_find (&(const struct inst){.op = op, .type = type})(&result, &old, &b, NULL, NULL, 1);
    return result;
}

static uint64_t unsigned_atomic(enum atom_op op, uint64_t r, uint64_t b, uint64_t c)
{
    switch (op) {
        // clang-format off
#define ROW(id, value) case ATOM_##id: return value;
        ROW(ADD, r + b)
        ROW(SUB, r - b)
        ROW(MUL, r * b)
        ROW(DIV, b == 0 ? UINT64_MAX : r / b)
        ROW(INC, r >= b ? 0 : r + 1)
        ROW(DEC, r == 0 || r > b ? b : r - 1)
        ROW(AND, r & b)
        ROW(OR, r | b)
        ROW(XOR, r ^ b)
        ROW(MIN, r < b ? r : b)
        ROW(MAX, r > b ? r : b)
        ROW(CAS, r == b ? c : r)
        ROW(EXCH, b)
#undef ROW
        // clang-format on
    default: /* nothing that an access does */
        abort();
    }
}

uint64_t alu_atomic(enum atom_op op, enum type type, uint64_t old, uint64_t b, uint64_t c,
                    bool *writes)
{
    *writes = op != ATOM_CAS || alu_extend(type, old) == alu_extend(type, b);
    if ((op == ATOM_ADD || op == ATOM_MIN || op == ATOM_MAX) && type_is_float(type))
        return of_floats(op, type, old, b);
    uint64_t r = alu_extend(type, old), x = alu_extend(type, b), y = alu_extend(type, c);
    uint64_t result;
    if (type_is_signed(type) && (op == ATOM_MIN || op == ATOM_MAX))
        result = ((int64_t)r < (int64_t)x) == (op == ATOM_MIN) ? r : x;
    else if (type_is_signed(type) && op == ATOM_DIV)
        result = x == 0            ? UINT64_MAX
                 : x == UINT64_MAX ? 0 - r
                                   : (uint64_t)((int64_t)r / (int64_t)x);
    else
        result = unsigned_atomic(op, r, x, y);
    return alu_low_bytes(result, type_bytes(type));
}
