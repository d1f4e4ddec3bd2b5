/* SPDX-License-Identifier: MIT */
#include "litmus/base/number.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_FRACTION = 63 };

/* Value of a digit, or a number past every base. */
static unsigned digit_value(char c)
{
    return g_ascii_isxdigit(c) ? (unsigned)g_ascii_xdigit_value(c) : 99;
}

size_t number_digits(const char *text, size_t length, unsigned base, uint64_t *value, bool *fits)
{
    size_t count = 0;
    *value = 0;
    *fits = true;
    for (; count < length && digit_value(text[count]) < base; count++)
        *fits = *fits && !__builtin_mul_overflow(*value, base, value) &&
                !__builtin_add_overflow(*value, digit_value(text[count]), value);
    return count;
}

enum number_fault number_whole(const char *text, size_t length, uint64_t least, uint64_t most,
                               uint64_t *value)
{
    char second = length > 1 && text[0] == '0' ? (char)(text[1] | 0x20) : 0;
    unsigned base = second == 'x' ? 16 : second == 'b' ? 2 : 10;
    size_t prefix = base == 10 ? 0 : 2;
    bool fits;
    size_t digits = number_digits(text + prefix, length - prefix, base, value, &fits);
    if (!digits || digits != length - prefix || (base == 10 && second))
        return NUMBER_MALFORMED;
    return fits && *value >= least && *value <= most ? NUMBER_GOOD : NUMBER_OUT_OF_RANGE;
}

struct number_range number_range(uint32_t bits, bool is_signed, bool either)
{
    int64_t half = (int64_t)(UINT64_MAX >> (65 - bits));
    uint32_t above = is_signed && !either ? bits - 1 : bits;
    return (struct number_range){is_signed || either ? -half - 1 : 0, UINT64_MAX >> (64 - above)};
}

bool number_fits(uint64_t value, uint32_t bits)
{
    int64_t as_signed = (int64_t)value;
    return bits >= 64 || value >> bits == 0 ||
           (as_signed < 0 && as_signed >= -((int64_t)1 << (bits - 1)));
}

enum number_fault number_integer(const char *text, size_t length, struct number_range range,
                                 uint64_t *value)
{
    bool negative = length && text[0] == '-';
    uint64_t most = negative ? -(uint64_t)range.least : range.most;
    enum number_fault fault = number_whole(text + negative, length - negative, 0, most, value);
    *value = negative ? -*value : *value;
    return fault;
}

static size_t decimal(const char *text, size_t length)
{
    uint64_t value;
    bool fits;
    return number_digits(text, length, 10, &value, &fits);
}

/* Is it 2, 2.5 or 2.5e-3, after an optional '-'? */
static bool is_fraction(const char *text, size_t length)
{
    size_t at = length && text[0] == '-', whole = decimal(text + at, length - at);
    if (!whole || (whole > 1 && text[at] == '0'))
        return false;
    at += whole;
    if (at < length && text[at] == '.') {
        size_t part = decimal(text + at + 1, length - at - 1);
        if (!part)
            return false;
        at += part + 1;
    }
    if (at < length && (text[at] | 0x20) == 'e') {
        at += at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+') ? 2 : 1;
        size_t exponent = decimal(text + at, length - at);
        if (!exponent)
            return false;
        at += exponent;
    }
    return at == length;
}

/* The text with a NUL behind it, in 'copy'; false when it is no fraction. */
static bool copy_fraction(const char *text, size_t length, char copy[LONGEST_FRACTION + 1])
{
    if (length > LONGEST_FRACTION || !is_fraction(text, length))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return true;
}

enum number_fault number_double(const char *text, size_t length, double *value)
{
    char copy[LONGEST_FRACTION + 1];
    if (!copy_fraction(text, length, copy))
        return NUMBER_MALFORMED;
    *value = g_ascii_strtod(copy, NULL);
    return isfinite(*value) ? NUMBER_GOOD : NUMBER_OUT_OF_RANGE;
}

enum number_fault number_single(const char *text, size_t length, uint32_t *bits)
{
    char copy[LONGEST_FRACTION + 1];
    if (!copy_fraction(text, length, copy))
        return NUMBER_MALFORMED;
    float value = strtof(copy, NULL);
    memcpy(bits, &value, sizeof *bits);
    return isfinite(value) ? NUMBER_GOOD : NUMBER_OUT_OF_RANGE;
}

uint64_t number_float_bits(double number, bool single)
{
    float narrow = (float)number;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&wide, &number, sizeof wide);
    return single ? bits : wide;
}
