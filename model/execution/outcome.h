/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_OUTCOME_H
#define MODEL_EXECUTION_OUTCOME_H

#include "litmus/test/test.h"

/* A final state: the values of test->observed, in that order, each the bits of the term's type with
 * zeros above; an address is the one layout.h gives it. Sets are sorted, without repeats, so that
 * every engine prints the same bytes. */
struct outcome {
    uint64_t *values;
    bool race, race_free; /* some execution that ends here has a data race, some has none */
    bool race_open, race_free_open; /* that is false for want of an answer */
};

struct outcome_set {
    const struct test *test;
    struct arena *arena;
    VEC(struct outcome) items; /* sorted */
};

/* How the bits of a term's value are read. */
struct bit_reading {
    unsigned width; /* 1..64 */
    bool is_signed;
};
struct bit_reading outcome_reading(const struct test *test, const struct cond_term *term);

/* Which of test->observed the term is, or NONE. */
uint32_t outcome_index(const struct test *test, const struct cond_term *term);

/* The virtual address of an element of a location, the same for every engine. */
uint64_t outcome_address(const struct test *test, uint32_t location, uint32_t element);
/* Of addresses of the location. */
uint64_t outcome_alignment(const struct test *test, uint32_t location);

/* Index of the state, added when new. 'values' is copied. */
uint32_t outcome_add(struct outcome_set *set, const uint64_t *values);
/* Its index, or where it would stand. */
bool outcome_find(const struct outcome_set *set, const uint64_t *values, uint32_t *index);
int outcome_compare(const struct test *test, const uint64_t *a, const uint64_t *b);
/* Are the sides of a comparison, with these values, compared as signed numbers? A constant, which is changed to what it
 * means, is read as the other side is; of two widths the wider decides. */
bool outcome_compared(const struct test *test, const struct cond *c, uint64_t *a, uint64_t *b);
/* Does the state satisfy the condition (NULL: yes)? */
bool outcome_satisfies(const struct test *test, const struct cond *condition,
                       const uint64_t *values);
/* "1:r0=0; 1:r1=1; [x]=2;" in 'arena'. Values print signed or unsigned by their type, addresses as
 * "&x" and "&x+4", in bytes, mbarrier objects by their fields. */
const char *outcome_print(struct arena *arena, const struct test *test, const uint64_t *values);
/* The value of one term, as outcome_print writes it: "-1", "4294967295", "&x". In 'arena'. */
const char *outcome_print_value(struct arena *arena, const struct test *test,
                                const struct cond_term *term, uint64_t value);
/* The word of an mbarrier object: "phase 1, pending 2, expected 2, tx 0". In 'arena'. */
const char *outcome_mbarrier(struct arena *arena, uint64_t word);
/* How a term is called in a state: "1:r0", "[x]", "K1[0,3]:r0", "H:q". */
const char *outcome_term_name(struct arena *arena, const struct test *test,
                              const struct cond_term *term);

#endif
