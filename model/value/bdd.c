/* SPDX-License-Identifier: MIT */
#include "model/value/bdd.h"

#include "litmus/base/hash.h"

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
    struct hash_table table; /* of the nodes after the constants */
    struct bdd_result *results;
    uint32_t result_count, limit;
    uint64_t steps;
    bool full;
};

/* Results are kept where there is room: with few of them the same is computed again and again, so that a diagram of few nodes
 * may take very many steps. */
enum { MOST_RESULTS = 1 << 16, STEPS_A_NODE = 16 };

struct bdd_pool *bdd_pool_new(struct arena *arena, uint32_t limit)
{
    struct bdd_pool *pool = ARENA_NEW(arena, struct bdd_pool);
    pool->arena = arena;
    pool->limit = limit;
    pool->result_count = limit < MOST_RESULTS ? limit + 1 : MOST_RESULTS;
    pool->results = ARENA_ARRAY(arena, struct bdd_result, pool->result_count);
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

static uint64_t hash_of(uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t words[] = {a, b, c};
    return hash_bytes(words, sizeof words, 0);
}

static bool same(const void *items, uint32_t index, const void *key)
{
    const struct bdd_node *a = (const struct bdd_node *)items + index, *b = key;
    return a->variable == b->variable && a->high == b->high && a->low == b->low;
}

/* One node for each function: equal functions are one number. When the limit is reached, the result
 * means nothing and the pool says that it is full. */
static bdd make(struct bdd_pool *pool, uint32_t variable, bdd high, bdd low)
{
    if (high == low)
        return high;
    const struct bdd_node node = {variable, high, low};
    const bdd first = BDD_TRUE + 1;
    uint64_t hash = hash_of(variable, high, low);
    uint32_t known = hash_find(&pool->table, hash, same, pool->nodes.at + first, &node);
    if (known != HASH_NONE)
        return first + known;
    pool->full |= pool->nodes.len >= pool->limit;
    if (pool->full)
        return BDD_FALSE;
    vec_push(pool->arena, &pool->nodes, node);
    return first + hash_add(pool->arena, &pool->table, hash);
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
    struct bdd_result *known = &pool->results[hash_of(a, b, c) % pool->result_count];
    if (known->a == a && known->b == b && known->c == c)
        return known->result;
    pool->full |= ++pool->steps > (uint64_t)STEPS_A_NODE * pool->limit;
    uint32_t variable = first_variable(pool, a, b, c);
    bdd high = bdd_if(pool, branch(pool, a, variable, true), branch(pool, b, variable, true),
                      branch(pool, c, variable, true));
    bdd low = bdd_if(pool, branch(pool, a, variable, false), branch(pool, b, variable, false),
                     branch(pool, c, variable, false));
    bdd result = make(pool, variable, high, low);
    *known = (struct bdd_result){a, b, c, result};
    return result;
}
