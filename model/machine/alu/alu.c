/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

#include <stdlib.h>

enum alu_integer alu_integer(enum type type)
{
    switch (type) {
    case TYPE_U8:
    case TYPE_B8:
        return ALU_U8;
    case TYPE_U16:
    case TYPE_B16:
        return ALU_U16;
    case TYPE_U32:
    case TYPE_B32:
        return ALU_U32;
    case TYPE_U64:
    case TYPE_B64:
        return ALU_U64;
    case TYPE_S8:
        return ALU_S8;
    case TYPE_S16:
        return ALU_S16;
    case TYPE_S32:
        return ALU_S32;
    case TYPE_S64:
    case TYPE_NONE:
        return ALU_S64;
    case TYPE_B128:
    case TYPE_F16:
    case TYPE_F16X2:
    case TYPE_BF16:
    case TYPE_BF16X2:
    case TYPE_F32:
    case TYPE_F64:
    case TYPE_PRED:
        break;
    }
    return ALU_INTEGERS;
}

alu_fn *alu_find(const struct inst *inst)
{
    alu_fn *(*const finders[])(const struct inst *) = {
        alu_find_integer, alu_find_float, alu_find_compare, alu_find_convert, alu_find_bits};
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

static uint64_t add_floats(enum type type, uint64_t old, uint64_t b)
{
    return type == TYPE_F32 ? alu_from_f32(alu_f32(old) + alu_f32(b))
                            : alu_from_f64(alu_f64(old) + alu_f64(b));
}

static uint64_t unsigned_atomic(enum atom_op op, uint64_t r, uint64_t b, uint64_t c, bool *writes)
{
    switch (op) {
    case ATOM_ADD:
        return r + b;
    case ATOM_SUB:
        return r - b;
    case ATOM_MUL:
        return r * b;
    case ATOM_DIV:
        return b == 0 ? UINT64_MAX : r / b;
    case ATOM_INC:
        return r >= b ? 0 : r + 1;
    case ATOM_DEC:
        return r == 0 || r > b ? b : r - 1;
    case ATOM_AND:
        return r & b;
    case ATOM_OR:
        return r | b;
    case ATOM_XOR:
        return r ^ b;
    case ATOM_MIN:
        return r < b ? r : b;
    case ATOM_MAX:
        return r > b ? r : b;
    case ATOM_CAS:
        *writes = r == b;
        return r == b ? c : r;
    case ATOM_EXCH:
        return b;
    case ATOM_POPC:
    case ATOM_NONE:
        break;
    }
    abort();
}

uint64_t alu_atomic(enum atom_op op, enum type type, uint64_t old, uint64_t b, uint64_t c,
                    bool *writes)
{
    *writes = true;
    if (op == ATOM_ADD && type_is_float(type))
        return add_floats(type, old, b);
    uint64_t r = alu_extend(type, old), x = alu_extend(type, b), y = alu_extend(type, c);
    uint64_t result;
    if (type_is_signed(type) && (op == ATOM_MIN || op == ATOM_MAX))
        result = ((int64_t)r < (int64_t)x) == (op == ATOM_MIN) ? r : x;
    else if (type_is_signed(type) && op == ATOM_DIV)
        result = x == 0            ? UINT64_MAX
                 : x == UINT64_MAX ? 0 - r
                                   : (uint64_t)((int64_t)r / (int64_t)x);
    else
        result = unsigned_atomic(op, r, x, y, writes);
    uint32_t bytes = type_bytes(type);
    return bytes >= 8 ? result : result & ((UINT64_C(1) << (8 * bytes)) - 1);
}
