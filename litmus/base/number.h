/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_NUMBER_H
#define LITMUS_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads numbers, for command lines and texts alike; nothing else in the project does. A text must
 * be a number from its first byte to its last and in range, else it is refused: nothing is cut off,
 * wrapped around or rounded to an end of the range. Blanks, '+' and a leading 0 (octal in PTX,
 * decimal elsewhere) are refused. */
enum number_fault { NUMBER_GOOD, NUMBER_MALFORMED, NUMBER_OUT_OF_RANGE };

/* How many bytes at the start of 'text' are digits of 'base'; their value, unless they pass 64
 * bits: then *fits is false. */
size_t number_digits(const char *text, size_t length, unsigned base, uint64_t *value, bool *fits);

/* 12, 0x1f, 0b101. */
enum number_fault number_whole(const char *text, size_t length, uint64_t least, uint64_t most,
                               uint64_t *value);

/* The numbers that an integer may have. */
struct number_range {
    int64_t least; /* at most 0 */
    uint64_t most;
};
/* Those of 'bits' bits; with 'either' those that are signed and those that are not. */
struct number_range number_range(uint32_t bits, bool is_signed, bool either);
/* Is it a number of so many bits, signed or not? */
bool number_fits(uint64_t value, uint32_t bits);
/* A number of the range, after an optional '-': *value is its two's complement. */
enum number_fault number_integer(const char *text, size_t length, struct number_range range,
                                 uint64_t *value);

/* 2, 2.5, 2.5e-3, after an optional '-': the nearest number of 64 bits, or of 32 in *bits. A number
 * that is larger than any of them is out of range. */
enum number_fault number_double(const char *text, size_t length, double *value);
enum number_fault number_single(const char *text, size_t length, uint32_t *bits);

/* The bits of the number, in the 64-bit format or, 'single', rounded to the 32-bit one. */
uint64_t number_float_bits(double number, bool single);

#endif
