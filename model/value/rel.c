/* SPDX-License-Identifier: MIT */
#include "model/value/rel.h"

#include <assert.h>
#include <stddef.h>

#include "litmus/base/arena.h"

static struct rel *rows_new(struct arena *arena, uint32_t n, uint32_t rows)
{
    struct rel *r = ARENA_NEW(arena, struct rel);
    *r = (struct rel){.n = n, .rows = rows, .words = (n + 63) / 64};
    r->bits = ARENA_ARRAY(arena, uint64_t, (size_t)rows * r->words);
    return r;
}

struct rel *rel_new(struct arena *arena, uint32_t n)
{
    return rows_new(arena, n, n);
}

struct rel *set_new(struct arena *arena, uint32_t n)
{
    return rows_new(arena, n, 1);
}

static size_t cells(const struct rel *r)
{
    return (size_t)r->rows * r->words;
}

void rel_clear(struct rel *r)
{
    if (r->n)
        memset(r->bits, 0, cells(r) * sizeof *r->bits);
}

void rel_copy(struct rel *to, const struct rel *from)
{
    assert(to->n == from->n && to->rows <= from->rows);
    if (to != from && from->n)
        memcpy(to->bits, from->bits, cells(to) * sizeof *to->bits);
}

bool rel_equal(const struct rel *a, const struct rel *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->bits, b->bits, cells(a) * sizeof *a->bits));
}

bool rel_is_empty(const struct rel *r)
{
    for (size_t i = 0; i < cells(r); i++)
        if (r->bits[i])
            return false;
    return true;
}

void rel_union(struct rel *to, const struct rel *a, const struct rel *b)
{
    assert(to->n == a->n && to->n == b->n);
    for (size_t i = 0; i < cells(to); i++)
        to->bits[i] = a->bits[i] | b->bits[i];
}

void rel_intersect(struct rel *to, const struct rel *a, const struct rel *b)
{
    assert(to->n == a->n && to->n == b->n);
    for (size_t i = 0; i < cells(to); i++)
        to->bits[i] = a->bits[i] & b->bits[i];
}

void rel_difference(struct rel *to, const struct rel *a, const struct rel *b)
{
    assert(to->n == a->n && to->n == b->n);
    for (size_t i = 0; i < cells(to); i++)
        to->bits[i] = a->bits[i] & ~b->bits[i];
}

static void or_row(uint64_t *restrict to, const uint64_t *restrict from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}

/* Relations of up to 64 events, nearly all tests: a row is a word. */
static void compose_narrow(struct rel *to, const struct rel *a, const struct rel *b)
{
    for (uint32_t x = 0; x < a->n; x++) {
        uint64_t row = 0;
        for (uint64_t left = a->bits[x]; left; left &= left - 1)
            row |= b->bits[__builtin_ctzll(left)];
        to->bits[x] = row;
    }
}

void rel_compose(struct rel *to, const struct rel *a, const struct rel *b)
{
    assert(to->n == a->n && to->n == b->n && to != a && to != b);
    if (a->words == 1) {
        compose_narrow(to, a, b);
        return;
    }
    rel_clear(to);
    for (uint32_t x = 0; x < a->n; x++) {
        const uint64_t *row = rel_row(a, x);
        for (uint32_t w = 0; w < a->words; w++)
            for (uint64_t left = row[w]; left; left &= left - 1)
                or_row(rel_row(to, x), rel_row(b, w * 64 + (uint32_t)__builtin_ctzll(left)),
                       a->words);
    }
}

void rel_inverse(struct rel *to, const struct rel *a)
{
    assert(to->n == a->n && to != a);
    rel_clear(to);
    for (uint32_t x = 0; x < a->n; x++) {
        const uint64_t *row = rel_row(a, x);
        for (uint32_t w = 0; w < a->words; w++)
            for (uint64_t left = row[w]; left; left &= left - 1)
                rel_add(to, w * 64 + (uint32_t)__builtin_ctzll(left), x);
    }
}

static void warshall(struct rel *r)
{
    for (uint32_t k = 0; k < r->n; k++) {
        const uint64_t *through = rel_row(r, k);
        for (uint32_t x = 0; x < r->n; x++)
            if (x != k && rel_has(r, x, k))
                or_row(rel_row(r, x), through, r->words);
    }
}

/* The lowest member of 'row' outside 'visited', or n. */
static uint32_t next_unvisited(const struct rel *r, uint32_t x, const uint64_t *visited)
{
    const uint64_t *row = rel_row(r, x);
    for (uint32_t w = 0; w < r->words; w++)
        if (row[w] & ~visited[w])
            return w * 64 + (uint32_t)__builtin_ctzll(row[w] & ~visited[w]);
    return r->n;
}

static bool meets(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] & b[w])
            return true;
    return false;
}

/* The rows of all successors are closed already. A successor reached through another needs no
 * visit, which makes closing a relation that is nearly transitive linear in its rows. */
static void close_row(struct rel *r, uint32_t x)
{
    uint64_t *row = rel_row(r, x);
    uint64_t left[r->words];
    memcpy(left, row, sizeof left);
    for (uint32_t w = 0; w < r->words; w++) {
        while (left[w]) {
            uint32_t next = w * 64 + (uint32_t)__builtin_ctzll(left[w]);
            left[w] &= left[w] - 1;
            const uint64_t *reached = rel_row(r, next);
            for (uint32_t v = 0; v < r->words; v++) {
                row[v] |= reached[v];
                left[v] &= ~reached[v];
            }
        }
    }
}

/* Visits depth first from 'root', closing each row when its successors are done. False on a cycle;
 * rows closed by then hold only pairs of the closure. */
static bool close_from(struct rel *r, uint32_t root, uint64_t *visited, uint64_t *open,
                       uint32_t *stack)
{
    uint32_t depth = 0;
    stack[depth++] = root;
    visited[root / 64] |= UINT64_C(1) << (root % 64);
    open[root / 64] |= UINT64_C(1) << (root % 64);
    while (depth) {
        uint32_t x = stack[depth - 1];
        if (meets(rel_row(r, x), open, r->words))
            return false;
        uint32_t next = next_unvisited(r, x, visited);
        if (next < r->n) {
            stack[depth++] = next;
            visited[next / 64] |= UINT64_C(1) << (next % 64);
            open[next / 64] |= UINT64_C(1) << (next % 64);
            continue;
        }
        close_row(r, x);
        open[x / 64] &= ~(UINT64_C(1) << (x % 64));
        depth--;
    }
    return true;
}

static bool close_acyclic(struct rel *r)
{
    uint64_t visited[r->words], open[r->words];
    uint32_t stack[r->n];
    memset(visited, 0, sizeof visited);
    memset(open, 0, sizeof open);
    for (uint32_t x = 0; x < r->n; x++)
        if (!(visited[x / 64] >> (x % 64) & 1) && !close_from(r, x, visited, open, stack))
            return false;
    return true;
}

void rel_closure(struct rel *to, const struct rel *a)
{
    assert(to->n == a->n);
    rel_copy(to, a);
    if (to->n && !close_acyclic(to))
        warshall(to);
}

void rel_product(struct rel *to, const struct rel *a, const struct rel *b)
{
    assert(to->n == a->n && to->n == b->n);
    rel_clear(to);
    for (uint32_t x = 0; x < to->n; x++)
        if (set_has(a, x))
            memcpy(rel_row(to, x), b->bits, b->words * sizeof *b->bits);
}

void rel_identity(struct rel *to, const struct rel *on)
{
    assert(to->n == on->n);
    rel_clear(to);
    for (uint32_t x = 0; x < to->n; x++)
        if (set_has(on, x))
            rel_add(to, x, x);
}
