/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_EXPR_BITS_H
#define MODEL_VALUE_EXPR_BITS_H

#include "model/value/bdd.h"
#include "model/value/expr.h"

/* Expressions bit by bit, as truth functions of the bits of their leaves. Each has two versions: in
 * the second one the leaves that 'varied' names have another value, and all others the same. Only
 * the bits that are asked for are computed. */
struct expr_bits;

/* The order of the variables, on which the size of the diagrams hangs. One suits sums and comparisons
 * of leaves, the other what asks of one leaf after the other. */
enum expr_bits_order { EXPR_BITS_BY_LEAF, EXPR_BITS_BY_BIT, EXPR_BITS_ORDERS };

struct expr_bits_options {
    const struct expr_pool *exprs;
    /* an expression: the leaf that it counts as, itself if it is no leaf; NULL: every one itself */
    const expr_id *leaf_of;
    const bool *varied; /* an expression: a leaf with a second value; NULL: none has */
    enum expr_bits_order order;
    uint32_t limit; /* of nodes */
};
/* Proofs are tried in both orders, with more and more nodes: which order suits is not known beforehand, and in the
 * wrong one there are never enough. Sets 'order' and 'limit' of attempt 0..EXPR_BITS_ATTEMPTS-1. */
enum { EXPR_BITS_ATTEMPTS = 3 * EXPR_BITS_ORDERS };
void expr_bits_attempt(unsigned attempt, struct expr_bits_options *options);

struct expr_bits *expr_bits_new(struct arena *arena, const struct expr_bits_options *options);
/* For what is made of bits; when it is full, they mean nothing. */
struct bdd_pool *expr_bits_pool(struct expr_bits *bits);

bdd expr_bit(struct expr_bits *bits, expr_id expr, unsigned bit, bool second);
/* The first version of the one has the value of the second version of the other. */
bdd expr_bits_equal(struct expr_bits *bits, expr_id first, expr_id second);

#endif
