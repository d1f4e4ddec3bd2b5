/* SPDX-License-Identifier: MIT */
#include "model/value/refute.h"

#include <stdlib.h>

enum { MOST_ATOMS = 24, MOST_OPEN = 10, DEEPEST = 64, MOST_STEPS = 4096 };

/* The comparisons a condition is made of, and what the combination at hand says of them. The first
 * 'forced' ones are conjuncts of the condition, so only one value needs trying. */
struct atoms {
    const struct expr_pool *pool;
    expr_id at[MOST_ATOMS];
    bool value[MOST_ATOMS];
    unsigned count, forced;
    unsigned steps; /* on the way through a condition, whose parts share parts of their own */
    bool too_many;
};

static unsigned find_atom(const struct atoms *atoms, expr_id id)
{
    unsigned i = 0;
    while (i < atoms->count && atoms->at[i] != id)
        i++;
    return i;
}

static bool is_connective(const struct expr *e)
{
    return e->width == 1 &&
           (e->op == EXPR_AND || e->op == EXPR_OR || e->op == EXPR_NOT || e->op == EXPR_CONST);
}

/* Lists the atoms of a condition: what is no connective. Too deep, too many of them or too long a
 * way: nothing is refuted. */
static void collect(struct atoms *atoms, expr_id id, unsigned depth)
{
    const struct expr *e = expr_get(atoms->pool, id);
    atoms->too_many |= ++atoms->steps > MOST_STEPS;
    if (atoms->too_many)
        return;
    if (is_connective(e) && depth < DEEPEST) {
        if (e->op != EXPR_CONST)
            collect(atoms, e->a, depth + 1);
        if (e->op == EXPR_AND || e->op == EXPR_OR)
            collect(atoms, e->b, depth + 1);
    } else if (is_connective(e) || atoms->count == MOST_ATOMS) {
        atoms->too_many |= find_atom(atoms, id) == atoms->count;
    } else if (find_atom(atoms, id) == atoms->count) {
        atoms->at[atoms->count++] = id;
    }
}

/* Conjuncts that are comparisons or denials of one. */
static void force(struct atoms *atoms, expr_id id, unsigned depth)
{
    const struct expr *e = expr_get(atoms->pool, id);
    if (e->op == EXPR_AND && depth < DEEPEST) {
        force(atoms, e->a, depth + 1);
        force(atoms, e->b, depth + 1);
        return;
    }
    bool negated = e->op == EXPR_NOT;
    expr_id atom = negated ? e->a : id;
    if (is_connective(expr_get(atoms->pool, atom)) || atoms->count == MOST_ATOMS ||
        find_atom(atoms, atom) < atoms->count)
        return;
    atoms->value[atoms->count] = !negated;
    atoms->at[atoms->count++] = atom;
    atoms->forced = atoms->count;
}

/* The value of the condition when each atom has the value at hand. */
static bool holds(const struct atoms *atoms, expr_id id)
{
    const struct expr *e = expr_get(atoms->pool, id);
    if (!is_connective(e))
        return atoms->value[find_atom(atoms, id)];
    switch (e->op) {
    case EXPR_CONST:
        return e->value;
    case EXPR_NOT:
        return !holds(atoms, e->a);
    case EXPR_AND:
        return holds(atoms, e->a) && holds(atoms, e->b);
    case EXPR_OR:
        return holds(atoms, e->a) || holds(atoms, e->b);
    default: /* no connective */
        abort();
    }
}

/* Does an atom that holds say what 'leaf' is? */
static bool fixed_leaf(void *context, const struct expr *leaf, uint64_t *value)
{
    const struct atoms *atoms = context;
    for (unsigned i = 0; i < atoms->count; i++) {
        const struct expr *e = expr_get(atoms->pool, atoms->at[i]);
        if (!atoms->value[i])
            continue;
        if (e == leaf) {
            *value = 1;
            return true;
        }
        if (e->op == EXPR_EQ && expr_get(atoms->pool, e->a) == leaf &&
            expr_is_const(atoms->pool, e->b, value))
            return true;
    }
    return false;
}

static bool contradictory(struct atoms *atoms)
{
    for (unsigned i = 0; i < atoms->count; i++) {
        uint64_t value;
        if (expr_eval(atoms->pool, atoms->at[i], fixed_leaf, atoms, &value) &&
            value != (uint64_t)atoms->value[i])
            return true;
    }
    return false;
}

bool expr_refuted(const struct expr_pool *pool, expr_id condition)
{
    struct atoms atoms = {.pool = pool};
    force(&atoms, condition, 0);
    collect(&atoms, condition, 0);
    unsigned open = atoms.count - atoms.forced;
    if (atoms.too_many || open > MOST_OPEN)
        return false;
    for (unsigned tried = 0; tried < 1u << open; tried++) {
        for (unsigned i = 0; i < open; i++)
            atoms.value[atoms.forced + i] = tried >> i & 1;
        if (holds(&atoms, condition) && !contradictory(&atoms))
            return false;
    }
    return true;
}

bool expr_conjuncts_refuted(const struct expr_pool *pool, expr_id condition)
{
    struct atoms atoms = {.pool = pool};
    force(&atoms, condition, 0);
    return contradictory(&atoms);
}
