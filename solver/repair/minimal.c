/* SPDX-License-Identifier: MIT */
#include "solver/repair/minimal.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/sort.h"

/* A choice that waits for its turn. */
struct waiting {
    const uint8_t *choice;
    const uint8_t *clause;       /* that it was made to satisfy, or NULL */
    uint32_t cost, size, number; /* number: of equal costs the earlier comes first */
    uint32_t shy;                /* options at shy places */
};

struct minimal_search {
    struct arena *arena;
    const struct minimal_question *question;
    uint32_t n;                    /* places */
    VEC(const uint8_t *) shortest; /* grown choices that do not suffice: the clauses */
    VEC(const uint8_t *) enough;   /* choices that do */
    VEC(struct waiting) heap;
    bool shy; /* options at shy places are tried now; else they wait */
    VEC(struct waiting) deferred;
    VEC(const uint8_t *) repeated;     /* what is the same as a result */
    uint32_t refused;                  /* sets that suffice and are no results */
    uint32_t undecided;                /* choices that were not decided and were gone on from */
    VEC(struct minimal_set) descended; /* minimal choices that were found from the strongest down */
    uint32_t bound;                    /* what costs more is not among the results */
    GHashTable *seen;                  /* choices that are or were in the heap */
    uint32_t number;
    struct tie tie;
    struct minimal_result result;
};

/* After so many refused sets, and no result, what is shy does not wait any longer. */
enum { MOST_WAITING = 200000, MOST_REFUSED = 4 };

/* Where nobody knows whether anything is to be done at all, stronger choices may still be decided: so many are looked
 * for, one edit more at a time. */
enum { MOST_UNDECIDED = 64 };

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

/* The clause that the choice satisfies, opened no further than the choice needs: most edits that are of no use for the
 * one are of none for the other. */
static bool grow_like(struct minimal_search *f, uint8_t *choice, const uint8_t *clause)
{
    uint8_t *tried = copy(f, choice);
    bool inside = true;
    for (uint32_t i = 0; i < f->n; i++) {
        const struct minimal_place *place = &f->question->places[i];
        if (has(place, clause[i], choice[i]))
            tried[i] = clause[i];
        else
            inside &= has(place, choice[i], clause[i]);
    }
    if (ask(f, tried) != MINIMAL_SHORT)
        return false;
    memcpy(choice, tried, f->n);
    return inside;
}

static void learn(struct minimal_search *f, const struct waiting *one)
{
    uint8_t *grown = copy(f, one->choice);
    if (!one->clause || !grow_like(f, grown, one->clause))
        grow_range(f, grown, 0, f->n);
    vec_push(f->arena, &f->shortest, grown);
    f->result.clauses++;
}

/* ---- the heap ------------------------------------------------------------------------------- */

/* Few options at shy places first, as nothing is learned of those: what includes a choice has no fewer and costs no less,
 * so that the first of several that suffice is still the minimal one. */
static bool comes_before(const struct waiting *a, const struct waiting *b)
{
    if (a->shy != b->shy)
        return a->shy < b->shy;
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

static uint32_t shy_options(const struct minimal_search *f, const uint8_t *choice)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->n; i++)
        count += f->question->places[i].shy && choice[i] != 0;
    return count;
}

static struct minimal_set set_of(const struct minimal_search *f, const uint8_t *choice)
{
    struct minimal_set set = {.choice = choice};
    for (uint32_t i = 0; i < f->n; i++) {
        set.cost += f->question->places[i].cost[choice[i]] - f->question->places[i].cost[0];
        set.size += choice[i] != 0;
    }
    return set;
}

static void offer(struct minimal_search *f, const uint8_t *choice, const uint8_t *clause,
                  bool waits)
{
    struct minimal_set set = set_of(f, choice);
    struct waiting one = {choice, clause, set.cost, set.size, f->number++, shy_options(f, choice)};
    if (one.size > f->question->most_edits) {
        f->result.larger = true;
        return;
    }
    if (one.cost > f->bound) {
        f->result.more = true;
        return;
    }
    if (!g_hash_table_add(f->seen, key_of(f, choice)))
        return;
    if (waits)
        vec_push(f->arena, &f->deferred, one);
    else
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
            offer(f, next, clause == choice ? NULL : clause, place->shy && !f->shy);
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
    for (uint32_t i = 0; i < f->repeated.len; i++)
        if (includes(f, choice, f->repeated.at[i]))
            return true;
    return false;
}

/* True: it is a result. */
static bool accept(struct minimal_search *f, const struct minimal_set *set)
{
    enum minimal_use use = f->question->accept(f->question->context, set);
    if (use == MINIMAL_TAKEN)
        vec_push(f->arena, &f->result.sets, *set);
    else if (use == MINIMAL_REPEATED)
        vec_push(f->arena, &f->repeated, set->choice);
    return use == MINIMAL_TAKEN;
}

static bool goes_on_from(struct minimal_search *f, const struct waiting *one)
{
    return (!one->size || f->undecided) && f->undecided++ < MOST_UNDECIDED;
}

/* A choice that satisfies every clause suffices, or gives another clause. */
static void try_choice(struct minimal_search *f, const struct waiting *one)
{
    struct minimal_set set = {one->choice, one->cost, one->size};
    enum minimal_answer answer = ask(f, one->choice);
    if (answer == MINIMAL_SHORT) {
        learn(f, one);
        branch(f, one->choice, f->shortest.at[f->shortest.len - 1]);
    } else if (answer == MINIMAL_OPEN && goes_on_from(f, one)) {
        branch(f, one->choice, one->choice); /* which is no clause to grow like */
    } else if (answer == MINIMAL_ENOUGH) {
        f->refused += !accept(f, &set);
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

/* ---- from the strongest down ---------------------------------------------------------------- */

/* The cheapest option below that of the choice with which it still suffices. */
static void descend_place(struct minimal_search *f, uint8_t *choice, uint32_t at)
{
    const struct minimal_place *place = &f->question->places[at];
    uint8_t was = choice[at];
    for (uint32_t i = 0; i < place->count; i++) {
        uint8_t best = choice[at];
        choice[at] = (uint8_t)i;
        bool less = has(place, was, (uint8_t)i) && place->cost[i] < place->cost[best];
        if (!less || ask(f, choice) != MINIMAL_ENOUGH)
            choice[at] = best;
    }
}

static int by_cost(const void *x, const void *y)
{
    const struct minimal_set *a = x, *b = y;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

/* From the strongest choice down, beginning with another place each time. What is found so is minimal, but need not be
 * the cheapest: it bounds the search, and stands where that does not come to an end. */
static void descend(struct minimal_search *f)
{
    for (uint32_t first = 0; first < f->n && f->question->go_on(f->question->context, false);
         first++) {
        uint8_t *choice = copy(f, f->result.strongest);
        bool known = false;
        for (uint32_t i = 0; i < f->n; i++)
            descend_place(f, choice, (first + i) % f->n);
        for (uint32_t i = 0; i < f->descended.len; i++)
            known |= memcmp(f->descended.at[i].choice, choice, f->n) == 0;
        if (!known)
            vec_push(f->arena, &f->descended, set_of(f, choice));
    }
    sort_array(f->descended.at, f->descended.len, sizeof *f->descended.at, by_cost);
    if (f->descended.len >= f->question->most_sets)
        f->bound = f->descended.at[f->question->most_sets - 1].cost;
}

/* What the search did not come to. */
static void add_descended(struct minimal_search *f)
{
    const struct minimal_question *question = f->question;
    for (uint32_t i = 0; i < f->descended.len && f->result.sets.len < question->most_sets; i++) {
        const struct minimal_set *set = &f->descended.at[i];
        if (set->size <= question->most_edits && !is_found(f, set->choice))
            accept(f, set);
    }
}

/* What the cheapest sets cost, as many as are asked for. */
static uint32_t bound_of(const struct minimal_search *f)
{
    struct minimal_set *sorted = ARENA_ARRAY(f->arena, struct minimal_set, f->result.sets.len + 1);
    memcpy(sorted, f->result.sets.at, f->result.sets.len * sizeof *sorted);
    sort_array(sorted, f->result.sets.len, sizeof *sorted, by_cost);
    return sorted[f->question->most_sets - 1].cost;
}

static bool is_stuck(const struct minimal_search *f)
{
    return !f->shy && f->deferred.len && !f->result.sets.len && f->refused >= MOST_REFUSED;
}

/* Goes through what waits, the cheapest first. False: there is no time for more. */
static bool look_through(struct minimal_search *f)
{
    const struct minimal_question *question = f->question;
    while (f->heap.len && !is_stuck(f)) {
        struct waiting one = pop(f);
        const uint8_t *clause = broken_clause(f, one.choice);
        if (is_found(f, one.choice))
            continue;
        if (f->result.sets.len >= question->most_sets && one.cost >= bound_of(f)) {
            f->result.more =
                true; /* with more options at shy places something may still cost less */
            continue;
        }
        if (!question->go_on(question->context, f->shy) || f->heap.len > MOST_WAITING)
            return false;
        if (clause)
            branch(f, one.choice, clause);
        else
            try_choice(f, &one);
    }
    return true;
}

/* Then what was put off, with all that was learned. */
static void look_through_shy(struct minimal_search *f)
{
    f->shy = true;
    for (uint32_t i = 0; i < f->deferred.len; i++)
        push(f, f->deferred.at[i]);
    f->result.open |= !look_through(f);
}

static void free_table(void *table)
{
    g_hash_table_destroy(table);
}

struct minimal_result minimal_find(struct arena *arena, const struct minimal_question *question)
{
    struct minimal_search f = {
        .arena = arena, .question = question, .n = question->place_count, .bound = UINT32_MAX};
    f.seen =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    arena_tie(arena, &f.tie, free_table, f.seen);
    try_strongest(&f);
    if (f.result.possible && question->descends)
        descend(&f);
    if (f.result.possible)
        offer(&f, ARENA_ARRAY(arena, uint8_t, f.n + 1), NULL, false);
    if (look_through(&f))
        look_through_shy(&f);
    else
        f.result.open = true;
    add_descended(&f);
    arena_untie(&f.tie);
    g_hash_table_destroy(f.seen);
    return f.result;
}
