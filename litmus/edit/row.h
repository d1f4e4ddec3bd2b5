/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_ROW_H
#define LITMUS_EDIT_ROW_H

#include "litmus/test/test.h"

/* Are the threads the columns of a table? Those of a test in C++ may be blocks, "P0 { … }". */
bool row_in_table(const struct test *test);

/* A row of the table of columns, as it is laid out. */
struct row {
    const struct source *source;
    uint32_t columns;
    struct span line;    /* the line of the text that holds the place asked about */
    bool regular;        /* the line is this one row: then where each cell ends, the last at ';' */
    uint32_t *ends;      /* a column */
    uint32_t start, end; /* behind the ';' before the row, and behind its own */
};

/* The row that holds the place. */
struct row row_at(struct arena *arena, const struct test *test, uint32_t offset);
/* A row with these words in one column and nothing in the others, without a line end; laid out as 'row' is. In
 * 'arena'. */
const char *row_with(struct arena *arena, const struct row *row, uint32_t column,
                     const char *words);
/* Would nothing be left of a regular row without the span? */
bool row_is_empty_without(const struct row *row, struct span span);

#endif
