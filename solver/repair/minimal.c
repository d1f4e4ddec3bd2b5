/* SPDX-License-Identifier: MIT */
#include "solver/repair/minimal.h"

#include <glib.h>
#include <string.h>

/* A choice that waits for its turn. */
struct waiting {
    const uint8_t *choice;
    uint32_t cost, size, number; /* number: of equal costs the earlier comes first */
};

struct minimal_search {
    struct arena *arena;
    const struct minimal_question *question;
    uint32_t n;                    /* places */
    VEC(const uint8_t *) shortest; /* grown choices that do not suffice: the clauses */
    VEC(const uint8_t *) enough;   /* choices that do */
    VEC(struct waiting) heap;
    GHashTable *seen; /* choices that are or were in the heap */
    uint32_t number;
    struct tie tie;
    struct minimal_result result;
};

enum { MOST_WAITING = 200000 };

/* ---- choices -------------------------------------------------------------------------------- */

static bool has(const struct minimal_place *place, uint8_t more, uint8_t less)
{
    return place->least[more] >> less & 1;
}

/* Does 'more' include 'less' everywhere? */
static bool includes(const struct minimal_search *f, const uint8_t *more, const uint8_t *less)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (!has(&f->question->places[i], more[i], less[i]))
            return false;
    return true;
}

static uint8_t *copy(const struct minimal_search *f, const uint8_t *choice)
{
    uint8_t *other = ARENA_ARRAY(f->arena, uint8_t, f->n + 1);
    memcpy(other, choice, f->n);
    return other;
}

/* How many options it includes: the strongest has the most. */
static int height(const struct minimal_place *place, uint8_t option)
{
    return __builtin_popcountll(place->least[option]);
}

static uint8_t highest(const struct minimal_place *place)
{
    uint8_t best = 0;
    for (uint32_t i = 1; i < place->count; i++)
        if (height(place, (uint8_t)i) > height(place, best))
            best = (uint8_t)i;
    return best;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* What is known already need not be asked. */
static enum minimal_answer ask(struct minimal_search *f, const uint8_t *choice)
{
    for (uint32_t i = 0; i < f->enough.len; i++)
        if (includes(f, choice, f->enough.at[i]))
            return MINIMAL_ENOUGH;
    for (uint32_t i = 0; i < f->shortest.len; i++)
        if (includes(f, f->shortest.at[i], choice))
            return MINIMAL_SHORT;
    f->result.asked++;
    enum minimal_answer answer = f->question->ask(f->question->context, choice);
    if (answer == MINIMAL_ENOUGH)
        vec_push(f->arena, &f->enough, copy(f, choice));
    f->result.open |= answer == MINIMAL_OPEN;
    return answer;
}

/* ---- growing -------------------------------------------------------------------------------- */

/* The strongest option of one place with which the choice still does not suffice. */
static void grow_place(struct minimal_search *f, uint8_t *choice, uint32_t at)
{
    const struct minimal_place *place = &f->question->places[at];
    uint8_t base = choice[at];
    for (int level = MINIMAL_MOST_OPTIONS; level > height(place, choice[at]); level--)
        for (uint32_t i = 0; i < place->count; i++) {
            uint8_t was = choice[at];
            if (height(place, (uint8_t)i) != level || i == was || !has(place, (uint8_t)i, base) ||
                !has(place, (uint8_t)i, was))
                continue;
            choice[at] = (uint8_t)i;
            if (ask(f, choice) == MINIMAL_SHORT)
                return;
            choice[at] = was;
        }
}

/* The places [from, to), all at once where that is possible, else each half. */
static void grow_range(struct minimal_search *f, uint8_t *choice, uint32_t from, uint32_t to)
{
    uint8_t *tried = copy(f, choice);
    if (from == to)
        return;
    for (uint32_t i = from; i < to; i++) {
        uint8_t top = highest(&f->question->places[i]);
        if (!f->question->places[i].shy && has(&f->question->places[i], top, choice[i]))
            tried[i] = top;
    }
    if (memcmp(tried, choice, f->n) == 0 || ask(f, tried) == MINIMAL_SHORT) {
        memcpy(choice, tried, f->n);
    } else if (to - from == 1) {
        grow_place(f, choice, from);
    } else {
        uint32_t middle = from + (to - from) / 2;
        grow_range(f, choice, from, middle);
        grow_range(f, choice, middle, to);
    }
}

static void learn(struct minimal_search *f, const uint8_t *choice)
{
    uint8_t *grown = copy(f, choice);
    grow_range(f, grown, 0, f->n);
    vec_push(f->arena, &f->shortest, grown);
    f->result.clauses++;
}

/* ---- the heap ------------------------------------------------------------------------------- */

static bool comes_before(const struct waiting *a, const struct waiting *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->size != b->size ? a->size < b->size : a->number < b->number;
}

static void exchange(struct waiting *a, struct waiting *b)
{
    struct waiting c = *a;
    *a = *b;
    *b = c;
}

static void push(struct minimal_search *f, struct waiting one)
{
    vec_push(f->arena, &f->heap, one);
    struct waiting *at = f->heap.at;
    for (uint32_t i = f->heap.len - 1; i && comes_before(&at[i], &at[(i - 1) / 2]); i = (i - 1) / 2)
        exchange(&at[i], &at[(i - 1) / 2]);
}

static struct waiting pop(struct minimal_search *f)
{
    struct waiting *at = f->heap.at, first = at[0];
    at[0] = at[--f->heap.len];
    for (uint32_t i = 0;;) {
        uint32_t least = i, left = 2 * i + 1;
        for (uint32_t k = left; k < left + 2 && k < f->heap.len; k++)
            if (comes_before(&at[k], &at[least]))
                least = k;
        if (least == i)
            return first;
        exchange(&at[i], &at[least]);
        i = least;
    }
}

/* ---- clauses -------------------------------------------------------------------------------- */

static GBytes *key_of(const struct minimal_search *f, const uint8_t *choice)
{
    return g_bytes_new_static(choice, f->n);
}

static void offer(struct minimal_search *f, const uint8_t *choice)
{
    struct waiting one = {.choice = choice, .number = f->number++};
    for (uint32_t i = 0; i < f->n; i++) {
        one.cost += f->question->places[i].cost[choice[i]] - f->question->places[i].cost[0];
        one.size += choice[i] != 0;
    }
    if (one.size > f->question->most_edits) {
        f->result.larger = true;
        return;
    }
    if (g_hash_table_add(f->seen, key_of(f, choice)))
        push(f, one);
}

/* Is there an option that satisfies the clause too, is included in this one and costs no more? */
static bool is_excessive(const struct minimal_place *place, uint8_t option, uint8_t now,
                         uint8_t clause)
{
    for (uint32_t i = 0; i < place->count; i++)
        if (i != option && has(place, option, (uint8_t)i) && has(place, (uint8_t)i, now) &&
            !has(place, clause, (uint8_t)i) && place->cost[i] <= place->cost[option])
            return true;
    return false;
}

/* Each way to satisfy the clause. */
static void branch(struct minimal_search *f, const uint8_t *choice, const uint8_t *clause)
{
    for (uint32_t p = 0; p < f->n; p++) {
        const struct minimal_place *place = &f->question->places[p];
        for (uint32_t i = 0; i < place->count; i++) {
            uint8_t option = (uint8_t)i;
            if (i == choice[p] || !has(place, option, choice[p]) || has(place, clause[p], option) ||
                is_excessive(place, option, choice[p], clause[p]))
                continue;
            uint8_t *next = copy(f, choice);
            next[p] = option;
            offer(f, next);
        }
    }
}

static const uint8_t *broken_clause(const struct minimal_search *f, const uint8_t *choice)
{
    for (uint32_t i = f->shortest.len; i-- > 0;)
        if (includes(f, f->shortest.at[i], choice))
            return f->shortest.at[i];
    return NULL;
}

static bool is_found(const struct minimal_search *f, const uint8_t *choice)
{
    for (uint32_t i = 0; i < f->result.sets.len; i++)
        if (includes(f, choice, f->result.sets.at[i].choice))
            return true;
    return false;
}

/* A choice that satisfies every clause suffices, or gives another clause. */
static void try_choice(struct minimal_search *f, const struct waiting *one)
{
    struct minimal_set set = {one->choice, one->cost, one->size};
    enum minimal_answer answer = ask(f, one->choice);
    if (answer == MINIMAL_SHORT) {
        learn(f, one->choice);
        branch(f, one->choice, f->shortest.at[f->shortest.len - 1]);
    } else if (answer == MINIMAL_ENOUGH && f->question->accept(f->question->context, &set)) {
        vec_push(f->arena, &f->result.sets, set);
    }
}

/* Does anything suffice? Where an option may undo another the strongest choice does not tell. */
static void try_strongest(struct minimal_search *f)
{
    uint8_t *top = ARENA_ARRAY(f->arena, uint8_t, f->n + 1);
    for (uint32_t i = 0; i < f->n; i++) {
        f->result.possible |= f->question->places[i].shy;
        if (!f->question->places[i].shy)
            top[i] = highest(&f->question->places[i]);
    }
    f->result.strongest = top;
    f->result.possible |= ask(f, top) != MINIMAL_SHORT;
}

static void free_table(void *table)
{
    g_hash_table_destroy(table);
}

struct minimal_result minimal_find(struct arena *arena, const struct minimal_question *question)
{
    struct minimal_search f = {.arena = arena, .question = question, .n = question->place_count};
    f.seen =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    arena_tie(arena, &f.tie, free_table, f.seen);
    try_strongest(&f);
    if (f.result.possible)
        offer(&f, ARENA_ARRAY(arena, uint8_t, f.n + 1));
    while (f.heap.len && !f.result.more) {
        struct waiting one = pop(&f);
        const uint8_t *clause = broken_clause(&f, one.choice);
        if (is_found(&f, one.choice))
            continue;
        if (!question->go_on(question->context) || f.heap.len > MOST_WAITING) {
            f.result.open = true;
            break;
        }
        if (clause)
            branch(&f, one.choice, clause);
        else
            try_choice(&f, &one);
        f.result.more = f.result.sets.len == question->most_sets;
    }
    arena_untie(&f.tie);
    g_hash_table_destroy(f.seen);
    return f.result;
}
