/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_BDD_H
#define MODEL_VALUE_BDD_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Truth functions of numbered variables as reduced ordered decision diagrams: two are the same
 * function exactly when they are the same number. Variables with small numbers are asked first. */
typedef uint32_t bdd;

enum { BDD_FALSE, BDD_TRUE };

struct bdd_pool;

/* At most 'limit' nodes, and so many steps as make them; past that bdd_full says so and results mean nothing. */
struct bdd_pool *bdd_pool_new(struct arena *arena, uint32_t limit);
bool bdd_full(const struct bdd_pool *pool);
void bdd_give_up(struct bdd_pool *pool); /* from now on it is full */

bdd bdd_variable(struct bdd_pool *pool, uint32_t variable);
bdd bdd_if(struct bdd_pool *pool, bdd condition, bdd then, bdd otherwise);

static inline bdd bdd_not(struct bdd_pool *pool, bdd a)
{
    return bdd_if(pool, a, BDD_FALSE, BDD_TRUE);
}
static inline bdd bdd_and(struct bdd_pool *pool, bdd a, bdd b)
{
    return bdd_if(pool, a, b, BDD_FALSE);
}
static inline bdd bdd_or(struct bdd_pool *pool, bdd a, bdd b)
{
    return bdd_if(pool, a, BDD_TRUE, b);
}
static inline bdd bdd_xor(struct bdd_pool *pool, bdd a, bdd b)
{
    return bdd_if(pool, a, bdd_not(pool, b), b);
}

#endif
