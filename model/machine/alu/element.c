/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

union wide {
    uint64_t bits;
    double number;
};

static uint64_t convert(enum type to, enum type from, uint64_t bits)
{
    const struct inst cvt = {.op = OP_CVT,
                             .type = to,
                             .source_type = from,
                             .flags = type_bytes(to) < type_bytes(from) ? FLAG_RN : 0};
    uint64_t result = 0;
    alu_find (&cvt)(&result, &bits, NULL, NULL, NULL, 1);
    return result;
}

static enum type type_of(enum matrix_element element)
{
    return element == ELEMENT_F16 ? TYPE_F16 : element == ELEMENT_BF16 ? TYPE_BF16 : TYPE_F32;
}

static double whole_number(enum matrix_element element, uint64_t bits)
{
    uint32_t above = 64 - matrix_element_bits(element);
    return matrix_element_kind(element) == 's' ? (double)((int64_t)(bits << above) >> above)
                                               : (double)(bits << above >> above);
}

double alu_element_number(enum matrix_element element, uint64_t bits)
{
    union wide wide = {bits};
    if (matrix_element_kind(element) != 'f')
        return whole_number(element, bits);
    if (element == ELEMENT_F64)
        return wide.number;
    bits &= UINT64_MAX >> (64 - matrix_element_bits(element));
    if (element == ELEMENT_TF32)
        bits &= ~UINT64_C(0x1fff);
    enum type type = type_of(element);
    if (element == ELEMENT_E4M3 || element == ELEMENT_E5M2) {
        type = TYPE_F16;
        bits = convert(TYPE_F16X2, element == ELEMENT_E4M3 ? TYPE_E4M3X2 : TYPE_E5M2X2, bits) &
               UINT16_MAX;
    }
    wide.bits = convert(TYPE_F64, type, bits);
    return wide.number;
}

uint64_t alu_element_of(enum matrix_element element, double number, bool saturates)
{
    union wide wide = {.number = number};
    if (element == ELEMENT_F64)
        return wide.bits;
    if (element != ELEMENT_S32)
        return convert(type_of(element), TYPE_F64, wide.bits);
    if (saturates)
        number = number < INT32_MIN ? INT32_MIN : number > INT32_MAX ? INT32_MAX : number;
    return (uint32_t)(int64_t)number;
}
