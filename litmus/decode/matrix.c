/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

#include "litmus/base/number.h"

/* The words of matrix instructions: "m16n8k16", "row", "x4", "trans", "xor", and up to four types of elements. */

/* "16" behind its letter; false: something else is there. */
static bool size(const char **at, char letter, uint16_t *to)
{
    enum { LARGEST = 256 };
    size_t length = strspn(*at + 1, "0123456789");
    uint64_t value;
    if (**at != letter || number_whole(*at + 1, length, 1, LARGEST, &value) != NUMBER_GOOD)
        return false;
    *to = (uint16_t)value;
    *at += 1 + length;
    return true;
}

static bool shape(struct matrix *matrix, const char *text)
{
    struct matrix read = *matrix;
    bool known = size(&text, 'm', &read.m) && size(&text, 'n', &read.n);
    if (known && *text)
        known = size(&text, 'k', &read.k) && !*text;
    if (known)
        *matrix = read;
    return known;
}

static bool layout(struct matrix *matrix, const char *text)
{
    bool column = strcmp(text, "col") == 0;
    if ((!column && strcmp(text, "row") != 0) || matrix->layouts == 2)
        return false;
    matrix->columns[matrix->layouts++] = column;
    return true;
}

static bool number_of_matrices(struct matrix *matrix, const char *text)
{
    bool known = strcmp(text, "x1") == 0 || strcmp(text, "x2") == 0 || strcmp(text, "x4") == 0;
    if (known)
        matrix->count = (uint8_t)(text[1] - '0');
    return known;
}

static bool element(struct matrix *matrix, const char *text)
{
    enum matrix_element read = matrix_element_of(text);
    if (!read || matrix->element_count == 4)
        return false;
    matrix->elements[matrix->element_count++] = read;
    return true;
}

/* Of single bits: ".xor.popc" */
static bool bitwise(struct matrix *matrix, const char *text)
{
    if (strcmp(text, "popc") == 0)
        return matrix->counts = true;
    enum atom_op op = strcmp(text, "xor") == 0   ? ATOM_XOR
                      : strcmp(text, "and") == 0 ? ATOM_AND
                                                 : ATOM_NONE;
    if (!op || matrix->bitwise)
        return false;
    matrix->bitwise = op;
    return true;
}

bool decode_matrix_word(struct body_decoder *d, struct span span)
{
    const char *text = parse_text(d->parser, span);
    if (op_group(d->inst->op) != GROUP_MATRIX)
        return false;
    if (!d->inst->matrix)
        d->inst->matrix = ARENA_NEW(d->parser->arena, struct matrix);
    struct matrix *matrix = d->inst->matrix;
    if (strcmp(text, "trans") == 0)
        return matrix->transposed = true;
    if (strcmp(text, "rn") == 0)
        return true; /* of .f64, which is not rounded otherwise */
    if (strcmp(text, "satfinite") == 0) {
        d->inst->flags |= FLAG_SAT; /* of whole numbers: sums stay in their range */
        return true;
    }
    return shape(matrix, text) || layout(matrix, text) || number_of_matrices(matrix, text) ||
           element(matrix, text) || bitwise(matrix, text);
}
