/* SPDX-License-Identifier: MIT */
#include "model/value/bdd.h"

#include "litmus/base/arena.h"

struct bdd_node {
    uint32_t variable;
    bdd high, low;
};

struct bdd_result { /* bdd_if(a, b, c) = result; a 0: free */
    bdd a, b, c, result;
};

struct bdd_pool {
    struct arena *arena;
    VEC(struct bdd_node) nodes;
    uint32_t *table; /* open addressing: a node, 0 is free */
    struct bdd_result *results;
    uint32_t table_size, limit;
    bool full;
};

enum { FIRST_TABLE = 1024, RESULTS = 1 << 14 };

struct bdd_pool *bdd_pool_new(struct arena *arena, uint32_t limit)
{
    struct bdd_pool *pool = ARENA_NEW(arena, struct bdd_pool);
    pool->arena = arena;
    pool->limit = limit;
    pool->table_size = FIRST_TABLE;
    pool->table = ARENA_ARRAY(arena, uint32_t, FIRST_TABLE);
    pool->results = ARENA_ARRAY(arena, struct bdd_result, RESULTS);
    for (bdd constant = BDD_FALSE; constant <= BDD_TRUE; constant++)
        vec_push(arena, &pool->nodes, ((struct bdd_node){UINT32_MAX, constant, constant}));
    return pool;
}

bool bdd_full(const struct bdd_pool *pool)
{
    return pool->full;
}

void bdd_give_up(struct bdd_pool *pool)
{
    pool->full = true;
}

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t h = (uint64_t)a * 0x9e3779b97f4a7c15u;
    h = (h ^ b) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 32 ^ c) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

static uint32_t *slot_of(struct bdd_pool *pool, uint32_t variable, bdd high, bdd low)
{
    uint32_t mask = pool->table_size - 1;
    for (uint32_t i = mix(variable, high, low) & mask;; i = (i + 1) & mask) {
        const struct bdd_node *node = &pool->nodes.at[pool->table[i]];
        if (!pool->table[i] ||
            (node->variable == variable && node->high == high && node->low == low))
            return &pool->table[i];
    }
}

static void grow_table(struct bdd_pool *pool)
{
    pool->table_size *= 2;
    pool->table = ARENA_ARRAY(pool->arena, uint32_t, pool->table_size);
    for (bdd i = BDD_TRUE + 1; i < pool->nodes.len; i++) {
        const struct bdd_node *node = &pool->nodes.at[i];
        *slot_of(pool, node->variable, node->high, node->low) = i;
    }
}

static bdd make(struct bdd_pool *pool, uint32_t variable, bdd high, bdd low)
{
    if (high == low)
        return high;
    uint32_t *slot = slot_of(pool, variable, high, low);
    if (*slot)
        return *slot;
    pool->full |= pool->nodes.len >= pool->limit;
    if (pool->full)
        return BDD_FALSE;
    *slot = pool->nodes.len;
    vec_push(pool->arena, &pool->nodes, ((struct bdd_node){variable, high, low}));
    if (pool->nodes.len * 2 > pool->table_size)
        grow_table(pool);
    return pool->nodes.len - 1;
}

bdd bdd_variable(struct bdd_pool *pool, uint32_t variable)
{
    return make(pool, variable, BDD_TRUE, BDD_FALSE);
}

static bdd branch(const struct bdd_pool *pool, bdd f, uint32_t variable, bool high)
{
    const struct bdd_node *node = &pool->nodes.at[f];
    if (node->variable != variable)
        return f;
    return high ? node->high : node->low;
}

static uint32_t first_variable(const struct bdd_pool *pool, bdd a, bdd b, bdd c)
{
    uint32_t x = pool->nodes.at[a].variable, y = pool->nodes.at[b].variable,
             z = pool->nodes.at[c].variable;
    uint32_t least = x < y ? x : y;
    return least < z ? least : z;
}

/* As deep as there are variables in the operands. */
bdd bdd_if(struct bdd_pool *pool, bdd a, bdd b, bdd c)
{
    if (a == BDD_TRUE || b == c)
        return b;
    if (a == BDD_FALSE || pool->full)
        return c;
    if (b == BDD_TRUE && c == BDD_FALSE)
        return a;
    struct bdd_result *known = &pool->results[mix(a, b, c) % RESULTS];
    if (known->a == a && known->b == b && known->c == c)
        return known->result;
    uint32_t variable = first_variable(pool, a, b, c);
    bdd high = bdd_if(pool, branch(pool, a, variable, true), branch(pool, b, variable, true),
                      branch(pool, c, variable, true));
    bdd low = bdd_if(pool, branch(pool, a, variable, false), branch(pool, b, variable, false),
                     branch(pool, c, variable, false));
    bdd result = make(pool, variable, high, low);
    *known = (struct bdd_result){a, b, c, result};
    return result;
}
