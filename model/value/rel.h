/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_REL_H
#define MODEL_VALUE_REL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct arena;

/* A relation over events 0..n-1 as a bit matrix, row a holding the successors of a. A set of events is
 * kept as one row. All operands of an operation have one n, and as many rows as its result unless it
 * says otherwise; one of more rows than 'to' stands for its first ones. */
struct rel {
    uint32_t n, rows, words; /* words of 64 bits in a row */
    uint64_t *bits;
};

struct rel *rel_new(struct arena *arena, uint32_t n);
struct rel *set_new(struct arena *arena, uint32_t n);

static inline uint64_t *rel_row(const struct rel *r, uint32_t a)
{
    return r->bits + (size_t)a * r->words;
}
static inline bool rel_has(const struct rel *r, uint32_t a, uint32_t b)
{
    return rel_row(r, a)[b / 64] >> (b % 64) & 1;
}
static inline void rel_add(struct rel *r, uint32_t a, uint32_t b)
{
    rel_row(r, a)[b / 64] |= UINT64_C(1) << (b % 64);
}
static inline void rel_remove(struct rel *r, uint32_t a, uint32_t b)
{
    rel_row(r, a)[b / 64] &= ~(UINT64_C(1) << (b % 64));
}
static inline bool set_has(const struct rel *s, uint32_t a)
{
    return rel_has(s, 0, a);
}
static inline void set_add(struct rel *s, uint32_t a)
{
    rel_add(s, 0, a);
}

void rel_clear(struct rel *r);
void rel_copy(struct rel *to, const struct rel *from);
bool rel_equal(const struct rel *a, const struct rel *b);
bool rel_is_empty(const struct rel *r);
void rel_union(struct rel *to, const struct rel *a,
               const struct rel *b); /* 'to' may be an operand */
void rel_intersect(struct rel *to, const struct rel *a, const struct rel *b);
void rel_difference(struct rel *to, const struct rel *a, const struct rel *b);
void rel_compose(struct rel *to, const struct rel *a, const struct rel *b); /* 'to' is no operand */
void rel_inverse(struct rel *to, const struct rel *a);                      /* 'to' is no operand */
void rel_closure(struct rel *to, const struct rel *a); /* transitive; may be 'a' */
void rel_product(struct rel *to, const struct rel *a, const struct rel *b);
void rel_identity(struct rel *to, const struct rel *on); /* [S] */

#endif
